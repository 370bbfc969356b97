package flow

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxShared bounds the names of a function that the functions in it share in full; of more, as in a bundle whose modules stand in
// one function, they know the texts alone.
const maxShared = 64

// textual reports whether a name holds texts or errors alone.
func (d *def) textual() bool {
	for _, v := range d.values {
		if !Textual(v) && !v.Is(expr.Error) && !v.Is(expr.List) && !v.Is(expr.Map) {
			return false
		}
	}
	return len(d.values) > 0
}

// closure runs the body of a function value with what it still knows of where it was made: the names that keep their value, and
// the parts of the condition passed on the way there.
func (w *walker) closure(st *Stmt, s state, depth int) {
	in := state{env: env{params: slices.Concat(s.env.params, s.env.names)}}
	keeps := st.Keeps
	if keeps == nil {
		keeps = func(string) bool { return false }
	}
	lost := func(needs []need) {
		for _, n := range needs {
			if !keeps(n.name) {
				d := s.env.get(n.name)
				in.env.set(n.name, &def{own: d != nil && d.own})
			}
		}
	}
	for i, name := range s.env.names {
		d := s.env.defs[i]
		if len(s.env.names) > maxShared && !d.textual() || !keeps(name) {
			continue
		}
		in.env.set(name, d)
		lost(d.needs)
	}
	if !st.Hoisted {
		in.parts = slices.Clone(s.parts)
		for i, p := range in.parts {
			in.parts[i].around = true
			if p.Role == raise.RoleExit {
				in.parts[i].Role = raise.RoleAfter // it was passed where the closure was made, which decides nothing in it
			}
			lost(p.needs)
			for _, n := range p.needs {
				if d := s.env.get(n.name); d != nil && keeps(n.name) {
					in.env.set(n.name, d)
				}
			}
		}
	}
	for i, name := range s.env.names {
		if s.env.defs[i].own && in.env.get(name) == nil {
			in.env.set(name, &def{own: true})
		}
	}
	for _, t := range st.Targets {
		in.env.assign(t, nil, st.Line)
	}
	outer := w.makes
	w.makes = nil
	w.block(st.Body, in, depth+1)
	if st.Makes != nil {
		*st.Makes = w.makes
	}
	w.makes = outer
}
