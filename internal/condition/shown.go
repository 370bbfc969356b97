package condition

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// maxShown bounds the values that are put into an expression for showing; longer ones would hide it.
const maxShown = 60

// literal prints a value as the language writes it.
func (v *Env) literal(value Value) (string, bool) {
	e := value.expr()
	if e == nil {
		return "", false
	}
	text := v.print(e)
	return text, len(text) <= maxShown
}

// shown prints a part of a condition with the values put in, what is compared computed: "9 > 8". It is "" if no value is known.
func (v *Env) shown(e *expr.Expr, stale []string) string {
	w := view{env: v, stale: stale}
	var out *expr.Expr
	switch e.Op {
	case expr.Compare:
		out = w.rebuilt(e, w.computed)
	case expr.Not:
		inner := e.Arg(0)
		if inner.Is(expr.Truthy) {
			inner = inner.Arg(0)
		}
		out = expr.New(expr.Not, "", w.computed(inner))
		if out.Args[0] == inner {
			return ""
		}
	case expr.Truthy:
		out = w.computed(e.Arg(0))
		if out == e.Arg(0) {
			return ""
		}
	default:
		out = w.filled(e, 0)
	}
	if out == e {
		return ""
	}
	if text := v.print(out); text != v.print(e) {
		return text
	}
	return ""
}

// computed is the value of e as a literal, or e with the values that are known put in.
func (v *view) computed(e *expr.Expr) *expr.Expr {
	if constant(e) {
		return e
	}
	v.steps, v.depth = 0, 0
	value := v.value(e)
	if text, ok := v.env.literal(value); ok && text != v.env.print(e) {
		return value.expr()
	}
	return v.filled(e, 0)
}

// constant reports whether e is a literal through and through: showing its value would say nothing new.
func constant(e *expr.Expr) bool {
	switch e.Op {
	case expr.Number, expr.String, expr.Bool, expr.Null:
		return true
	case expr.List, expr.Tuple, expr.Set:
		return !slices.ContainsFunc(e.Args, func(a *expr.Expr) bool { return !constant(a) })
	}
	return false
}

// filled puts in the values of what was printed and of names; sums of them are left for the reader to follow.
func (v *view) filled(e *expr.Expr, depth int) *expr.Expr {
	if depth > maxDepth || constant(e) {
		return e
	}
	value, ok := v.bound(e)
	if !ok {
		if d, _ := v.definition(e); d != nil {
			value, ok = v.defined(e), true
		}
	}
	if ok {
		if _, fits := v.env.literal(value); fits {
			return value.expr()
		}
		return e
	}
	switch e.Op {
	case expr.Attr, expr.Func, expr.Unknown:
		return e
	}
	return v.rebuilt(e, func(a *expr.Expr) *expr.Expr { return v.filled(a, depth+1) })
}

// rebuilt is e with each part replaced; what is called stays.
func (v *view) rebuilt(e *expr.Expr, f func(*expr.Expr) *expr.Expr) *expr.Expr {
	args := slices.Clone(e.Args)
	changed := false
	for i, a := range args {
		if a == nil || e.Op == expr.Call && i == 0 && !a.Is(expr.Attr) || e.Op == expr.TypeTest && i > 0 {
			continue
		}
		if e.Op == expr.Call && i == 0 {
			// A method: what it is called on may be known.
			if inner := f(a.Arg(0)); inner != a.Arg(0) {
				args[i] = expr.New(expr.Attr, a.Text, inner)
				changed = true
			}
			continue
		}
		if args[i] = f(a); args[i] != a {
			changed = true
		}
	}
	if !changed {
		return e
	}
	return &expr.Expr{Op: e.Op, Text: e.Text, Args: args}
}
