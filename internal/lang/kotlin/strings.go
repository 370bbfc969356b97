package kotlin

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// simple is a hole that is a name alone.
var simple = regexp.MustCompile("\\$([\\pL_][\\pL\\pN_]*|`[^`]+`)")

// template lowers a text with its holes: a literal if it has none.
func template(f *lower.File, n, depth int) *expr.Expr {
	out := expr.New(expr.Interp, message.Plain)
	literal := func(s string) {
		if k := len(out.Args); k > 0 && out.Args[k-1].Is(expr.String) {
			out.Args[k-1] = expr.Str(out.Args[k-1].Text + s)
		} else if s != "" {
			out.Args = append(out.Args, expr.Str(s))
		}
	}
	// The grammar takes $name for text, in pieces.
	raw := ""
	flush := func() {
		at := 0
		for _, m := range simple.FindAllStringSubmatchIndex(raw, -1) {
			literal(raw[at:m[0]])
			name := strings.Trim(raw[m[2]:m[3]], "`")
			out.Args = append(out.Args, expr.New(expr.Hole, "", &expr.Expr{Op: expr.Name, Text: name, Src: name}))
			at = m[1]
		}
		literal(raw[at:])
		raw = ""
	}
	for c := range f.NamedChildren(n) {
		text := f.Text(c)
		if f.Kind(c) == "string_content" {
			raw += text
			continue
		}
		flush()
		switch f.Kind(c) {
		case "escape_sequence":
			literal(java.Unescape(text))
		case "interpolation":
			value := f.Lower(f.First(c), depth)
			if value.Is(expr.String) {
				literal(value.Text) // ${'$'}
				continue
			}
			out.Args = append(out.Args, expr.New(expr.Hole, "", value))
		}
	}
	flush()
	switch {
	case len(out.Args) == 0:
		return expr.Str("")
	case len(out.Args) == 1 && out.Args[0].Is(expr.String):
		return out.Args[0]
	}
	return out
}

// pieces are the literal pieces of a text with its holes, and how to put them back; nil if it is none.
func pieces(e *expr.Expr) (text string, holes []*expr.Expr, ok bool) {
	switch {
	case e.Is(expr.String):
		return e.Text, nil, true
	case e.Is(expr.Interp):
		var b strings.Builder
		for _, a := range e.Args {
			if a.Is(expr.String) {
				b.WriteString(a.Text)
				continue
			}
			b.WriteByte(0)
			holes = append(holes, a)
		}
		return b.String(), holes, true
	}
	return "", nil, false
}

// rejoined is a text with its holes at the zero bytes.
func rejoined(text string, holes []*expr.Expr) *expr.Expr {
	if len(holes) == 0 {
		return expr.Str(text)
	}
	out := expr.New(expr.Interp, message.Plain)
	for i, piece := range strings.Split(text, "\x00") {
		if i > 0 && i <= len(holes) {
			out.Args = append(out.Args, holes[i-1])
		}
		if piece != "" {
			out.Args = append(out.Args, expr.Str(piece))
		}
	}
	return out
}

// unindented is what trimIndent and trimMargin make of a text; nil if it is not known.
func unindented(e *expr.Expr, margin string) *expr.Expr {
	text, holes, ok := pieces(e)
	if !ok {
		return nil
	}
	lines := strings.Split(text, "\n")
	if len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	if k := len(lines) - 1; k >= 0 && strings.TrimSpace(lines[k]) == "" {
		lines = lines[:k]
	}
	indent := -1
	for _, l := range lines {
		if blank := strings.TrimLeft(l, " \t"); blank != "" && (indent < 0 || len(l)-len(blank) < indent) {
			indent = len(l) - len(blank)
		}
	}
	for i, l := range lines {
		if margin == "" {
			lines[i] = l[min(max(indent, 0), len(l)):]
		} else if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t"), margin); ok {
			lines[i] = rest
		}
	}
	return rejoined(strings.Join(lines, "\n"), holes)
}

// built is the text that buildString { append(…) … } makes; nil if more than appending is done there.
func built(f *lower.File, n, depth int) *expr.Expr {
	list := expr.New(expr.List, "")
	for _, s := range statements(f, n) {
		p, ok := callee(f, s)
		args := f.All(arguments(f, s), depth)
		switch {
		case ok && p == "append" && len(args) == 1:
			list.Args = append(list.Args, args[0])
		case ok && p == "appendLine" && len(args) < 2:
			list.Args = append(append(list.Args, args...), expr.Str("\n"))
		default:
			return nil
		}
	}
	return expr.New(expr.Join, "", list)
}
