package java

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// expectThrows notes the expectations of tests: assertThrows, assertThatThrownBy and what follows it, rules, and comparisons of messages.
func expectThrows(b *lower.Body, stmt, n int) {
	var typ string
	var text *expr.Expr
	form := ""
	for c := n; b.Kind(c) == "method_invocation"; c = b.Field(c, "object") {
		args := b.Named(b.Field(c, "arguments"))
		switch name := b.Text(b.Field(c, "name")); name {
		case "assertThrows", "assertThrowsExactly", "expectThrows":
			if len(args) >= 2 {
				b.Expect(stmt, strings.TrimSuffix(b.Text(args[0]), ".class"), nil, "", b.CallsIn(args[1]))
			}
			return
		case "hasMessage", "withMessage", "hasMessageContaining", "withMessageContaining", "hasMessageStartingWith", "hasMessageMatching":
			if len(args) > 0 {
				text, form = b.Expr(args[0]), map[bool]string{true: "equal", false: "contains"}[name == "hasMessage" || name == "withMessage"]
				if name == "hasMessageMatching" {
					form = "regexp"
				}
			}
		case "isInstanceOf", "isExactlyInstanceOf", "isThrownBy":
			if len(args) > 0 && name != "isThrownBy" {
				typ = strings.TrimSuffix(b.Text(args[0]), ".class")
			}
		case "assertThatThrownBy", "assertThatExceptionOfType", "assertThatCode":
			if name == "assertThatExceptionOfType" && len(args) > 0 {
				typ = strings.TrimSuffix(b.Text(args[0]), ".class")
			}
			b.Expect(stmt, typ, text, form, b.CallsIn(n))
			return
		case "expectMessage":
			if len(args) > 0 && literalText(b, args[0]) {
				b.Expect(stmt, "", b.Expr(args[0]), "contains", nil)
			}
			return
		case "expect":
			if len(args) == 1 && b.Kind(args[0]) == "class_literal" {
				b.Expect(stmt, strings.TrimSuffix(b.Text(args[0]), ".class"), nil, "", nil)
			}
			return
		case "assertEquals", "assertThat", "assertTrue":
			compared(b, stmt, name, args)
			return
		}
	}
}

// compared notes assertEquals("…", e.getMessage()) and its like.
func compared(b *lower.Body, stmt int, name string, args []int) {
	switch {
	case name == "assertTrue" && len(args) > 0:
		call := args[len(args)-1]
		inner := b.Named(b.Field(call, "arguments"))
		if m := b.Text(b.Field(call, "name")); (m == "contains" || m == "startsWith" || m == "endsWith") && saysMessage(b, b.Field(call, "object")) && len(inner) == 1 {
			b.Expect(stmt, "", b.Expr(inner[0]), "contains", nil)
		}
	case len(args) < 2:
	case name == "assertEquals" && saysMessage(b, args[1]) && literalText(b, args[0]):
		b.Expect(stmt, "", b.Expr(args[0]), "equal", nil)
	case name == "assertEquals" && saysMessage(b, args[0]) && literalText(b, args[1]):
		b.Expect(stmt, "", b.Expr(args[1]), "equal", nil)
	case name == "assertThat" && saysMessage(b, args[0]):
		matcher := b.Text(b.Field(args[1], "name"))
		inner := b.Named(b.Field(args[1], "arguments"))
		if len(inner) == 1 && (matcher == "is" || matcher == "equalTo" || matcher == "containsString" || matcher == "startsWith") {
			b.Expect(stmt, "", b.Expr(inner[0]), map[bool]string{true: "equal", false: "contains"}[matcher == "is" || matcher == "equalTo"], nil)
		}
	}
}

// saysMessage reports whether an expression is the message of an error.
func saysMessage(b *lower.Body, n int) bool {
	return b.Kind(n) == "method_invocation" && (b.Text(b.Field(n, "name")) == "getMessage" || b.Text(b.Field(n, "name")) == "getLocalizedMessage")
}

// literalText reports whether an expression is a text that is written out, or a sum of such.
func literalText(b *lower.Body, n int) bool {
	switch b.Kind(n) {
	case "string_literal", "binary_expression", "identifier", "field_access":
		return true
	}
	return false
}

// expectedByTest notes @Test(expected = X.class) of a method.
func expectedByTest(f *lower.File, n int) {
	for _, a := range f.Named(f.ChildOf(n, "modifiers")) {
		if f.Kind(a) != "annotation" || last(f.Text(f.Field(a, "name"))) != "Test" {
			continue
		}
		for _, pair := range f.Named(f.Field(a, "arguments")) {
			if key := f.Text(f.Field(pair, "key")); key != "expected" && key != "expectedExceptions" {
				continue
			}
			name, line := f.Text(f.Field(n, "name")), f.Line(n)
			at := slices.IndexFunc(f.Facts.Functions, func(fn raise.Function) bool { return fn.Line == line && fn.Name == name })
			b := &lower.Body{File: f, Function: at}
			b.Expect(n, strings.TrimSuffix(f.Text(f.Field(pair, "value")), ".class"), nil, "", b.CallsIn(f.Field(n, "body")))
		}
	}
}
