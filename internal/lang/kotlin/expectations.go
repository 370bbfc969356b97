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
			b.Expect(stmt, "", b.Expr(kids[2]), form, nil)
		}
		return
	}
	if b.Kind(n) != "call_expression" {
		return
	}
	p, _ := callee(b.File, n)
	nodes := arguments(b.File, n)
	switch name := last(p); name {
	case "assertFailsWith", "assertThrows", "assertThrowsExactly", "shouldThrow", "shouldThrowExactly", "assertFails", "shouldThrowAny",
		"shouldThrowWithMessage", "assertThatExceptionOfType", "assertThatThrownBy":
		var text *expr.Expr
		form := ""
		if name == "shouldThrowWithMessage" && len(nodes) > 0 {
			text, form = b.Expr(nodes[0]), "equal"
		}
		b.Expect(stmt, thrownType(b, n, nodes), text, form, b.CallsIn(n))
	case "assertEquals", "assertContains":
		if len(nodes) >= 2 {
			for i, other := range []int{nodes[1], nodes[0]} {
				if t := strings.TrimSuffix(b.Text(other), "!!"); strings.HasSuffix(t, ".message") || strings.HasSuffix(t, ".localizedMessage") {
					b.Expect(stmt, "", b.Expr(nodes[i]), map[bool]string{true: "equal", false: "contains"}[name == "assertEquals"], nil)
					return
				}
			}
		}
	case "hasMessage", "withMessage", "hasMessageContaining", "withMessageContaining", "hasMessageStartingWith", "expectMessage":
		if len(nodes) > 0 {
			b.Expect(stmt, "", b.Expr(nodes[0]), map[bool]string{true: "equal", false: "contains"}[name == "hasMessage" || name == "withMessage"], b.CallsIn(n))
		}
	}
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
