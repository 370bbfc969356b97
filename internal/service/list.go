package service

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/link"
)

// Errors lists the errors of a revision with their sites: product code first, then by the first site.
func Errors(ctx context.Context, c *catalog.Catalog, repo *catalog.Repo, rev *catalog.Revision) ([]api.Error, error) {
	entries, err := c.Errors(ctx, repo.ID)
	if err != nil {
		return nil, err
	}
	units, err := c.Units(ctx, rev.ID)
	if err != nil {
		return nil, err
	}
	index := make(map[string]int, len(entries))
	out := make([]api.Error, len(entries))
	for i := range entries {
		e := &entries[i]
		index[e.ID] = i
		out[i] = api.Error{ID: e.ID, Repo: repo.Name, Revision: rev.Label, Language: e.Language, Type: e.Type, Kind: e.Kind}
	}
	for i := range units {
		sites, err := link.DecodeUnit(units[i].Sites)
		if err != nil {
			return nil, err
		}
		addSites(out, index, &units[i], sites)
	}
	out = slices.DeleteFunc(out, func(e api.Error) bool { return len(e.Sites) == 0 })
	slices.SortStableFunc(out, compareErrors)
	return out, nil
}

func addSites(out []api.Error, index map[string]int, unit *catalog.Unit, sites []link.UnitSite) {
	for _, s := range sites {
		for _, v := range s.Variants {
			at, ok := index[v.ID]
			if !ok {
				continue
			}
			site := api.Site{Path: unit.File.Path, Line: s.Line, EndLine: s.EndLine, Function: s.Function, Type: v.Type,
				Template: v.Template.Display(), Kind: string(s.Kind), FileKind: unit.File.Kind, Unknown: v.Unknown}
			if v.Via != nil {
				site.Via = &api.Place{Path: v.Via.Path, Line: v.Via.Line, EndLine: v.Via.EndLine, Function: v.Via.Function}
			}
			for _, r := range s.Returned {
				site.Returned = append(site.Returned, api.Place{Path: r.Path, Line: r.Line, EndLine: r.EndLine, Function: r.Function})
			}
			if out[at].Template == "" {
				out[at].Template = site.Template
			}
			out[at].Sites = append(out[at].Sites, site)
		}
	}
}

// compareErrors puts product code first, then orders by the first site.
func compareErrors(a, b api.Error) int {
	if ka, kb := rankKind(a.Sites[0].FileKind), rankKind(b.Sites[0].FileKind); ka != kb {
		return ka - kb
	}
	if c := strings.Compare(a.Sites[0].Path, b.Sites[0].Path); c != 0 {
		return c
	}
	return a.Sites[0].Line - b.Sites[0].Line
}

func rankKind(kind string) int {
	return slices.Index([]string{"product", "example", "generated", "minified", "test", "vendored"}, kind)
}

// lists holds the lists of a state that were asked for, by revision.
type lists struct {
	mu sync.Mutex
	of map[int64]*listing
}

// listing is the errors of a revision, with what filters look at.
type listing struct {
	once   sync.Once
	fault  error
	errors []api.Error
	// words is the text of each error that a search for words looks at, in lower case.
	words []string
	// orders are the indexes in other orders than that of errors.
	mu     sync.Mutex
	orders map[string][]int32
	since  map[string]int // see state.first; nil until it is asked for
}

// list returns the list of a revision, which is made when it is first asked for.
func (st *state) list(ctx context.Context, r *repo, rev *catalog.Revision) (*listing, error) {
	st.lists.mu.Lock()
	if st.lists.of == nil {
		st.lists.of = map[int64]*listing{}
	}
	l := st.lists.of[rev.ID]
	if l == nil {
		l = &listing{orders: map[string][]int32{}}
		st.lists.of[rev.ID] = l
	}
	st.lists.mu.Unlock()
	// Who comes second waits for the first: the list must not hang on the first one's patience.
	l.once.Do(func() { l.load(context.WithoutCancel(ctx), st, r, rev) })
	if l.fault != nil {
		st.lists.mu.Lock()
		delete(st.lists.of, rev.ID) // the next one tries again
		st.lists.mu.Unlock()
	}
	return l, l.fault
}

func (l *listing) load(ctx context.Context, st *state, r *repo, rev *catalog.Revision) {
	l.errors, l.fault = Errors(ctx, st.catalog, &r.Repo, rev)
	l.words = make([]string, len(l.errors))
	for i := range l.errors {
		e := &l.errors[i]
		l.words[i] = strings.ToLower(e.Type + " " + e.Template + " " + e.Sites[0].Path + " " + e.Sites[0].Function)
	}
}

// order returns the indexes of the errors in an order.
func (l *listing) order(by string) []int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if o := l.orders[by]; o != nil {
		return o
	}
	o := make([]int32, len(l.errors))
	for i := range o {
		o[i] = int32(i)
	}
	switch by {
	case SortName:
		slices.SortStableFunc(o, func(a, b int32) int {
			x, y := &l.errors[a], &l.errors[b]
			if c := strings.Compare(x.Template, y.Template); c != 0 && (x.Template == "") == (y.Template == "") {
				return c
			}
			return strings.Compare(y.Template, x.Template) // those without a text last
		})
	case SortSize:
		slices.SortStableFunc(o, func(a, b int32) int { return len(l.errors[b].Sites) - len(l.errors[a].Sites) })
	case SortNew:
		slices.SortStableFunc(o, func(a, b int32) int { return l.since[l.errors[a].ID] - l.since[l.errors[b].ID] })
	}
	l.orders[by] = o
	return o
}

// date finds out which revision raised each error first.
func (l *listing) date(ctx context.Context, st *state, r *repo) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since != nil {
		return nil
	}
	var err error
	l.since, err = st.first(ctx, r)
	return err
}
