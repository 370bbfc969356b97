package service

import (
	"context"
	"fmt"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/compare"
)

// Compare says what became of the errors of a repository between two revisions; "" is the newest for to, and the one before to for from.
// A repository with one revision is compared with itself.
func (s *Service) Compare(ctx context.Context, name, from, to string) (*api.Comparison, error) {
	return remembered(ctx, s, fmt.Sprintf("compare\x00%s\x00%s\x00%s", name, from, to), func(st *state) (*api.Comparison, error) {
		r, err := st.repo(name)
		if err != nil {
			return nil, err
		}
		newer, err := r.revision(to)
		if err != nil {
			return nil, err
		}
		older, err := r.revision(from)
		if err != nil {
			return nil, err
		}
		if from == "" {
			for i := range r.revisions {
				if r.revisions[i].ID == newer.ID {
					older = &r.revisions[min(i+1, len(r.revisions)-1)]
				}
			}
		}
		before, err := st.list(ctx, r, older)
		if err != nil {
			return nil, err
		}
		after, err := st.list(ctx, r, newer)
		if err != nil {
			return nil, err
		}
		out := compare.Errors(before.errors, after.errors)
		out.Repo, out.From, out.To = r.Name, older.Title(), newer.Title()
		return out, nil
	})
}
