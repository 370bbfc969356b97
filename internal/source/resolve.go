package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// hasGit reports whether a folder looks like part of a repository, for where git itself cannot be asked.
func hasGit(dir string) bool {
	exists := func(parts ...string) bool {
		_, err := os.Lstat(filepath.Join(parts...))
		return err == nil
	}
	if exists(dir, "HEAD") && exists(dir, "objects") && exists(dir, "refs") {
		return true
	}
	for d := dir; ; d = filepath.Dir(d) {
		if exists(d, ".git") {
			return true
		}
		if filepath.Dir(d) == d {
			return false
		}
	}
}

// resolve finds a revision of a git repository; see Resolve.
func (r *Repository) resolve(ctx context.Context, rev string) (Revision, error) {
	name := rev
	if r.clone != nil {
		commit, err := r.clone.fetch(ctx, r, rev)
		if err != nil {
			return Revision{}, err
		}
		name = commit
	} else if rev == "" {
		name = "HEAD"
	}
	o := newObjects(ctx, r.dir)
	defer o.close()
	v, err := r.commit(o, name)
	work := rev == "" && !r.bare
	switch {
	case err == errMissing:
		return r.unresolved(ctx, rev)
	case errors.Is(err, errNoFolder) && work:
		v.Tree = "" // it is new
	case err != nil && ctx.Err() != nil:
		return Revision{}, ctx.Err()
	case err != nil:
		return Revision{}, fmt.Errorf("%s: revision %s: %w", r.location, name, err)
	}
	if v.Names, err = r.names(ctx, v.Commit); err != nil {
		return Revision{}, err
	}
	if !work {
		return v, nil
	}
	differs := v.Tree == ""
	if !differs {
		if differs, err = r.differs(ctx); err != nil {
			return Revision{}, fmt.Errorf("%s: %w", r.location, err)
		}
	}
	if differs {
		v.Dirty, v.work, v.Tree = true, true, ""
	}
	return v, nil
}

// errNoFolder says that a commit does not hold the folder that was opened.
var errNoFolder = errors.New("the folder is not in it")

// maxCommit bounds the size of a commit object: its message may be long, but not without end.
const maxCommit = 16 << 20

// commit reads the commit that a name stands for; errMissing if there is none.
func (r *Repository) commit(o *objects, name string) (Revision, error) {
	id, kind, data, err := o.get(name+"^{commit}", maxCommit)
	if err != nil {
		return Revision{}, err
	}
	v := Revision{Commit: id}
	if kind != "commit" || len(id) != 40 {
		return v, fmt.Errorf("%w: object %s is not one of a repository that names by SHA-1", ErrGit, id)
	}
	for line := range bytes.Lines(data) {
		key, value, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		switch key {
		case "":
			line = nil
		case "tree":
			v.Tree = value
		case "committer":
			// Name <address> seconds zone
			fields := strings.Fields(value[strings.LastIndexByte(value, '>')+1:])
			if len(fields) > 0 {
				seconds, _ := strconv.ParseInt(fields[0], 10, 64) // a time that is none is 1970, as git has it
				v.Time = time.Unix(seconds, 0).UTC()
			}
		}
		if line == nil {
			break
		}
	}
	if r.prefix != "" {
		v.Tree, kind, _, err = o.get(v.Commit+":"+strings.TrimSuffix(r.prefix, "/"), maxOutput)
		if err == errMissing || err == nil && kind != "tree" {
			return v, fmt.Errorf("%w: %s", errNoFolder, r.prefix)
		}
	}
	return v, err
}

// unresolved is the answer where a name stands for no commit.
func (r *Repository) unresolved(ctx context.Context, rev string) (Revision, error) {
	// The name may well be known, and its commit be missing.
	name := rev
	if rev == "" {
		name = "HEAD"
	}
	if !strings.HasPrefix(name, "-") && !strings.ContainsAny(name, "\n\x00") {
		id, err := git(ctx, r.dir, "rev-parse", "--verify", "--quiet", name)
		if id = strings.TrimSpace(id); err == nil && !strings.EqualFold(id, name) {
			if _, err := git(ctx, r.dir, "cat-file", "-t", id); err != nil {
				return Revision{}, fmt.Errorf("%s: %w: commit %s of %s is missing or damaged", r.location, ErrGit, id, name)
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return Revision{}, ctx.Err()
	case rev != "":
		all, err := r.localNames(ctx)
		if err != nil {
			return Revision{}, err
		}
		return Revision{}, unknownRevision(r.Name(), rev, all)
	case r.bare:
		return Revision{}, fmt.Errorf("%s: %w", r.location, ErrEmpty)
	}
	return Revision{Time: time.Now().UTC(), work: true}, nil // the files are there all the same
}

// names lists the tags and branches of a commit.
func (r *Repository) names(ctx context.Context, commit string) ([]string, error) {
	if r.clone != nil {
		return r.clone.names(commit), nil
	}
	tags, branches, err := r.refs(ctx, "--points-at="+commit)
	return append(tags, branches...), err
}

// localNames lists all tags and branches.
func (r *Repository) localNames(ctx context.Context) (refNames, error) {
	if r.clone != nil {
		return r.clone.all(), nil
	}
	tags, branches, err := r.refs(ctx)
	return refNames{tags, branches}, err
}

// refNames is the names of a repository's revisions.
type refNames struct{ tags, branches []string }

// refs lists tags, from the highest version down, and branches. Tags of what is no commit are not revisions.
func (r *Repository) refs(ctx context.Context, options ...string) (tags, branches []string, err error) {
	args := append([]string{"for-each-ref", "--sort=-version:refname", "--format=%(refname) %(objecttype) %(*objecttype)"}, options...)
	out, err := git(ctx, r.dir, append(args, "refs/tags", "refs/heads")...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", r.location, err)
	}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[len(fields)-1] != "commit" {
			continue
		}
		if tag, ok := strings.CutPrefix(fields[0], "refs/tags/"); ok {
			tags = append(tags, tag)
		} else if branch, ok := strings.CutPrefix(fields[0], "refs/heads/"); ok {
			branches = append(branches, branch)
		}
	}
	return tags, branches, nil
}

// Tags lists the tags that fit a pattern of path.Match's kind, lowest version first. Tags of what is no commit are left out.
func (r *Repository) Tags(ctx context.Context, pattern string) ([]string, error) {
	if !r.git {
		return nil, fmt.Errorf("%s is a plain folder: it has no tags", r.location)
	}
	all, err := r.localNames(ctx)
	if err != nil {
		return nil, err
	}
	return fitting(all.tags, pattern)
}

// differs reports whether the work tree differs from HEAD in a file that would be read, or may differ.
//
// git compares files whose times changed by content, as it would store it, and runs the filters that are configured for them. Those of
// the user are the user's; those that the repository's own configuration names are not run: the work tree then counts as different.
// So it does in a repository whose contents are encrypted by such a filter, where files are the one thing that can be read.
func (r *Repository) differs(ctx context.Context) (bool, error) {
	filters, err := git(ctx, r.dir, "config", "--show-scope", "--name-only", "--get-regexp", `^filter\.`)
	if err == nil {
		for line := range strings.Lines(filters) {
			if scope, _, _ := strings.Cut(line, "\t"); scope == "local" || scope == "worktree" {
				return true, nil
			}
		}
	}
	err = records(ctx, r.dir, func(record []byte) error {
		if r.readsStatus(string(record)) {
			return errDiffers
		}
		return nil
	}, "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all", "--", ".")
	if errors.Is(err, errDiffers) {
		return true, nil
	}
	return false, err
}

// errDiffers ends the reading of a status.
var errDiffers = errors.New("the work tree differs")

// readsStatus reports whether a line of git's status is about a file that is read:
//
//	1 XY sub modeHEAD modeINDEX modeWORKTREE idHEAD idINDEX path
//	u XY sub mode mode mode mode id id id path
//	? path
//
// Paths are those from the root of the work tree.
func (r *Repository) readsStatus(record string) bool {
	kind, rest, _ := strings.Cut(record, " ")
	fields := map[string]int{"1": 8, "u": 10, "?": 1}[kind]
	parts := strings.SplitN(rest, " ", fields)
	if fields == 0 || len(parts) < fields {
		return true // a form that we do not know says that something differs
	}
	path := parts[fields-1]
	inside := strings.TrimPrefix(path, r.prefix)
	if r.table.byName(inside) != "" || slices.ContainsFunc(r.options.Beside, func(dir string) bool { return strings.HasPrefix(inside, dir+"/") }) {
		return true
	}
	executable := slices.Contains(parts[:fields-1], modeExecutable)
	if kind == "?" {
		w, err := newWalker(r.root)
		if err != nil {
			return true
		}
		defer w.close()
		st, err := w.stat(inside)
		executable = err == nil && st.executable()
	}
	return r.table.maybeScript(path, executable, 0)
}

// fitting lists the names that fit a pattern, in reverse.
func fitting(names []string, pattern string) ([]string, error) {
	var out []string
	for _, name := range slices.Backward(names) {
		ok, err := filepath.Match(pattern, name)
		if err != nil {
			return nil, fmt.Errorf("pattern of tags %q: %w", pattern, err)
		}
		if ok {
			out = append(out, name)
		}
	}
	return out, nil
}
