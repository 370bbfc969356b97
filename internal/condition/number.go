package condition

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Bounds on exact arithmetic.
const (
	maxBits     = 4096 // of a number's numerator or denominator
	maxExponent = 400  // of a decimal fraction that is read
	maxDigits   = 1000 // of a number that is read
)

// parseNumber reads a number as source code and messages write it: decimal, with a base prefix, a fraction, an exponent.
func parseNumber(s string) (Value, bool) {
	if s == "" || len(s) > maxDigits {
		return Value{}, false
	}
	sign := ""
	digits := s
	if s[0] == '-' || s[0] == '+' {
		sign, digits = s[:1], s[1:]
	}
	if digits == "" || !(digits[0] >= '0' && digits[0] <= '9' || digits[0] == '.') {
		return Value{}, false
	}
	if n, ok := new(big.Int).SetString(digits, 10); ok {
		return wholeOf(signed(n, sign)), true
	}
	if len(digits) > 2 && digits[0] == '0' && strings.IndexByte("xXbBoO", digits[1]) >= 0 {
		n, ok := new(big.Int).SetString(digits, 0)
		if !ok {
			return Value{}, false
		}
		return wholeOf(signed(n, sign)), true
	}
	if strings.Trim(digits, "0123456789.eE+-") != "" {
		return Value{}, false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(digits), "e"); ok {
		if n, err := strconv.Atoi(exponent); err != nil || n > maxExponent || n < -maxExponent {
			return Value{}, false
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return Value{}, false
	}
	return ratOf(r), true
}

// signed gives a magnitude its sign.
func signed(n *big.Int, sign string) *big.Int {
	if sign == "-" {
		return n.Neg(n)
	}
	return n
}

// small reports whether a number is small enough to go on with.
func small(r *big.Rat) bool {
	return r.Num().BitLen() <= maxBits && r.Denom().BitLen() <= maxBits
}

// numberOf makes the result of an operation of its bounds. What is not of an integer type was rounded by the program: the bounds
// are widened by more than that.
func numberOf(low, high *big.Rat, whole bool) Value {
	if !small(low) || !small(high) {
		return Value{}
	}
	v := Value{Kind: Number, low: low, high: high, whole: whole}
	if !whole && !(low.Cmp(high) == 0 && low.IsInt() && low.Num().BitLen() <= 53) {
		v.low, v.high = widened(low, -1), widened(high, 1)
	}
	return v
}

// widened moves a bound outward by a relative 1e-12.
func widened(r *big.Rat, direction int64) *big.Rat {
	slack := new(big.Rat).Abs(r)
	slack.Mul(slack, big.NewRat(direction, 1_000_000_000_000))
	return slack.Add(slack, r)
}

// arithmetic is a op b.
func (v *view) arithmetic(op string, a, b Value) Value {
	if op == "+" && a.Kind == Text && b.Kind == Text && len(a.text)+len(b.text) < 1<<16 {
		return TextOf(a.text + b.text)
	}
	if op != "+" && op != "*" && op != "%" {
		// Only numbers are taken away, divided or shifted: a text is read as one, or the program would have failed.
		a, b = asNumber(a), asNumber(b)
	}
	switch {
	case a.Kind == failed || b.Kind == failed:
		return Value{Kind: failed}
	case a.Kind != Number || b.Kind != Number:
		return Value{}
	}
	whole := a.whole && b.whole
	switch op {
	case "+":
		return v.kept(op, numberOf(new(big.Rat).Add(a.low, b.low), new(big.Rat).Add(a.high, b.high), whole))
	case "-":
		return v.kept(op, numberOf(new(big.Rat).Sub(a.low, b.high), new(big.Rat).Sub(a.high, b.low), whole))
	case "*":
		return v.kept(op, product(a, b, whole))
	}
	x, okA := a.exact()
	y, okB := b.exact()
	if !okA || !okB {
		return Value{}
	}
	if op == "/" && !(whole && v.env.division) {
		if y.Sign() == 0 {
			return Value{}
		}
		q := new(big.Rat).Quo(x, y)
		return numberOf(q, q, false)
	}
	if !whole || !x.IsInt() || !y.IsInt() {
		return Value{}
	}
	n := v.integers(op, x.Num(), y.Num())
	if n == nil || n.BitLen() > maxBits {
		return Value{}
	}
	return v.kept(op, wholeOf(n))
}

// kept is the result of an operation on whole numbers, unless it may have been wrapped around and that matters.
func (v *view) kept(op string, n Value) Value {
	if !v.careful || n.Kind != Number || !n.whole {
		return n
	}
	x, ok := n.Int()
	if !ok {
		return n
	}
	bits := 31
	if v.env.rules.Integers == Doubles {
		switch op {
		case "+", "-", "*", "/", "//", "%", "**":
			bits = 53
		}
		if x.BitLen() <= bits {
			return n
		}
		return Value{}
	}
	if x.Sign() < 0 || x.BitLen() > bits {
		return Value{}
	}
	return n
}

// asNumber reads a text as a number, as languages do that convert for arithmetic; in the others it fails.
func asNumber(a Value) Value {
	if a.Kind != Text {
		return a
	}
	if n, ok := parseNumber(a.text); ok {
		return n
	}
	return Value{Kind: failed}
}

// product multiplies ranges: the ends are among the products of the ends.
func product(a, b Value, whole bool) Value {
	var low, high *big.Rat
	for _, x := range []*big.Rat{a.low, a.high} {
		for _, y := range []*big.Rat{b.low, b.high} {
			p := new(big.Rat).Mul(x, y)
			if low == nil || p.Cmp(low) < 0 {
				low = p
			}
			if high == nil || p.Cmp(high) > 0 {
				high = p
			}
		}
	}
	return numberOf(low, high, whole)
}

// integers is x op y for whole numbers; nil if it is not known or not defined.
func (v *view) integers(op string, x, y *big.Int) *big.Int {
	n := new(big.Int)
	switch op {
	case "/":
		if y.Sign() != 0 {
			return n.Quo(x, y)
		}
	case "//":
		if y.Sign() != 0 {
			return floorDiv(x, y)
		}
	case "%":
		switch {
		case y.Sign() == 0:
		case v.env.rules.FloorMod:
			return n.Sub(x, n.Mul(y, floorDiv(x, y)))
		default:
			return n.Rem(x, y)
		}
	case "**":
		if y.IsInt64() && y.Sign() >= 0 && y.Int64()*int64(x.BitLen()) <= maxBits {
			return n.Exp(x, y, nil)
		}
	case "<<":
		if y.IsInt64() && y.Sign() >= 0 && y.Int64() <= maxBits {
			return n.Lsh(x, uint(y.Int64()))
		}
	case ">>":
		if y.IsInt64() && y.Sign() >= 0 && y.Int64() <= maxBits {
			return n.Rsh(x, uint(y.Int64()))
		}
	case "&":
		return n.And(x, y)
	case "|":
		return n.Or(x, y)
	case "^":
		return n.Xor(x, y)
	case "&^":
		return n.AndNot(x, y)
	}
	return nil
}

// floorDiv divides and rounds down. DivMod rounds so that the remainder is not negative, which differs for negative divisors.
func floorDiv(x, y *big.Int) *big.Int {
	q, m := new(big.Int).DivMod(x, y, new(big.Int))
	if m.Sign() != 0 && y.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// unary is op a for numbers.
func unary(op string, a Value) Value {
	if a.Kind != Number {
		return Value{}
	}
	switch op {
	case "+":
		return a
	case "-":
		return Value{Kind: Number, low: new(big.Rat).Neg(a.high), high: new(big.Rat).Neg(a.low), whole: a.whole}
	case "~":
		if n, ok := a.Int(); ok && a.whole {
			return wholeOf(new(big.Int).Not(n))
		}
	}
	return Value{}
}

// numberExpr is a number as an expression.
func numberExpr(r *big.Rat) *expr.Expr { return expr.New(expr.Number, decimal(r)) }
