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
	versions := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, path string, most int) ([]explain.Version, bool, error) {
		r, err := source.OpenIndexed(ctx, repo.Location, source.Options{CacheDir: cacheDir})
		if err != nil {
			return nil, false, err
		}
		defer r.Close()
		all, whole, err := r.History(ctx, r.At(rev.Commit), path, most)
		out := make([]explain.Version, len(all))
		for i, v := range all {
			out[i] = explain.Version{Commit: v.Commit, Subject: v.Subject, Time: v.Time, Text: v.Text}
		}
		return out, whole, err
	}
	documents := func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision) (map[string][]byte, error) {
		r, err := source.OpenIndexed(ctx, repo.Location, source.Options{CacheDir: cacheDir})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.Documents(ctx, r.At(commitOf(rev)))
	}
	return explain.Sources{Read: read, Link: link, Versions: versions, Documents: documents}
}

// commitOf is the commit whose files are those of a revision; "" for a work tree that differs from its commit.
func commitOf(rev *catalog.Revision) string {
	if rev.Dirty {
		return ""
	}
	return rev.Commit
}
