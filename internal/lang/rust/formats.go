package rust

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// formatted is the text that a format macro makes of its arguments: the format, and the values behind it, named ones as Keyword. A first
// argument that is no literal is what the text is.
func formatted(args []*expr.Expr) *expr.Expr {
	if len(args) == 0 {
		return nil
	}
	if args[0].Is(expr.Name) && args[0].Text == everything {
		return expr.New(expr.Format, message.Brace, args...) // within a macro: a format with its values
	}
	if !args[0].Is(expr.String) {
		return args[0]
	}
	return interpolated(args[0].Text, args[1:])
}

// interpolated puts values into a format: {} takes the next one, {0} and {name} those; a name that is not given is one of the code.
func interpolated(format string, values []*expr.Expr) *expr.Expr {
	if !strings.ContainsAny(format, "{}") {
		return expr.Str(format)
	}
	return holes(format, values, func(name string) *expr.Expr {
		if name == "" || name[0] >= '0' && name[0] <= '9' {
			return &expr.Expr{Op: expr.Unknown, Src: "…"} // a value that is missing
		}
		return expr.Ident(name)
	})
}

// holes is interpolated with what says which value a name or number means that is not given.
func holes(format string, values []*expr.Expr, other func(name string) *expr.Expr) *expr.Expr {
	v := formatValues{named: map[string]*expr.Expr{}, other: other}
	for _, a := range values {
		if a.Is(expr.Keyword) {
			v.named[a.Text] = a.Arg(0)
		} else {
			v.list = append(v.list, a)
		}
	}
	out := expr.New(expr.Interp, message.Brace)
	var text strings.Builder
	for i := 0; i < len(format); i++ {
		c := format[i]
		switch {
		case (c == '{' || c == '}') && i+1 < len(format) && format[i+1] == c:
			text.WriteByte(c)
			i++
		case c == '{':
			end := strings.IndexByte(format[i:], '}')
			if end < 0 {
				text.WriteString(format[i:])
				i = len(format)
				continue
			}
			if text.Len() > 0 {
				out.Args = append(out.Args, expr.Str(text.String()))
				text.Reset()
			}
			out.Args = append(out.Args, v.hole(format[i+1:i+end]))
			i += end
		default:
			text.WriteByte(c)
		}
	}
	if text.Len() > 0 {
		out.Args = append(out.Args, expr.Str(text.String()))
	}
	return out
}

// formatValues are the values that a format draws from.
type formatValues struct {
	list  []*expr.Expr
	named map[string]*expr.Expr
	next  int
	other func(name string) *expr.Expr
}

// hole is one place of a format, what stands between its braces.
func (v *formatValues) hole(field string) *expr.Expr {
	name, spec, _ := strings.Cut(field, ":")
	name, spec = strings.TrimSpace(name), strings.TrimSpace(spec)
	if strings.Contains(spec, ".*") {
		v.next++ // the precision is the value before
	}
	var value *expr.Expr
	number, err := strconv.Atoi(name)
	switch {
	case name == "" && v.next < len(v.list):
		value = v.list[v.next]
		v.next++
	case err == nil && number >= 0 && number < len(v.list):
		value = v.list[number]
	case v.named[name] != nil:
		value = v.named[name]
	default:
		value = v.other(name)
	}
	if strings.Contains(spec, "$") || strings.Contains(spec, ".*") {
		spec = strings.TrimLeft(spec, "<>^0123456789$.*abcdefghijklmnopqrstuvwxyz_") // a width or precision that is a value
	}
	if spec != "" {
		spec = ":" + spec
	}
	return expr.New(expr.Hole, spec, value)
}

// then is one text behind another.
func then(parts ...*expr.Expr) *expr.Expr {
	out := expr.New(expr.Interp, message.Brace)
	for _, p := range parts {
		switch {
		case p == nil:
		case p.Is(expr.Interp):
			out.Args = append(out.Args, p.Args...)
		case p.Is(expr.String):
			out.Args = append(out.Args, p)
		case p.Is(expr.Hole):
			out.Args = append(out.Args, p)
		default:
			out.Args = append(out.Args, expr.New(expr.Hole, "", p))
		}
	}
	return out
}

// debug is a value as {:?} prints it.
func debug(e *expr.Expr) *expr.Expr { return expr.New(expr.Hole, ":?", e) }

// literal is the content of a string literal, raw or not, of bytes or not.
func literal(text string) string {
	text = strings.TrimLeft(text, "bc")
	if raw, ok := strings.CutPrefix(text, "r"); ok {
		return strings.TrimSuffix(strings.TrimPrefix(strings.Trim(raw, "#"), `"`), `"`)
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)
	// A backslash at the end of a line takes the blanks that the next one begins with.
	for {
		i := strings.Index(text, "\\\n")
		if i < 0 || i > 0 && text[i-1] == '\\' {
			break
		}
		text = text[:i] + strings.TrimLeft(text[i+2:], " \t\r\n")
	}
	return unescape(text)
}

// unescape decodes the escape sequences of a text.
func unescape(s string) string { return lower.Unescape(s) }
