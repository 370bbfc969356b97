package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxRelated bounds the related errors.
const maxRelated = 8

// tie is why another error has to do with the one of a page, the strongest first.
type tie uint8

const (
	tieQuantity tie = iota // the same function checks the same quantity
	tieSide                // the other side of the same branch
	tieFunction            // the same function
	tieStep                // a function on the way to the raise, or one that it runs after
	tieGiven               // another function of the file or type checks the same quantity
	tieWording             // alike wording
	tieType                // another method of the same type
)

// relative is another error with the reason that it is listed.
type relative struct {
	api.Related
	tie  tie
	near int // lines between the two, where they stand in one file; otherwise many
}

// related are the other errors that have to do with this one, each with the strongest reason: those of its file, of the functions that
// lead to the raise, and of what these call beside it.
func (p *page) related(r *raising) []api.Related {
	var all []relative
	for _, file := range p.neighbourhood(r) {
		all = p.relatives(all, r, file)
	}
	slices.SortStableFunc(all, func(a, b relative) int { return cmp.Or(cmp.Compare(a.tie, b.tie), cmp.Compare(a.near, b.near)) })
	var out []api.Related
	// That they are methods of one type says little of two errors where the type has many.
	methods := 0
	for i := range all {
		if all[i].tie == tieType {
			methods++
		}
	}
	for i := range all {
		if all[i].tie == tieType && methods > maxMethods {
			continue
		}
		if len(out) < maxRelated && !slices.ContainsFunc(out, func(o api.Related) bool { return o.Error == all[i].Error }) {
			out = append(out, all[i].Related)
		}
	}
	return out
}

// maxMethods is how many other errors a type may have for all of them to belong together.
const maxMethods = 6

// maxNeighbours bounds the files whose errors are looked at.
const maxNeighbours = 6

// neighbourhood are the file that decides and those on the way to it, in this order.
func (p *page) neighbourhood(r *raising) []int {
	out := []int{r.file}
	for _, s := range p.way {
		if !slices.Contains(out, s.file) && len(out) < maxNeighbours && s.depth < 3 && p.files[s.file].Kind == p.files[r.file].Kind {
			out = append(out, s.file)
		}
	}
	return out
}

// relatives adds the errors of a file that have to do with the one of the page.
func (p *page) relatives(all []relative, r *raising, file int) []relative {
	core := p.core(file)
	sites, err := p.sitesIn(file)
	if core == nil || err != nil {
		return all
	}
	for i := range sites {
		u := &sites[i]
		if len(u.Variants) == 0 || u.Site >= len(core.Sites) || u.Kind == raise.KindReraise || u.Kind == raise.KindTest {
			continue
		}
		v := &u.Variants[0]
		text := v.Template.Display()
		if v.ID == p.entry.ID || text == "" && v.Type == "" {
			continue
		}
		s := &core.Sites[u.Site]
		t, reason := p.tieOf(r, file, core, s, text)
		if reason == "" {
			continue
		}
		near := 1 << 20
		if file == r.file {
			near = max(u.Line-r.site.Line, r.site.Line-u.Line)
		}
		all = append(all, relative{api.Related{Error: v.ID, Type: v.Type, Template: text, Reason: reason, Path: p.files[file].Path, Line: u.Line}, t, near})
	}
	return all
}

// tieOf is the strongest reason that a site of a file has to do with the one of the page; the reason is "" if there is none.
func (p *page) tieOf(r *raising, file int, core *raise.Facts, s *raise.Site, text string) (tie, string) {
	same := file == r.file && s.Function == r.site.Function
	own := quantities(r.core, r.site)
	if same {
		shared := common(own, quantities(core, s))
		switch {
		case shared != "":
			return tieQuantity, "the same function checks " + quote(shared) + " for it too"
		case otherSide(r.site, s):
			return tieSide, "raised on the other side of the same branch"
		case s.Function >= 0:
			return tieFunction, "raised in the same function"
		}
		return 0, ""
	}
	if at := p.functionOf(core, file, s.Function); at >= 0 {
		for _, step := range p.way {
			if step.depth > 0 && step.depth < 3 && (step.depth == 1 || file == r.file) && step.file == file && step.function == at {
				return tieStep, "raised by " + quote(link.FunctionName(core, s.Function)) + ", which leads here"
			}
		}
	}
	if shared := given(r, core, s); file == r.file && shared != "" {
		return tieGiven, quote(orTop(link.FunctionName(core, s.Function))) + " checks " + quote(shared) + " for it too"
	}
	if alike(r.found.variant.Template.Display(), text) && file == r.file {
		return tieWording, "its wording is alike"
	}
	if o := ownerOf(core, s); file == r.file && o != "" && o == ownerOf(r.core, r.site) && !strings.Contains(o, "<") {
		return tieType, "raised by another method of " + quote(o)
	}
	return 0, ""
}

// ownerOf is the type that the function of a site belongs to.
func ownerOf(core *raise.Facts, s *raise.Site) string {
	if s.Function < 0 || s.Function >= len(core.Functions) {
		return ""
	}
	return core.Functions[s.Function].Owner
}

// quantities are the names and member paths that the deciding part of a site's condition is about: no modules, constants and callees.
func quantities(core *raise.Facts, s *raise.Site) []string {
	g := guardOf(s)
	if g == nil || g.Expr == nil {
		return nil
	}
	var out []string
	add := func(path string) {
		head, _, _ := strings.Cut(path, ".")
		if path != "" && !core.Common(head) && (len(path) > 1 || isParam(core, s, path)) {
			out = append(out, path)
		}
	}
	callees := map[*expr.Expr]bool{}
	condition.Substitute(g.Expr, whole(s.Defs)).Walk(func(a *expr.Expr) bool {
		switch path := a.Path(); {
		case callees[a]:
			// What is called is no quantity; what it is called on may be one.
			if a.Is(expr.Attr) {
				add(a.Arg(0).Path())
			}
			return false
		case a.Is(expr.Call):
			callees[a.Arg(0)] = true
			return true
		case a.Is(expr.Len) && a.Arg(0).Path() != "":
			add(a.Arg(0).Path())
			return false
		case path != "":
			add(path)
			return false
		}
		return true
	})
	return out
}

// isParam reports whether a name is a parameter of a site's function.
func isParam(core *raise.Facts, s *raise.Site, name string) bool {
	return param(core, s, name) != nil
}

func param(core *raise.Facts, s *raise.Site, name string) *raise.Param {
	if s.Function < 0 || s.Function >= len(core.Functions) {
		return nil
	}
	for i := range core.Functions[s.Function].Params {
		if p := &core.Functions[s.Function].Params[i]; p.Name == name {
			return p
		}
	}
	return nil
}

// given is a quantity that the conditions of two sites in different functions share: a parameter of both, of the same type, that goes by
// the same name, or a member of the object that both are methods of. Local names mean nothing to another function.
func given(r *raising, core *raise.Facts, s *raise.Site) string {
	theirs := quantities(core, s)
	for _, q := range quantities(r.core, r.site) {
		head, _, dotted := strings.Cut(q, ".")
		if !slices.Contains(theirs, q) || assigned(r.site, head) != "" || assigned(s, head) != "" {
			continue
		}
		a, b := param(r.core, r.site, head), param(core, s, head)
		switch {
		case a != nil && b != nil && a.Type == b.Type && head != "err":
			return q
		case a == nil && b == nil && dotted && ownerOf(core, s) != "" && ownerOf(core, s) == ownerOf(r.core, r.site):
			return q
		}
	}
	return ""
}

// common is the first quantity that both lists hold.
func common(a, b []string) string {
	for _, x := range a {
		if slices.Contains(b, x) && x != "self" && x != "this" && x != "err" {
			return x
		}
	}
	return ""
}

// otherSide reports whether two sites stand on the two sides of one branch.
func otherSide(a, b *raise.Site) bool {
	x, y := guardOf(a), guardOf(b)
	return x != nil && y != nil && x.Expr != nil && y.Expr != nil && x.Line == y.Line && expr.Equal(condition.Negate(x.Expr), y.Expr)
}

// alike reports whether two messages share most of their words of four letters and more, and at least two of them.
func alike(a, b string) bool {
	words := func(s string) map[string]bool {
		out := map[string]bool{}
		depth := 0
		for _, w := range strings.FieldsFunc(s, func(c rune) bool {
			switch c {
			case '{':
				depth++
			case '}':
				depth--
			}
			return depth > 0 || !(c|0x20 >= 'a' && c|0x20 <= 'z')
		}) {
			if len(w) >= 4 {
				out[strings.ToLower(w)] = true
			}
		}
		return out
	}
	x, y := words(a), words(b)
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return shared >= 2 && 2*shared > max(len(x), len(y))
}
