package condition

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Substitute puts what names were computed from in their place, and what that was computed from in turn, until nothing is left to
// put in or the expression grows too large; then it comes back as far as it fitted.
func Substitute(e *expr.Expr, defs []raise.Def) *expr.Expr {
	s := substitution{defs: map[string]*expr.Expr{}, room: maxSize - size(e)}
	for _, d := range defs {
		if _, taken := s.defs[d.Name]; !taken && d.Value != nil {
			s.defs[d.Name] = d.Value
		}
	}
	return s.apply(e, 0)
}

type substitution struct {
	defs   map[string]*expr.Expr
	active []string
	room   int // nodes that may still be added
}

// apply substitutes in e from the outside in, so that a member path is found before the name that it begins with.
func (s *substitution) apply(e *expr.Expr, depth int) *expr.Expr {
	if e == nil || depth > maxDepth {
		return e
	}
	if e.Op == expr.Name || e.Op == expr.Attr {
		path := e.Path()
		d := s.defs[path]
		if n := size(d); d != nil && path != "" && !slices.Contains(s.active, path) && n <= s.room {
			s.room -= n
			s.active = append(s.active, path)
			defer func() { s.active = s.active[:len(s.active)-1] }()
			return s.apply(d, depth+1)
		}
	}
	args := e.Args
	for i, a := range e.Args {
		b := s.apply(a, depth+1)
		if b == a {
			continue
		}
		if &args[0] == &e.Args[0] {
			args = slices.Clone(e.Args)
		}
		args[i] = b
	}
	if len(args) == 0 || &args[0] == &e.Args[0] {
		return e
	}
	return &expr.Expr{Op: e.Op, Text: e.Text, Args: args}
}

// size counts the nodes of an expression, up to more than maxSize.
func size(e *expr.Expr) int {
	n := 0
	e.Walk(func(*expr.Expr) bool {
		n++
		return n <= maxSize
	})
	return n
}

// Negate is the negation as a person writes it: And and Or change places, comparisons turn round, a double negation falls away.
// That a < b does not hold is written a >= b, which numbers that are none (NaN) do not satisfy either: it is meant for reading.
func Negate(e *expr.Expr) *expr.Expr { return negate(e, 0) }

// negate negates to a bounded depth; deeper conditions stand under a plain Not.
func negate(e *expr.Expr, depth int) *expr.Expr {
	if e == nil || depth > maxDepth {
		return expr.New(expr.Not, "", e)
	}
	switch e.Op {
	case expr.Not:
		return e.Arg(0)
	case expr.And, expr.Or:
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = negate(a, depth+1)
		}
		if e.Op == expr.And {
			return expr.Disj(args...)
		}
		return expr.Conj(args...)
	case expr.Bool:
		if e.Text == "true" {
			return expr.New(expr.Bool, "false")
		}
		return expr.New(expr.Bool, "true")
	case expr.Compare:
		if op := opposite(e.Text); op != "" {
			return expr.New(expr.Compare, op, e.Args...)
		}
	}
	return expr.New(expr.Not, "", e)
}

// opposite is the comparison that holds where op does not.
func opposite(op string) string {
	switch op {
	case "==":
		return "!="
	case "!=":
		return "=="
	case "<":
		return ">="
	case "<=":
		return ">"
	case ">":
		return "<="
	case ">=":
		return "<"
	case "in":
		return "not in"
	case "not in":
		return "in"
	case "is":
		return "is not"
	case "is not":
		return "is"
	}
	return ""
}

// mirrored is the comparison that holds when its sides are exchanged.
func mirrored(op string) string {
	switch op {
	case "<":
		return ">"
	case "<=":
		return ">="
	case ">":
		return "<"
	case ">=":
		return "<="
	}
	return op
}

// Simplify computes what is constant, drops what cannot matter and flattens nested And and Or of a condition. What it leaves as it
// is keeps its spelling. The result holds exactly where e does.
func Simplify(e *expr.Expr) *expr.Expr {
	if e == nil || size(e) > maxSize {
		return e
	}
	w := view{env: NewEnv(nil, nil)}
	return w.simple(e, 0)
}

// simple simplifies e where it stands as a condition.
func (v *view) simple(e *expr.Expr, depth int) *expr.Expr {
	if depth > maxDepth {
		return e
	}
	switch e.Op {
	case expr.And, expr.Or, expr.Not, expr.Truthy:
		e = v.inside(e, depth)
	}
	switch e.Op {
	case expr.And:
		return flattened(e, "true", "false")
	case expr.Or:
		return flattened(e, "false", "true")
	case expr.Not:
		return negation(e)
	case expr.Truthy:
		if a := e.Arg(0); a.Is(expr.Bool) || a.Is(expr.Compare) || a.Is(expr.Not) {
			return a
		}
		return e
	}
	e = e.Map(v.folded)
	if e.Is(expr.Compare) {
		a, b := v.constant(e.Arg(0)), v.constant(e.Arg(1))
		if a.Kind == Number && b.Kind == Number {
			if out := v.compare(e); out == True || out == False {
				return BoolOf(out == True).expr()
			}
		}
	}
	return e
}

// inside simplifies the conditions that e joins.
func (v *view) inside(e *expr.Expr, depth int) *expr.Expr {
	args := slices.Clone(e.Args)
	changed := false
	for i, a := range args {
		if args[i] = v.simple(a, depth+1); args[i] != a {
			changed = true
		}
	}
	if !changed {
		return e
	}
	return &expr.Expr{Op: e.Op, Text: e.Text, Args: args}
}

// negation simplifies Not where the result holds exactly where it does: not for comparisons by size, which no order satisfies.
func negation(e *expr.Expr) *expr.Expr {
	a := e.Arg(0)
	switch {
	case a.Is(expr.Not):
		return asCondition(a.Arg(0))
	case a.Is(expr.Bool):
		return Negate(a)
	case a.Is(expr.Compare):
		switch a.Text {
		case "==", "!=", "is", "is not", "in", "not in":
			return Negate(a)
		}
	}
	return e
}

// asCondition keeps that a value is only used as a condition.
func asCondition(e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.And, expr.Or, expr.Not, expr.Compare, expr.TypeTest, expr.Bool, expr.Truthy:
		return e
	}
	return expr.New(expr.Truthy, "", e)
}

// constant is the value of a numeric literal.
func (v *view) constant(e *expr.Expr) Value {
	if e.Is(expr.Number) || e.Is(expr.Unary) && e.Arg(0).Is(expr.Number) {
		return v.value(e)
	}
	return Value{}
}

// folded computes arithmetic of whole numbers, except for divisions, whose meaning is the language's.
func (v *view) folded(e *expr.Expr) *expr.Expr {
	if e.Op != expr.Unary && e.Op != expr.Binary {
		return e
	}
	switch e.Text {
	case "+", "-", "*", "<<", "|", "&", "**":
	default:
		return e
	}
	for _, a := range e.Args {
		if n := v.constant(a); n.Kind != Number || !n.whole {
			return e
		}
	}
	if e.Op == expr.Unary && e.Arg(0).Is(expr.Number) {
		return e
	}
	if n, ok := v.value(e).Int(); ok {
		return wholeOf(n).expr()
	}
	return e
}

// flattened opens And in And and Or in Or. What holds in any case (neutral) falls away; decides ends the list.
func flattened(e *expr.Expr, neutral, decides string) *expr.Expr {
	var parts []*expr.Expr
	changed := false
	for _, a := range e.Args {
		switch {
		case a.Is(expr.Bool) && a.Text == neutral:
			changed = true
		case a.Is(e.Op):
			changed = true
			parts = append(parts, a.Args...)
		case slices.ContainsFunc(parts, func(p *expr.Expr) bool { return expr.Equal(p, a) }):
			changed = true
		default:
			parts = append(parts, a)
		}
	}
	for i, p := range parts {
		if p.Is(expr.Bool) && p.Text == decides {
			if i == 0 {
				return p
			}
			changed = changed || i+1 < len(parts)
			parts = parts[:i+1]
			break
		}
	}
	switch {
	case !changed:
		return e
	case len(parts) == 0:
		return expr.New(expr.Bool, neutral)
	case len(parts) == 1:
		return parts[0]
	}
	return &expr.Expr{Op: e.Op, Args: parts}
}
