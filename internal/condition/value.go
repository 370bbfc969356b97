package condition

import (
	"math/big"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	Opaque   Kind = iota // nothing is known
	Number               // between two bounds, which are one if it is exact
	Text                 // a string
	Boolean              // a truth value
	Null                 // the absent value
	Sequence             // a list, tuple, set, or the keys of a map
	// Alien is a value that equals nothing that can be written, has no order and no parts: what a printed text stands for if it
	// was another object that prints the same.
	Alien
	// Whole is a Number of an integer type; only Rules.Types tells the two apart.
	Whole
	// failed is the result of a call that the program could not have made with the assumed values.
	failed
)

// Value is what an expression is known to be. The zero value is Opaque.
type Value struct {
	Kind Kind
	// low and high bound a Number; whole says that it is of an integer type.
	low, high *big.Rat
	whole     bool
	// anyType says that the Number was converted when it was printed: of which type it is is not known.
	anyType bool
	// text is a Text's content, the word of a Null, or unordered for a Sequence that is a set or a map.
	text  string
	truth bool
	// elems are a Sequence's elements; size is their number, which may be known alone (then elems is nil and size > 0). open says
	// that there may be others by now.
	elems []Value
	size  int
	open  bool
}

const unordered = "{"

// IntOf returns a whole number.
func IntOf(n int64) Value { return wholeOf(big.NewInt(n)) }

// wholeOf returns a whole number of any size.
func wholeOf(n *big.Int) Value {
	r := new(big.Rat).SetInt(n)
	return Value{Kind: Number, low: r, high: r, whole: true}
}

// ratOf returns an exact number that is not of an integer type.
func ratOf(r *big.Rat) Value { return Value{Kind: Number, low: r, high: r} }

// between returns a number of which only bounds are known.
func between(low, high *big.Rat) Value { return Value{Kind: Number, low: low, high: high} }

// TextOf returns a string.
func TextOf(s string) Value { return Value{Kind: Text, text: s} }

// BoolOf returns a truth value.
func BoolOf(b bool) Value { return Value{Kind: Boolean, truth: b} }

// NullOf returns the absent value that is written as word.
func NullOf(word string) Value { return Value{Kind: Null, text: word} }

// ListOf returns a sequence.
func ListOf(elems ...Value) Value {
	if elems == nil {
		elems = []Value{}
	}
	return Value{Kind: Sequence, elems: elems, size: len(elems)}
}

// exact returns the number that v is, if that is known exactly.
func (v Value) exact() (*big.Rat, bool) {
	if v.Kind != Number || v.low.Cmp(v.high) != 0 {
		return nil, false
	}
	return v.low, true
}

// Int returns the whole number that v is.
func (v Value) Int() (*big.Int, bool) {
	r, ok := v.exact()
	if !ok || !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}

// Known reports whether v is one certain value.
func (v Value) Known() bool {
	switch v.Kind {
	case Opaque, Alien, failed:
		return false
	case Number:
		return v.low.Cmp(v.high) == 0
	case Sequence:
		for _, e := range v.elems {
			if !e.Known() {
				return false
			}
		}
		return v.elems != nil && !v.open
	}
	return true
}

// expr returns v as a literal for printing; nil if it is not certain.
func (v Value) expr() *expr.Expr {
	if !v.Known() {
		return nil
	}
	switch v.Kind {
	case Number:
		return expr.New(expr.Number, decimal(v.low))
	case Text:
		return expr.Str(v.text)
	case Boolean:
		if v.truth {
			return expr.New(expr.Bool, "true")
		}
		return expr.New(expr.Bool, "false")
	case Null:
		return expr.New(expr.Null, v.text)
	}
	args := make([]*expr.Expr, len(v.elems))
	for i, e := range v.elems {
		args[i] = e.expr()
	}
	if v.text == unordered {
		return expr.New(expr.Set, "", args...)
	}
	return expr.New(expr.List, "", args...)
}

// decimal prints a number as people write it.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(12), "0")
}

// String prints the value neutrally; "?" if it is not certain.
func (v Value) String() string {
	if e := v.expr(); e != nil {
		return e.String()
	}
	return "?"
}

// equal compares two values.
func (r *Rules) equal(a, b Value) Verdict {
	switch {
	case a.Kind == failed || b.Kind == failed:
		return impossible
	case a.Kind == Opaque || b.Kind == Opaque, a.Kind == Alien && b.Kind == Alien:
		return Unknown
	case a.Kind == Alien:
		return r.equalAlien(b)
	case b.Kind == Alien:
		return r.equalAlien(a)
	case a.Kind != b.Kind:
		return r.equalKinds(a, b)
	}
	switch a.Kind {
	case Number:
		switch {
		case a.high.Cmp(b.low) < 0 || b.high.Cmp(a.low) < 0:
			return False
		case a.low.Cmp(a.high) == 0 && b.low.Cmp(b.high) == 0:
			return True
		}
		return Unknown
	case Text:
		return verdict(a.text == b.text)
	case Boolean:
		return verdict(a.truth == b.truth)
	case Null:
		if a.text == b.text {
			return True
		}
		return Unknown
	}
	return r.equalLists(a, b)
}

// equalAlien compares a value with another object that printed as something. Where types must agree, what is compared with a text
// is one; a number may have been printed by its name.
func (r *Rules) equalAlien(b Value) Verdict {
	switch {
	case !r.Static || b.Kind == Null:
		return False
	case b.Kind == Text:
		return impossible
	}
	return Unknown
}

// equalKinds compares values of different kinds.
func (r *Rules) equalKinds(a, b Value) Verdict {
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch {
	case a.Kind == Number && b.Kind == Boolean:
		// Some languages count truth values among the numbers.
		if n, ok := a.exact(); ok && n.Cmp(big.NewRat(0, 1)) != 0 && n.Cmp(big.NewRat(1, 1)) != 0 {
			return False
		}
		return Unknown
	case a.Kind == Number && b.Kind == Text:
		if r.Static {
			return impossible
		}
		if n, ok := parseNumber(b.text); ok && r.equal(a, n) != False {
			return Unknown
		}
		return False
	case b.Kind == Sequence && b.size == 0:
		// An absent list may print as an empty one.
		return Unknown
	case r.Static && a.Kind != Null && b.Kind != Null:
		return impossible
	}
	return False
}

// equalLists tells lists apart. That two lists are equal is never sure: some languages compare them by identity, in others lists and
// tuples of the same elements differ.
func (r *Rules) equalLists(a, b Value) Verdict {
	if a.open || b.open {
		return Unknown
	}
	if a.size != b.size {
		return False
	}
	if a.elems == nil || b.elems == nil || a.text == unordered || b.text == unordered {
		return Unknown
	}
	for i := range a.elems {
		if r.equal(a.elems[i], b.elems[i]) == False {
			return False
		}
	}
	return Unknown
}

// order compares two values by size: the verdicts of a < b and of a <= b.
func order(a, b Value) (less, atMost Verdict) {
	switch {
	case a.Kind == Number && b.Kind == Number:
		less, atMost = Unknown, Unknown
		if a.high.Cmp(b.low) < 0 {
			less = True
		} else if a.low.Cmp(b.high) >= 0 {
			less = False
		}
		if a.high.Cmp(b.low) <= 0 {
			atMost = True
		} else if a.low.Cmp(b.high) > 0 {
			atMost = False
		}
		return less, atMost
	case a.Kind == Text && b.Kind == Text && ascii(a.text) && ascii(b.text):
		return verdict(a.text < b.text), verdict(a.text <= b.text)
	case a.Kind == Alien || b.Kind == Alien, a.Kind == failed || b.Kind == failed:
		return impossible, impossible
	case a.Kind == Text && b.Kind == Number:
		// Where texts have an order among numbers at all, they are read as numbers for it.
		if n, ok := parseNumber(a.text); ok {
			return order(n, b)
		}
	case a.Kind == Number && b.Kind == Text:
		if n, ok := parseNumber(b.text); ok {
			return order(a, n)
		}
	}
	return Unknown, Unknown
}

// ascii reports whether languages agree on length and order of s: it has characters of one byte only.
func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// holds says whether v holds when it is used as a condition.
func (r *Rules) holds(v Value) Verdict {
	if v.Kind == Boolean {
		return verdict(v.truth)
	}
	if v.Kind == Null {
		return False
	}
	if v.Kind == failed {
		return impossible
	}
	if !r.Truth.Known {
		return Unknown
	}
	zero := new(big.Rat)
	switch v.Kind {
	case Number:
		if v.low.Cmp(zero) > 0 || v.high.Cmp(zero) < 0 || !r.Truth.Zero {
			return True
		}
		if v.low.Cmp(v.high) == 0 {
			return False
		}
	case Text:
		return verdict(v.text != "" || !r.Truth.EmptyString)
	case Sequence:
		if !v.open {
			return verdict(v.size > 0 || !r.Truth.EmptyList)
		}
	}
	return Unknown
}
