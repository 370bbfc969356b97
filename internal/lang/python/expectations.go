package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// expectedCall notes self.assertRaises(X, f, …) and pytest.raises(X, f, …).
func (b *body) expectedCall(i int, last string) {
	switch last {
	case "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertWarns", "assertWarnsRegex", "raises", "warns":
	default:
		return
	}
	e := b.expr(i)
	if !e.Is(expr.Call) {
		return
	}
	args := e.Args[1:]
	regex := strings.Contains(last, "Regex")
	callable := 1
	if regex {
		callable = 2
	}
	if len(args) <= callable || args[callable].Is(expr.Keyword) {
		return
	}
	x := raise.Expectation{Function: b.function, Line: b.line(i), EndLine: b.endLine(i), Type: args[0].Path()}
	if regex {
		x.Message, x.Form = args[1], "regexp"
	}
	if p := b.path(args[callable]); p != "" {
		x.Calls = []string{p}
	}
	b.facts.Expectations = append(b.facts.Expectations, x)
}

// expectation notes with pytest.raises(X, match=…) and with self.assertRaises(X) in context form.
func (b *body) expectation(value, stmt int) {
	caught := ""
	if b.name(value) == "as_pattern" {
		caught = b.text(b.child(value, b.f.alias))
		kids := b.named(value)
		if len(kids) == 0 {
			return
		}
		value = kids[0]
	}
	e := b.expr(value)
	if !e.Is(expr.Call) || b.function < 0 {
		return
	}
	x := raise.Expectation{Function: b.function, Line: b.line(stmt), EndLine: b.endLine(stmt)}
	args := e.Args[1:]
	switch last := e.Arg(0).Last(); last {
	case "raises", "warns", "assertRaises", "assertWarns":
	case "assertRaisesRegex", "assertRaisesRegexp", "assertWarnsRegex":
		if len(args) > 1 {
			x.Message, x.Form = args[1], "regexp"
		}
	default:
		return
	}
	if len(args) > 0 {
		x.Type = args[0].Path()
	}
	for _, a := range args {
		if a.Is(expr.Keyword) && a.Text == "match" {
			x.Message, x.Form = a.Arg(0), "regexp"
		}
	}
	block := b.child(stmt, b.f.body)
	for c := block; block >= 0 && c < b.tree.After(block) && len(x.Calls) < 8; c++ {
		if b.name(c) == "call" {
			if p := b.path(b.expr(b.child(c, b.f.function))); p != "" {
				x.Calls = append(x.Calls, p)
			}
		}
	}
	if caught != "" && x.Message == nil {
		b.wanted(&x, caught, stmt)
	}
	if len(args) > 0 && args[0].Is(expr.Tuple) {
		for _, one := range args[0].Args {
			x.Type = one.Path()
			b.facts.Expectations = append(b.facts.Expectations, x)
		}
		return
	}
	b.facts.Expectations = append(b.facts.Expectations, x)
}

// maxWanted is how many statements behind an expectation are looked through for what it wants of the error.
const maxWanted = 6

// wanted takes the text that the statements behind an expectation want of the error, which the name caught holds.
func (b *body) wanted(x *raise.Expectation, caught string, stmt int) {
	for i, n := b.tree.NextSibling(stmt), 0; i >= 0 && n < maxWanted && x.Message == nil; i, n = b.tree.NextSibling(i), n+1 {
		switch kids := b.named(i); {
		case len(kids) == 0:
		case b.name(i) == "assert_statement":
			if e := b.expr(kids[0]); e.Is(expr.Compare) && len(e.Args) == 2 {
				b.compared(x, caught, e.Text, e.Arg(0), e.Arg(1))
			}
		case b.name(i) == "expression_statement" && b.name(kids[0]) == "call":
			if e := b.expr(kids[0]); e.Is(expr.Call) && len(e.Args) > 1 {
				b.asserted(x, caught, e)
			}
		}
	}
}

// asserted takes the text from self.assertEqual(str(caught.exception), "text") and the like.
func (b *body) asserted(x *raise.Expectation, caught string, e *expr.Expr) {
	switch e.Arg(0).Last() {
	case "match":
		if e.Arg(0).Arg(0).Is(expr.Name) && e.Arg(0).Arg(0).Text == caught {
			x.Message, x.Form = e.Arg(1), "regexp"
		}
	case "assertEqual", "assertEquals":
		b.compared(x, caught, "==", e.Arg(1), e.Arg(2))
	case "assertIn":
		b.compared(x, caught, "in", e.Arg(1), e.Arg(2))
	case "assertRegex", "assertRegexpMatches":
		if holds(e.Arg(1), caught) && e.Arg(2).Is(expr.String) {
			x.Message, x.Form = e.Arg(2), "regexp"
		}
	}
}

// compared takes the text that is compared with one that the error holds.
func (b *body) compared(x *raise.Expectation, caught, op string, left, right *expr.Expr) {
	switch {
	case op == "in" && left.Is(expr.String) && holds(right, caught):
		x.Message, x.Form = left, "contains"
	case op == "==" && holds(left, caught) && textual(right):
		x.Message, x.Form = right, "equal"
	case op == "==" && holds(right, caught) && textual(left):
		x.Message, x.Form = left, "equal"
	}
}

// holds reports whether an expression is made of what a name holds.
func holds(e *expr.Expr, name string) bool {
	found := false
	e.Walk(func(a *expr.Expr) bool {
		found = found || a.Is(expr.Name) && a.Text == name
		return !found
	})
	return found
}
