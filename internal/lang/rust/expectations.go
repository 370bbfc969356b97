package rust

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// shouldPanic notes what the attributes of test functions expect: #[should_panic(expected = "…")].
func shouldPanic(f *lower.File) {
	b := &lower.Body{File: f, Function: raise.NoFunction}
	for n := range f.Nodes {
		if f.Kind(n) != "function_item" {
			continue
		}
		attr, ok := attribute(f, n, "#[should_panic")
		if !ok {
			continue
		}
		b.Function = slices.IndexFunc(f.Facts.Functions, func(fn raise.Function) bool { return fn.Line == f.Line(n) })
		var expected *expr.Expr
		form := ""
		if _, text, ok := strings.Cut(f.Text(attr), "expected"); ok {
			if i, j := strings.IndexAny(text, `"r`), strings.LastIndexByte(text, '"'); i >= 0 && j > i {
				expected, form = expr.Str(literal(text[i:j+1])), "contains"
			}
		}
		b.Expect(n, "panic", expected, form, b.CallsIn(f.Field(n, "body")))
	}
}

// expectation notes what a test asks of an error that it provoked: its text, a part of it, or its type.
func expectation(b *lower.Body, stmt, n int) {
	if b.Silent || b.Kind(n) != "call_expression" || !isMacro(b.File, n) {
		return
	}
	name := macroName(b.Text(b.Field(n, "function")))
	nodes := b.Named(b.Field(n, "arguments"))
	if !tested(b.File, n) && !attributeFree(b) || len(nodes) == 0 {
		return
	}
	switch {
	case name == "assert_eq" && len(nodes) >= 2:
		left, right := nodes[0], nodes[1]
		if b.Kind(left) == "string_literal" {
			left, right = right, left
		}
		text, value := b.Text(left), b.Expr(right)
		switch {
		case value.Is(expr.String) && strings.Contains(text, "err") && (strings.Contains(text, "to_string") || strings.Contains(text, "format")):
			b.Expect(stmt, "", value, "equal", sources(b, left))
		case strings.HasPrefix(b.Text(right), "Err("):
			if e := made(b.File, right, 0); e.Is(expr.Error) {
				b.Expect(stmt, e.Arg(0).Path(), nil, "", sources(b, left))
			}
		case strings.Contains(text, "unwrap_err"):
			if e := made(b.File, right, 0); e.Is(expr.Error) {
				b.Expect(stmt, e.Arg(0).Path(), nil, "", sources(b, left))
			}
		}
	case name == "assert":
		contained(b, stmt, nodes[0])
	}
}

// attributeFree reports whether the function that is read is called as a test.
func attributeFree(b *lower.Body) bool {
	return b.Function >= 0 && strings.HasPrefix(b.Facts.Functions[b.Function].Name, "test_")
}

// contained reads assert!(error.to_string().contains("…")) and assert!(matches!(result, Err(Type::Variant { .. }))).
func contained(b *lower.Body, stmt, n int) {
	text := b.Text(n)
	if strings.HasPrefix(text, "matches!(") {
		subject, pattern, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(text, "matches!("), ")"), ",")
		if i := strings.Index(pattern, "Err("); ok && i >= 0 {
			name := pattern[i+len("Err("):]
			if end := strings.IndexAny(name, " ({),"); end > 0 && strings.Contains(name[:end], "::") {
				typ := strings.ReplaceAll(name[:end], "::", ".")
				var calls []string
				if end := strings.IndexByte(subject, '('); end > 0 && !strings.ContainsAny(subject[:end], " &!") {
					calls = []string{b.Path(subject[:end])}
				}
				b.Expect(stmt, typ, nil, "", calls)
			}
		}
		return
	}
	c := b.Field(n, "function")
	if b.Kind(c) != "field_expression" || b.Text(b.Field(c, "field")) != "contains" {
		return
	}
	on := b.Text(b.Field(c, "value"))
	args := b.Named(b.Field(n, "arguments"))
	if len(args) == 1 && strings.Contains(on, "err") {
		if value := b.Expr(args[0]); value.Is(expr.String) {
			b.Expect(stmt, "", value, "contains", sources(b, n))
		}
	}
}

// sources are the callees that the error below a node came from; of a name, those of the statement that gave it its value.
func sources(b *lower.Body, n int) []string {
	var out []string
	for _, c := range b.CallsIn(n) {
		switch last(c) {
		case "to_string", "unwrap_err", "contains", "expect_err", "err", "unwrap", "format":
		default:
			out = append(out, c)
		}
	}
	if len(out) > 0 || b.Function < 0 {
		return out
	}
	name := b.Text(n)
	if i := strings.IndexAny(name, ".("); i > 0 {
		name = name[:i]
	}
	for p := b.Parent(n); p >= 0; p = b.Parent(p) {
		if b.Kind(p) != "block" {
			continue
		}
		for _, c := range b.Named(p) {
			if b.Kind(c) == "let_declaration" && c < n && strings.TrimPrefix(b.Text(b.Field(c, "pattern")), "mut ") == name {
				out = sources(&lower.Body{File: b.File, Function: raise.NoFunction}, b.Field(c, "value"))
			}
		}
		break
	}
	return out
}
