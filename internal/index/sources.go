package index

import (
	"context"
	"sync"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// NewSources reads excerpts from where repositories were indexed, as long as they are still there and the content is the same.
func NewSources(languages []*lang.Language, cacheDir string) explain.Sources {
	repos := &opened{cacheDir: cacheDir, repos: map[string]*source.Repository{}}
	read := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, path string) ([]byte, error) {
		r, done, err := repos.open(ctx, repo.Location, commitOf(rev) != "")
		if err != nil {
			return nil, err
		}
		defer done()
		return r.ReadPath(ctx, r.At(commitOf(rev)), path)
	}
	link := func(repo *catalog.Repo, path string, line, end int, commit string) string {
		return source.Link(repo.Host, path, line, end, commit)
	}
	changes := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, most int) (*explain.Changes, error) {
		r, done, err := repos.open(ctx, repo.Location, rev.Commit != "")
		if err != nil {
			return nil, err
		}
		defer done()
		c, err := r.Changes(ctx, r.At(rev.Commit), most)
		if err != nil {
			return nil, err
		}
		out := &explain.Changes{Files: c.Files, Whole: c.Whole, Commits: make([]explain.Commit, len(c.Commits))}
		for i := range c.Commits {
			out.Commits[i] = explain.Commit(c.Commits[i])
		}
		return out, nil
	}
	texts := func(ctx context.Context, repo *catalog.Repo, path string, commits []string) ([][]byte, error) {
		r, done, err := repos.open(ctx, repo.Location, true)
		if err != nil {
			return nil, err
		}
		defer done()
		return r.TextsAt(ctx, path, commits)
	}
	documents := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision) (map[string][]byte, error) {
		r, done, err := repos.open(ctx, repo.Location, commitOf(rev) != "")
		if err != nil {
			return nil, err
		}
		defer done()
		return r.Documents(ctx, r.At(commitOf(rev)))
	}
	return explain.Sources{Read: read, Link: link, Changes: changes, TextsAt: texts, Documents: documents}
}

// commitOf is the commit whose files are those of a revision; "" for a work tree that differs from its commit.
func commitOf(rev *catalog.Revision) string {
	if rev.Dirty {
		return ""
	}
	return rev.Commit
}

// maxOpened bounds the repositories that stay open.
const maxOpened = 16

// opened keeps repositories open that commits are read of: opening one asks git several things. Of others, which are read as files, the
// folder may be exchanged meanwhile.
type opened struct {
	cacheDir string
	mu       sync.Mutex
	repos    map[string]*source.Repository
}

// open opens the repository at a location; done is called when it is not needed any more.
func (o *opened) open(ctx context.Context, location string, commit bool) (r *source.Repository, done func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if r := o.repos[location]; r != nil && commit {
		return r, func() {}, nil
	}
	r, err = source.OpenIndexed(ctx, location, source.Options{CacheDir: o.cacheDir})
	if err != nil {
		return nil, nil, err
	}
	if commit && len(o.repos) < maxOpened {
		o.repos[location] = r
		return r, func() {}, nil
	}
	return r, func() { _ = r.Close() }, nil
}
