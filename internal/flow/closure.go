package flow

import (
	"slices"
	"strings"
)

// closure runs the body of a function value with what it still knows of where it was made: the names that keep their value, and
// the parts of the condition passed on the way there. Members may change until it runs, whatever their owner is.
func (w *walker) closure(st *Stmt, s state, depth int) {
	in := state{env: env{params: slices.Concat(s.env.params, s.env.names)}}
	lost := func(needs []need) {
		for _, n := range needs {
			if strings.Contains(n.name, ".") || !slices.Contains(st.Keeps, n.name) {
				in.env.set(n.name, &def{})
			}
		}
	}
	for _, name := range st.Keeps {
		if d := s.env.get(name); d != nil {
			in.env.set(name, d)
			lost(d.needs)
		}
	}
	if !st.Hoisted {
		in.parts = s.parts
		for _, p := range s.parts {
			lost(p.needs)
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
