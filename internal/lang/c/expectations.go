package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// expected notes what a test expects to be raised: EXPECT_THROW(s, X), REQUIRE_THROWS_WITH(e, "…"), EXPECT_DEATH(s, "…") and their kin.
func expected(b *lower.Body, n int, name string, nodes []int) bool {
	at := strings.Index(name, "_THROW")
	death := strings.Contains(name, "_DEATH") || strings.HasSuffix(name, "_EXIT") && strings.HasPrefix(name, "EXPECT")
	if at < 0 && !death || len(nodes) == 0 || !shouting(name) || strings.HasPrefix(name, "JSON_") {
		return false
	}
	typ, form := "", ""
	var text *expr.Expr
	if death {
		text, form = b.Expr(nodes[len(nodes)-1]), "regexp"
		if len(nodes) < 2 || !textual(text) {
			text, form = nil, ""
		}
		b.Expect(n, typ, text, form, b.CallsIn(nodes[0]))
		return true
	}
	suffix := name[at+1:]
	if suffix == "THROW" && !strings.HasPrefix(name, "EXPECT") && !strings.HasPrefix(name, "ASSERT") && !strings.Contains(name, "CHECK") && !strings.Contains(name, "REQUIRE") && !strings.Contains(name, "WARN") {
		return false
	}
	switch {
	case suffix == "THROWS_WITH":
		if len(nodes) > 1 {
			text, form = matched(b, nodes[1])
		}
	case strings.HasPrefix(suffix, "THROWS_WITH_AS"), strings.HasPrefix(suffix, "THROWS_WITH_STD"), strings.HasPrefix(suffix, "THROW_WITH_MESSAGE"), strings.HasPrefix(suffix, "THROW_MSG"):
		for _, a := range nodes[1:] {
			if e, how := matched(b, a); e != nil && text == nil {
				text, form = e, how
			} else {
				typ = qualified(b.File, b.Text(a))
			}
		}
	case len(nodes) > 1:
		typ = qualified(b.File, strings.TrimSuffix(b.Text(nodes[1]), "&"))
		if len(nodes) > 2 {
			text, form = matched(b, nodes[2])
		}
	}
	if !b.Silent {
		b.Facts.Expectations = append(b.Facts.Expectations, raise.Expectation{Function: b.Function, Line: b.Line(n), EndLine: b.EndLine(n), Type: typ, Message: text, Form: form,
			Calls: b.CallsIn(nodes[0]), Negated: strings.HasPrefix(suffix, "NOTHROW") || strings.Contains(name, "_NO_THROW")})
	}
	return true
}

// matched is the text that an argument of an expectation asks for: a literal, or one within a matcher.
func matched(b *lower.Body, n int) (*expr.Expr, string) {
	if e := b.Expr(n); textual(e) {
		return e, "equal"
	}
	path, ok := callee(b.File, n)
	if !ok {
		return nil, ""
	}
	for c := n; c < b.After(n); c++ {
		if b.Is(c, syntax.Named) && b.Kind(c) == "string_literal" {
			form := "contains"
			if strings.Contains(strings.ToLower(path), "regex") || strings.Contains(path, "Matches") {
				form = "regexp"
			}
			return b.Expr(c), form
		}
	}
	return nil, ""
}

// raises reports whether a node makes it worth reading the function that it stands in: it throws, holds a text for people, or checks.
func raises(f *lower.File, n int) bool {
	switch f.Kind(n) {
	case "throw_statement":
		return true
	case "string_literal":
		return strings.IndexByte(f.Text(n), ' ') > 0
	case "call_expression":
		name := f.Text(f.Field(n, "function"))
		return len(name) < 60 && (checks(name) || name == "perror" || strings.Contains(name, "throw ") || strings.Contains(name, "THROW"))
	}
	return false
}
