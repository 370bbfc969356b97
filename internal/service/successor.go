package service

import (
	"context"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/compare"
)

// What makes an error the successor of one that is gone: how alike their words are, and how much less alike any other's have to be.
const (
	succeeds = 0.6
	ahead    = 0.1
)

// Successor is the id of the error that took the place of one that no indexed revision raises any more: the one error of the newest
// revision that has the same type and says nearly the same. It is "" where there is none, or where several might be it.
func (s *Service) Successor(ctx context.Context, page *api.Page) (string, error) {
	if !page.Gone || page.Template == "" {
		return "", nil
	}
	return remembered(ctx, s, "successor\x00"+page.ID, func(st *state) (string, error) {
		r, err := st.repo(page.Repo)
		if err != nil {
			return "", err
		}
		l, err := st.list(ctx, r, &r.revisions[0])
		if err != nil {
			return "", err
		}
		best, id, second := 0.0, "", 0.0
		for i := range l.errors {
			e := &l.errors[i]
			if e.Type != page.Type || e.Language != page.Language || e.Kind != page.Kind {
				continue
			}
			switch score := compare.Similarity(page.Template, e.Template); {
			case score > best:
				best, id, second = score, e.ID, best
			case score > second:
				second = score
			}
		}
		if best < succeeds || best-second < ahead {
			return "", nil
		}
		return id, nil
	})
}
