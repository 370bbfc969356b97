package service

import (
	"context"
	"fmt"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// Fresh is an error with the revision that raised it first, of those that are indexed.
type Fresh struct {
	Error    *api.Error
	Revision string
	Since    time.Time
}

// Newest lists the errors of the newest revision that came last, at most limit. A repository with one revision has none: nothing is
// known of what was there before.
func (s *Service) Newest(ctx context.Context, name string, limit int) ([]Fresh, error) {
	return remembered(ctx, s, fmt.Sprintf("newest\x00%s\x00%d", name, limit), func(st *state) ([]Fresh, error) {
		r, err := st.repo(name)
		if err != nil {
			return nil, err
		}
		first, err := st.first(ctx, r)
		if err != nil {
			return nil, err
		}
		l, err := st.list(ctx, r, &r.revisions[0])
		if err != nil {
			return nil, err
		}
		out := []Fresh{}
		oldest := len(r.revisions) - 1
		for at := 0; at < oldest; at++ {
			rev := &r.revisions[at]
			for i := range l.errors {
				if len(out) < limit && first[l.errors[i].ID] == at {
					out = append(out, Fresh{&l.errors[i], rev.Title(), rev.Time})
				}
			}
		}
		return out, nil
	})
}

// first says in which revision each error of a repository was raised first: its index in repo.revisions, which are newest first.
func (st *state) first(ctx context.Context, r *repo) (map[string]int, error) {
	pairs, err := st.catalog.ErrorUnits(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	oldest := map[int64]int{} // unit to revision
	for i := range r.revisions {
		entries, err := st.catalog.Manifest(ctx, r.revisions[i].ID)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Unit != 0 {
				oldest[e.Unit] = i
			}
		}
	}
	out := map[string]int{}
	for _, p := range pairs {
		at, ok := oldest[p.Unit]
		if before, seen := out[p.Error]; ok && (!seen || at > before) {
			out[p.Error] = at
		}
	}
	return out, nil
}
