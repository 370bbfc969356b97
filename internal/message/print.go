package message

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Print returns the message with values in the place of the holes, each as its hole prints it. Holes without a value get a sample
// of their kind.
func (t Template) Print(values ...string) string {
	var b strings.Builder
	n := 0
	for _, p := range t.Pieces {
		if p.Hole == nil {
			b.WriteString(p.Text)
			continue
		}
		value := p.Hole.Sample(n)
		if n < len(values) {
			value = values[n]
		}
		b.WriteString(p.Hole.Print(value))
		n++
	}
	return b.String()
}

// Print returns value as the hole prints it: quoted, padded, with the digits that its format asks for. A value that the format
// cannot print (a word under %d) comes out as it is.
func (h *Hole) Print(value string) string {
	switch h.Kind {
	case Quoted:
		if !quotedWhole(value) {
			value = strconv.Quote(value)
		}
	case Repr:
		if !h.bare(value) {
			value = quoteSingle(value)
		}
	case Float, Hex:
		value = h.printNumber(value)
	}
	if n := h.Width - utf8.RuneCountInString(value); n > 0 {
		pad := strings.Repeat(" ", n)
		if strings.ContainsAny(h.Format, "-<") {
			return value + pad
		}
		return pad + value
	}
	return value
}

// bare reports whether a value is shown without quotes: numbers, words of no value, lists, and what has quotes already.
func (h *Hole) bare(value string) bool {
	return number(value, decimal, "") || value == "" || composite(value) || absent(value) || quotedWhole(value)
}

// quoteSingle quotes s as debuggers with single quotes do.
func quoteSingle(s string) string {
	q := strconv.Quote(s)
	return "'" + strings.ReplaceAll(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`), "'", `\'`) + "'"
}

// printNumber applies a verb for numbers.
func (h *Hole) printNumber(value string) string {
	format := strings.Replace(h.Format, ":", "%", 1)
	if !strings.HasPrefix(format, "%") || strings.ContainsAny(format, "*{<>^=,_") {
		return value
	}
	format = "%" + strings.TrimLeft(format[1:], "-0123456789")
	if h.Kind == Hex {
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return fmt.Sprintf(format, n)
		}
		return value
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	if out := fmt.Sprintf(format, x); !strings.HasPrefix(out, "%!") {
		return out
	}
	return value
}

// Sample is a value that the hole can print, for self-tests; n tells the values of one message apart.
func (h *Hole) Sample(n int) string {
	switch h.Kind {
	case Int, Hex:
		return strconv.Itoa(17 + n)
	case Float:
		return strconv.Itoa(17+n) + ".5"
	case Char:
		return string(rune('a' + n%26))
	case Bool:
		return "true"
	case Pointer:
		return fmt.Sprintf("0xc000%02x", n)
	case Type:
		return "Type" + strconv.Itoa(n)
	case Enum:
		if len(h.Values) > 0 {
			return h.Values[n%len(h.Values)]
		}
		return ""
	case JSON:
		return fmt.Sprintf(`{"k":%d}`, n)
	}
	return "value" + strconv.Itoa(n)
}
