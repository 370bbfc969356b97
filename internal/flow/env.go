package flow

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// maxAlternatives bounds how many values a name is followed to. A message that can be built in more ways has a hole there.
const maxAlternatives = 8

// def is what a name holds from one assignment to the next. Two environments that hold the same def hold the same value.
type def struct {
	values []*expr.Expr // the alternatives; none if unknown
	line   int
	needs  []need // what the values were computed from, as it was then
	own    bool   // the function itself assigned it on some way here; otherwise it can only have been changed by what was called
}

// need is a name and the def it had.
type need struct {
	name string
	def  *def
}

// env is what the names hold at one point of a function. A name that is absent holds what it had on entry.
// Members are names with dots ("self.size"); what is written to a name ends what is known of its members.
type env struct {
	names  []string
	defs   []*def
	params []string // names that hold a value on entry; any other plain name has none before it is assigned
}

func (v *env) clone() env {
	return env{slices.Clone(v.names), slices.Clone(v.defs), v.params}
}

// onEntry reports whether name may hold a value that was not assigned in the function.
func (v *env) onEntry(name string) bool {
	return strings.Contains(name, ".") || slices.Contains(v.params, name)
}

func (v *env) get(name string) *def {
	for i := len(v.names) - 1; i >= 0; i-- {
		if v.names[i] == name {
			return v.defs[i]
		}
	}
	return nil
}

// at is get for a name that probably stands at index i: branches begin with the same names in the same places.
func (v *env) at(i int, name string) *def {
	if i < len(v.names) && v.names[i] == name {
		return v.defs[i]
	}
	return v.get(name)
}

func (v *env) set(name string, d *def) {
	for i, n := range v.names {
		if n == name {
			if v.defs[i].own && !d.own {
				changed := *d
				changed.own = true
				d = &changed
			}
			v.defs[i] = d
			d = nil
		} else if len(n) > len(name) && n[len(name)] == '.' && n[:len(name)] == name {
			v.defs[i] = &def{}
		}
	}
	if d != nil {
		v.names = append(v.names, name)
		v.defs = append(v.defs, d)
	}
}

// assign gives a target a value; a nil value is unknown.
func (v *env) assign(target, value *expr.Expr, line int) {
	path := target.Path()
	switch {
	case path == "" && target.Is(expr.Index):
		v.touch(target.Arg(0))
	case path == "" && target != nil:
		for _, t := range target.Args {
			v.assign(t, nil, line)
		}
	case path != "":
		d := &def{line: line, own: true}
		if value != nil {
			d.values = alternatives(value)
			d.needs = v.needs(value)
		}
		v.set(path, d)
	}
}

// outOf returns what holds behind a scope that declared locals: they and their members hold what they held before it.
func (v env) outOf(locals []string, before *env) env {
	local := func(name string) bool {
		head, _, _ := strings.Cut(name, ".")
		return slices.Contains(locals, head)
	}
	out := env{params: v.params}
	for i, name := range v.names {
		d := v.defs[i]
		if local(name) {
			if d = before.at(i, name); d == nil {
				continue
			}
		}
		out.names, out.defs = append(out.names, name), append(out.defs, d)
	}
	return out
}

// alternatives returns the values that e may be: its arms if it is a choice, bounded.
func alternatives(e *expr.Expr) []*expr.Expr {
	if e.Is(expr.Alt) {
		if len(e.Args) > maxAlternatives {
			return nil
		}
		return e.Args
	}
	return []*expr.Expr{e}
}

// needs lists the names in e with what they hold now.
func (v *env) needs(e *expr.Expr) []need {
	var out []need
	e.Walk(func(x *expr.Expr) bool {
		if x.Op == expr.Func {
			return false
		}
		if p := x.Path(); p != "" && x.Op != expr.Call {
			if !strings.Contains(p, ".") {
				out = append(out, need{p, v.get(p)})
				return false
			}
			for _, name := range prefixes(p) {
				out = append(out, need{name, v.get(name)})
			}
			return false
		}
		return true
	})
	return out
}

// prefixes returns "a", "a.b", "a.b.c" for "a.b.c".
func prefixes(path string) []string {
	out := make([]string, 0, strings.Count(path, ".")+1)
	for i := range len(path) {
		if path[i] == '.' {
			out = append(out, path[:i])
		}
	}
	return append(out, path)
}

// touch says that the object that e names may have changed inside (an element was set, a method was called on it): what was
// computed from its inside no longer holds, while the name still refers to the same object.
func (v *env) touch(e *expr.Expr) {
	if path := e.Path(); path != "" {
		v.set(path, &def{})
	}
}

// still reports whether everything in needs is as it was.
func (v *env) still(needs []need) bool {
	for _, n := range needs {
		if v.get(n.name) != n.def {
			return false
		}
	}
	return true
}

// stale lists the names in needs that hold something else now, sorted.
func (v *env) stale(needs []need) []string {
	var out []string
	for _, n := range needs {
		if v.get(n.name) != n.def && !slices.Contains(out, n.name) {
			out = append(out, n.name)
		}
	}
	slices.Sort(out)
	return out
}

// merge returns what holds after either of a and b: the same defs where both agree, both values where they differ.
func merge(a, b env) env {
	out := a.clone()
	for i, name := range out.names {
		other := b.at(i, name)
		if other == out.defs[i] || other == nil && !a.onEntry(name) {
			continue
		}
		if other == nil {
			other = a.given(name, out.defs[i])
		}
		out.defs[i] = either(out.defs[i], other)
	}
	for i, name := range b.names {
		if a.at(i, name) != nil {
			continue
		}
		d := b.defs[i]
		if a.onEntry(name) {
			d = either(d, a.given(name, d))
		}
		out.names = append(out.names, name)
		out.defs = append(out.defs, d)
	}
	return out
}

// given is what a parameter holds on entry, where the other values that it may hold are texts: its own name; nil for any other name.
func (v *env) given(name string, other *def) *def {
	if !slices.Contains(v.params, name) || !slices.ContainsFunc(other.values, Textual) {
		return nil
	}
	return &def{values: []*expr.Expr{expr.Ident(name)}, line: other.line}
}

func either(a, b *def) *def {
	own := a != nil && a.own || b != nil && b.own
	if a == nil || b == nil || len(a.values) == 0 || len(b.values) == 0 {
		return &def{own: own}
	}
	out := &def{own: own, line: min(a.line, b.line), values: slices.Clone(a.values), needs: union(a.needs, b.needs)}
	for _, v := range b.values {
		if !slices.ContainsFunc(out.values, func(w *expr.Expr) bool { return expr.Equal(v, w) }) {
			out.values = append(out.values, v)
		}
	}
	if len(out.values) > maxAlternatives || len(out.needs) > maxNeeds {
		return &def{own: own}
	}
	return out
}

// maxNeeds bounds what one value is known to have been computed from.
const maxNeeds = 64

// union joins two lists without what both have: values that meet again and again would otherwise double their lists each time.
func union(a, b []need) []need {
	out := slices.Clip(a)
	for _, n := range b {
		if !slices.Contains(a, n) {
			out = append(out, n)
		}
	}
	return out
}
