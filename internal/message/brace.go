package message

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// brace reads a format string of the Brace dialect. A field without a value stays as it is written.
func (b *builder) brace(format string, a *arguments) seq {
	return fields(format, func(field string) (seq, bool) { return b.field(field, a), true })
}

// fieldEnd is the index of the brace that closes the field at the start of s, or -1.
func fieldEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// field is one replacement field: name, members, conversion, specification. Fields nested in the specification take values too.
func (b *builder) field(field string, a *arguments) seq {
	cut := strings.IndexAny(field, "!:")
	// A bracket may hold either sign: it is part of the name.
	if open := strings.IndexByte(field, '['); open >= 0 && open < cut {
		if end := strings.IndexByte(field[open:], ']'); end >= 0 {
			cut = strings.IndexAny(field[open+end:], "!:")
			if cut >= 0 {
				cut += open + end
			}
		}
	}
	path, written := field, ""
	if cut >= 0 {
		path, written = field[:cut], field[cut:]
	}
	e, ok := fieldValue(strings.TrimSpace(path), a)
	for nested := written; ; {
		_, rest, ok := strings.Cut(nested, "{")
		if !ok {
			break
		}
		inner, after, _ := strings.Cut(rest, "}")
		fieldValue(inner, a)
		nested = after
	}
	if !ok {
		return literal("{" + field + "}")
	}
	return b.value(e, spec{dialect: Brace, written: written}, false)
}

// fieldValue is the value that a field's path names: "", "0", "name", each with ".member" and "[key]" behind it.
func fieldValue(path string, a *arguments) (*expr.Expr, bool) {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	head, rest := path[:end], path[end:]
	var e *expr.Expr
	ok := true
	switch {
	case head == "":
		e, ok = a.take()
	case strings.Trim(head, "0123456789") == "":
		e, ok = a.at(leadingNumber(head))
	default:
		e = a.name(head)
	}
	for steps := 0; ok && rest != ""; steps++ {
		if steps == expr.Depth {
			return nil, false
		}
		switch rest[0] {
		case '.':
			end := strings.IndexAny(rest[1:], ".[") + 1
			if end == 0 {
				end = len(rest)
			}
			e = expr.New(expr.Attr, rest[1:end], e)
			rest = rest[end:]
		case '[':
			key, after, closed := strings.Cut(rest[1:], "]")
			if !closed {
				return nil, false
			}
			index := expr.Str(key)
			if key != "" && strings.Trim(key, "0123456789") == "" {
				index = expr.New(expr.Number, key)
			}
			e = expr.New(expr.Index, "", e, index)
			rest = after
		default:
			return nil, false
		}
	}
	return e, ok
}

// dollar reads a format string of the Dollar dialect.
func (b *builder) dollar(format string, a *arguments) seq {
	var out seq
	for {
		text, rest, ok := strings.Cut(format, "$")
		out = append(out, item{text: text})
		if !ok {
			return out
		}
		name, after := dollarName(rest)
		switch {
		case name != "":
			out = append(out, b.text(a.name(name))...)
			format = after
		case strings.HasPrefix(rest, "$"):
			out = append(out, item{text: "$"})
			format = rest[1:]
		default:
			out = append(out, item{text: "$"})
			format = rest
		}
	}
}

// dollarName splits the name off what stands behind a dollar sign; "" if there is none.
func dollarName(s string) (name, rest string) {
	if strings.HasPrefix(s, "{") {
		name, rest, ok := strings.Cut(s[1:], "}")
		if !ok || name == "" || strings.ContainsAny(name, " {$") {
			return "", ""
		}
		return name, rest
	}
	i := 0
	for i < len(s) && wordByte(s[i]) && !(i == 0 && '0' <= s[0] && s[0] <= '9') {
		i++
	}
	return s[:i], s[i:]
}

// interp is the pieces of an interpolated string.
func (b *builder) interp(e *expr.Expr) seq {
	var out seq
	for _, p := range e.Args {
		switch {
		case p.Is(expr.String):
			out = append(out, item{text: p.Text})
		case p.Is(expr.Hole):
			out = append(out, b.interpHole(e.Text, p)...)
		default:
			out = append(out, b.text(p)...)
		}
	}
	return out
}

// interpHole is one hole of an interpolated string, with its own text before it if its format asks for that.
func (b *builder) interpHole(dialect string, p *expr.Expr) seq {
	written := p.Text
	var out seq
	if dialect == Brace && strings.HasPrefix(strings.TrimLeft(written, " "), "=") {
		// The value prints its own text first, as it is written, with the blanks around the sign.
		end := strings.IndexByte(written, '=') + 1
		for end < len(written) && written[end] == ' ' {
			end++
		}
		own := p.Arg(0).Src
		if own == "" {
			own = b.print(p.Arg(0))
		}
		out = literal(own + written[:end])
		if written = written[end:]; written == "" {
			written = "!r"
		}
	}
	return append(out, b.value(p.Arg(0), spec{dialect: dialect, written: written}, false)...)
}
