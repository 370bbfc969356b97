package condition

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// Reading is what a printed text can stand for: the value that a reader takes it for, and what else it may be. A condition is
// called false only if it is false for all of them.
type Reading struct {
	Value Value
	Other []Value
}

// maxText bounds the printed values that are read.
const maxText = 1 << 12

// Read says what the text that a hole printed stands for. A number under %d is a number; under the default conversion it may be a
// text with digits as well, and any text may be another object's.
func Read(text string, h *message.Hole, r *Rules) Reading {
	if len(text) > maxText {
		return Reading{}
	}
	if h.Width > 0 {
		text = strings.Trim(text, " ")
	}
	if strings.HasPrefix(text, "%!") {
		return Reading{} // what a misused conversion prints
	}
	if text == "" && h.Kind != message.Any && h.Kind != message.Error {
		return Reading{}
	}
	switch h.Kind {
	case message.Int, message.Hex:
		return readInt(text, h, r)
	case message.Float:
		return readFloat(text, h)
	case message.Quoted:
		return readQuoted(text)
	case message.Bool, message.Repr, message.JSON:
		return readLiteral(text, r)
	case message.Char:
		return Reading{Value: TextOf(text), Other: []Value{{Kind: Alien}}}
	case message.Any, message.Error:
		return readAny(text, h, r)
	}
	return Reading{}
}

// ungrouped takes the separators between digits out.
func ungrouped(text string) string {
	return strings.NewReplacer(",", "", "_", "", "'", "", "\u00a0", "").Replace(text)
}

// readInt reads what a conversion for whole numbers printed, in the base of its verb.
func readInt(text string, h *message.Hole, r *Rules) Reading {
	if v, ok := absent(text); ok {
		return Reading{Value: v, Other: []Value{{Kind: Alien}}}
	}
	base := 10
	if h.Format != "" {
		switch h.Format[len(h.Format)-1] {
		case 'x', 'X':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
	}
	digits := strings.TrimSuffix(strings.TrimPrefix(ungrouped(text), "+"), "n")
	if strings.HasPrefix(strings.TrimPrefix(digits, "-"), "0x") || strings.HasPrefix(digits, "0o") || strings.HasPrefix(digits, "0b") {
		base = 0
	}
	n, ok := new(big.Int).SetString(strings.TrimSpace(digits), base)
	if !ok || len(digits) > maxDigits {
		if h.Kind == message.Int {
			return readAny(text, h, r)
		}
		return Reading{}
	}
	out := Reading{Value: wholeOf(n)}
	switch {
	case h.Kind == message.Hex && len(strings.TrimPrefix(strings.ToLower(digits), "0x"))%2 == 0:
		// A text prints its bytes in the same digits, two for each.
		out.Other = []Value{{Kind: Alien}}
	case r.RoundsVerbs && base == 10 && strings.HasPrefix(h.Format, "%") && !exactInt(h.Expr):
		low := new(big.Rat).SetInt(new(big.Int).Sub(n, big.NewInt(1)))
		high := new(big.Rat).SetInt(new(big.Int).Add(n, big.NewInt(1)))
		if n.Sign() > 0 {
			low = out.Value.low
		} else if n.Sign() < 0 {
			high = out.Value.high
		}
		out.Other = []Value{between(low, high)}
		out.Other[0].anyType = true
	}
	if n.IsInt64() && (n.Int64() == 0 || n.Int64() == 1) && !r.Static && !exactInt(h.Expr) {
		// Where truth values are numbers they print as these.
		out.Other = append(out.Other, BoolOf(n.Int64() == 1))
	}
	return out
}

// exactInt reports whether an expression is sure to be a whole number.
func exactInt(e *expr.Expr) bool { return e.Is(expr.Len) }

// readFloat reads what a conversion for fractions printed. If it rounds, the number is known between two bounds only.
func readFloat(text string, h *message.Hole) Reading {
	if v, ok := absent(text); ok {
		return Reading{Value: v, Other: []Value{{Kind: Alien}}}
	}
	percent := strings.HasSuffix(text, "%")
	digits := strings.TrimSuffix(strings.TrimSuffix(ungrouped(text), "%"), "n")
	v, ok := parseNumber(strings.TrimSpace(digits))
	if !ok {
		return Reading{}
	}
	slack := slackOf(digits, h.Format)
	low, high := v.low, v.high
	if slack != nil {
		low, high = new(big.Rat).Sub(low, slack), new(big.Rat).Add(high, slack)
	}
	if percent {
		low, high = new(big.Rat).Quo(low, big.NewRat(100, 1)), new(big.Rat).Quo(high, big.NewRat(100, 1))
	}
	if slack == nil {
		return Reading{Value: v}
	}
	v = between(low, high)
	v.anyType = true
	return Reading{Value: v}
}

// slackOf is half a unit of the last digit that a format prints, nil if it prints all digits.
func slackOf(digits, format string) *big.Rat {
	if format == "" || strings.IndexByte("fFeEgG%", format[len(format)-1]) < 0 {
		return nil
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	places := 0
	if _, fraction, ok := strings.Cut(mantissa, "."); ok {
		places = len(fraction)
	}
	if last := format[len(format)-1]; last == 'g' || last == 'G' {
		// These print a number of significant digits, at least six unless the format says otherwise, and no zeros at the end.
		whole, _, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
		places = max(precision(format, 6)-len(strings.TrimLeft(whole, "0")), 0)
	}
	n, err := strconv.Atoi(exponent)
	if err != nil {
		n = 0
	}
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(abs(n-places), maxExponent))), nil))
	if n-places < 0 {
		unit.Inv(unit)
	}
	return unit.Mul(unit, big.NewRat(1, 2))
}

// precision is the number behind the point of a format.
func precision(format string, otherwise int) int {
	_, rest, ok := strings.Cut(format, ".")
	if !ok {
		return otherwise
	}
	n := 0
	for i := 0; i < len(rest) && '0' <= rest[i] && rest[i] <= '9'; i++ {
		n = min(n*10+int(rest[i]-'0'), maxExponent)
	}
	return n
}

// abs is the absolute value.
func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// absent reads the words for no value.
func absent(text string) (Value, bool) {
	switch text {
	case "None", "nil", "<nil>", "null", "undefined", "(null)":
		return NullOf(strings.Trim(text, "<>()")), true
	}
	return Value{}, false
}

// readQuoted reads a quoted text.
func readQuoted(text string) Reading {
	s, ok := unquote(text)
	if !ok {
		return Reading{}
	}
	out := Reading{Value: TextOf(s)}
	if text[0] == '\'' {
		// A character and a text of one character are quoted alike.
		out.Other = []Value{{Kind: Alien}}
	}
	return out
}

// readLiteral reads what prints as source code would write it.
func readLiteral(text string, r *Rules) Reading {
	if v, ok := absent(text); ok {
		return Reading{Value: v}
	}
	p := literalParser{text: text}
	v := p.value(0)
	if p.bad || p.at != len(text) {
		return Reading{}
	}
	return Reading{Value: v}
}

// readAny reads what the default conversion prints: a text has no quotes there.
func readAny(text string, h *message.Hole, r *Rules) Reading {
	alien := Value{Kind: Alien}
	if strings.Contains(h.Format, ".") {
		return Reading{} // a precision cuts texts short
	}
	if v, ok := absent(text); ok {
		return Reading{Value: v, Other: []Value{TextOf(text), alien}}
	}
	switch text {
	case "true", "True":
		return Reading{Value: BoolOf(true), Other: []Value{TextOf(text)}}
	case "false", "False":
		return Reading{Value: BoolOf(false), Other: []Value{TextOf(text)}}
	}
	if v, ok := parseNumber(text); ok {
		if numeric(h.Expr) {
			return Reading{Value: v}
		}
		return Reading{Value: v, Other: []Value{TextOf(text)}}
	}
	if numeric(h.Expr) || objectText(text) {
		return Reading{}
	}
	if text != "" && strings.IndexByte("[({", text[0]) >= 0 {
		if list := readLiteral(text, r); list.Value.Kind == Sequence {
			return Reading{Value: list.Value, Other: []Value{TextOf(text), alien}}
		}
		return Reading{}
	}
	out := Reading{Value: TextOf(text), Other: []Value{alien}}
	if h.Width > 0 {
		// Blanks at its ends look like padding.
		out.Other = append(out.Other, Value{})
	}
	return out
}

// numeric reports whether an expression is sure to be a number.
func numeric(e *expr.Expr) bool {
	if e.Is(expr.Binary) {
		switch e.Text {
		case "-", "/", "//", "**", "<<", ">>":
			return true
		case "*", "+":
			return numeric(e.Arg(0)) && numeric(e.Arg(1))
		}
	}
	return e.Is(expr.Len) || e.Is(expr.Number) || e.Is(expr.Unary) && e.Text == "-"
}

// objectText reports whether a text looks like the name of a constant or what an object without a text of its own prints: what it
// compares with is then another value.
func objectText(s string) bool {
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") || strings.HasPrefix(s, "[object ") {
		return true
	}
	if len(s) > 1 && s[0] == 'b' && (s[1] == '\'' || s[1] == '"') {
		return true
	}
	dots := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.' && i > 0 && i < len(s)-1 && s[i-1] != '.':
			dots++
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '_', i > 0 && '0' <= c && c <= '9' && s[i-1] != '.':
		default:
			return false
		}
	}
	return dots > 0
}
