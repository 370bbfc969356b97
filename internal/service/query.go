package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// The orders of a list.
const (
	SortPlace = ""     // by path and line, product code first
	SortName  = "name" // by the text of the message
	SortSize  = "size" // by the number of sites, most first
	SortNew   = "new"  // by the first indexed revision that raised it, newest first
)

// Query asks for a part of the errors. Every field that is not "" narrows it.
type Query struct {
	Repo     string `json:"repo"`     // "" for all; Revision is then of no use
	Revision string `json:"revision"` // "" for the newest
	Path     string `json:"path"`     // errors with a site at or below this path
	Type     string `json:"type"`
	Kind     string `json:"kind"`
	FileKind string `json:"file_kind"` // errors with a site in files of this kind
	Words    string `json:"words"`     // all of them stand in message, type, path or function; case does not matter
	Sort     string `json:"sort"`
	Cursor   string `json:"cursor"` // of a former part's Next
	Offset   int    `json:"offset"` // without a cursor: how many errors to leave out
	Limit    int    `json:"limit"`  // 0 for 50, at most 1000
}

// maxLimit is how many errors one part holds at most.
const maxLimit = 1000

// ErrQuery is returned for a query that makes no sense.
var ErrQuery = errors.New("query")

// List returns the part of the errors that a query asks for.
func (s *Service) List(ctx context.Context, q Query) (*api.ErrorList, error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	q.Limit = min(q.Limit, maxLimit)
	q.Offset = max(q.Offset, 0)
	if !slices.Contains([]string{SortPlace, SortName, SortSize, SortNew}, q.Sort) {
		return nil, fmt.Errorf("%w: unknown order %q; known: name, size, new", ErrQuery, q.Sort)
	}
	return remembered(ctx, s, fmt.Sprintf("list\x00%#v", q), func(st *state) (*api.ErrorList, error) {
		return st.part(ctx, &q)
	})
}

// chosen is a list with the indexes of the errors that fit a query.
type chosen struct {
	*listing
	fit []int32
}

// choose returns the errors that fit, list by list.
func (st *state) choose(ctx context.Context, q *Query) ([]chosen, error) {
	repos := st.repos
	if q.Repo != "" {
		r, err := st.repo(q.Repo)
		if err != nil {
			return nil, err
		}
		repos = []repo{*r}
	}
	var out []chosen
	for i := range repos {
		rev, err := repos[i].revision(q.Revision)
		if err != nil {
			return nil, err
		}
		l, err := st.list(ctx, &repos[i], rev)
		if err != nil {
			return nil, err
		}
		if q.Sort == SortNew {
			if err := l.date(ctx, st, &repos[i]); err != nil {
				return nil, err
			}
		}
		out = append(out, chosen{l, l.filter(q)})
	}
	return out, nil
}

// filter returns the indexes of the errors that fit, in the query's order.
func (l *listing) filter(q *Query) []int32 {
	words := strings.Fields(strings.ToLower(q.Words))
	var out []int32
	for _, i := range l.order(q.Sort) {
		e := &l.errors[i]
		switch {
		case q.Type != "" && e.Type != q.Type, q.Kind != "" && e.Kind != q.Kind:
		case !hasAll(l.words[i], words):
		case (q.Path != "" || q.FileKind != "") && !slices.ContainsFunc(e.Sites, func(s api.Site) bool { return fits(&s, q) }):
		default:
			out = append(out, i)
		}
	}
	if q.Sort == SortPlace && q.Path != "" {
		// An error may have its first site elsewhere: what counts is where it stands below the path.
		place := make(map[int32]*api.Site, len(out))
		for _, i := range out {
			sites := l.errors[i].Sites
			place[i] = &sites[slices.IndexFunc(sites, func(s api.Site) bool { return fits(&s, q) })]
		}
		slices.SortStableFunc(out, func(a, b int32) int {
			return cmp.Or(strings.Compare(place[a].Path, place[b].Path), cmp.Compare(place[a].Line, place[b].Line))
		})
	}
	return out
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func fits(s *api.Site, q *Query) bool {
	return (q.FileKind == "" || s.FileKind == q.FileKind) && below(s.Path, q.Path)
}

// below reports whether a path is the given one, or one of the folder that it names.
func below(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(prefix, "/"))
	return ok && (prefix == "" || rest == "" || rest[0] == '/')
}

func (st *state) part(ctx context.Context, q *Query) (*api.ErrorList, error) {
	all, err := st.choose(ctx, q)
	if err != nil {
		return nil, err
	}
	type place struct {
		l *listing
		i int32
	}
	var fit []place
	for _, c := range all {
		for _, i := range c.fit {
			fit = append(fit, place{c.listing, i})
		}
	}
	start := q.Offset
	if q.Cursor != "" {
		at, last, err := readCursor(q.Cursor)
		if err != nil {
			return nil, err
		}
		start = at
		// The catalog may have changed since: what counts is the error behind which the part before ended.
		if at < 1 || at > len(fit) || fit[at-1].l.errors[fit[at-1].i].ID != last {
			if k := slices.IndexFunc(fit, func(p place) bool { return p.l.errors[p.i].ID == last }); k >= 0 {
				start = k + 1
			}
		}
	}
	start = min(start, len(fit))
	end := min(start+q.Limit, len(fit))
	out := &api.ErrorList{Errors: make([]api.Error, 0, end-start), Total: len(fit)}
	for _, p := range fit[start:end] {
		out.Errors = append(out.Errors, p.l.errors[p.i])
	}
	if end < len(fit) {
		out.Next = fmt.Sprintf("%d.%s", end, out.Errors[len(out.Errors)-1].ID)
	}
	return out, nil
}

func readCursor(text string) (at int, last string, err error) {
	number, last, _ := strings.Cut(text, ".")
	at, err = strconv.Atoi(number)
	if err != nil || at < 0 {
		return 0, "", fmt.Errorf("%w: %q is no cursor of a list", ErrQuery, text)
	}
	return at, last, nil
}

// Facets counts the errors of a repository by what they can be filtered with, whatever the query filters.
func (s *Service) Facets(ctx context.Context, name, revision string) (*api.Facets, error) {
	return remembered(ctx, s, "facets\x00"+name+"\x00"+revision, func(st *state) (*api.Facets, error) {
		all, err := st.choose(ctx, &Query{Repo: name, Revision: revision})
		if err != nil {
			return nil, err
		}
		kinds, fileKinds, types := map[string]int{}, map[string]int{}, map[string]int{}
		for _, c := range all {
			for i := range c.errors {
				e := &c.errors[i]
				kinds[e.Kind]++
				fileKinds[e.Sites[0].FileKind]++
				if e.Type != "" {
					types[e.Type]++
				}
			}
		}
		return &api.Facets{Kinds: facets(kinds, 30), FileKinds: facets(fileKinds, 10), Types: facets(types, 60)}, nil
	})
}

func facets(counts map[string]int, most int) []api.Facet {
	out := make([]api.Facet, 0, len(counts))
	for v, n := range counts {
		out = append(out, api.Facet{Value: v, Count: n})
	}
	slices.SortFunc(out, func(a, b api.Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return out[:min(len(out), most)]
}

// Folders counts the errors that fit a query by the folders and files below its path, two levels deep. The query's order and bounds
// do not matter.
func (s *Service) Folders(ctx context.Context, q Query) (*api.Folder, error) {
	q.Sort, q.Cursor, q.Offset, q.Limit = "", "", 0, 0
	return remembered(ctx, s, fmt.Sprintf("folders\x00%#v", q), func(st *state) (*api.Folder, error) {
		all, err := st.choose(ctx, &q)
		if err != nil {
			return nil, err
		}
		root := newTree()
		for _, c := range all {
			for _, i := range c.fit {
				root.add(&c.errors[i], &q)
			}
		}
		prefix := strings.TrimSuffix(q.Path, "/")
		if prefix != "" {
			prefix += "/"
		}
		return root.wire(prefix, 2), nil
	})
}

// tree counts errors by the parts of their paths.
type tree struct {
	errors int
	last   *api.Error // that was counted
	inside map[string]*tree
}

func newTree() *tree { return &tree{inside: map[string]*tree{}} }

func (t *tree) count(e *api.Error) {
	if t.last != e {
		t.last = e
		t.errors++
	}
}

func (t *tree) add(e *api.Error, q *Query) {
	for i := range e.Sites {
		s := &e.Sites[i]
		if !fits(s, q) {
			continue
		}
		t.count(e)
		rest := strings.TrimPrefix(strings.TrimPrefix(s.Path, strings.TrimSuffix(q.Path, "/")), "/")
		at := t
		for range 2 {
			part, behind, folder := strings.Cut(rest, "/")
			if part == "" {
				break
			}
			if folder {
				part += "/"
			}
			next := at.inside[part]
			if next == nil {
				next = newTree()
				at.inside[part] = next
			}
			next.count(e)
			at, rest = next, behind
		}
	}
}

// wire is the tree in the wire form, levels deep.
func (t *tree) wire(path string, levels int) *api.Folder {
	out := &api.Folder{Path: path, Errors: t.errors}
	if levels == 0 {
		return out
	}
	for name, inner := range t.inside {
		out.Folders = append(out.Folders, *inner.wire(path+name, levels-1))
	}
	slices.SortFunc(out.Folders, func(a, b api.Folder) int {
		return cmp.Or(cmp.Compare(b.Errors, a.Errors), strings.Compare(a.Path, b.Path))
	})
	return out
}
