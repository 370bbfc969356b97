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
		commit := rev.Commit
		if rev.Dirty {
			commit = ""
		}
		return r.ReadPath(ctx, r.At(commit), path)
	}
	link := func(repo *catalog.Repo, path string, line, end int, commit string) string {
		return source.Link(repo.Host, path, line, end, commit)
	}
	return explain.Sources{Read: read, Link: link}
}
