package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// textual reports whether an expression is sure to be a text for people: it holds a literal.
func textual(e *expr.Expr) bool {
	switch {
	case e.Is(expr.String):
		return strings.ContainsAny(strings.ToLower(e.Text), "abcdefghijklmnopqrstuvwxyz%{")
	case e.Is(expr.Lookup):
		return textual(e.Arg(0))
	}
	return flow.Textual(e)
}

// hole is a value within a text.
func hole(e *expr.Expr) *expr.Expr { return expr.New(expr.Hole, "", e) }

// interp is a text made of parts: literals stay, everything else is a hole.
func interp(parts ...*expr.Expr) *expr.Expr {
	out := expr.New(expr.Interp, message.Plain)
	for _, p := range parts {
		switch {
		case p == nil:
		case p.Is(expr.Interp) && p.Text == message.Plain:
			out.Args = append(out.Args, p.Args...)
		case p.Is(expr.String), p.Is(expr.Hole):
			out.Args = append(out.Args, p)
		default:
			out.Args = append(out.Args, hole(p))
		}
	}
	return out
}

// made is the text that a known function makes of its arguments; nil for any other call.
func made(path, name string, args []*expr.Expr) *expr.Expr {
	if len(args) == 0 {
		return nil
	}
	first := args[0]
	switch name {
	case "_", "gettext", "N_", "Q_", "gettext_noop", "translate", "GT_", "_Q", "tr":
		if textual(first) {
			return expr.New(expr.Lookup, "", first)
		}
	case "dgettext", "dcgettext", "pgettext", "C_":
		if len(args) > 1 && textual(args[1]) {
			return expr.New(expr.Lookup, "", args[1])
		}
	case "ngettext", "Q", "errmsg_plural":
		if len(args) > 2 && textual(first) && textual(args[1]) {
			return expr.New(expr.Alt, "", first, args[1])
		}
	case "move", "forward", "ref", "cref", "strdup", "xstrdup", "sdsnew", "pstrdup", "as_const", "to_address", "T", "TEXT", "L", "QStringLiteral", "QLatin1String", "qPrintable",
		"c_str", "savestring", "estrdup", "g_strdup", "talloc_strdup":
		if len(args) == 1 {
			return first
		}
		return args[len(args)-1]
	case "static_cast", "const_cast", "reinterpret_cast", "dynamic_cast":
		return first
	case "to_string", "to_wstring", "ToString", "NumberToString", "itos":
		if len(args) == 1 {
			return interp(hole(first))
		}
	case "StrCat", "concat", "Concat", "str_cat", "StrCatWithSeparator", "JoinStr", "MakeString", "cat", "toString", "str":
		if len(args) > 1 && name != "str" && (anyTextual(args) || strings.EqualFold(name, "concat") || strings.EqualFold(name, "strcat") && upper(name[0])) {
			return interp(args...)
		}
	case "asprintf_", "xstrfmt", "mkstr", "psprintf", "g_strdup_printf", "StringPrintf", "StrFormat", "stringf", "strprintf", "xasprintf", "sqlite3_mprintf", "sqlite3MPrintf",
		"PyString_FromFormat", "PyUnicode_FromFormat", "str_format", "ssprintf", "string_printf", "aprintf", "curl_maprintf", "maprintf", "vformat_", "talloc_asprintf", "sdscatprintf",
		"string_format", "StringFormat", "xprintf", "va", "curl_mprintf", "Printf", "SPrintf", "formatf", "strf", "ngettextf", "Format":
		for i, a := range args {
			if textual(a) {
				return expr.New(expr.Format, message.Printf, args[i:]...)
			}
		}
	case "format", "sformat", "Substitute", "vformat", "formatv":
		return formatted(path, args)
	}
	if isText(name) && len(args) == 1 {
		return first
	}
	return texted(name, args)
}

// texted is the text that a project's own function makes, by its name: of one text that text, of a format what it prints.
func texted(name string, args []*expr.Expr) *expr.Expr {
	all := words(name)
	if len(all) < 2 {
		return nil
	}
	switch all[len(all)-1] {
	case "string", "str", "fmt", "format", "printf", "text", "strf":
	default:
		return nil
	}
	switch all[0] {
	case "is", "has", "get", "find", "set", "add", "parse", "starts", "ends", "equals", "compare", "match", "test", "log":
		return nil
	}
	for i, a := range args {
		switch {
		case !textual(a):
		case strings.Contains(literalOf(a), "%"):
			return expr.New(expr.Format, message.Printf, args[i:]...)
		case len(args) == 1:
			return a
		default:
			return nil
		}
	}
	return nil
}

// formatted lowers fmt::format, std::format and calls that are written like it: the format string is the first text.
func formatted(path string, args []*expr.Expr) *expr.Expr {
	for i, a := range args {
		if i > 1 {
			break
		}
		if !textual(a) && !(a.Is(expr.Name) && path != "format") {
			continue
		}
		if a.Is(expr.String) && strings.Contains(a.Text, "%") && !strings.Contains(a.Text, "{") {
			return expr.New(expr.Format, message.Printf, args[i:]...)
		}
		return expr.New(expr.Format, message.Brace, args[i:]...)
	}
	return nil
}

func anyTextual(args []*expr.Expr) bool {
	for _, a := range args {
		if textual(a) {
			return true
		}
	}
	return false
}

// printed is the text of a call that is given a format, or parts: printf verbs with values, braces with values, or all of them in a
// row.
func printed(args []*expr.Expr) *expr.Expr {
	first := args[0]
	if s := literalOf(first); s != "" || len(args) == 1 {
		switch {
		case strings.Contains(s, "%"):
			return expr.New(expr.Format, message.Printf, args...)
		case strings.Contains(s, "{") && len(args) > 1:
			return expr.New(expr.Format, message.Brace, args...)
		case len(args) == 1:
			return first
		}
	}
	if len(args) > 1 && (first.Is(expr.Name) || first.Is(expr.Attr)) {
		return expr.New(expr.Format, message.Printf, args...)
	}
	return interp(args...)
}

// literalOf is all literal text of an expression.
func literalOf(e *expr.Expr) string {
	var b strings.Builder
	e.Walk(func(x *expr.Expr) bool {
		if x.Is(expr.String) {
			b.WriteString(x.Text)
		}
		return x.Op != expr.Hole && x.Op != expr.Call
	})
	return b.String()
}

// streamed is what a chain of << writes to something that is a text itself; nil for a shift.
func streamed(f *lower.File, n, depth int) *expr.Expr {
	head, parts := stream(f, n)
	if len(parts) == 0 || len(parts) > 60 {
		return nil
	}
	path, isCall := callee(f, head)
	switch {
	case isCall && (strings.HasSuffix(lastName(path), "stream") || lastName(path) == "Message" || isText(lastName(path)) || lastName(path) == "tinyformat"):
		return written(f, parts, depth)
	case f.Kind(head) == "string_literal" || f.Kind(head) == "concatenated_string":
		return written(f, append([]int{head}, parts...), depth)
	}
	return nil
}

// stream opens a chain of <<: what is written to, and the nodes that are written.
func stream(f *lower.File, n int) (head int, parts []int) {
	for range 100 {
		if f.Kind(n) != "binary_expression" || f.Text(f.Field(n, "operator")) != "<<" {
			break
		}
		parts = append(parts, f.Field(n, "right"))
		n = f.Field(n, "left")
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return n, parts
}

// written is the text that the parts of a stream make.
func written(f *lower.File, parts []int, depth int) *expr.Expr {
	var out []*expr.Expr
	for _, p := range parts {
		path := pathOf(f, p)
		if call, ok := callee(f, p); ok {
			path = call
		}
		switch lastName(path) {
		case "endl":
			out = append(out, expr.Str("\n"))
			continue
		case "flush", "ends", "hex", "dec", "oct", "fixed", "scientific", "boolalpha", "noboolalpha", "setw", "setprecision", "setfill", "left", "right", "showbase", "noshowbase",
			"uppercase", "nouppercase", "internal", "quoted_", "resetiosflags", "setiosflags":
			continue
		}
		e := f.Lower(p, depth)
		if e.Is(expr.Binary) && e.Text == "+" && flow.Textual(e) {
			out = append(out, sum(e)...)
			continue
		}
		out = append(out, e)
	}
	return interp(out...)
}

// sum is the parts of a text that is put together with +.
func sum(e *expr.Expr) []*expr.Expr {
	if e.Is(expr.Binary) && e.Text == "+" && flow.Textual(e) {
		return append(sum(e.Arg(0)), sum(e.Arg(1))...)
	}
	return []*expr.Expr{e}
}

// correlated is a text whose parts depend on one condition, written as one text or the other, so that none is taken from either.
func correlated(text *expr.Expr) *expr.Expr {
	if !text.Is(expr.Format) && !text.Is(expr.Interp) {
		return text
	}
	var test *expr.Expr
	same := 0
	cond := func(a *expr.Expr) *expr.Expr {
		if a.Is(expr.Hole) {
			a = a.Arg(0)
		}
		if a.Is(expr.Cond) {
			return a
		}
		return nil
	}
	for _, a := range text.Args {
		if c := cond(a); c != nil && (test == nil || expr.Equal(test, c.Arg(0))) {
			test = c.Arg(0)
			same++
		}
	}
	if same < 2 {
		return text
	}
	arm := func(which int) *expr.Expr {
		out := &expr.Expr{Op: text.Op, Text: text.Text}
		for _, a := range text.Args {
			c := cond(a)
			if c == nil || !expr.Equal(test, c.Arg(0)) {
				out.Args = append(out.Args, a)
				continue
			}
			value := c.Arg(which)
			if text.Is(expr.Interp) && !value.Is(expr.String) {
				value = hole(value)
			}
			out.Args = append(out.Args, value)
		}
		return out
	}
	return expr.New(expr.Cond, "", test, arm(1), arm(2))
}
