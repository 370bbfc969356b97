package index

import (
	"context"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// NewSources reads excerpts from where repositories were indexed, as long as they are still there and the content is the same.
func NewSources(languages []*lang.Language, cacheDir string) explain.Sources {
	read := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, path string) ([]byte, error) {
		r, err := source.OpenIndexed(ctx, repo.Location, source.Options{CacheDir: cacheDir})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.ReadPath(ctx, r.At(commitOf(rev)), path)
	}
	link := func(repo *catalog.Repo, path string, line, end int, commit string) string {
		return source.Link(repo.Host, path, line, end, commit)
	}
	changes := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, most int) (*explain.Changes, error) {
		r, err := source.OpenIndexed(ctx, repo.Location, source.Options{CacheDir: cacheDir})
		if err != nil {
			return nil, err
		}
		defer r.Close()
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
		r, err := source.OpenIndexed(ctx, repo.Location, source.Options{CacheDir: cacheDir})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.TextsAt(ctx, path, commits)
	}
	documents := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision) (map[string][]byte, error) {
		r, err := source.OpenIndexed(ctx, repo.Location, source.Options{CacheDir: cacheDir})
		if err != nil {
			return nil, err
		}
		defer r.Close()
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
