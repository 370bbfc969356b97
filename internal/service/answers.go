package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/match"
)

// Find answers a report.
func (s *Service) Find(ctx context.Context, text string, o match.Options) (*api.Answer, error) {
	key := fmt.Sprintf("find\x00%s\x00%s\x00%d\x00%s", o.Repo, o.Revision, o.Limit, text)
	return remembered(ctx, s, key, func(st *state) (*api.Answer, error) {
		if err := st.knows(o.Repo, o.Revision); err != nil {
			return nil, err
		}
		select {
		case f := <-st.finders:
			defer func() { st.finders <- f }()
			answer, err := f.Find(ctx, text, o)
			if err == nil {
				st.explainer.Complete(ctx, answer)
			}
			return answer, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

// knows reports a repository or a revision that is not in the catalog: an answer that nothing was found there would mislead.
func (st *state) knows(name, revision string) error {
	if name != "" {
		r, err := st.repo(name)
		if err == nil && revision != "" {
			_, err = r.revision(revision)
		}
		return err
	}
	if revision == "" {
		return nil
	}
	for i := range st.repos {
		if _, err := st.repos[i].revision(revision); err == nil {
			return nil
		}
	}
	return &catalog.UnknownError{Kind: "revision", Name: revision}
}

// Page is the page of an error, at the newest indexed revision that raises it or at the one called revision. id is its whole id.
// [catalog.ErrUnknown] if there is no such error, or not at that revision.
func (s *Service) Page(ctx context.Context, id, revision string) (*api.Page, error) {
	return remembered(ctx, s, "page\x00"+id+"\x00"+revision, func(st *state) (*api.Page, error) {
		st.explaining.Lock()
		defer st.explaining.Unlock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return st.explainer.Page(ctx, id, revision)
	})
}

// Excerpt shows lines of an indexed file with those around them; nil where the source cannot be read any more.
// [catalog.ErrUnknown] if there is no such repository or revision.
func (s *Service) Excerpt(ctx context.Context, at api.Where) (*api.Excerpt, error) {
	return remembered(ctx, s, fmt.Sprintf("excerpt\x00%+v", at), func(st *state) (*api.Excerpt, error) {
		return st.explainer.Excerpt(ctx, at)
	})
}

// ErrAmbiguous says that several errors' ids begin alike.
var ErrAmbiguous = errors.New("several errors begin alike")

// ErrNoID is returned for what cannot be the id of an error.
var ErrNoID = errors.New("not an error's id")

// FullID completes the beginning of an error's id.
func (s *Service) FullID(ctx context.Context, id string) (string, error) {
	if id == "" || len(id) > 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is %w (16 hex digits)", id, ErrNoID)
	}
	if len(id) == 16 {
		return id, nil
	}
	return remembered(ctx, s, "id\x00"+id, func(st *state) (string, error) {
		all, err := st.catalog.ErrorsWithPrefix(ctx, id, 2)
		switch {
		case err != nil:
			return "", err
		case len(all) == 0:
			return "", &catalog.UnknownError{Kind: "error", Name: id}
		case len(all) > 1:
			return "", fmt.Errorf("%w: %s", ErrAmbiguous, id)
		}
		return all[0].ID, nil
	})
}

// Repos lists the repositories by name.
func (s *Service) Repos(ctx context.Context) ([]api.Repo, error) {
	return remembered(ctx, s, "repos", func(st *state) ([]api.Repo, error) {
		out := make([]api.Repo, 0, len(st.repos))
		for i := range st.repos {
			one, err := st.repos[i].wire()
			if err != nil {
				return nil, err
			}
			out = append(out, *one)
		}
		return out, nil
	})
}

// Repo is a repository by name.
func (s *Service) Repo(ctx context.Context, name string) (*api.Repo, error) {
	return remembered(ctx, s, "repo\x00"+name, func(st *state) (*api.Repo, error) {
		r, err := st.repo(name)
		if err != nil {
			return nil, err
		}
		return r.wire()
	})
}

// Coverage says how much of a revision was understood; revision "" is the newest. The self-test looks every template up and takes
// seconds for a large repository.
func (s *Service) Coverage(ctx context.Context, name, revision string, selfTest bool) (*api.Coverage, error) {
	key := fmt.Sprintf("coverage\x00%s\x00%s\x00%t", name, revision, selfTest)
	return remembered(ctx, s, key, func(st *state) (*api.Coverage, error) {
		r, err := st.repo(name)
		if err != nil {
			return nil, err
		}
		rev, err := r.revision(revision)
		if err != nil {
			return nil, err
		}
		out, err := coverage(r, rev)
		if err != nil || !selfTest {
			return out, err
		}
		select {
		case f := <-st.finders:
			defer func() { st.finders <- f }()
			out.SelfTest, err = f.SelfTest(ctx, name)
			return out, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

func coverage(r *repo, rev *catalog.Revision) (*api.Coverage, error) {
	var out api.Coverage
	if err := json.Unmarshal(rev.Coverage, &out); err != nil {
		return nil, fmt.Errorf("coverage of %s: %w", r.Name, err)
	}
	return &out, nil
}

// repo finds a repository that has an indexed revision.
func (st *state) repo(name string) (*repo, error) {
	var known []string
	for i := range st.repos {
		if st.repos[i].Name == name {
			return &st.repos[i], nil
		}
		known = append(known, st.repos[i].Name)
	}
	return nil, &catalog.UnknownError{Kind: "repository", Name: name, Known: known}
}

// revision finds a revision by any of its names; "" is the newest.
func (r *repo) revision(name string) (*catalog.Revision, error) {
	var known []string
	for i := range r.revisions {
		if name == "" || r.revisions[i].Named(name) {
			return &r.revisions[i], nil
		}
		known = append(known, r.revisions[i].Title())
	}
	return nil, &catalog.UnknownError{Kind: "revision", Name: name + " of " + r.Name, Known: known}
}

func (r *repo) wire() (*api.Repo, error) {
	newest := &r.revisions[0]
	c, err := coverage(r, newest)
	if err != nil {
		return nil, err
	}
	out := &api.Repo{Name: r.Name, Revision: newest.Title(), Commit: newest.Commit, Host: r.Host, Indexed: newest.Indexed, Files: c.Files,
		Bytes: c.Bytes, Revisions: []string{}, Languages: []string{}}
	for i := range r.revisions {
		out.Revisions = append(out.Revisions, r.revisions[i].Title())
	}
	for _, l := range c.Languages {
		out.Languages = append(out.Languages, l.Language)
		out.Sites += l.Sites
		out.Templates += l.Templates
		out.Condition += l.Condition
		out.Reraises += l.Reraises
	}
	return out, nil
}
