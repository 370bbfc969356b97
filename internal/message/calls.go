package message

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// spec is how a value is printed: the dialect and the format as a Hole shows it. kind, if not Any, is known better than the
// format tells.
type spec struct {
	dialect string
	written string
	kind    Kind
}

// plain reports whether a text comes out of the conversion as it is.
func (f spec) plain() bool {
	switch f.written {
	case "", "%s", "%v", "%+v", "%w", "!s", ":", ":s", "!s:":
		return true
	}
	return false
}

// converted takes calls that only turn a value into a text off an expression: what the hole shows is the value, and the format
// says how it is printed.
func converted(e *expr.Expr, f spec) (*expr.Expr, spec) {
	for f.plain() {
		inner, written, ok := conversion(e)
		if !ok {
			break
		}
		e = inner
		if written != "" {
			f.written = written
		}
	}
	return e, f
}

// conversion recognises the calls that languages turn values into texts with, and the format that they amount to.
func conversion(e *expr.Expr) (inner *expr.Expr, written string, ok bool) {
	if !e.Is(expr.Call) || e.Text != "" {
		return nil, "", false
	}
	callee := e.Arg(0)
	switch {
	case callee.Is(expr.Attr) && len(e.Args) == 1:
		switch callee.Text {
		case "toString", "String", "to_s", "to_string", "ToString", "__str__":
			return callee.Arg(0), "", true
		case "__repr__", "inspect":
			return callee.Arg(0), "!r", true
		}
	case len(e.Args) != 2 || e.Args[1].Is(expr.Spread) || e.Args[1].Is(expr.Keyword):
	case callee.Is(expr.Name):
		switch callee.Text {
		case "str", "String", "string", "unicode", "text_type":
			return e.Args[1], "", true
		case "repr":
			return e.Args[1], "!r", true
		case "ascii":
			return e.Args[1], "!a", true
		}
	case callee.Is(expr.Attr):
		switch callee.Text {
		case "Quote":
			return e.Args[1], "%q", true
		case "Itoa":
			return e.Args[1], "%d", true
		}
	}
	return nil, "", false
}

// textCall reports whether a call is sure to make a text.
func textCall(e *expr.Expr) bool {
	if _, _, ok := conversion(e); ok {
		return true
	}
	return translated(e) != nil || edited(e) && isTextLiteral(e.Arg(0).Arg(0))
}

// isTextLiteral reports whether e is a text that the source writes out.
func isTextLiteral(e *expr.Expr) bool {
	return e.Is(expr.String) || e.Is(expr.Interp) || e.Is(expr.Format) || e.Is(expr.Join)
}

// translated is the text that a call of a translation function is given, or nil. The catalogue's other languages are not followed.
func translated(e *expr.Expr) *expr.Expr {
	if !e.Is(expr.Call) || len(e.Args) < 2 || !isTextLiteral(e.Args[1]) {
		return nil
	}
	switch name := e.Arg(0).Last(); name {
	case "_", "N_", "gettext", "gettext_lazy", "gettext_noop", "ugettext", "ugettext_lazy", "dedent":
		return e.Args[1]
	case "ngettext", "ngettext_lazy":
		if len(e.Args) == 4 {
			return expr.New(expr.Alt, "", e.Args[1], e.Args[2])
		}
	}
	return nil
}

// edited reports whether e calls a method that edits a text.
func edited(e *expr.Expr) bool {
	if !e.Is(expr.Call) || !e.Arg(0).Is(expr.Attr) {
		return false
	}
	switch e.Arg(0).Text {
	case "replace", "replaceAll":
		return len(e.Args) >= 3 && e.Args[1].Is(expr.String)
	case "strip", "trim", "Trim", "lstrip", "trimStart", "TrimStart", "rstrip", "trimEnd", "TrimEnd", "lower", "toLowerCase", "ToLower", "ToLowerInvariant",
		"upper", "toUpperCase", "ToUpper", "ToUpperInvariant":
		return len(e.Args) == 1
	}
	return false
}

// called is the text that a call makes of texts: a conversion of one, a translation, an edit.
func (b *builder) called(e *expr.Expr, f spec, whole bool) (seq, bool) {
	if inner, written, ok := conversion(e); ok && f.plain() {
		if written != "" {
			f = spec{dialect: dialectOf(written), written: written}
		}
		if b.textual(inner) || constantOp(inner) {
			return b.value(inner, f, whole), true
		}
		return nil, false
	}
	if text := translated(e); text != nil {
		return b.value(text, f, whole), true
	}
	if edited(e) && f.plain() && b.textual(e.Arg(0).Arg(0)) {
		return b.edit(e)
	}
	return nil, false
}

// constantOp reports whether e is a literal other than a text.
func constantOp(e *expr.Expr) bool {
	return e.Is(expr.Number) || e.Is(expr.Bool) || e.Is(expr.Null)
}

// dialectOf is the dialect that a conversion call amounts to.
func dialectOf(written string) string {
	if strings.HasPrefix(written, "%") {
		return Verbs
	}
	return Brace
}

// edit applies a method to the literal text of its receiver. What it would do to values is not known, so that only edits that
// leave them alone (a replaced placeholder) are followed where there are any.
func (b *builder) edit(e *expr.Expr) (seq, bool) {
	s := b.text(e.Arg(0).Arg(0))
	method := e.Arg(0).Text
	if method == "replace" || method == "replaceAll" {
		return b.replace(s, e.Args[1].Text, b.text(e.Args[2]), method == "replace" && len(e.Args) > 3), true
	}
	if trimmed, ok := trim(s, method); ok {
		return trimmed, true
	}
	var text string
	for _, it := range s {
		if it.hole != nil || it.choice != nil {
			return nil, false
		}
		text += it.text
	}
	switch method {
	case "lower", "toLowerCase", "ToLower", "ToLowerInvariant":
		text = strings.ToLower(text)
	case "upper", "toUpperCase", "ToUpper", "ToUpperInvariant":
		text = strings.ToUpper(text)
	}
	return literal(text), true
}

// trim takes the blanks off the literal ends of a text; ok is false for another method. A value at an end is taken to have none.
func trim(s seq, method string) (seq, bool) {
	method = strings.ToLower(method)
	left := method == "strip" || method == "trim" || method == "lstrip" || method == "trimstart"
	right := method == "strip" || method == "trim" || method == "rstrip" || method == "trimend"
	if !left && !right {
		return nil, false
	}
	out := slices.Clone(s)
	if k := len(out) - 1; k >= 0 {
		if left && out[0].hole == nil && out[0].choice == nil {
			out[0].text = strings.TrimLeft(out[0].text, " \t\r\n")
		}
		if right && out[k].hole == nil && out[k].choice == nil {
			out[k].text = strings.TrimRight(out[k].text, " \t\r\n")
		}
	}
	return out, true
}

// replace puts with in the place of old in the literal text; once for a counted replacement of one.
func (b *builder) replace(s seq, old string, with seq, once bool) seq {
	var out seq
	for _, it := range s {
		if it.hole != nil || it.choice != nil || old == "" {
			out = append(out, it)
			continue
		}
		n := -1
		if once {
			n = 2
		}
		for i, part := range strings.SplitN(it.text, old, n) {
			if i > 0 {
				out = append(out, with...)
			}
			out = append(out, item{text: part})
		}
	}
	return out
}

// kindOf is what the value of an expression looks like when it is printed by default.
func kindOf(e *expr.Expr) Kind {
	switch {
	case e == nil:
		return Any
	case e.Op == expr.Len:
		return Int
	case e.Op == expr.Compare, e.Op == expr.Not, e.Op == expr.TypeTest:
		return Bool
	case e.Op == expr.Unary && e.Text == "typeof":
		return Type
	case e.Op == expr.Attr && (e.Text == "__name__" || e.Text == "__qualname__"):
		return Type
	case e.Op == expr.Attr && e.Text == "name" && e.Arg(0).Last() == "constructor":
		return Type
	case e.Op == expr.Call && e.Text == "":
		switch e.Arg(0).Last() {
		case "len", "ord", "id", "Itoa", "parseInt":
			return Int
		case "hex":
			if len(e.Args) == 2 {
				return Hex
			}
		case "typeof":
			return Type
		case "stringify", "dumps":
			return JSON
		}
	}
	return Any
}
