package message

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// constant is what the literal e prints as under the conversion f; ok is false where that is not sure.
func (f spec) constant(e *expr.Expr, sp *expr.Spelling) (text string, ok bool) {
	if f.plain() && e.Op == expr.String {
		return e.Text, true
	}
	_, w := formatKind(f.written)
	if w >= maxWidth || strings.ContainsAny(f.written, "*{") {
		return "", false
	}
	switch f.dialect {
	case Verbs:
		return verbConstant(e, f.written)
	case Percent:
		return percentConstant(e, f.written, sp)
	case Brace:
		return braceConstant(e, f.written, sp)
	case Util:
		return utilConstant(e, f.written, sp)
	}
	if f.written != "" {
		return "", false
	}
	return defaultText(e, sp)
}

// goValue is the literal as a value that fmt prints; nil if it has none.
func goValue(e *expr.Expr) (any, bool) {
	switch e.Op {
	case expr.String:
		return e.Text, true
	case expr.Bool:
		return e.Text == "true", true
	case expr.Null:
		return nil, true
	case expr.Number:
		if n, ok := new(big.Int).SetString(e.Text, 0); ok {
			if n.IsInt64() {
				return int(n.Int64()), true
			}
			return n, true
		}
		if x, err := strconv.ParseFloat(e.Text, 64); err == nil {
			return x, true
		}
	}
	return nil, false
}

// verbConstant prints a literal by a verb, with the very code that the runtime uses.
func verbConstant(e *expr.Expr, written string) (string, bool) {
	v, ok := goValue(e)
	if !ok {
		return "", false
	}
	if written == "%w" {
		written = "%v"
	}
	return fmt.Sprintf(written, v), true
}

// defaultText is the literal as languages print it where they agree: decimal whole numbers, short fractions, the words of the
// spelling.
func defaultText(e *expr.Expr, sp *expr.Spelling) (string, bool) {
	switch e.Op {
	case expr.String:
		return e.Text, true
	case expr.Bool, expr.Null:
		if sp == nil {
			return e.Text, true
		}
		return expr.New(e.Op, e.Text).Print(sp), true
	case expr.Number:
		if n, ok := new(big.Int).SetString(e.Text, 0); ok {
			return n.String(), true
		}
		x, err := strconv.ParseFloat(e.Text, 64)
		if text := strconv.FormatFloat(x, 'f', -1, 64); err == nil && text == e.Text && strings.Contains(text, ".") {
			return text, true
		}
	}
	return "", false
}

// percentConstant prints a literal by a classic conversion. Length modifiers change nothing of what is printed.
func percentConstant(e *expr.Expr, written string, sp *expr.Spelling) (string, bool) {
	verb := written[len(written)-1]
	flags := strings.TrimRight(written[:len(written)-1], "hlqjztL")
	switch verb {
	case 's':
		text, ok := defaultText(e, sp)
		return fmt.Sprintf(flags+"s", text), ok
	case 'r', 'a':
		text, ok := debugText(e, sp)
		return fmt.Sprintf(flags+"s", text), ok
	case 'd', 'i', 'u':
		verb = 'd'
	case 'c':
		if e.Op == expr.String {
			return fmt.Sprintf(flags+"s", e.Text), true
		}
	}
	v, ok := goValue(e)
	if !ok || e.Op != expr.Number {
		return "", false
	}
	text := fmt.Sprintf(flags+string(verb), v)
	return text, !strings.HasPrefix(text, "%!")
}

// debugText is the literal with quotes if it is a text.
func debugText(e *expr.Expr, sp *expr.Spelling) (string, bool) {
	if e.Op != expr.String {
		return defaultText(e, sp)
	}
	quote := "'"
	if strings.Contains(e.Text, "'") && !strings.Contains(e.Text, `"`) {
		quote = `"`
	}
	q := strconv.Quote(e.Text)
	inner := strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
	if quote == "'" {
		inner = strings.ReplaceAll(inner, "'", `\'`)
	}
	// Beyond these the spellings of escapes differ.
	return quote + inner + quote, !strings.ContainsAny(e.Text, "\a\b\f\v") && strconv.CanBackquote(strings.NewReplacer("\n", "", "\r", "", "`", "").Replace(e.Text))
}

// braceConstant prints a literal by a conversion and a specification in braces: fill, alignment, sign, width, grouping, precision
// and type.
func braceConstant(e *expr.Expr, written string, sp *expr.Spelling) (string, bool) {
	conversion, s, _ := strings.Cut(written, ":")
	var text string
	var ok bool
	switch conversion {
	case "", "!s":
		text, ok = defaultText(e, sp)
	case "!r":
		text, ok = debugText(e, sp)
	}
	if !ok || s == "" {
		return text, ok
	}
	l, ok := parseBraceSpec(s)
	if !ok {
		return "", false
	}
	if e.Op == expr.Number && conversion == "" {
		return l.number(e)
	}
	if l.verb != 0 && l.verb != 's' || l.sign != 0 || l.group != 0 {
		return "", false
	}
	if r := []rune(text); l.precision >= 0 && l.precision < len(r) {
		text = string(r[:l.precision])
	}
	return l.pad(text, '<'), true
}

// utilConstant prints a literal by a conversion of the Util dialect; how it shows nested values is left to the runtime.
func utilConstant(e *expr.Expr, written string, sp *expr.Spelling) (string, bool) {
	switch written {
	case "%s":
		return defaultText(e, sp)
	case "%d", "%i", "%f":
		if e.Op == expr.Number {
			return defaultText(e, sp)
		}
	case "%j":
		if e.Op == expr.String {
			return strconv.Quote(e.Text), strconv.CanBackquote(e.Text)
		}
		return defaultText(e, sp)
	}
	return "", false
}
