package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// expected notes the errors that a test expects: assertFailsWith<X> { … }, shouldThrow<X> { … }, e.message shouldBe "…", and their like.
func expected(b *lower.Body, stmt, n int) {
	if b.Kind(n) == "infix_expression" {
		kids := b.Named(n)
		if len(kids) != 3 {
			return
		}
		form := matcher(b.Text(kids[1]))
		if left := b.Text(kids[0]); form != "" && (strings.HasSuffix(left, ".message") || strings.HasSuffix(left, ".message!!") || strings.HasPrefix(b.Text(kids[1]), "shouldHaveMessage")) {
			typ, calls := "", []string(nil)
			for c := kids[0]; c >= 0 && b.Kind(c) != "identifier"; c = b.First(c) {
				if p, ok := callee(b.File, c); ok && throwing(last(p)) {
					typ, calls = thrownType(b, c, arguments(b.File, c)), b.CallsIn(c)
					break
				}
			}
			b.Expect(stmt, typ, b.Expr(kids[2]), form, calls)
		}
		return
	}
	if left := b.Field(n, "left"); b.Kind(n) == "binary_expression" && b.Kind(left) == "binary_expression" && throwing(b.Text(b.Field(left, "left"))) {
		// The grammar takes f<X> { … } for comparisons where a value is expected.
		b.Expect(stmt, typeName(b.Text(b.Field(left, "right"))), nil, "", b.CallsIn(b.Field(n, "right")))
		return
	}
	if b.Kind(n) != "call_expression" {
		return
	}
	p, _ := callee(b.File, n)
	nodes := arguments(b.File, n)
	switch name := last(p); {
	case throwing(name):
		var text *expr.Expr
		form := ""
		if name == "shouldThrowWithMessage" && len(nodes) > 0 {
			text, form = b.Expr(nodes[0]), "equal"
		}
		b.Expect(stmt, thrownType(b, n, nodes), text, form, b.CallsIn(n))
	case name == "assertEquals" || name == "assertContains":
		if len(nodes) >= 2 {
			for i, other := range []int{nodes[1], nodes[0]} {
				if t := strings.TrimSuffix(b.Text(other), "!!"); strings.HasSuffix(t, ".message") || strings.HasSuffix(t, ".localizedMessage") {
					b.Expect(stmt, "", b.Expr(nodes[i]), map[bool]string{true: "equal", false: "contains"}[name == "assertEquals"], nil)
					return
				}
			}
		}
	case strings.HasPrefix(name, "hasMessage") || strings.HasPrefix(name, "withMessage") || name == "expectMessage":
		if len(nodes) > 0 && !strings.Contains(b.Text(nodes[0]), "Matcher") {
			b.Expect(stmt, "", b.Expr(nodes[0]), map[bool]string{true: "equal", false: "contains"}[name == "hasMessage" || name == "withMessage"], b.CallsIn(n))
		}
	}
}

// throwing reports whether a function of a test framework expects what its block throws.
func throwing(name string) bool {
	switch name {
	case "assertFailsWith", "assertThrows", "assertThrowsExactly", "shouldThrow", "shouldThrowExactly", "assertFails", "shouldThrowAny",
		"shouldThrowWithMessage", "assertThatExceptionOfType", "assertThatThrownBy":
		return true
	}
	return false
}

// matcher is how a matcher compares a message; "" for one that compares something else.
func matcher(name string) string {
	switch name {
	case "shouldBe", "shouldBeEqual", "shouldHaveMessage":
		return "equal"
	case "shouldContain", "shouldStartWith", "shouldEndWith", "shouldInclude":
		return "contains"
	case "shouldMatch":
		return "regexp"
	}
	return ""
}

// thrownType is the type that an expectation names: between angle brackets, or as the class that it is given.
func thrownType(b *lower.Body, n int, nodes []int) string {
	for c := n; b.Kind(c) == "call_expression"; c = b.First(c) {
		if types := b.ChildOf(c, "type_arguments"); types >= 0 {
			return typeName(strings.TrimSpace(b.Text(b.First(types))))
		}
	}
	for _, a := range nodes {
		if typ, ok := strings.CutSuffix(strings.TrimSuffix(b.Text(a), ".java"), "::class"); ok {
			return typ
		}
	}
	return ""
}
