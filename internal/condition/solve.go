package condition

import (
	"math/big"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Solution is what a condition accepts of one quantity: the values for which it does not hold.
type Solution struct {
	Quantity *expr.Expr
	// Accepted is the condition on the quantity alone, in the code's words: "2*full <= len(dst) <= n + 2*full".
	Accepted string
	// Range is the same in numbers, as far as they are known: "6 to 14", "at least 1"; "" if they are not.
	Range string
	// Shown compares the quantity's value with the range: "15 is one too many"; "" if either is not known.
	Shown string
	// Low and High are the least and the greatest accepted whole number, nil where there is no bound or it is not known.
	Low, High *big.Int
	// Given are the other parts of the condition, which have to hold as well for it to raise; nil if there are none.
	Given *expr.Expr
	// equals is what the quantity has to be, or must not be, if that is all that is accepted.
	equals *expr.Expr
}

// bounds are the accepted values under construction.
type bounds struct {
	low, high []limit
	equal     []*expr.Expr // accepted are these
	unequal   []*expr.Expr // accepted is all but these
}

// limit is one end of a range, in a multiple of the quantity.
type limit struct {
	at        linear
	inclusive bool
	by        *big.Rat // what the quantity is multiplied with
}

// Solve says what the condition e accepts of a quantity, with the definitions and values that the Env knows. It understands
// comparisons that are linear in the quantity, alone or joined by Or or by And, and membership in a list. ok is false for anything
// else, and if the quantity is not in the condition.
func Solve(e, quantity *expr.Expr, env *Env) (s Solution, ok bool) {
	v := &view{env: env}
	w := &solver{view: v, quantity: quantity}
	var alternatives []bounds // raising needs one of these to be left
	switch e = positive(e, false, 0); {
	case e.Is(expr.And):
		alternatives, ok = w.all(e.Args)
	default:
		var b bounds
		b, ok = w.any(disjuncts(e))
		alternatives = []bounds{b}
	}
	if !ok || len(alternatives) == 0 {
		return Solution{}, false
	}
	s = Solution{Quantity: quantity, Given: expr.Conj(w.given...)}
	w.say(&s, alternatives)
	return s, s.Accepted != ""
}

// positive pushes negations down to the comparisons.
func positive(e *expr.Expr, negated bool, depth int) *expr.Expr {
	switch {
	case e == nil || depth > maxDepth:
		return e
	case e.Op == expr.Truthy && (e.Arg(0).Is(expr.Compare) || e.Arg(0).Is(expr.Not)):
		return positive(e.Args[0], negated, depth+1)
	case e.Op == expr.Not:
		return positive(e.Arg(0), !negated, depth+1)
	case e.Op == expr.And || e.Op == expr.Or:
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = positive(a, negated, depth+1)
		}
		if (e.Op == expr.And) != negated {
			return expr.Conj(args...)
		}
		return expr.Disj(args...)
	case negated:
		return Negate(e)
	}
	return e
}

// disjuncts lists what an Or joins.
func disjuncts(e *expr.Expr) []*expr.Expr {
	if e.Is(expr.Or) {
		return e.Args
	}
	return []*expr.Expr{e}
}

type solver struct {
	view     *view
	quantity *expr.Expr
	given    []*expr.Expr
}

// any solves a condition that raises if one of parts holds: none of them may. Parts without the quantity are other reasons.
func (w *solver) any(parts []*expr.Expr) (bounds, bool) {
	var b bounds
	found := false
	for _, p := range parts {
		one, uses, ok := w.accepted(p)
		switch {
		case !uses:
		case !ok:
			return bounds{}, false
		default:
			found = true
			b.low = append(b.low, one.low...)
			b.high = append(b.high, one.high...)
			b.unequal = append(b.unequal, one.unequal...)
			if len(b.equal) > 0 && len(one.equal) > 0 {
				return bounds{}, false
			}
			b.equal = append(b.equal, one.equal...)
		}
	}
	return b, found
}

// all solves a condition that raises if all of parts hold: it is enough that one does not.
func (w *solver) all(parts []*expr.Expr) ([]bounds, bool) {
	var out []bounds
	for _, p := range parts {
		var one bounds
		uses, ok := false, false
		if p.Is(expr.Or) {
			if one, ok = w.any(p.Args); !ok {
				uses = w.mentioned(p)
			} else {
				uses = true
			}
		} else {
			one, uses, ok = w.accepted(p)
		}
		switch {
		case !uses:
			w.given = append(w.given, p)
		case !ok:
			return nil, false
		default:
			out = append(out, one)
		}
	}
	return merged(out), len(out) > 0
}

// merged joins alternatives that name single values.
func merged(all []bounds) []bounds {
	var out []bounds
	for _, b := range all {
		last := len(out) - 1
		single := len(b.low)+len(b.high)+len(b.unequal) == 0
		if last >= 0 && single && len(out[last].low)+len(out[last].high)+len(out[last].unequal) == 0 {
			out[last].equal = append(out[last].equal, b.equal...)
			continue
		}
		out = append(out, b)
	}
	return out
}

// mentioned reports whether the quantity is in e or in what its names were computed from.
func (w *solver) mentioned(e *expr.Expr) bool { return w.find(e, map[string]bool{}) }

// find looks for the quantity in e and in definitions that were not followed yet.
func (w *solver) find(e *expr.Expr, followed map[string]bool) bool {
	found := false
	e.Walk(func(x *expr.Expr) bool {
		found = found || expr.Equal(x, w.quantity)
		if d, path := w.view.definition(x); d != nil && !found && !followed[path] {
			followed[path] = true
			found = w.find(d, followed)
		}
		return !found
	})
	return found
}

// accepted is what one comparison that raises leaves. uses says that the quantity is in it.
func (w *solver) accepted(e *expr.Expr) (b bounds, uses, ok bool) {
	if !w.mentioned(e) {
		return b, false, false
	}
	if !e.Is(expr.Compare) || len(e.Args) != 2 {
		return b, true, false
	}
	if expr.Equal(e.Args[0], w.quantity) {
		if list := e.Args[1]; list.Is(expr.List) || list.Is(expr.Tuple) || list.Is(expr.Set) {
			switch e.Text {
			case "in":
				return bounds{unequal: list.Args}, true, len(list.Args) > 0
			case "not in":
				return bounds{equal: list.Args}, true, len(list.Args) > 0
			}
		}
	}
	w.view.steps = 0
	left, okLeft := w.view.linearOf(e.Args[0], w.quantity)
	right, okRight := w.view.linearOf(e.Args[1], w.quantity)
	if !okLeft || !okRight {
		return w.other(e)
	}
	// What stands on the right is written first: it is what the quantity is compared with.
	sum, ok := right.times(big.NewRat(-1, 1)).add(left)
	if !ok {
		return b, true, false
	}
	return w.isolate(e.Text, sum)
}

// other is a comparison for equality with something that is no number.
func (w *solver) other(e *expr.Expr) (bounds, bool, bool) {
	a, c := e.Args[0], e.Args[1]
	if expr.Equal(c, w.quantity) {
		a, c = c, a
	}
	if !expr.Equal(a, w.quantity) || w.mentioned(c) {
		return bounds{}, true, false
	}
	switch e.Text {
	case "==", "is":
		return bounds{unequal: []*expr.Expr{c}}, true, true
	case "!=", "is not":
		return bounds{equal: []*expr.Expr{c}}, true, true
	}
	return bounds{}, true, false
}

// isolate turns "sum op 0" into what it leaves of the quantity.
func (w *solver) isolate(op string, sum linear) (b bounds, uses, ok bool) {
	k := key(w.quantity)
	rest := linear{plus: sum.plus}
	var by *big.Rat
	for _, t := range sum.terms {
		switch {
		case t.key == k:
			by = t.by
		case w.inside(t.atom):
			return b, true, false
		default:
			rest.terms = append(rest.terms, t)
		}
	}
	if by == nil {
		// It fell away: x - x < n says nothing of x.
		return b, true, false
	}
	if by.Sign() < 0 {
		op = mirrored(op)
	} else {
		rest = rest.times(big.NewRat(-1, 1))
	}
	l := limit{at: rest, by: new(big.Rat).Abs(by)}
	switch op {
	case "<": // raises below
		l.inclusive = true
		b.low = []limit{l}
	case "<=":
		b.low = []limit{l}
	case ">":
		l.inclusive = true
		b.high = []limit{l}
	case ">=":
		b.high = []limit{l}
	case "==", "!=":
		if l.by.Cmp(big.NewRat(1, 1)) != 0 {
			return b, true, false
		}
		if op == "==" {
			b.unequal = []*expr.Expr{rest.expr()}
		} else {
			b.equal = []*expr.Expr{rest.expr()}
		}
	default:
		return b, true, false
	}
	return b, true, true
}

// inside reports whether the quantity is a part of an atom.
func (w *solver) inside(atom *expr.Expr) bool {
	found := false
	atom.Walk(func(x *expr.Expr) bool {
		found = found || expr.Equal(x, w.quantity)
		return !found
	})
	return found
}

// Quantities lists what Solve can be asked for: what a condition compares and the caller controls. Lengths come first, then
// parameters and members. controls says whether a name is the caller's; nil takes every name.
func Quantities(e *expr.Expr, env *Env, controls func(name string) bool) []*expr.Expr {
	v := &view{env: env}
	var lengths, others []*expr.Expr
	seen := map[string]bool{}
	add := func(q *expr.Expr) {
		k := key(q)
		if k == "" || seen[k] {
			return
		}
		seen[k] = true
		root := q
		if q.Is(expr.Len) {
			root = q.Arg(0)
		}
		path := root.Path()
		if path == "" || !pure(root, nil) || controls != nil && !controls(path) {
			return
		}
		if q.Is(expr.Len) {
			lengths = append(lengths, q)
		} else {
			others = append(others, q)
		}
	}
	v.compared(e, add)
	return append(lengths, others...)
}

// compared calls add with what the comparisons in e are sums of, definitions followed.
func (v *view) compared(e *expr.Expr, add func(*expr.Expr)) {
	e.Walk(func(x *expr.Expr) bool {
		if x.Op != expr.Compare {
			return x.Op != expr.Func
		}
		for _, side := range x.Args {
			v.steps = 0
			l, ok := v.linearOf(side, nil)
			if !ok {
				if side.Is(expr.Name) || side.Is(expr.Attr) {
					add(side)
				}
				continue
			}
			for _, t := range l.terms {
				add(t.atom)
			}
		}
		return false
	})
}
