package source

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Version is a file as a commit left it.
type Version struct {
	Commit  string // 40 hex digits
	Subject string // first line of its message
	Time    time.Time
	Text    []byte // as it is stored; empty where the commit removed the file, or where it is too large to be read
}

// History lists the commits that lead to a revision and changed a file, the newest first and at most as many as most, each with the
// file's text behind it. whole says that there are no earlier ones. A plain folder has no history, and neither has a clone that was cut
// off: what it calls its first commit is none.
func (r *Repository) History(ctx context.Context, v Revision, path string, most int) (versions []Version, whole bool, err error) {
	if !r.git || v.Commit == "" || strings.ContainsAny(path, "\n\x00") {
		return nil, false, nil
	}
	shallow, err := git(ctx, r.dir, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(shallow) != "false" {
		return nil, false, err
	}
	// Only trees are compared for this, no contents: nothing that the repository configures is run.
	out, err := git(ctx, r.dir, "rev-list", "--max-count="+strconv.Itoa(most+1), "--format=%H%x09%ct%x09%s", v.Commit, "--", ":(top,literal)"+r.prefix+path)
	if err != nil {
		return nil, false, fmt.Errorf("history of %s in %s: %w", path, r.location, err)
	}
	for line := range strings.Lines(out) {
		id, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		when, subject, dated := strings.Cut(rest, "\t")
		seconds, err := strconv.ParseInt(when, 10, 64)
		if !ok || !dated || err != nil {
			continue // the line that comes before each
		}
		versions = append(versions, Version{Commit: id, Subject: subject, Time: time.Unix(seconds, 0).UTC()})
	}
	whole = len(versions) <= most
	versions = versions[:min(len(versions), most)]
	o := newObjects(ctx, r.dir)
	defer o.close()
	for i := range versions {
		_, kind, data, err := o.get(versions[i].Commit+":"+r.prefix+path, defaultMaxFileSize)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err == nil && kind == "blob" {
			versions[i].Text = data
		}
	}
	return versions, whole, nil
}
