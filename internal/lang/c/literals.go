package c

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// literal is the content of a string literal, with its prefix or as a raw one.
func literal(text string) string {
	open := strings.IndexByte(text, '"')
	if open < 0 {
		return text
	}
	if open > 0 && text[open-1] == 'R' {
		_, rest, _ := strings.Cut(text[open:], "(")
		if end := strings.LastIndexByte(rest, ')'); end >= 0 {
			return rest[:end]
		}
		return rest
	}
	return Unescape(strings.TrimSuffix(text[open+1:], `"`))
}

// Unescape decodes the escape sequences of a literal. What is none stays as it is.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		i += escape(&b, s[i:])
	}
	return b.String()
}

// escape decodes what stands behind a backslash, and returns how many bytes it takes beyond the first.
func escape(b *strings.Builder, s string) int {
	digits := func(from, most, base int) int {
		end := from
		for end < len(s) && end < from+most && strings.IndexByte("0123456789abcdefABCDEF"[:map[int]int{8: 8, 16: 22}[base]], s[end]) >= 0 {
			end++
		}
		n, err := strconv.ParseUint(s[from:end], base, 32)
		switch {
		case err != nil:
			b.WriteString(`\` + s[:end])
		case base == 16 && (s[0] == 'u' || s[0] == 'U'):
			b.WriteRune(rune(n))
		default:
			b.WriteByte(byte(n))
		}
		return max(end-1, 0)
	}
	switch c := s[0]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'a', 'b', 'f', 'v':
		b.WriteByte(map[byte]byte{'a': 7, 'b': 8, 'f': 12, 'v': 11}[c])
	case 'e':
		b.WriteByte(27)
	case '\n':
	case '\r':
		if strings.HasPrefix(s, "\r\n") {
			return 1
		}
	case '"', '\'', '\\', '?':
		b.WriteByte(c)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return digits(0, 3, 8)
	case 'x':
		return digits(1, 2, 16)
	case 'u':
		return digits(1, 4, 16)
	case 'U':
		return digits(1, 8, 16)
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
	return 0
}

// joined is what adjacent literals make together, with the macros between them: those for the formats of numbers are letters.
func joined(f *lower.File, n, depth int) *expr.Expr {
	var parts []*expr.Expr
	for _, c := range f.Named(n) {
		var part *expr.Expr
		switch f.Kind(c) {
		case "identifier":
			if verb := printfVerb(f.Text(c)); verb != "" {
				part = expr.Str(verb)
			} else {
				part = expr.Ident(f.Text(c))
			}
		default:
			part = f.Lower(c, depth)
		}
		if last := len(parts) - 1; last >= 0 && parts[last].Is(expr.String) && part.Is(expr.String) {
			parts[last] = expr.Str(parts[last].Text + part.Text)
			continue
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return expr.Str("")
	}
	out := parts[0]
	for _, p := range parts[1:] {
		out = expr.New(expr.Binary, "+", out, p)
	}
	return out
}

// printfVerb is what a macro like PRId64 expands to, without its length.
func printfVerb(name string) string {
	rest, ok := strings.CutPrefix(name, "PRI")
	if !ok {
		rest, ok = strings.CutPrefix(name, "SCN")
	}
	if ok && rest != "" && strings.IndexByte("diouxX", rest[0]) >= 0 {
		return rest[:1]
	}
	// Projects define their own: UINT64_FMT, SIZE_T_FORMAT, CURL_FORMAT_CURL_OFF_T, INT64_MODIFIER.
	if strings.Contains(name, "FORMAT") || strings.HasSuffix(name, "_FMT") || strings.HasPrefix(name, "FMT_") {
		switch {
		case strings.Contains(name, "HEX") || strings.HasSuffix(name, "X"):
			return "x"
		case strings.Contains(name, "OFF_T"), strings.Contains(name, "INT"), strings.Contains(name, "SIZE"), strings.Contains(name, "64"), strings.Contains(name, "32"):
			return "d"
		}
	}
	return ""
}

// arguments are those of a call: their nodes, and what they are. Where a macro with arguments stands between adjacent literals, the
// grammar does not know what it sees; the pieces up to the next comma are one argument then.
func arguments(f *lower.File, list int) ([]int, []*expr.Expr) {
	nodes := f.Named(list)
	if list < 0 || f.ChildOf(list, "ERROR") < 0 {
		return nodes, f.All(nodes, 0)
	}
	nodes = nil
	var args []*expr.Expr
	var group []int
	cut := func() {
		if len(group) == 0 {
			return
		}
		nodes = append(nodes, group[0])
		if len(group) == 1 && f.Kind(group[0]) != "ERROR" {
			args = append(args, f.Expr(group[0]))
		} else {
			var parts []*expr.Expr
			for _, n := range group {
				parts = pieces(f, n, parts, 0)
			}
			args = append(args, added(parts))
		}
		group = nil
	}
	for c := range f.Children(list) {
		switch {
		case f.Text(c) == ",":
			cut()
		case f.Is(c, syntax.Named) && f.Kind(c) != "comment":
			group = append(group, c)
		}
	}
	cut()
	return nodes, args
}

// pieces are the literals and the macros of a text that the grammar did not understand.
func pieces(f *lower.File, n int, out []*expr.Expr, depth int) []*expr.Expr {
	if depth > 20 {
		return out
	}
	switch f.Kind(n) {
	case "string_literal", "raw_string_literal":
		return append(out, f.Expr(n))
	case "identifier":
		if verb := printfVerb(f.Text(n)); verb != "" {
			return append(out, expr.Str(verb))
		}
		return append(out, expr.Ident(f.Text(n)))
	}
	for c := range f.Children(n) {
		if f.Is(c, syntax.Named) && f.Kind(c) != "comment" {
			out = pieces(f, c, out, depth+1)
		}
	}
	if f.Kind(n) == "call_expression" {
		out = append(out, &expr.Expr{Op: expr.Unknown, Src: f.Text(f.Field(n, "function"))}) // what the macro sets behind its argument
	}
	return out
}

// added joins pieces of a text.
func added(parts []*expr.Expr) *expr.Expr {
	var out *expr.Expr
	for _, p := range parts {
		switch {
		case out == nil:
			out = p
		case out.Is(expr.String) && p.Is(expr.String):
			out = expr.Str(out.Text + p.Text)
		default:
			out = expr.New(expr.Binary, "+", out, p)
		}
	}
	if out == nil {
		return &expr.Expr{Op: expr.Unknown}
	}
	return out
}
