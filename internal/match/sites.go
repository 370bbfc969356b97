package match

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// place is a site that can have printed a message, in one revision.
type place struct {
	unit      *catalog.Unit
	site      link.UnitSite
	variant   link.UnitVariant
	revisions []catalog.Revision // newest first, those that hold the unit
	repo      *catalog.Repo
	score     float64 // what frames and function add, in bits
	located   bool    // a frame of the report names the line
}

// translate makes the template of the place the one that fitted, where that is a translation.
func (p *place) translate(x *Index, template int) error {
	fitted, err := x.Template(template)
	if err != nil {
		return err
	}
	key := fitted.Key()
	if p.variant.Template.Key() == key {
		return nil
	}
	for t := range p.translations() {
		if t.Template.Key() == key {
			p.variant.Template = t.Template
			return nil
		}
	}
	// What fitted is told of by its own holes, although the values of these are not known.
	p.variant.Template = fitted
	return nil
}

// translations are those of the place's variant.
func (p *place) translations() iter.Seq[*link.Translation] {
	return func(yield func(*link.Translation) bool) {
		for i := range p.site.Translations {
			t := &p.site.Translations[i]
			if t.Variant < len(p.site.Variants) && p.site.Variants[t.Variant].ID == p.variant.ID && !yield(t) {
				return
			}
		}
	}
}

// matchIn lays a text along the template of the place, or else along its translations; the one that fits becomes the place's.
func (p *place) matchIn(text string, how message.How) (message.Match, bool) {
	m, ok := p.variant.Template.MatchIn(text, how)
	if ok {
		return m, true
	}
	for t := range p.translations() {
		if m, ok := t.Template.MatchIn(text, how); ok {
			p.variant.Template = t.Template
			return m, true
		}
	}
	return m, false
}

// store reads from the catalog what answers need, and remembers it for the answers after it. It belongs to one state of the
// catalog and is safe for one goroutine.
type store struct {
	catalog   *catalog.Catalog
	repos     map[int64]*catalog.Repo
	revisions map[int64][]catalog.Revision
	holds     map[int64]map[int64]bool // revision to its units
	units     map[string][]catalog.Unit
	sites     map[int64][]link.UnitSite
	known     map[placesKey][]place
	cores     map[catalog.FactsKey]*raise.Facts
	raises    map[siteKey]*raiseFacts
}

func newStore(c *catalog.Catalog) *store {
	return &store{c, nil, map[int64][]catalog.Revision{}, map[int64]map[int64]bool{}, map[string][]catalog.Unit{}, map[int64][]link.UnitSite{}, map[placesKey][]place{}, map[catalog.FactsKey]*raise.Facts{},
		map[siteKey]*raiseFacts{}}
}

func (s *store) repo(ctx context.Context, id int64) (*catalog.Repo, error) {
	if s.repos == nil {
		all, err := s.catalog.Repos(ctx)
		if err != nil {
			return nil, err
		}
		s.repos = map[int64]*catalog.Repo{}
		for i := range all {
			s.repos[all[i].ID] = &all[i]
		}
	}
	if r := s.repos[id]; r != nil {
		return r, nil
	}
	return nil, &catalog.UnknownError{Kind: "repository", Name: "with a site"}
}

// remembered bounds how many units a store keeps; it starts anew beyond that.
const remembered = 20000

// unitsOf lists the units of an error, or those of files of a name, with their sites decoded.
func (s *store) unitsOf(ctx context.Context, key string, read unitsReader) ([]catalog.Unit, error) {
	if all, ok := s.units[key]; ok {
		return all, nil
	}
	if len(s.sites) > remembered {
		s.units, s.sites, s.known = map[string][]catalog.Unit{}, map[int64][]link.UnitSite{}, map[placesKey][]place{}
	}
	all, err := read(ctx, strings.TrimLeft(key, "/"), func(unit int64) bool { _, ok := s.sites[unit]; return ok })
	if err != nil {
		return nil, err
	}
	for i := range all {
		if _, ok := s.sites[all[i].ID]; !ok {
			sites, err := link.DecodeUnit(all[i].Sites)
			if err != nil {
				return nil, err
			}
			s.sites[all[i].ID] = sites
		}
		all[i].Sites = nil
	}
	s.units[key] = all
	return all, nil
}

// unitsReader lists units by a key; those that are known come without their sites.
type unitsReader func(ctx context.Context, key string, known func(unit int64) bool) ([]catalog.Unit, error)

// revisionsWith lists the revisions of the unit's repository that hold it, newest first.
func (s *store) revisionsWith(ctx context.Context, unit *catalog.Unit) ([]catalog.Revision, error) {
	repo := unit.File.Repo
	all, ok := s.revisions[repo]
	if !ok {
		var err error
		if all, err = s.catalog.Revisions(ctx, repo); err != nil {
			return nil, err
		}
		s.revisions[repo] = all
	}
	var out []catalog.Revision
	for _, r := range all {
		held, ok := s.holds[r.ID]
		if !ok {
			entries, err := s.catalog.Manifest(ctx, r.ID)
			if err != nil {
				return nil, err
			}
			held = make(map[int64]bool, len(entries))
			for _, e := range entries {
				held[e.Unit] = true
			}
			s.holds[r.ID] = held
		}
		if held[unit.ID] {
			out = append(out, r)
		}
	}
	return out, nil
}

// scope limits an answer to a repository and a revision.
type scope struct{ repo, revision string }

func (sc scope) admits(p *place) bool {
	if sc.repo != "" && p.repo.Name != sc.repo {
		return false
	}
	if sc.revision == "" {
		return true
	}
	p.revisions = slices.DeleteFunc(slices.Clone(p.revisions), func(r catalog.Revision) bool { return !r.Named(sc.revision) })
	return len(p.revisions) > 0
}

// placesKey names an error within a scope.
type placesKey struct {
	id uint64
	scope
}

// places lists the sites of an error. Callers leave what they get as it is.
func (s *store) places(ctx context.Context, id uint64, sc scope) ([]place, error) {
	key := placesKey{id, sc}
	if all, ok := s.known[key]; ok {
		return all, nil
	}
	errorID := fmt.Sprintf("%016x", id)
	units, err := s.unitsOf(ctx, errorID, s.catalog.UnitsOf)
	if err != nil {
		return nil, err
	}
	var out []place
	for i := range units {
		err := s.each(ctx, &units[i], sc, &out, func(_ *link.UnitSite, v *link.UnitVariant) bool { return v.ID == errorID })
		if err != nil {
			return nil, err
		}
	}
	s.known[key] = out
	return out, nil
}

// each appends the variants of a unit's sites that f wants. A site that several callers give the same text appears once.
func (s *store) each(ctx context.Context, unit *catalog.Unit, sc scope, out *[]place, f func(*link.UnitSite, *link.UnitVariant) bool) error {
	sites := s.sites[unit.ID]
	for i := range sites {
		site := &sites[i]
		for k := range site.Variants {
			v := &site.Variants[k]
			if !f(site, v) {
				continue
			}
			repo, err := s.repo(ctx, unit.File.Repo)
			if err != nil {
				return err
			}
			revisions, err := s.revisionsWith(ctx, unit)
			if err != nil {
				return err
			}
			p := place{unit: unit, site: *site, variant: *v, revisions: revisions, repo: repo}
			if len(revisions) > 0 && sc.admits(&p) {
				*out = append(*out, p)
			}
		}
	}
	return nil
}

// onLine lists the sites that a frame points at: in a file of the same name, on the frame's line.
func (s *store) onLine(ctx context.Context, f raise.Frame, sc scope) ([]place, error) {
	name := path.Base(slashed(f.Path))
	if f.Line == 0 || name == "." || name == "/" || name == "" {
		return nil, nil
	}
	units, err := s.unitsOf(ctx, "/"+name, s.catalog.UnitsNamed)
	if err != nil {
		return nil, err
	}
	var out []place
	for i := range units {
		err := s.each(ctx, &units[i], sc, &out, func(site *link.UnitSite, _ *link.UnitVariant) bool { return covers(site, f.Line) })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// covers reports whether a line of a stack trace means the site: it is on the statement, or where its value was made.
func covers(s *link.UnitSite, line int) bool {
	return s.Line <= line && line <= s.EndLine || s.Made != 0 && s.Made == line
}

func slashed(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	for _, scheme := range []string{"file://", "webpack://", "webpack-internal:///"} {
		p = strings.TrimPrefix(p, scheme)
	}
	if i := strings.LastIndexAny(p, "?#"); i > 0 {
		p = p[:i]
	}
	return p
}

// tail is how many path elements two paths share, counted from the end.
func tail(a, b string) int {
	as, bs := strings.Split(slashed(a), "/"), strings.Split(slashed(b), "/")
	n := 0
	for n < len(as) && n < len(bs) && as[len(as)-1-n] == bs[len(bs)-1-n] {
		n++
	}
	return n
}

// suffix reports whether one of two paths that share n elements ends with all of the other, which has folders: it is the same file
// seen from another folder, not one of the same name in another place.
func suffix(a, b string, n int) bool {
	return n > 1 && (n == strings.Count(slashed(a), "/")+1 || n == strings.Count(slashed(b), "/")+1)
}

// wholePath is what it says, in bits, that a frame's path ends with the whole path of a file, or the other way round.
const wholePath = 5

// maxFrames is how many calls of a trace are looked at: errors are raised near the top, helpers of runtimes may stand above.
const maxFrames = 6

// weigh scores how well a place fits the frames, in bits: the raising line decides, the file and the function help, and a place
// that fits none of them is unlikely.
func (p *place) weigh(frames []raise.Frame) {
	best, evidence := 0.0, false
	for i, f := range frames {
		if i >= maxFrames {
			break
		}
		score, depth := 0.0, float64(i)
		if f.Path != "" {
			evidence = true
			n := tail(f.Path, p.unit.File.Path)
			if n > 0 {
				score += min(float64(n), 4) * 2
				if suffix(f.Path, p.unit.File.Path, n) {
					score += wholePath
				}
				if f.Line > 0 && covers(&p.site, f.Line) {
					score += 20
					p.located = p.located || i < 3
				}
			}
		}
		if f.Function != "" && p.site.Function != "" {
			evidence = true
			if lastPart(f.Function) == lastPart(p.site.Function) && (f.Path == "" || tail(f.Path, p.unit.File.Path) > 0) {
				score += 5
			}
		}
		best = max(best, score-2*depth)
	}
	if evidence {
		p.score = best - 11
	}
}

// lastPart is a function's own name: "m" of "a.b.C.m", "(*T).m", "T::m", "C#m".
func lastPart(s string) string {
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
	}
	s = strings.TrimSuffix(s, ".func1")
	return s[strings.LastIndexAny(s, ".:#/)>")+1:]
}
