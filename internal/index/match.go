package index

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/match"
)

// OpenMatch opens the match index that belongs to the catalog's state. Where it is missing or stale it is built again; where it
// cannot be written, it is built in memory.
func OpenMatch(ctx context.Context, c *catalog.Catalog) (*match.Index, error) {
	generation, err := c.Templates(ctx)
	if err != nil {
		return nil, err
	}
	x, err := match.Open(matchPath(c), generation)
	if !errors.Is(err, match.ErrStale) {
		return x, err
	}
	entries, err := matchEntries(ctx, c)
	if err != nil {
		return nil, err
	}
	if match.Write(matchPath(c), generation, entries) == nil {
		if x, err := match.Open(matchPath(c), generation); err == nil {
			return x, nil
		}
	}
	return match.New(entries)
}

// BuildMatch brings the match index up to date, if it is not.
func BuildMatch(ctx context.Context, c *catalog.Catalog) error {
	generation, err := c.Templates(ctx)
	if err != nil {
		return err
	}
	if x, err := match.Open(matchPath(c), generation); err == nil {
		return x.Close()
	}
	entries, err := matchEntries(ctx, c)
	if err != nil {
		return err
	}
	return match.Write(matchPath(c), generation, entries)
}

func matchPath(c *catalog.Catalog) string { return c.Path() + ".match" }

func matchEntries(ctx context.Context, c *catalog.Catalog) ([]match.Entry, error) {
	repos, err := c.Repos(ctx)
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	for i := range repos {
		names[repos[i].ID] = repos[i].Name
	}
	errs, err := c.Errors(ctx, 0)
	if err != nil {
		return nil, err
	}
	out := make([]match.Entry, 0, len(errs))
	at := make(map[string]int, len(errs))
	for i := range errs {
		at[errs[i].ID] = i
		id, err := strconv.ParseUint(errs[i].ID, 16, 64)
		if err != nil {
			return nil, fmt.Errorf("catalog %s: error id %q: %w", c.Path(), errs[i].ID, err)
		}
		out = append(out, match.Entry{ID: id, Repo: names[errs[i].Repo], Language: errs[i].Language, Type: errs[i].Type, Template: errs[i].Template})
	}
	err = c.Translations(ctx, func(id string, template []byte) {
		if i, ok := at[id]; ok {
			translated := out[i]
			translated.Template = template
			out = append(out, translated)
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
