package condition

import (
	"math/big"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Bounds on systems of linear equations.
const (
	maxAtoms     = 24
	maxEquations = 32
)

// term is a multiple of an expression that is no arithmetic itself.
type term struct {
	key  string
	atom *expr.Expr
	by   *big.Rat
	// as is the source's spelling of the multiple ("2 * full"), where it is still as it was; nil otherwise.
	as *expr.Expr
}

// linear is a sum of terms and a constant.
type linear struct {
	terms []term
	plus  *big.Rat
}

// linearOf writes e as a sum; ok is false if it is none. Names are replaced by what they were computed from, but for the expression
// keep, which may be nil.
func (v *view) linearOf(e, keep *expr.Expr) (linear, bool) {
	defer func() { v.depth-- }()
	if !v.enter() || e == nil {
		return linear{}, false
	}
	if keep == nil || !expr.Equal(e, keep) {
		switch e.Op {
		case expr.Number:
			if n, ok := v.value(e).exact(); ok {
				return linear{plus: n}, true
			}
			return linear{}, false
		case expr.Unary:
			if l, ok := v.linearOf(e.Arg(0), keep); ok && e.Text == "-" {
				return l.times(big.NewRat(-1, 1)), true
			}
			return linear{}, false
		case expr.Binary:
			return v.linearSum(e, keep)
		case expr.Name, expr.Attr:
			if d, path := v.definition(e); d != nil {
				v.active = append(v.active, path)
				l, ok := v.linearOf(d, keep)
				v.active = v.active[:len(v.active)-1]
				if ok {
					return l, true
				}
			}
		}
	}
	k := v.env.key(e)
	if k == "" || !pure(e, nil) {
		return linear{}, false
	}
	switch e.Op {
	case expr.Name, expr.Attr, expr.Len, expr.Index:
		return linear{terms: []term{{k, e, big.NewRat(1, 1), e}}, plus: new(big.Rat)}, true
	}
	return linear{}, false
}

// linearSum adds, subtracts or multiplies two sums; of a product one must be a constant. A multiple keeps its source spelling.
func (v *view) linearSum(e, keep *expr.Expr) (linear, bool) {
	if e.Text != "+" && e.Text != "-" && e.Text != "*" {
		return linear{}, false
	}
	a, okA := v.linearOf(e.Arg(0), keep)
	b, okB := v.linearOf(e.Arg(1), keep)
	if !okA || !okB {
		return linear{}, false
	}
	switch e.Text {
	case "-":
		return a.add(b.times(big.NewRat(-1, 1)))
	case "+":
		return a.add(b)
	}
	if len(a.terms) > 0 {
		a, b = b, a
	}
	if len(a.terms) > 0 {
		return linear{}, false
	}
	out := b.times(a.plus)
	if len(out.terms) == 1 && out.plus.Sign() == 0 && e.Src != "" {
		out.terms[0].as = e
	}
	return out, true
}

// add is the sum of two sums.
func (l linear) add(o linear) (linear, bool) {
	out := linear{terms: append([]term(nil), l.terms...), plus: new(big.Rat).Add(l.plus, o.plus)}
next:
	for _, t := range o.terms {
		for i := range out.terms {
			if s := &out.terms[i]; s.key == t.key {
				s.by = new(big.Rat).Add(s.by, t.by)
				s.as = nil
				if s.by.Sign() == 0 {
					out.terms = append(out.terms[:i:i], out.terms[i+1:]...)
				}
				continue next
			}
		}
		out.terms = append(out.terms, t)
	}
	return out, len(out.terms) <= maxAtoms && small(out.plus)
}

// times is a multiple of a sum.
func (l linear) times(by *big.Rat) linear {
	out := linear{plus: new(big.Rat).Mul(l.plus, by)}
	if by.Sign() == 0 {
		return out
	}
	one := new(big.Rat).Abs(by)
	for _, t := range l.terms {
		if one.Cmp(big.NewRat(1, 1)) != 0 {
			t.as = nil
		}
		t.by = new(big.Rat).Mul(t.by, by)
		out.terms = append(out.terms, t)
	}
	return out
}

// expr writes the sum as an expression: what is added first, then what is taken away, numbers last.
func (l linear) expr() *expr.Expr {
	var out *expr.Expr
	put := func(e *expr.Expr, negative bool) {
		switch {
		case out == nil && !negative:
			out = e
		case out == nil:
			out = expr.New(expr.Unary, "-", e)
		case negative:
			out = expr.New(expr.Binary, "-", out, e)
		default:
			out = expr.New(expr.Binary, "+", out, e)
		}
	}
	for _, negative := range []bool{false, true} {
		for _, t := range l.terms {
			if (t.by.Sign() < 0) == negative {
				if negative && out == nil && l.plus.Sign() > 0 {
					put(numberExpr(l.plus), false)
				}
				put(t.expr(), negative)
			}
		}
	}
	switch {
	case out == nil:
		return numberExpr(l.plus)
	case l.plus.Sign() != 0 && !(len(l.terms) > 0 && l.negative() && l.plus.Sign() > 0):
		put(numberExpr(new(big.Rat).Abs(l.plus)), l.plus.Sign() < 0)
	}
	return out
}

// negative reports whether every term is taken away.
func (l linear) negative() bool {
	for _, t := range l.terms {
		if t.by.Sign() > 0 {
			return false
		}
	}
	return true
}

// expr writes the multiple without its sign.
func (t term) expr() *expr.Expr {
	if t.as != nil {
		return t.as
	}
	by := new(big.Rat).Abs(t.by)
	if by.Cmp(big.NewRat(1, 1)) == 0 {
		return t.atom
	}
	return expr.New(expr.Binary, "*", numberExpr(by), t.atom)
}

// pure reports whether evaluating e again gives the same value: it calls nothing but what the rules know.
func pure(e *expr.Expr, r *Rules) bool {
	found := true
	e.Walk(func(x *expr.Expr) bool {
		if x.Is(expr.Call) {
			known := r != nil && r.Calls[x.Arg(0).Path()] != NoCall
			if c := x.Arg(0); r != nil && c.Is(expr.Attr) && r.Calls["."+c.Text] != NoCall {
				known = true
			}
			found = found && known
		}
		return found && x.Op != expr.Func
	})
	return found
}

// Deduce finds what further expressions must be, given the whole numbers that were set: from 2*full = 6 and 2*full + half = 8
// follows that full is 3 and half is 2. Only what is the one possible value is set; equations that contradict each other say nothing.
func (v *Env) Deduce() {
	var rows []equation
	w := view{env: v}
	unsure := false
	for _, b := range v.bound {
		n, ok := b.v.Value.exact()
		if !ok || !b.v.Value.whole || len(rows) >= maxEquations {
			continue
		}
		w.steps, w.depth = 0, 0
		l, ok := w.linearOf(b.e, nil)
		if !ok {
			continue
		}
		unsure = unsure || len(b.v.Other) > 0
		l.plus = new(big.Rat).Sub(l.plus, n)
		rows = append(rows, equation{l})
	}
	for _, t := range eliminate(rows) {
		value := wholeOf(t.by.Num())
		if !t.by.IsInt() {
			return
		}
		out := Reading{Value: value}
		if unsure {
			out.Other = []Value{{Kind: Alien}}
		}
		v.set(t.atom, out)
	}
}

// equation says that a sum is zero.
type equation struct{ linear }

// eliminate solves equations and returns the atoms with one possible value, in by; nothing if they contradict each other.
func eliminate(rows []equation) []term {
	var done []equation
	for len(rows) > 0 {
		row := rows[0]
		rows = rows[1:]
		if len(row.terms) == 0 {
			if row.plus.Sign() != 0 {
				return nil
			}
			continue
		}
		pivot := row.terms[0]
		row.linear = row.times(new(big.Rat).Inv(pivot.by))
		for _, list := range [][]equation{rows, done} {
			for i := range list {
				if !list[i].without(pivot.key, row.linear) {
					return nil
				}
			}
		}
		done = append(done, row)
	}
	var out []term
	for _, row := range done {
		if len(row.terms) == 1 {
			t := row.terms[0]
			t.by = new(big.Rat).Quo(new(big.Rat).Neg(row.plus), t.by)
			out = append(out, t)
		}
	}
	return out
}

// without takes a multiple of row off, so that the atom called key falls away.
func (e *equation) without(key string, row linear) bool {
	for _, t := range e.terms {
		if t.key == key {
			sum, ok := e.add(row.times(new(big.Rat).Neg(t.by)))
			e.linear = sum
			return ok
		}
	}
	return true
}
