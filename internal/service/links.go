package service

import (
	"context"
	"fmt"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// LineLinks makes the addresses of lines at the page's revision on the repository's host; nil if it has no host, or if the page's
// revision is not a commit.
func (s *Service) LineLinks(ctx context.Context, page *api.Page) (func(path string, line int) string, error) {
	if page.Provenance.Dirty || page.Provenance.Commit == "" || s.options.Sources.Link == nil {
		return nil, nil
	}
	return remembered(ctx, s, "links\x00"+page.Repo+"\x00"+page.Provenance.Commit, func(st *state) (func(string, int) string, error) {
		r, err := st.repo(page.Repo)
		if err != nil || r.Host == "" {
			return nil, err
		}
		repo, link, commit := r.Repo, s.options.Sources.Link, page.Provenance.Commit
		return func(path string, line int) string { return link(&repo, path, line, line, commit) }, nil
	})
}

// IssueLink is the address at which an issue about an error is filed in the repository's tracker; "" if that is not known.
func (s *Service) IssueLink(ctx context.Context, page *api.Page) (string, error) {
	r, err := s.Repo(ctx, page.Repo)
	if err != nil || len(page.Sites) == 0 {
		return "", err
	}
	site := &page.Sites[0]
	place := fmt.Sprintf("%s:%d", site.Path, site.Line)
	if site.URL != "" {
		place = site.URL
	}
	title := page.Template
	if title == "" {
		title = page.Type
	}
	body := fmt.Sprintf("The error\n\n    %s\n\nis raised at %s (%s).\n\n", title, place, page.Revision)
	return source.IssueLink(r.Host, title, body), nil
}
