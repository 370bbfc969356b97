package python

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// str lowers a string literal: a String, or an Interp if it holds values.
func (x *extractor) str(i, depth int) *expr.Expr {
	var parts []*expr.Expr
	raw, formatted := false, false
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, expr.Str(text.String()))
			text.Reset()
		}
	}
	last := uint32(0)
	for c := range x.tree.Children(i) {
		n := &x.tree.Nodes[c]
		switch x.name(c) {
		case "string_start":
			prefix := strings.ToLower(strings.TrimRight(x.text(c), `"'`))
			raw, formatted = strings.Contains(prefix, "r"), strings.ContainsAny(prefix, "ft")
			if strings.Contains(prefix, "b") {
				return &expr.Expr{Op: expr.Unknown}
			}
		case "interpolation":
			text.WriteString(x.literal(x.src[last:n.Start], raw, formatted))
			hole, own := x.interpolation(c, depth)
			text.WriteString(own)
			flush()
			parts = append(parts, hole)
		case "string_content":
			// Its text is taken from the source between the other children.
			continue
		case "string_end":
			text.WriteString(x.literal(x.src[last:n.Start], raw, formatted))
		}
		last = n.End
	}
	flush()
	return stringOf(parts)
}

// stringOf is one String, or an Interp of several parts.
func stringOf(parts []*expr.Expr) *expr.Expr {
	switch {
	case len(parts) == 0:
		return expr.Str("")
	case len(parts) == 1 && parts[0].Is(expr.String):
		return &expr.Expr{Op: expr.String, Text: parts[0].Text}
	}
	return &expr.Expr{Op: expr.Interp, Text: message.Brace, Args: parts}
}

// literal decodes the text between values.
func (x *extractor) literal(s string, raw, formatted bool) string {
	if formatted {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "{{", "{"), "}}", "}")
	}
	if raw || !strings.Contains(s, `\`) {
		return strings.ReplaceAll(s, "\r\n", "\n")
	}
	return unescape(s)
}

// interpolation lowers {value!r:spec}. own is the text that {value=} prints before the value.
func (x *extractor) interpolation(i, depth int) (hole *expr.Expr, own string) {
	value := x.child(i, x.f.expression)
	e := x.lower(value, depth)
	if e == nil {
		e = &expr.Expr{Op: expr.Unknown, Src: strings.Trim(x.text(i), "{}")}
	}
	format := x.text(x.child(i, x.f.conversion))
	spec := x.text(x.child(i, x.f.spec))
	for c := range x.tree.Children(i) {
		if !x.tree.Is(c, syntax.Named) && x.text(c) == "=" && value >= 0 {
			end := x.tree.Nodes[c].End
			for int(end) < len(x.src) && x.src[end] == ' ' {
				end++
			}
			own = x.src[x.tree.Nodes[value].Start:end]
			if format == "" && spec == "" {
				format = "!r"
			}
		}
	}
	return expr.New(expr.Hole, format+spec, e), own
}

// concatenated joins literals that stand side by side.
func (x *extractor) concatenated(i, depth int) *expr.Expr {
	var parts []*expr.Expr
	for _, c := range x.named(i) {
		e := x.str(c, depth)
		switch e.Op {
		case expr.String:
			if n := len(parts); n > 0 && parts[n-1].Is(expr.String) {
				parts[n-1] = expr.Str(parts[n-1].Text + e.Text)
			} else if e.Text != "" {
				parts = append(parts, expr.Str(e.Text))
			}
		case expr.Interp:
			for _, a := range e.Args {
				if n := len(parts); a.Is(expr.String) && n > 0 && parts[n-1].Is(expr.String) {
					parts[n-1] = expr.Str(parts[n-1].Text + a.Text)
				} else {
					parts = append(parts, a)
				}
			}
		default:
			return &expr.Expr{Op: expr.Unknown}
		}
	}
	return stringOf(parts)
}

// unescape decodes the escapes of a string literal. Unknown ones stay as they are.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' || i+1 == len(s) {
			b.WriteByte(c)
			i++
			continue
		}
		i++
		switch c = s[i]; c {
		case '\n':
		case '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a':
			b.WriteByte(7)
		case 'b':
			b.WriteByte(8)
		case 'f':
			b.WriteByte(12)
		case 'v':
			b.WriteByte(11)
		case '\\', '\'', '"':
			b.WriteByte(c)
		case 'x', 'u', 'U':
			size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+1+size <= len(s) {
				if n, err := strconv.ParseUint(s[i+1:i+1+size], 16, 32); err == nil {
					b.WriteRune(rune(n))
					i += size
					break
				}
			}
			b.WriteByte('\\')
			b.WriteByte(c)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			end := i + 1
			for end < len(s) && end < i+3 && s[end] >= '0' && s[end] <= '7' {
				end++
			}
			if n, err := strconv.ParseUint(s[i:end], 8, 32); err == nil {
				b.WriteRune(rune(n))
			}
			i = end - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
		i++
	}
	return b.String()
}
