package flow

import "slices"

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
				in.env.set(n.name, &def{})
			}
		}
	}
	for i, name := range s.env.names {
		if keeps(name) {
			in.env.set(name, s.env.defs[i])
			lost(s.env.defs[i].needs)
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
