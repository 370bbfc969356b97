package flow

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func (w *walker) loop(st *Stmt, s state, depth int) state {
	w.effects(st.Value, &s.env)
	before := s.env.clone()
	w.forget(st.Body, &s.env, depth)
	in := s
	in.env = s.env.clone()
	switch {
	case st.Kind == For:
		in = in.with(raise.Part{Role: raise.RoleLoop, Text: w.loopText(st), Line: st.Line})
		for _, t := range st.Targets {
			in.env.assign(t, nil, st.Line)
		}
	case st.Kind == While && st.Cond != nil:
		in = in.with(raise.Part{Role: raise.RoleLoop, Expr: st.Cond, Line: st.Line})
	case st.Kind == While:
		in = in.with(raise.Part{Role: raise.RoleLoop, Text: "repeatedly", Line: st.Line})
	}
	out := w.block(st.Body, in, depth+1)
	after := s
	after.env = merge(merge(before, s.env), out.env)
	return w.afterLoop(st, after, depth)
}

// afterLoop is what holds behind a loop: it ended by itself where nothing in it breaks.
func (w *walker) afterLoop(st *Stmt, s state, depth int) state {
	breaks := st.Breaks || has(st.Body, Break, depth)
	ended := raise.Part{Role: raise.RoleEnd, Text: w.loopText(st), Line: st.Line}
	if st.Kind != For {
		ended.Expr, ended.Text = Negate(st.Cond), ""
	}
	if len(st.Else) > 0 {
		out := w.block(st.Else, s.with(ended), depth+1)
		if out.gone && !breaks {
			s.gone = true
		}
		s.env = merge(s.env, out.env)
		return s
	}
	if st.Kind != For && st.Cond == nil {
		s.gone = !breaks
		return s
	}
	if !breaks && (st.Kind != For || leavesAny(st.Body, depth)) {
		return s.with(ended)
	}
	return s
}

func (w *walker) loopText(st *Stmt) string {
	if st.Kind != For {
		return ""
	}
	var targets []string
	for _, t := range st.Targets {
		if t != nil {
			targets = append(targets, t.String())
		}
	}
	if len(targets) == 0 || st.Value == nil {
		return "in a loop"
	}
	return "for each " + strings.Join(targets, ", ") + " in " + st.Value.String()
}

// forget makes unknown what the statements assign, at any depth.
func (w *walker) forget(body []Stmt, v *env, depth int) {
	if depth > maxDepth {
		return
	}
	defer func(was bool) { w.looped = was }(w.looped)
	w.looped = true
	for i := range body {
		st := &body[i]
		switch st.Kind {
		case Assign, For:
			for _, t := range st.Targets {
				v.assign(t, nil, st.Line)
			}
		}
		w.effects(st.Value, v)
		w.effects(st.Cond, v)
		for _, part := range [][]Stmt{st.Body, st.Else, st.Final} {
			w.forget(part, v, depth+1)
		}
		for j := range st.Cases {
			w.forget(st.Cases[j].Body, v, depth+1)
		}
		for j := range st.Handlers {
			w.forget(st.Handlers[j].Body, v, depth+1)
		}
	}
}

// has reports whether the statements of a loop's body leave it by kind.
func has(body []Stmt, kind Leaves, depth int) bool {
	if depth > maxDepth {
		return true
	}
	for i := range body {
		st := &body[i]
		if st.Kind == Leave && st.Leaves == kind {
			return true
		}
		if st.Kind == Closure || st.Kind == Switch && st.Breaks && kind == Break {
			continue
		}
		inner := st.Kind != While && st.Kind != For && st.Kind != DoWhile || kind == Return
		if inner && (has(st.Body, kind, depth+1) || has(st.Final, kind, depth+1)) || has(st.Else, kind, depth+1) {
			return true
		}
		for j := range st.Cases {
			if has(st.Cases[j].Body, kind, depth+1) {
				return true
			}
		}
		for j := range st.Handlers {
			if has(st.Handlers[j].Body, kind, depth+1) {
				return true
			}
		}
	}
	return false
}

// leavesAny reports whether a loop's body can return: a loop that was searched to its end found nothing.
func leavesAny(body []Stmt, depth int) bool { return has(body, Return, depth) }

func (w *walker) try(st *Stmt, s state, depth int) state {
	body := s
	body.env = s.env.clone()
	body = w.block(st.Body, body, depth+1)
	broken := s.env.clone()
	w.forget(st.Body, &broken, depth)
	failing := failingCalls(st.Body)
	done := body
	if !body.gone {
		done = w.block(st.Else, body, depth+1)
	}
	joined, gone := done.env, done.gone
	for i := range st.Handlers {
		h := &st.Handlers[i]
		in := s
		in.env = broken.clone()
		text := failing
		if h.Types != "" {
			text = strings.TrimSpace(h.Types + " from " + failing)
		}
		in = in.with(raise.Part{Role: raise.RoleHandler, Text: text, Line: h.Line})
		if h.Name != "" {
			in.env.assign(expr.Ident(h.Name), nil, h.Line)
		}
		out := w.block(h.Body, in, depth+1)
		switch {
		case out.gone:
		case gone:
			joined, gone = out.env, false
		default:
			joined = merge(joined, out.env)
		}
	}
	s.env, s.gone = joined, gone
	if len(st.Final) > 0 {
		return w.finally(st, s, broken, depth)
	}
	return s
}

// finally runs the final statements, which are reached from anywhere in the others: what those assign is unknown there.
func (w *walker) finally(st *Stmt, s state, broken env, depth int) state {
	in := s
	in.env = broken
	for i := range st.Handlers {
		w.forget(st.Handlers[i].Body, &in.env, depth)
	}
	w.forget(st.Else, &in.env, depth)
	out := w.block(st.Final, in, depth+1)
	w.forget(st.Final, &s.env, depth)
	s.parts, s.passed = out.parts, out.passed
	s.gone = s.gone || out.gone
	return s
}

// failingCalls names what can fail in a try body: the calls of its statements, the first three.
func failingCalls(body []Stmt) string {
	var calls []string
	var visit func(body []Stmt, depth int)
	visit = func(body []Stmt, depth int) {
		for i := range body {
			for _, e := range []*expr.Expr{body[i].Value, body[i].Cond} {
				e.Walk(func(x *expr.Expr) bool {
					if x.Op == expr.Call {
						calls = append(calls, callText(x))
						return false
					}
					return x.Op != expr.Func
				})
			}
			if depth < 3 && body[i].Kind != Closure {
				visit(body[i].Body, depth+1)
				visit(body[i].Else, depth+1)
			}
		}
	}
	visit(body, 0)
	if len(calls) > 3 {
		calls = append(calls[:3], "…")
	}
	return strings.Join(calls, ", ")
}

// maxCallText bounds a call that is named as what failed; of a longer one the arguments are left out.
const maxCallText = 100

func callText(call *expr.Expr) string {
	text := call.String()
	if callee := call.Arg(0).String(); len(text) > maxCallText && len(callee) <= maxCallText {
		return callee + "(…)"
	}
	return text
}
