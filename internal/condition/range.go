package condition

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// say puts a solution into words and numbers.
func (w *solver) say(s *Solution, alternatives []bounds) {
	var accepted, ranges []string
	known := true
	inside, judged := false, true
	value := w.view.value(w.quantity)
	for _, b := range alternatives {
		text := w.accepts(b)
		if text == "" {
			return
		}
		accepted = append(accepted, text)
		if all := slices.Concat(b.equal, b.unequal); len(all) == 1 && len(alternatives) == 1 && len(b.low)+len(b.high) == 0 {
			s.equals = all[0]
		}
		n, ok := w.numbers(b)
		known = known && ok
		if !ok {
			continue
		}
		ranges = append(ranges, w.rangeText(n))
		switch n.holds(value) {
		case True:
			inside = true
		case False:
		default:
			judged = false
		}
		if len(alternatives) == 1 {
			s.Low, s.High = n.low, n.high
		}
		s.Shown = w.literal(value) + n.distance(value, w.quantity)
	}
	s.Accepted = strings.Join(accepted, " or ")
	if known {
		s.Range = strings.Join(ranges, " or ")
	}
	switch {
	case !known || !judged || !value.Known():
		s.Shown = ""
	case inside:
		s.Shown = w.literal(value) + " is accepted"
	case len(alternatives) > 1:
		s.Shown = w.literal(value) + " is not"
	}
}

// accepts prints what is accepted in the code's words.
func (w *solver) accepts(b bounds) string {
	q := w.view.env.print(w.quantity)
	var parts []string
	switch {
	case len(b.equal) == 1:
		parts = append(parts, w.print(w.comparison("==", b.equal[0])))
	case len(b.equal) > 1:
		parts = append(parts, q+" is one of "+w.listed(b.equal))
	}
	if len(b.low) == 1 && len(b.high) == 1 && b.low[0].by.Cmp(b.high[0].by) == 0 {
		low, high := b.low[0], b.high[0]
		parts = append(parts, fmt.Sprintf("%s %s %s %s %s", w.print(low.at.expr()), relation("<", low.inclusive),
			w.print(low.multiple(w.quantity)), relation("<", high.inclusive), w.print(high.at.expr())))
	} else {
		for _, l := range b.low {
			parts = append(parts, w.print(expr.New(expr.Compare, relation(">", l.inclusive), l.multiple(w.quantity), l.at.expr())))
		}
		for _, l := range b.high {
			parts = append(parts, w.print(expr.New(expr.Compare, relation("<", l.inclusive), l.multiple(w.quantity), l.at.expr())))
		}
	}
	switch {
	case len(b.unequal) == 1:
		parts = append(parts, w.print(w.comparison("!=", b.unequal[0])))
	case len(b.unequal) > 1:
		parts = append(parts, q+" is none of "+w.listed(b.unequal))
	}
	return strings.Join(parts, " and ")
}

// comparison compares the quantity for equality, with the absent value as the language does that.
func (w *solver) comparison(op string, with *expr.Expr) *expr.Expr {
	if with.Is(expr.Null) {
		op = map[string]string{"==": "is", "!=": "is not"}[op]
	}
	return expr.New(expr.Compare, op, w.quantity, with)
}

// print spells an expression as the language does.
func (w *solver) print(e *expr.Expr) string { return w.view.env.print(e) }

// listed prints expressions with commas between them.
func (w *solver) listed(all []*expr.Expr) string {
	var texts []string
	for _, e := range all {
		texts = append(texts, w.print(e))
	}
	return strings.Join(texts, ", ")
}

// relation is the comparison with or without equality.
func relation(op string, inclusive bool) string {
	if inclusive {
		return op + "="
	}
	return op
}

// multiple is the quantity times what it is multiplied with.
func (l limit) multiple(q *expr.Expr) *expr.Expr {
	return term{atom: q, by: l.by}.expr()
}

// numbers are the accepted values in numbers.
type numbers struct {
	low, high         *big.Int // whole ends, both accepted; nil for none
	lowReal, highReal *big.Rat // ends of a quantity that need not be whole
	lowOpen, highOpen bool
	whole             bool
	equal, unequal    []Value
}

// numbers computes the ends; ok is false if one is not known. Of several lower ends the greatest counts.
func (w *solver) numbers(b bounds) (n numbers, ok bool) {
	value := w.view.value(w.quantity)
	n.whole = w.quantity.Is(expr.Len) || value.whole
	for _, e := range b.equal {
		n.equal = append(n.equal, w.view.value(e))
	}
	for _, e := range b.unequal {
		n.unequal = append(n.unequal, w.view.value(e))
	}
	for _, v := range slices.Concat(n.equal, n.unequal) {
		if !v.Known() {
			return n, false
		}
	}
	for _, l := range b.low {
		at, ok := w.end(l)
		if !ok {
			return n, false
		}
		if n.lowReal == nil || at.Cmp(n.lowReal) > 0 || at.Cmp(n.lowReal) == 0 && !l.inclusive {
			n.lowReal, n.lowOpen = at, !l.inclusive
		}
	}
	for _, l := range b.high {
		at, ok := w.end(l)
		if !ok {
			return n, false
		}
		if n.highReal == nil || at.Cmp(n.highReal) < 0 || at.Cmp(n.highReal) == 0 && !l.inclusive {
			n.highReal, n.highOpen = at, !l.inclusive
		}
	}
	if n.whole {
		n.toWhole(w.quantity.Is(expr.Len))
	}
	return n, true
}

// end is the number at which a limit stands.
func (w *solver) end(l limit) (*big.Rat, bool) {
	w.view.steps = 0
	at, ok := w.view.value(l.at.expr()).exact()
	if !ok {
		return nil, false
	}
	return new(big.Rat).Quo(at, l.by), true
}

// toWhole moves the ends to the whole numbers inside; a length is never negative.
func (n *numbers) toWhole(length bool) {
	if n.lowReal != nil {
		n.low = ceil(n.lowReal)
		if n.lowOpen && n.lowReal.IsInt() {
			n.low.Add(n.low, big.NewInt(1))
		}
	}
	if n.highReal != nil {
		n.high = floorDiv(n.highReal.Num(), n.highReal.Denom())
		if n.highOpen && n.highReal.IsInt() {
			n.high = new(big.Int).Sub(n.high, big.NewInt(1))
		}
	}
	if length && n.low != nil && n.low.Sign() <= 0 {
		n.low = nil
		if n.high != nil {
			n.low = new(big.Int)
		}
	}
}

// ceil is the least whole number that is not below r.
func ceil(r *big.Rat) *big.Int {
	return new(big.Int).Neg(floorDiv(new(big.Int).Neg(r.Num()), r.Denom()))
}

// rangeText prints the range.
func (w *solver) rangeText(n numbers) string {
	var parts []string
	if len(n.equal) > 0 {
		prefix := "exactly "
		if len(n.equal) > 1 {
			prefix = "one of "
		}
		parts = append(parts, prefix+w.joined(n.equal))
	}
	low, high := n.ends()
	switch {
	case n.whole && n.low != nil && n.high != nil && n.low.Cmp(n.high) > 0:
		parts = append(parts, "none")
	case low != "" && low == high && !n.lowOpen && !n.highOpen:
		parts = append(parts, "exactly "+low)
	case low != "" && high != "" && (n.whole || !n.lowOpen && !n.highOpen):
		parts = append(parts, low+" to "+high)
	default:
		if low != "" {
			parts = append(parts, phrase(!n.whole && n.lowOpen, "above ", "at least ")+low)
		}
		if high != "" {
			parts = append(parts, phrase(!n.whole && n.highOpen, "below ", "at most ")+high)
		}
	}
	if len(n.unequal) > 0 {
		parts = append(parts, "not "+w.joined(n.unequal))
	}
	if len(parts) == 0 {
		return "any"
	}
	return strings.Join(parts, ", ")
}

// phrase is a or b.
func phrase(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// ends prints the ends of the range, "" where there is none.
func (n numbers) ends() (low, high string) {
	switch {
	case n.whole && n.low != nil:
		low = n.low.String()
	case !n.whole && n.lowReal != nil:
		low = decimal(n.lowReal)
	}
	switch {
	case n.whole && n.high != nil:
		high = n.high.String()
	case !n.whole && n.highReal != nil:
		high = decimal(n.highReal)
	}
	return low, high
}

// literal prints a value as the language writes it.
func (w *solver) literal(v Value) string {
	text, _ := w.view.env.literal(v)
	return text
}

// joined prints values with commas between them.
func (w *solver) joined(all []Value) string {
	var texts []string
	for _, v := range all {
		texts = append(texts, w.literal(v))
	}
	return strings.Join(texts, ", ")
}

// holds reports whether a value is accepted.
func (n numbers) holds(v Value) Verdict {
	if !v.Known() {
		return Unknown
	}
	r := &Rules{}
	if len(n.equal) > 0 {
		out := False
		for _, e := range n.equal {
			if got := r.equal(v, e); got == True {
				out = True
			} else if got != False && out == False {
				out = Unknown
			}
		}
		if out != True {
			return out
		}
	}
	for _, e := range n.unequal {
		if got := r.equal(v, e); got != False {
			return got.Not()
		}
	}
	if n.lowReal == nil && n.highReal == nil {
		return True
	}
	x, ok := v.exact()
	if !ok {
		return Unknown
	}
	if n.lowReal != nil && (x.Cmp(n.lowReal) < 0 || x.Cmp(n.lowReal) == 0 && n.lowOpen) {
		return False
	}
	if n.highReal != nil && (x.Cmp(n.highReal) > 0 || x.Cmp(n.highReal) == 0 && n.highOpen) {
		return False
	}
	return True
}

// distance says how far a whole value is from the range.
func (n numbers) distance(v Value, quantity *expr.Expr) string {
	x, ok := v.Int()
	if !ok || !n.whole {
		return " is not accepted"
	}
	low, high := n.low, n.high
	if len(n.equal) == 1 && low == nil && high == nil {
		if e, ok := n.equal[0].Int(); ok {
			low, high = e, e
		}
	}
	many, few := " too high", " too low"
	if quantity.Is(expr.Len) {
		many, few = " too many", " too few"
	}
	switch {
	case low != nil && high != nil && low.Cmp(high) > 0:
	case high != nil && x.Cmp(high) > 0:
		return " is " + inWords(new(big.Int).Sub(x, high)) + many
	case low != nil && x.Cmp(low) < 0:
		return " is " + inWords(new(big.Int).Sub(low, x)) + few
	}
	return " is not accepted"
}

// inWords writes small numbers out.
func inWords(n *big.Int) string {
	words := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n.IsInt64() && n.Sign() >= 0 && n.Int64() < int64(len(words)) {
		return words[n.Int64()]
	}
	return n.String()
}
