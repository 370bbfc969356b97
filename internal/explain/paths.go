package explain

import (
	"fmt"
	"slices"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Bounds on call paths.
const (
	maxHops    = 6
	maxSteps   = 40 // functions whose callers are looked for
	maxTrigger = 3
)

// step is a function on the way from the raise to an entry.
type step struct {
	file, function int
	line           int // of the call of the step before it
	how            string
	from           *step
	depth          int
}

// triggers are the shortest call paths from where the repository is entered: functions that others may call and nothing of the
// product does, and main.
func (p *page) triggers(r *raising) []api.Trigger {
	function := p.functionOf(r.core, r.file, r.site.Function)
	if function < 0 {
		return nil
	}
	start := &step{file: r.file, function: function, line: r.site.Line}
	queue := []*step{start}
	seen := map[[2]int]bool{{start.file, start.function}: true}
	var out []api.Trigger
	for steps := 0; len(queue) > 0 && steps < maxSteps && len(out) < maxTrigger; steps++ {
		s := queue[0]
		queue = queue[1:]
		p.way = append(p.way, s)
		callers := 0
		for _, c := range p.calling(s.file, s.function) {
			if p.files[c.File].Kind != "product" {
				continue
			}
			callers++
			key := [2]int{c.File, c.Function}
			if seen[key] || s.depth+1 >= maxHops {
				continue
			}
			seen[key] = true
			queue = append(queue, &step{c.File, c.Function, c.Line, how(c), s, s.depth + 1})
		}
		// A function within another one is run by whom that gives it to, or by itself: the way leads to it through the other one.
		if n := p.functions(s.file)[s.function].Parent; n >= 0 && !seen[[2]int{s.file, n}] && s.depth+1 < maxHops {
			seen[[2]int{s.file, n}] = true
			line := p.functions(s.file)[s.function].Line
			queue = append(queue, &step{s.file, n, line, "defines the next", s, s.depth + 1})
		}
		if entry := p.enters(s, callers); entry != "" {
			out = append(out, p.trigger(s, entry, r))
		}
	}
	return out
}

// enters says what enters the repository at a function; "" if nothing does.
func (p *page) enters(s *step, callers int) string {
	all := p.functions(s.file)
	if s.function >= len(all) || p.files[s.file].Kind != "product" {
		return ""
	}
	fn := &all[s.function]
	switch {
	case fn.Name == "main" && fn.Owner == "":
		return "main"
	case fn.Exported && callers == 0 && fn.Parent < 0:
		return "exported"
	}
	return ""
}

func (p *page) trigger(s *step, entry string, r *raising) api.Trigger {
	t := api.Trigger{Entry: entry, Name: p.named(s.file, s.function)}
	for ; s != nil; s = s.from {
		t.Hops = append(t.Hops, api.Hop{Path: p.files[s.file].Path, Line: s.line, Function: p.named(s.file, s.function), How: s.how})
	}
	if f := r.found; f.variant.Via != nil { // the way ends in the helper that raises what it is given
		t.Hops = append(t.Hops, api.Hop{Path: f.unit.File.Path, Line: f.site.Line, Function: f.site.Function})
	}
	for i := range t.Hops {
		t.Hops[i].URL = p.url(t.Hops[i].Path, t.Hops[i].Line)
	}
	return t
}

// named is the qualified name of a function, by its number among all functions of the file.
func (p *page) named(file, function int) string {
	return link.FunctionName(&raise.Facts{Functions: p.functions(file)}, function)
}

// url is the page of a line at the host; "" where there is none.
func (p *page) url(path string, line int) string {
	if p.link == nil || p.rev.Dirty {
		return ""
	}
	return p.link(p.repo, path, line, line, p.rev.Commit)
}

// changes are the error and its condition over the indexed revisions, newest first.
func (p *page) changes(r *raising) ([]api.Change, error) {
	all, err := p.revisionsOf(p.ctx, p.repo.ID)
	if err != nil || len(all) < 2 {
		return nil, err
	}
	units, err := p.catalog.UnitsOf(p.ctx, p.entry.ID, nil)
	if err != nil {
		return nil, err
	}
	text, known := map[int64]string{}, map[int64]string{} // conditions by revision, and by unit
	for i := range all {
		at := slices.IndexFunc(units, func(u catalog.Unit) bool { return all[i].units[u.ID] })
		if at < 0 {
			continue
		}
		u := &units[at]
		if _, ok := known[u.ID]; !ok {
			if known[u.ID], err = p.conditionIn(u); err != nil {
				return nil, err
			}
		}
		text[all[i].ID] = known[u.ID]
	}
	var out []api.Change
	for i := range all {
		v := &all[i]
		now, here := text[v.ID]
		older, before := "", false
		if i+1 < len(all) {
			older, before = text[all[i+1].ID]
		}
		switch {
		case here && !before && i+1 < len(all):
			out = append(out, api.Change{Revision: v.Title(), What: "added"})
		case !here && before:
			out = append(out, api.Change{Revision: v.Title(), What: "removed"})
		case here && before && now != older:
			out = append(out, api.Change{Revision: v.Title(), What: "condition", Detail: fmt.Sprintf("from %s to %s", quote(orNone(older)), quote(orNone(now)))})
		}
	}
	return out, nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// conditionIn is the deciding part of the condition of the error's first site in a unit.
func (p *page) conditionIn(u *catalog.Unit) (text string, err error) {
	sites, err := link.DecodeUnit(u.Sites)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(sites, func(s link.UnitSite) bool {
		return slices.ContainsFunc(s.Variants, func(v link.UnitVariant) bool { return v.ID == p.entry.ID })
	})
	if at < 0 {
		return "", nil
	}
	err = p.catalog.Cores(p.ctx, []catalog.FactsKey{u.File.Key()}, p.version, func(k catalog.FactsKey, core []byte) error {
		f, err := raise.DecodeCore(core)
		if err != nil || sites[at].Site >= len(f.Sites) || p.langs[f.Language] == nil {
			return err
		}
		switch g := guardOf(&f.Sites[sites[at].Site]); {
		case g == nil:
		case g.Expr != nil:
			text = g.Expr.Print(&p.langs[f.Language].Spelling)
		default:
			text = g.Text
		}
		return nil
	})
	return text, err
}
