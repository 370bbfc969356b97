package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxCatches is how many places that take the error up a page names.
const maxCatches = 3

// catches are the places of the repository that take the error up, which show how its own authors do it: around a call that leads to
// the raise first, then those that ask for the type or the declared error anywhere. A clause that takes any error says nothing.
func (p *page) catches(r *raising) []api.Sentence {
	var all []api.Sentence
	add := func(file int, h *raise.Handler, function, what string) {
		e := api.Evidence{Kind: "handler", Path: p.files[file].Path, Line: h.Line, EndLine: h.Line, Text: p.lineOf(p.files[file].Path, h.Line),
			URL: p.url(p.files[file].Path, h.Line)}
		known := slices.ContainsFunc(all, func(s api.Sentence) bool { return s.Evidence[0].Path == e.Path && s.Evidence[0].Line == e.Line })
		if known || e.Text == "" || len(all) >= maxCatches {
			return
		}
		text := fmt.Sprintf("%s takes it up at %s:%d%s: %s", quote(orTop(function)), e.Path, e.Line, what, quote(e.Text))
		all = append(all, api.Sentence{Text: text, Origin: api.FromSource, Evidence: []api.Evidence{e}})
	}
	for _, s := range p.way {
		f := p.outline(s.file)
		if s.from == nil || f == nil || p.files[s.file].Kind != "product" {
			continue
		}
		for i := range f.Handlers {
			h := &f.Handlers[i]
			if h.From <= s.line && s.line <= h.To && h.Function == s.function && p.takes(r, s.file, f, h, true) {
				add(s.file, h, link.FunctionName(f, h.Function), ", around the call in line "+fmt.Sprint(s.line)+" that leads here")
			}
		}
	}
	for _, file := range p.handling(r) {
		f := p.outline(file)
		if f == nil || p.files[file].Kind != "product" || len(all) >= maxCatches {
			continue
		}
		for i := range f.Handlers {
			if h := &f.Handlers[i]; p.takes(r, file, f, h, false) {
				add(file, h, link.FunctionName(f, h.Function), "")
			}
		}
	}
	return all
}

// handling lists the files that take up something that is called like the error's type or like the name that it is declared under.
func (p *page) handling(r *raising) []int {
	d := p.declared(r)
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	out := slices.Clone(p.holding(raise.OfHandler, link.LastName(r.found.variant.Type)))
	if d != "" {
		out = append(out, p.holding(raise.OfHandler, d)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// declared is the name that the error is declared under; "" if it is made where it is raised.
func (p *page) declared(r *raising) string {
	at, ok := p.index[r.found.unit.File.Path]
	if !ok {
		return ""
	}
	core := p.core(at)
	if core == nil || r.found.site.Site >= len(core.Sites) {
		return ""
	}
	return core.Sites[r.found.site.Site].Declared
}

// takes reports whether a handler of a file takes the error up. Where names are not defined in the repository, as types of a language's
// library are not, alike holds them for the same if they are called alike.
func (p *page) takes(r *raising, file int, f *raise.Facts, h *raise.Handler, alike bool) bool {
	owner := ""
	if h.Function >= 0 && h.Function < len(f.Functions) {
		owner = f.Functions[h.Function].Owner
	}
	at, ok := p.index[r.found.unit.File.Path]
	if !ok {
		return false
	}
	raised := []string{r.found.variant.Type, p.declared(r)}
	if t := p.raises(r.found); t != nil && t.site.Type != nil {
		raised[0] = t.site.Type.Path()
	}
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	for _, asked := range h.Types {
		for _, name := range raised {
			if name != "" && p.graph.Takes(file, owner, asked, at, name, alike) {
				return true
			}
		}
	}
	return false
}

// caughtInside reports whether the function that raises the error takes it up itself.
func (p *page) caughtInside(r *raising) bool {
	f := p.outline(r.file)
	if f == nil {
		return false
	}
	return slices.ContainsFunc(f.Handlers, func(h raise.Handler) bool {
		return h.From <= r.site.Line && r.site.Line <= h.To && (len(h.Types) == 0 || p.takes(r, r.file, f, &h, true))
	})
}

// lineOf is a line of a file of the page's revision without white space around it; "" if it cannot be read.
func (p *page) lineOf(path string, line int) string {
	if lines := p.sourceOf(path); line > 0 && line <= len(lines) {
		return strings.TrimSpace(lines[line-1])
	}
	return ""
}

// sourceOf reads the lines of a file of the page's revision once a page; nil if it cannot be read.
func (p *page) sourceOf(path string) []string {
	if lines, ok := p.source[path]; ok {
		return lines
	}
	lines := p.linesOf(p.ctx, p.repo, p.rev, path)
	if p.source == nil {
		p.source = map[string][]string{}
	}
	p.source[path] = lines
	return lines
}
