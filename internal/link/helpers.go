package link

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// viaMaker follows a site that raises what another function makes of its arguments.
func (l *linker) viaMaker(file int, s *raise.Site) []made {
	owner := l.owner(file, s.Function)
	sym, ok := l.callee(file, owner, s.Via, s.Args)
	if !ok {
		return nil
	}
	if sym.typ != nil {
		return l.construct(file, owner, expr.Ident(s.Via), LastName(s.Via), nil, s.Args)
	}
	if sym.function < 0 {
		return nil
	}
	return l.makes(sym, file, s.Args, 0)
}

// callee finds what a call with these arguments means: by name, or the one method of that name.
func (l *linker) callee(file int, owner, path string, args []*expr.Expr) (symbol, bool) {
	if sym, ok := l.resolve(file, owner, path, 0); ok {
		return l.overload(sym, args), true
	}
	return l.method(l.family(l.files[file].Facts), path)
}

// makes lists the errors that a function makes of arguments.
func (l *linker) makes(sym symbol, file int, args []*expr.Expr, depth int) []made {
	f := l.files[sym.file].Facts
	fn := &f.Functions[sym.function]
	owner := l.owner(sym.file, sym.function)
	var out []made
	for _, m := range fn.Makes {
		if !m.Is(expr.Error) {
			out = append(out, made{text: bind(m, fn.Params, args), file: file})
			continue
		}
		var bound []*expr.Expr
		for _, a := range m.Args[2:] {
			bound = append(bound, bind(a, fn.Params, args))
		}
		text := m.Arg(1)
		if text != nil {
			text = bind(text, fn.Params, args)
		}
		if m.Text != "" {
			out = append(out, l.handedOn(sym.file, owner, m, bound, depth)...)
			continue
		}
		made := l.construct(sym.file, owner, m.Arg(0), m.Arg(0).Last(), text, bound)
		for i := range made {
			made[i].raised = true
		}
		out = append(out, made...)
	}
	return out
}

// handedOn lists the errors that a function gives back which another one makes for it; m names that one, and the type of the error.
func (l *linker) handedOn(file int, owner string, m *expr.Expr, args []*expr.Expr, depth int) []made {
	if next, ok := l.callee(file, owner, typePath(m.Arg(0)), args); ok && next.function >= 0 && depth < maxHelpers {
		if all := l.makes(next, file, args, depth+1); len(all) > 0 {
			for i := range all {
				all[i].raised = true
			}
			return all
		}
	}
	return []made{{typ: m.Text, unknown: UnknownForeign, file: file, raised: true}}
}

// potential gives a helper's sites the texts that a caller hands to it. What leads to no raiser is dropped; what leads to a maker
// without a site of its own is a site where it stands.
func (l *linker) potential(file, i int, s *raise.Site) {
	owner := l.owner(file, s.Function)
	sym, ok := l.callee(file, owner, s.Via, s.Args)
	switch {
	case !ok || sym.function < 0 && sym.typ == nil:
		l.rev.Dropped["calls something unknown with a message"]++
		return
	case sym.typ != nil:
		// A value of an error type that is handed on where it is made.
		if l.isError(sym, 0) {
			l.add(file, i, l.ofMade(file, s, l.construct(file, owner, expr.Ident(s.Via), LastName(s.Via), nil, s.Args)))
			return
		}
	case l.lend(sym, file, i, s.Args, 0):
		return
	case len(l.files[sym.file].Facts.Functions[sym.function].Makes) > 0:
		if made := l.errorsOnly(l.makes(sym, file, s.Args, 0)); len(made) > 0 {
			l.add(file, i, l.ofMade(file, s, made))
			return
		}
	}
	l.rev.Dropped["calls a function that raises nothing with it"]++
}

func (l *linker) ofMade(file int, s *raise.Site, all []made) []Variant {
	var out []Variant
	for _, m := range all {
		out = append(out, l.templates(file, s, m)...)
	}
	return out
}

// errorsOnly keeps what is raised: a function that makes a text alone raises nothing.
func (l *linker) errorsOnly(all []made) []made {
	return slices.DeleteFunc(all, func(m made) bool { return m.typ == "" && !m.raised })
}

// isError reports whether a type of the repository is an error: it has a message of its own, or a base that is one by name.
func (l *linker) isError(sym symbol, depth int) bool {
	return sym.typ.Message != nil || sym.typ.Super != nil || len(sym.typ.Bases) > 0 && depth == 0
}

// lend binds a caller's arguments into the messages of a helper's own sites. Helpers that hand on to helpers are followed.
func (l *linker) lend(sym symbol, file, i int, args []*expr.Expr, depth int) bool {
	f := l.files[sym.file].Facts
	fn := &f.Functions[sym.function]
	lent := false
	for j := range f.Sites {
		s := &f.Sites[j]
		if s.Function != sym.function {
			continue
		}
		if s.Potential {
			if depth < maxHelpers && l.usesParams(sym.file, s, fn.Params) {
				lent = l.through(sym.file, s, fn.Params, file, i, args, depth) || lent
			}
			continue
		}
		at := l.at[sym.file][j]
		if at < 0 || !l.usesParams(sym.file, s, fn.Params) {
			continue
		}
		lent = true
		l.lendTo(sym.file, j, at, file, i, args)
	}
	return lent
}

// maxHelpers bounds how many helpers that call helpers are followed.
const maxHelpers = 3

// through follows a helper that hands its parameters on to another helper.
func (l *linker) through(helper int, s *raise.Site, params []raise.Param, file, i int, args []*expr.Expr, depth int) bool {
	next, ok := l.callee(helper, l.owner(helper, s.Function), s.Via, s.Args)
	if !ok || next.function < 0 {
		return false
	}
	handed := make([]*expr.Expr, 0, len(s.Args))
	for _, a := range s.Args {
		handed = append(handed, bind(a, params, args))
	}
	return l.lend(next, file, i, spread(handed), depth+1)
}

// usesParams reports whether a site's message or arguments depend on its function's parameters.
func (l *linker) usesParams(file int, s *raise.Site, params []raise.Param) bool {
	used := false
	look := func(e *expr.Expr) {
		e.Walk(func(x *expr.Expr) bool {
			used = used || isParam(params, x)
			return !used
		})
	}
	look(l.computed(file, s, s.Message))
	for _, a := range s.Args {
		look(l.computed(file, s, a))
	}
	return used
}

// lendTo adds the variants that one call gives to one site.
func (l *linker) lendTo(helper, j, at, file, i int, args []*expr.Expr) {
	s := &l.files[helper].Facts.Sites[j]
	fn := &l.files[helper].Facts.Functions[s.Function]
	target := &l.rev.Sites[helper][at]
	if len(target.Variants) >= maxLent {
		return
	}
	bound := make([]*expr.Expr, 0, len(s.Args))
	for _, a := range s.Args {
		bound = append(bound, bind(l.computed(helper, s, a), fn.Params, args))
	}
	var text *expr.Expr
	if s.Message != nil {
		text = bind(l.computed(helper, s, s.Message), fn.Params, args)
	}
	via := l.place(file, i)
	var all []made
	if s.Via != "" {
		of := *s
		of.Args = spread(bound)
		all = l.viaMaker(helper, &of)
	} else {
		all = l.construct(helper, l.owner(helper, s.Function), s.Type, typeName(s), text, spread(bound))
	}
	for _, m := range all {
		m.file = file
		caller := &l.files[file].Facts.Sites[i]
		for _, v := range l.templates(file, caller, m) {
			v.Via = &via
			target.Variants = append(target.Variants, v)
		}
	}
}

// maxLent bounds how many callers' texts one helper's site carries.
const maxLent = 5000
