package source

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commit is one of the commits that lead to a revision.
type Commit struct {
	Hash    string // 40 hex digits
	Subject string // first line of its message
	Time    time.Time
}

// Changes say which commits changed which files.
type Changes struct {
	Commits []Commit         // the newest first
	Files   map[string][]int // the indices of those that changed a file, in order; merges count for none
	Whole   bool             // there are no earlier commits
}

// Changes lists the last commits that lead to a revision, at most as many as most. A plain folder has none, and neither has a clone that
// was cut off: what it calls its first commit is none. Trees are compared for this, no contents: nothing that the repository configures
// is run.
func (r *Repository) Changes(ctx context.Context, v Revision, most int) (*Changes, error) {
	out := &Changes{Files: map[string][]int{}}
	if !r.git || v.Commit == "" {
		return out, nil
	}
	shallow, err := git(ctx, r.dir, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(shallow) != "false" {
		return out, err
	}
	list, err := git(ctx, r.dir, "rev-list", "--max-count="+strconv.Itoa(most+1), "--format=%H%x09%ct%x09%s", v.Commit)
	if err != nil {
		return nil, fmt.Errorf("commits of %s: %w", r.location, err)
	}
	index := map[string]int{}
	var ids strings.Builder
	for line := range strings.Lines(list) {
		id, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		when, subject, dated := strings.Cut(rest, "\t")
		seconds, err := strconv.ParseInt(when, 10, 64)
		if !ok || !dated || err != nil {
			continue // the line that comes before each
		}
		if out.Whole = len(out.Commits) < most; !out.Whole {
			break
		}
		index[id] = len(out.Commits)
		ids.WriteString(id + "\n")
		out.Commits = append(out.Commits, Commit{Hash: id, Subject: subject, Time: time.Unix(seconds, 0).UTC()})
	}
	within, cancel := context.WithTimeout(ctx, localWithin)
	defer cancel()
	c := command(within, r.dir, noProtocol, "diff-tree", "--stdin", "-r", "--root", "--no-renames", "--name-only")
	c.Stdin = strings.NewReader(ids.String())
	names, err := run(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("commits of %s: %w", r.location, err)
	}
	at := -1
	for line := range strings.Lines(names) {
		line = strings.TrimSuffix(line, "\n")
		if i, ok := index[line]; ok {
			at = i
		} else if path, ok := strings.CutPrefix(line, r.prefix); ok && at >= 0 {
			out.Files[path] = append(out.Files[path], at)
		}
	}
	return out, nil
}

// TextsAt reads a file as it was at several commits, or before them where a commit has a "^" behind it; a text is nil where there was no
// such file, or where it is too large.
func (r *Repository) TextsAt(ctx context.Context, path string, commits []string) ([][]byte, error) {
	out := make([][]byte, len(commits))
	if !r.git {
		return out, nil
	}
	o := newObjects(ctx, r.dir)
	defer o.close()
	for i, c := range commits {
		if _, kind, data, err := o.get(c+":"+r.prefix+path, defaultMaxFileSize); err == nil && kind == "blob" {
			out[i] = data
		}
	}
	return out, ctx.Err()
}
