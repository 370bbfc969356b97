package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// throw lowers a statement that throws the value at node, -1 where what was caught is thrown again.
func throw(b *lower.Body, out []flow.Stmt, stmt, value int) []flow.Stmt {
	if value < 0 {
		return b.Throw(out, stmt, -1)
	}
	if b.Kind(value) == "parenthesized_expression" {
		return throw(b, out, stmt, b.First(value))
	}
	if b.Kind(value) == "binary_expression" {
		// throw X() << "text"
		if head, parts := stream(b.File, value); len(parts) > 0 && (b.Kind(head) == "call_expression" || b.Kind(head) == "compound_literal_expression") {
			return threw(b, out, stmt, head, parts)
		}
	}
	return threw(b, out, stmt, value, nil)
}

// threw files what is thrown: parts are written to it.
func threw(b *lower.Body, out []flow.Stmt, stmt, value int, parts []int) []flow.Stmt {
	e := b.Value(value)
	if isTyped(b, e) {
		e = expr.New(expr.Error, "", append([]*expr.Expr{e.Arg(0), nil}, e.Args[1:]...)...)
	}
	if !e.Is(expr.Error) {
		return b.Throw(out, stmt, value)
	}
	for _, a := range b.Named(value) {
		if k := b.Kind(a); k == "argument_list" || k == "initializer_list" {
			for _, c := range b.Named(a) {
				if b.Kind(c) != "call_expression" {
					out = b.Effects(out, c, stmt)
				}
			}
		}
	}
	s := b.Site(raise.KindError, stmt)
	s.Type, s.Message = e.Arg(0), e.Arg(1)
	s.Args = append([]*expr.Expr{}, e.Args[2:]...)
	if len(parts) > 0 {
		text := written(b.File, parts, 0)
		if len(s.Args) > 0 && textual(s.Args[len(s.Args)-1]) {
			text = interp(s.Args[len(s.Args)-1], text)
		}
		s.Message = text
	}
	return b.Add(out, s, b.At(flow.Raise, stmt))
}

// isTyped reports whether a call that is thrown makes a value of the type that it names, and is none of a function.
func isTyped(b *lower.Body, e *expr.Expr) bool {
	if !e.Is(expr.Call) {
		return false
	}
	if e.Text == "new" {
		return true
	}
	path := e.Arg(0).Path()
	name := lastName(path)
	if name == "" || strings.Contains(path, "(") {
		return false
	}
	if construct(name) {
		return true
	}
	switch words(name)[0] {
	case "make", "create", "new", "get", "to", "as", "build", "from":
		return false
	}
	return upper(name[0]) && e.Arg(0).Is(expr.Name) || ErrorType(name)
}

// thrownCall reads "throw X(…)" within an expression, which raises unless the condition holds that leads to the other value.
func thrownCall(b *lower.Body, out []flow.Stmt, n, stmt int, name string) []flow.Stmt {
	s := b.Site(raise.KindError, stmt)
	s.Type = dotted(qualified(b.File, name))
	s.Args = b.All(b.Named(b.Field(n, "arguments")), 0)
	st := b.At(flow.Raise, n)
	st.Goes = true
	if p := b.Parent(n); b.Kind(p) == "conditional_expression" {
		cond := lower.Truth(b.Expr(b.Field(p, "condition")))
		if b.Field(p, "consequence") == n {
			cond = flow.Negate(cond)
		}
		st = b.At(flow.Assert, n)
		st.Cond = cond
	}
	return b.Add(out, s, st)
}
