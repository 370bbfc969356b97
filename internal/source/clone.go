package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// clone is the copy of a URL in the cache. It holds the commits that were asked for, without their history. Each is kept by a ref of
// its own, so that what a catalog refers to stays readable when the branch moves on; git's collecting of garbage is off.
type clone struct {
	address address
	dir     string
	head    string            // full name of the default branch; "HEAD" where it is none
	refs    map[string]string // what the remote has: full name of tag or branch, or HEAD, to commit
	mu      sync.Mutex
	fetched map[string]string // what this process fetched: what was asked for to commit
}

// openClone brings the cache's copy of a URL up to date with its default branch and the revisions of the options.
func (r *Repository) openClone(ctx context.Context, location string) error {
	a, err := parseAddress(location)
	if err != nil {
		return err
	}
	if r.options.CacheDir == "" {
		return fmt.Errorf("%s: there is no cache folder to clone to", a.shown)
	}
	c := &clone{address: a, dir: cloneDir(a, r.options), fetched: map[string]string{}}
	r.location, r.origin, r.dir, r.git, r.bare, r.clone = a.shown, a.shown, c.dir, true, true, c
	err = c.init(ctx)
	if err == nil {
		err = c.list(ctx)
	}
	for _, rev := range append([]string{""}, r.options.Revisions...) {
		if err == nil {
			_, err = c.fetch(ctx, r, rev)
		}
	}
	if err != nil && (errors.Is(err, ErrUnknownRevision) || ctx.Err() != nil) {
		return err
	}
	if err != nil {
		return a.hide(fmt.Errorf("clone %s: %w", a.shown, err))
	}
	return nil
}

// cloneDir is the folder of the cache that a URL is cloned to. It does not hang on credentials, which change.
func cloneDir(a address, o Options) string {
	sum := sha256.Sum256([]byte(a.shown))
	return filepath.Join(o.CacheDir, "repos", hex.EncodeToString(sum[:8])+".git")
}

// init makes an empty repository where there is none.
func (c *clone) init(ctx context.Context) error {
	// What is cloned may be private.
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := git(ctx, c.dir, "init", "--quiet", "--bare", "--object-format=sha1", "--template="); err != nil {
		return err
	}
	// What an interrupted fetch left is of no use to the next.
	left, err := filepath.Glob(filepath.Join(c.dir, "objects", "pack", "tmp_*"))
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// lock waits for another process that writes to the same copy.
func (c *clone) lock(ctx context.Context) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(c.dir, "wherefore.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// network runs git with the network: with the transports that are allowed, without questions, and with an end to a remote that says
// nothing for a minute.
func (c *clone) network(ctx context.Context, args ...string) (string, error) {
	stall := []string{"-c", "http.lowSpeedLimit=100", "-c", "http.lowSpeedTime=60"}
	cmd := command(ctx, c.dir, "http:https:ssh:file", append(stall, args...)...)
	// The user's own way to call ssh is kept; ours cannot ask for a password or the key of a host.
	if os.Getenv("GIT_SSH_COMMAND") == "" && os.Getenv("GIT_SSH") == "" {
		if _, err := git(ctx, c.dir, "config", "--get", "core.sshCommand"); err != nil {
			cmd.Env = append(cmd.Env, "GIT_SSH_COMMAND=ssh -oBatchMode=yes -oConnectTimeout=30")
		}
	}
	out, err := run(ctx, cmd)
	if err != nil && ctx.Err() == nil {
		err = c.address.hide(err)
	}
	return out, err
}

// list asks the remote what it has.
func (c *clone) list(ctx context.Context) error {
	out, err := c.network(ctx, "ls-remote", "--symref", "--", c.address.url, "HEAD", "refs/heads/*", "refs/tags/*")
	if err != nil {
		return err
	}
	c.refs = map[string]string{}
	for line := range strings.Lines(out) {
		value, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, symbolic := strings.CutPrefix(value, "ref: "); ok && symbolic && name == "HEAD" {
			c.head = target
		} else if ok && isCommit(value) {
			// A tag object is followed by a line with what it is of.
			c.refs[strings.TrimSuffix(name, "^{}")] = value
		} else if ok && len(value) == 64 {
			return fmt.Errorf("%w: it names objects by SHA-256, which is not supported", ErrGit)
		}
	}
	if c.refs[c.head] == "" {
		c.head = "HEAD"
	}
	if c.refs[c.head] == "" {
		return ErrEmpty
	}
	return nil
}

// isCommit reports whether a text is a full id.
func isCommit(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}

// fetch makes sure that the commit of a revision is in the copy, and returns its id. "" is the default branch.
func (c *clone) fetch(ctx context.Context, r *Repository, rev string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if commit := c.fetched[rev]; commit != "" {
		return commit, nil
	}
	wanted, commit := c.find(rev)
	if wanted == "" {
		return "", unknownRevision(r.Name(), rev, c.all())
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if !c.has(ctx, commit) {
		if _, err = c.network(ctx, "fetch", "--quiet", "--depth=1", "--no-tags", "--force", "--no-recurse-submodules", "--no-write-fetch-head",
			"--", c.address.url, "+"+wanted+":refs/wherefore/new"); err != nil {
			return "", fmt.Errorf("fetch %s: %w", wanted, err)
		}
		// The remote may have moved on since it was listed: what came is what counts.
		if commit, err = git(ctx, c.dir, "rev-parse", "--verify", "refs/wherefore/new^{commit}"); err != nil {
			return "", fmt.Errorf("%s is not of a commit: %w", wanted, err)
		}
		commit = strings.TrimSpace(commit)
		if _, err := git(ctx, c.dir, "update-ref", "refs/wherefore/commits/"+commit, commit); err != nil {
			return "", err
		}
	}
	if rev == "" {
		// HEAD lets others, and OpenIndexed, read the copy as the bare repository that it is.
		if _, err := git(ctx, c.dir, "symbolic-ref", "HEAD", "refs/wherefore/commits/"+commit); err != nil {
			return "", err
		}
	}
	c.fetched[rev] = commit
	return commit, nil
}

// has reports whether a commit is kept in the copy. A ref is set after all objects are there.
func (c *clone) has(ctx context.Context, commit string) bool {
	_, err := git(ctx, c.dir, "rev-parse", "--verify", "--quiet", "refs/wherefore/commits/"+commit+"^{tree}")
	return err == nil
}

// find is the name by which a revision is fetched, and its commit; "" if the remote has none of that name. As with git a tag comes
// before a branch of the same name. The beginning of an id is looked up among the tags and branches: a remote answers full ids alone.
func (c *clone) find(rev string) (wanted, commit string) {
	if rev == "" || rev == "HEAD" {
		return c.head, c.refs[c.head]
	}
	for _, name := range [...]string{rev, "refs/" + rev, "refs/tags/" + rev, "refs/heads/" + rev} {
		if commit := c.refs[name]; commit != "" {
			return name, commit
		}
	}
	if rev = strings.ToLower(rev); isCommit(rev) {
		return rev, rev
	}
	if len(rev) >= 7 && strings.Trim(rev, "0123456789abcdef") == "" {
		for name, commit := range c.refs {
			if strings.HasPrefix(commit, rev) {
				return name, commit
			}
		}
	}
	return "", ""
}

// all lists the remote's tags, from the highest version down, and its branches.
func (c *clone) all() refNames { return c.where(func(string) bool { return true }) }

// names lists the tags and branches of a commit.
func (c *clone) names(commit string) []string {
	at := c.where(func(other string) bool { return other == commit })
	return append(at.tags, at.branches...)
}

// where lists the remote's tags and branches whose commits are wanted.
func (c *clone) where(wanted func(commit string) bool) (out refNames) {
	for name, commit := range c.refs {
		if !wanted(commit) {
			continue
		}
		if tag, ok := strings.CutPrefix(name, "refs/tags/"); ok {
			out.tags = append(out.tags, tag)
		} else if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			out.branches = append(out.branches, branch)
		}
	}
	slices.SortFunc(out.tags, func(a, b string) int { return compareVersions(b, a) })
	slices.Sort(out.branches)
	return out
}

// compareVersions orders names by their numbers where the letters before them are the same.
func compareVersions(a, b string) int {
	lettersA, numbersA := splitNumbers(a)
	lettersB, numbersB := splitNumbers(b)
	if lettersA != lettersB {
		return strings.Compare(a, b)
	}
	return cmp.Or(slices.Compare(numbersA, numbersB), strings.Compare(a, b))
}
