package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// command prepares git: never a prompt, never a pager, no hooks or configuration of the repository that would run something.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	base := []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*", "-c", "core.quotePath=false"}
	c := exec.CommandContext(ctx, "git", append(base, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=http:https:ssh:file",
		"GIT_NO_LAZY_FETCH=1", "LC_ALL=C", "GIT_ASKPASS=true", "GIT_SSH_COMMAND=ssh -oBatchMode=yes")
	c.WaitDelay = 5 * time.Second
	return c
}

// git runs git and returns what it prints. Its complaint is in the error, in one line and without credentials.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	c := command(ctx, dir, args...)
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	err := c.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("git is not installed; it is needed to read repositories (a plain folder needs none)")
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrGit, oneLine(complaint.String(), err))
	}
	return out.String(), nil
}

// oneLine is the last line of a complaint that says something.
func oneLine(complaint string, err error) string {
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	for _, l := range slices.Backward(lines) {
		if l = strings.TrimSpace(l); l != "" {
			return withoutCredentials(strings.TrimPrefix(l, "fatal: "))
		}
	}
	return err.Error()
}

func isURL(location string) bool {
	if strings.Contains(location, "://") {
		return true
	}
	return regexp.MustCompile(`^[\w.-]+@[\w.-]+:[^\\]`).MatchString(location)
}

// withoutCredentials removes user and password from the URLs in a text.
func withoutCredentials(s string) string {
	return regexp.MustCompile(`(\w+://)[^/@\s]+@`).ReplaceAllString(s, "$1")
}

// clone fetches a URL into its folder of the cache and returns that. What was fetched before is brought up to date.
func clone(ctx context.Context, location string, o Options) (string, error) {
	if u, err := url.Parse(location); err == nil && strings.Contains(location, "://") && !slices.Contains([]string{"http", "https", "ssh", "file"}, u.Scheme) {
		return "", fmt.Errorf("%s: repositories are read over https, http, ssh and file only", withoutCredentials(location))
	}
	if strings.HasPrefix(location, "-") {
		return "", fmt.Errorf("%s is not a repository's address", location)
	}
	dir := cloneDir(location, o)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("clone %s: %w", withoutCredentials(location), err)
	}
	if _, err := git(ctx, dir, "init", "--quiet", "--bare"); err != nil {
		return "", err
	}
	wanted := append([]string{"HEAD"}, o.Revisions...)
	for i, rev := range wanted {
		if strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, " :") {
			return "", fmt.Errorf("%s is not a revision", rev)
		}
		target := rev + ":refs/wherefore/" + strconv.Itoa(i)
		_, err := git(ctx, dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--force", "--", location, target)
		if err != nil && i > 0 {
			_, err = git(ctx, dir, "fetch", "--quiet", "--depth=1", "--force", "--", location, "refs/tags/"+rev+":refs/tags/"+rev)
		}
		if err != nil {
			return "", fmt.Errorf("clone %s: %w", withoutCredentials(location), err)
		}
	}
	if _, err := git(ctx, dir, "symbolic-ref", "HEAD", "refs/wherefore/0"); err != nil {
		return "", err
	}
	return dir, nil
}

// cloneDir is the folder of the cache that a URL is cloned to.
func cloneDir(location string, o Options) string {
	sum := sha256.Sum256([]byte(withoutCredentials(location)))
	return filepath.Join(o.CacheDir, "repos", hex.EncodeToString(sum[:8])+".git")
}

// detect finds out whether a folder belongs to a git repository.
func (r *Repository) detect(ctx context.Context) error {
	out, err := git(ctx, r.dir, "rev-parse", "--is-bare-repository", "--show-prefix", "--git-dir")
	if err != nil {
		if errors.Is(err, ErrGit) && strings.Contains(err.Error(), "not a git repository") || !hasGit(r.dir) {
			return nil // a plain folder
		}
		return fmt.Errorf("%s: %w", r.location, err)
	}
	lines := strings.Split(out, "\n")
	r.git = true
	r.bare = lines[0] == "true"
	if !r.bare && len(lines) > 1 {
		r.prefix = lines[1]
		if r.prefix != "" {
			// A folder inside a work tree that git ignores is not part of the repository.
			if _, err := git(ctx, r.dir, "check-ignore", "-q", "."); err == nil {
				r.git, r.prefix = false, ""
				return nil
			}
		}
	}
	remote, err := git(ctx, r.dir, "config", "--get", "remote.origin.url")
	if err == nil {
		r.remote = withoutCredentials(strings.TrimSpace(remote))
	}
	return nil
}

func hasGit(dir string) bool {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return true
		}
		if filepath.Dir(d) == d {
			return false
		}
	}
}

func (r *Repository) resolve(ctx context.Context, rev string) (Revision, error) {
	wanted := rev
	if rev == "" {
		wanted = "HEAD"
	}
	if strings.HasPrefix(wanted, "-") {
		return Revision{}, fmt.Errorf("%w %s", ErrUnknownRevision, rev)
	}
	out, err := git(ctx, r.dir, "rev-parse", "--verify", "--quiet", wanted+"^{commit}")
	if err != nil && r.bare && rev != "" {
		for i, v := range r.options.Revisions {
			if v == rev {
				out, err = git(ctx, r.dir, "rev-parse", "--verify", "--quiet", "refs/wherefore/"+strconv.Itoa(i+1)+"^{commit}")
			}
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return Revision{}, ctx.Err()
		}
		if rev != "" {
			return Revision{}, r.unknownRevision(ctx, rev)
		}
		if r.bare {
			return Revision{}, fmt.Errorf("%s: %w", r.location, ErrEmpty)
		}
		return Revision{Time: time.Now().UTC(), work: true}, nil // a work tree without a commit is read as a folder
	}
	v := Revision{Commit: strings.TrimSpace(out)}
	head, err := git(ctx, r.dir, "show", "-s", "--format=%T %ct", v.Commit)
	if err != nil {
		return v, fmt.Errorf("%s: %w", r.location, err)
	}
	tree, at, _ := strings.Cut(strings.TrimSpace(head), " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return v, fmt.Errorf("%s: commit %s has no time", r.location, v.Commit)
	}
	v.Tree, v.Time = tree, time.Unix(seconds, 0).UTC()
	if err := r.names(ctx, &v, rev); err != nil {
		return v, err
	}
	if rev == "" && !r.bare {
		status, err := git(ctx, r.dir, "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules", "--", ".")
		if err != nil {
			return v, fmt.Errorf("%s: %w", r.location, err)
		}
		if status != "" {
			v.Dirty, v.work, v.Tree = true, true, ""
		}
	}
	return v, nil
}

// names lists the tags and branches of a commit, tags first, the newest version first.
func (r *Repository) names(ctx context.Context, v *Revision, asked string) error {
	out, err := git(ctx, r.dir, "for-each-ref", "--points-at", v.Commit, "--sort=-version:refname", "--format=%(refname)", "refs/tags", "refs/heads")
	if err != nil {
		return fmt.Errorf("%s: %w", r.location, err)
	}
	var branches []string
	for _, ref := range strings.Fields(out) {
		if tag, ok := strings.CutPrefix(ref, "refs/tags/"); ok {
			v.Names = append(v.Names, tag)
		} else {
			branches = append(branches, strings.TrimPrefix(ref, "refs/heads/"))
		}
	}
	v.Names = append(v.Names, branches...)
	if asked != "" && slices.Contains(r.options.Revisions, asked) && !slices.Contains(v.Names, asked) && !strings.HasPrefix(v.Commit, asked) {
		v.Names = append([]string{asked}, v.Names...)
	}
	return nil
}

// Tags lists the tags that fit a pattern of path.Match's kind, oldest version first.
func (r *Repository) Tags(ctx context.Context, pattern string) ([]string, error) {
	if !r.git {
		return nil, fmt.Errorf("%s is a plain folder: it has no tags", r.location)
	}
	out, err := git(ctx, r.dir, "for-each-ref", "--sort=version:refname", "--format=%(refname:short)", "refs/tags/"+pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.location, err)
	}
	return strings.Fields(out), nil
}

// unknownRevision names the tags nearest to what was asked for.
func (r *Repository) unknownRevision(ctx context.Context, rev string) error {
	out, err := git(ctx, r.dir, "for-each-ref", "--sort=-version:refname", "--format=%(refname:short)", "refs/tags", "refs/heads")
	if err != nil {
		return fmt.Errorf("%w %s", ErrUnknownRevision, rev)
	}
	all := strings.Fields(out)
	if len(all) == 0 {
		return fmt.Errorf("%w %s; %s has no tags", ErrUnknownRevision, rev, r.Name())
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(distance(rev, a), distance(rev, b)) })
	return fmt.Errorf("%w %s; nearest tags: %s", ErrUnknownRevision, rev, strings.Join(all[:min(4, len(all))], ", "))
}

// distance is the edit distance between two names.
func distance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0]++
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
