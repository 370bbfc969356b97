// Package explain makes the page of an error from what the catalog and the source prove. It never adds a fact of its own: a part
// for which there is no evidence is absent.
package explain

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/lru"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/notes"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Explainer makes pages from one state of a catalog.
type Explainer struct {
	catalog *catalog.Catalog
	langs   map[string]*lang.Language
	all     []*lang.Language
	// Read returns the decoded content of a file at a revision; nil where sources cannot be read.
	read    func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, path string) ([]byte, error)
	link    func(repo *catalog.Repo, path string, line, end int, commit string) string
	notes   map[string]string
	sources Sources
	pasts   *lru.Cache[*past]
	lines   *lru.Cache[[]string] // of files of commits

	mu        sync.Mutex
	states    []*state // of revisions that pages were made of lately, the last used one first
	revisions map[int64][]revision
	repos     []catalog.Repo
}

// Sources is how the explainer reaches the repositories: their text, and the pages of their hosts.
type Sources struct {
	Read func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, path string) ([]byte, error)
	Link func(repo *catalog.Repo, path string, line, end int, commit string) string
	// Changes lists the last commits that lead to a revision, TextsAt reads a file as it was at commits (or, with "^" behind one, before
	// it), Documents the documentation of a revision, by path. Each may be nil.
	Changes   func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, most int) (*Changes, error)
	TextsAt   func(ctx context.Context, repo *catalog.Repo, path string, commits []string) ([][]byte, error)
	Documents func(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision) (map[string][]byte, error)
	// Notes are notes on errors beside those of the repositories, by path.
	Notes map[string]string
}

// New returns an explainer.
func New(c *catalog.Catalog, languages []*lang.Language, s Sources) *Explainer {
	x := &Explainer{catalog: c, langs: map[string]*lang.Language{}, all: languages, read: s.Read, link: s.Link, notes: s.Notes,
		sources: s, pasts: lru.New[*past](historyRoom), lines: lru.New[[]string](linesRoom)}
	for _, l := range languages {
		x.langs[l.Name] = l
	}
	return x
}

// linesRoom bounds the memory of the source that is remembered, in bytes.
const linesRoom = 16 << 20

// maxSites bounds the sites that a page shows in full.
const maxSites = 20

// Page makes the page of an error, for the newest revision that raises it, or for the one called revision.
func (x *Explainer) Page(ctx context.Context, id, revision string) (*api.Page, error) {
	entry, err := x.catalog.Error(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &page{Explainer: x, ctx: ctx, entry: entry}
	if err := p.locate(revision); err != nil {
		return nil, err
	}
	out := &api.Page{ID: id, Repo: p.repo.Name, Revision: p.rev.Label, Language: entry.Language, Kind: entry.Kind, Type: entry.Type,
		Template: shown(entry), Holes: []api.Hole{}, Sites: []api.PageSite{}, Gone: p.gone,
		Provenance: api.Provenance{Commit: p.rev.Commit, Dirty: p.rev.Dirty, Indexed: p.rev.Indexed, Origin: "source"}}
	if p.state, err = x.stateOf(ctx, p.rev); err != nil {
		return nil, err
	}
	for i := range p.revisions {
		out.Revisions = append(out.Revisions, p.revisions[i].Title())
	}
	for i := range p.found {
		f := &p.found[i]
		if i == 0 {
			out.Unknown = f.variant.Unknown
			out.Template = f.variant.Template.Display()
			for _, h := range f.variant.Template.Holes() {
				out.Holes = append(out.Holes, api.Hole{Expression: h.Text, Format: h.Format, Looks: looks(h.Kind.String())})
			}
		}
		out.Sites = append(out.Sites, p.site(f, i < maxSites))
	}
	if err := p.explain(out); err != nil {
		return nil, err
	}
	notes.Apply(out, p.state.notes)
	return out, nil
}

// notesOf are the notes of a revision that can be read, those beside the catalog behind them; lint says what is wrong with the others.
func (x *Explainer) notesOf(rev *catalog.Revision) []*notes.Note {
	var out []*notes.Note
	for _, texts := range []map[string]string{rev.Notes, x.notes} {
		for _, path := range slices.Sorted(maps.Keys(texts)) {
			if n, err := notes.Parse(path, []byte(texts[path])); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// shown is the template of an error as its first site spelled it.
func shown(e *catalog.ErrorEntry) string {
	t, err := message.Decode(e.Template)
	if err != nil {
		return ""
	}
	return t.Display()
}

func looks(kind string) string {
	if kind == "any" {
		return ""
	}
	return kind
}

// page is the work on one page.
type page struct {
	*Explainer
	ctx       context.Context
	entry     *catalog.ErrorEntry
	repo      *catalog.Repo
	rev       *catalog.Revision
	revisions []catalog.Revision
	gone      bool
	found     []found
	way       []*step              // the functions that lead to the raise, as far as they were looked for
	source    map[string][]string  // lines of files, by path
	cores     map[int]*raise.Facts // of files, as far as they were read
	*state
}

// found is a site of the error at the page's revision.
type found struct {
	unit    *catalog.Unit
	site    link.UnitSite
	variant link.UnitVariant
}

// locate chooses the revision and lists the sites.
func (p *page) locate(revision string) error {
	repos, err := p.reposOf(p.ctx)
	if err != nil {
		return err
	}
	for i := range repos {
		if repos[i].ID == p.entry.Repo {
			p.repo = &repos[i]
		}
	}
	if p.repo == nil {
		return &catalog.UnknownError{Kind: "repository", Name: "of error " + p.entry.ID}
	}
	units, err := p.catalog.UnitsOf(p.ctx, p.entry.ID, nil)
	if err != nil {
		return err
	}
	all, err := p.revisionsOf(p.ctx, p.repo.ID)
	if err != nil {
		return err
	}
	for i := range all {
		if slices.ContainsFunc(units, func(u catalog.Unit) bool { return all[i].units[u.ID] }) {
			p.revisions = append(p.revisions, all[i].Revision)
		}
	}
	if len(p.revisions) == 0 {
		// No indexed revision raises it any more.
		if len(all) == 0 {
			return &catalog.UnknownError{Kind: "revision", Name: "of " + p.repo.Name}
		}
		p.rev, p.gone = &all[0].Revision, true
		return nil
	}
	p.rev = &p.revisions[0]
	if revision != "" {
		p.rev = nil
		var names []string
		for i := range p.revisions {
			names = append(names, p.revisions[i].Title())
			if p.revisions[i].Named(revision) {
				p.rev = &p.revisions[i]
			}
		}
		if p.rev == nil {
			return &catalog.UnknownError{Kind: "revision", Name: revision + " of this error", Known: names}
		}
	}
	return p.sitesOf(units)
}

// revision is a revision with the units that it consists of.
type revision struct {
	catalog.Revision
	units map[int64]bool
	unit  map[int64]int64 // of a file, both by their numbers
}

// reposOf lists the repositories, which are read once.
func (x *Explainer) reposOf(ctx context.Context) ([]catalog.Repo, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.repos == nil {
		var err error
		if x.repos, err = x.catalog.Repos(ctx); err != nil {
			return nil, err
		}
	}
	return x.repos, nil
}

// revisionsOf lists the revisions of a repository, newest first, which are read once: an explainer belongs to one state of the catalog.
func (x *Explainer) revisionsOf(ctx context.Context, repo int64) ([]revision, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if out, ok := x.revisions[repo]; ok {
		return out, nil
	}
	all, err := x.catalog.Revisions(ctx, repo)
	if err != nil {
		return nil, err
	}
	out := make([]revision, len(all))
	for i := range all {
		entries, err := x.catalog.Manifest(ctx, all[i].ID)
		if err != nil {
			return nil, err
		}
		out[i] = revision{all[i], make(map[int64]bool, len(entries)), make(map[int64]int64, len(entries))}
		for _, e := range entries {
			if e.Unit != 0 {
				out[i].units[e.Unit] = true
				out[i].unit[e.File] = e.Unit
			}
		}
	}
	if x.revisions == nil {
		x.revisions = map[int64][]revision{}
	}
	x.revisions[repo] = out
	return out, nil
}

// sitesIn lists the linked sites of a file of the page's revision; none if it has none.
func (p *page) sitesIn(file int) ([]link.UnitSite, error) {
	all, err := p.revisionsOf(p.ctx, p.repo.ID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(r revision) bool { return r.ID == p.rev.ID })
	if at < 0 || all[at].unit[p.files[file].ID] == 0 {
		return nil, nil
	}
	u, err := p.catalog.Unit(p.ctx, all[at].unit[p.files[file].ID])
	if err != nil {
		return nil, err
	}
	return link.DecodeUnit(u.Sites)
}

func (p *page) sitesOf(units []catalog.Unit) error {
	all, err := p.revisionsOf(p.ctx, p.repo.ID)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(r revision) bool { return r.ID == p.rev.ID })
	for i := range units {
		if at < 0 || !all[at].units[units[i].ID] {
			continue
		}
		sites, err := link.DecodeUnit(units[i].Sites)
		if err != nil {
			return err
		}
		for _, s := range sites {
			for _, v := range s.Variants {
				if v.ID == p.entry.ID {
					p.found = append(p.found, found{&units[i], s, v})
				}
			}
		}
	}
	return nil
}

// site is a site in the wire form; in full with excerpt, condition and callers.
func (p *page) site(f *found, full bool) api.PageSite {
	file := &f.unit.File
	out := api.PageSite{Site: api.Site{Path: file.Path, Line: f.site.Line, EndLine: f.site.EndLine, Function: f.site.Function,
		Type: f.variant.Type, Template: f.variant.Template.Display(), Kind: string(f.site.Kind), FileKind: file.Kind, Unknown: f.variant.Unknown}}
	if f.variant.Via != nil {
		v := f.variant.Via
		out.Via = &api.Place{Path: v.Path, Line: v.Line, EndLine: v.EndLine, Function: v.Function}
	}
	for _, v := range f.site.Returned {
		out.Returned = append(out.Returned, api.Place{Path: v.Path, Line: v.Line, EndLine: v.EndLine, Function: v.Function})
	}
	if p.link != nil && !p.rev.Dirty {
		out.URL = p.link(p.repo, file.Path, f.site.Line, f.site.EndLine, p.rev.Commit)
	}
	if !full {
		return out
	}
	p.facts(f, &out)
	out.Excerpt = p.around(file.Path, p.sourceOf(file.Path), f.site.Line, f.site.EndLine)
	return out
}

// facts adds what the facts say about a site: its condition is that of the site that decides.
func (p *page) facts(f *found, out *api.PageSite) {
	r := p.decides(f)
	if r == nil {
		return
	}
	sp := &expr.Spelling{}
	if r.lang != nil {
		sp = &r.lang.Spelling
	}
	out.Comment = r.site.Comment
	if raises := p.raises(f); raises != nil {
		if r.returned != nil {
			out.Comment = raises.site.Comment // of the declaration
		}
		if fn := raises.function(); fn != nil {
			out.Doc = fn.Doc
		}
	}
	if r.returned != nil && len(f.site.Returned) > 1 {
		return // each of these places has a condition of its own
	}
	if out.Condition = conditionOf(r.core, r.site, r.lang); out.Condition != nil && r.path != out.Path {
		out.Condition.Path = r.path
	}
	for _, d := range r.site.Defs {
		n, _ := component(d)
		out.Defs = append(out.Defs, api.Definition{Name: d.Name, Value: d.Value.Print(sp), Component: n, Line: d.Line})
	}
	if r.site.Function >= 0 {
		out.Callers = p.callers(r.file, r.site.Function)
	}
}

// conditionOf prints the condition of a site, part by part, solved for what the caller controls. Without a report nothing is judged.
func conditionOf(core *raise.Facts, s *raise.Site, l *lang.Language) *api.Condition {
	if len(s.Condition) == 0 || l == nil {
		return nil
	}
	return match.Wire(condition.Judge(s.Condition, s.Defs, nil, &l.Spelling, &l.Rules, match.Controls(core, s)))
}

func (x *Explainer) version(language string) int {
	if l := x.langs[language]; l != nil {
		return l.FactsVersion()
	}
	return -1
}

// maxCallers is how many callers a page lists.
const maxCallers = 12

// core is the core of a file, nil if there is none; each is read once a page, however large it is.
func (p *page) core(file int) *raise.Facts {
	core, ok := p.cores[file]
	if !ok {
		core = p.state.core(file)
		if p.cores == nil {
			p.cores = map[int]*raise.Facts{}
		}
		p.cores[file] = core
	}
	return core
}

func (p *page) callers(file, function int) []api.Caller {
	var out []api.Caller
	for _, c := range p.calling(file, p.functionOf(p.core(file), file, function)) {
		if len(out) == maxCallers {
			break
		}
		out = append(out, api.Caller{Path: p.files[c.File].Path, Line: c.Line, Function: c.Name, How: how(c)})
	}
	return out
}

// how says how sure the resolution of a call is.
func how(c link.Caller) string {
	if c.Overloaded {
		return "one of several functions of that name"
	}
	if c.Only {
		return "the only method of that name"
	}
	return ""
}
