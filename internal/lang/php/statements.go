package php

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// stmt lowers a statement; false if the node is none.
func stmt(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "expression_statement":
		return expressionStatement(b, out, n), true
	case "if_statement":
		return ifStatement(b, out, n), true
	case "while_statement":
		return b.Loop(out, n, bare(b, b.Field(n, "condition")), b.Field(n, "body"), flow.While), true
	case "do_statement":
		return b.Loop(out, n, bare(b, b.Field(n, "condition")), b.Field(n, "body"), flow.DoWhile), true
	case "for_statement":
		return forStatement(b, out, n), true
	case "foreach_statement":
		return foreach(b, out, n), true
	case "return_statement":
		return b.Leave(out, n, flow.Return, b.First(n)), true
	case "break_statement":
		return b.Leave(out, n, flow.Break, -1), true
	case "continue_statement":
		return b.Leave(out, n, flow.Continue, -1), true
	case "try_statement":
		return try(b, out, n), true
	case "switch_statement":
		return switchStatement(b, out, n), true
	case "exit_statement":
		return exit(b, out, n, b.First(n)), true
	case "const_declaration":
		for _, c := range b.Named(n) {
			if kids := b.Named(c); b.Kind(c) == "const_element" && len(kids) == 2 {
				b.Constant(b.Text(kids[0]), b.Value(kids[1]), b.Line(c))
			}
		}
		return out, true
	case "property_declaration":
		for _, p := range b.Named(n) {
			if kids := b.Named(p); b.Kind(p) == "property_element" && len(kids) == 2 && lasting(b, n, b.Text(kids[0])) {
				b.Constant(strings.TrimPrefix(b.Text(kids[0]), "$"), b.Value(kids[1]), b.Line(p))
			}
		}
		return out, true
	case "enum_case", "use_declaration", "namespace_use_declaration", "comment", "php_tag", "text", "text_interpolation", "attribute_list", "echo_statement":
		if b.Kind(n) == "echo_statement" {
			return b.Effects(out, n, n), true
		}
		return out, true
	case "compound_statement", "colon_block":
		return b.Nested(out, n), true
	}
	return out, false
}

// lasting reports whether a property is known to keep the value that it begins with: only its class can set it, and nothing there does.
func lasting(b *lower.Body, declaration int, name string) bool {
	if b.Text(b.ChildOf(declaration, "visibility_modifier")) != "private" && name != "$message" {
		return false
	}
	set, ok := b.Own.(map[string]bool)
	if !ok {
		set = assigned(b.File)
		b.Own = set
	}
	return !set[strings.TrimPrefix(name, "$")]
}

// assigned are the names of the properties that a file sets, wholly or in part.
func assigned(f *lower.File) map[string]bool {
	out := map[string]bool{}
	for n := range f.Nodes {
		target := -1
		switch f.Kind(n) {
		case "assignment_expression", "augmented_assignment_expression", "reference_assignment_expression":
			target = f.Field(n, "left")
		case "update_expression":
			target = f.Field(n, "argument")
		}
		for t := target; t >= 0 && t < f.After(target); t++ {
			if k := f.Kind(t); k == "member_access_expression" || k == "scoped_property_access_expression" {
				out[strings.TrimPrefix(f.Text(f.Field(t, "name")), "$")] = true
			}
		}
	}
	return out
}

// bare is what stands between the parentheses of a condition.
func bare(b *lower.Body, n int) int {
	for range 20 {
		if b.Kind(n) != "parenthesized_expression" {
			break
		}
		n = b.First(n)
	}
	return n
}

func expressionStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	e := b.First(n)
	switch b.Kind(e) {
	case "throw_expression":
		return b.Throw(out, n, made(b, b.First(e)))
	case "assignment_expression", "reference_assignment_expression":
		return b.Assign(out, n, b.Expr(b.Field(e, "left")), "", b.Field(e, "right"))
	case "augmented_assignment_expression":
		op := strings.TrimSuffix(operator(b.File, e), "=")
		switch op {
		case ".":
			op = "+"
		case "??":
			st := b.At(flow.Assign, n)
			st.Targets = []*expr.Expr{b.Expr(b.Field(e, "left"))}
			st.Value = expr.New(expr.Coalesce, "", b.Expr(b.Field(e, "left")), b.Expr(b.Field(e, "right")))
			return append(b.Effects(out, b.Field(e, "right"), n), st)
		}
		return b.Assign(out, n, b.Expr(b.Field(e, "left")), op, b.Field(e, "right"))
	case "update_expression":
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{b.Expr(b.Field(e, "argument"))}
		return append(out, st)
	case "binary_expression":
		if op := operator(b.File, e); op == "or" || op == "||" || op == "and" || op == "&&" {
			return shortCircuit(b, out, n, e, op == "or" || op == "||")
		}
	case "function_call_expression":
		if name := b.Text(b.Field(e, "function")); name == "define" {
			if args := b.All(b.Named(b.Field(e, "arguments")), 0); len(args) > 1 && args[0].Is(expr.String) {
				b.Constant(args[0].Text, args[1], b.Line(n))
			}
		}
	case "member_call_expression":
		expectation(b, n, e)
	}
	return b.Do(out, e)
}

// shortCircuit lowers a or die(…): what stands behind it happens if what stands before it does not hold.
func shortCircuit(b *lower.Body, out []flow.Stmt, n, e int, either bool) []flow.Stmt {
	left, right := b.Field(e, "left"), b.Field(e, "right")
	if b.Kind(left) == "assignment_expression" {
		out = b.Assign(out, n, b.Expr(b.Field(left, "left")), "", b.Field(left, "right"))
	} else {
		out = b.Effects(out, left, n)
	}
	st := b.At(flow.If, n)
	st.Cond = lower.Truth(b.Expr(left))
	if either {
		st.Cond = expr.New(expr.Not, "", st.Cond)
	}
	if b.Kind(right) == "throw_expression" {
		st.Body = b.Throw(nil, n, made(b, b.First(right)))
	} else {
		st.Body = b.Do(nil, right)
	}
	return append(out, st)
}

// exit lowers exit and die; one with a text is a site.
func exit(b *lower.Body, out []flow.Stmt, n, value int) []flow.Stmt {
	if e := b.Expr(value); flow.Textual(e) {
		s := b.Site(raise.KindExit, n)
		s.Message = e
		return b.Add(out, s, b.At(flow.Raise, n))
	}
	return b.Leave(out, n, flow.Throw, -1)
}

func ifStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	cond := bare(b, b.Field(n, "condition"))
	out = b.Effects(out, cond, cond)
	st := b.At(flow.If, n)
	st.Cond = lower.Truth(b.Expr(cond))
	st.Body = b.Block(b.Field(n, "body"))
	var alternatives []int
	for _, c := range b.Named(n) {
		if k := b.Kind(c); k == "else_if_clause" || k == "else_clause" {
			alternatives = append(alternatives, c)
		}
	}
	st.Else = alternative(b, alternatives)
	return append(out, st)
}

func alternative(b *lower.Body, clauses []int) []flow.Stmt {
	if len(clauses) == 0 {
		return nil
	}
	n := clauses[0]
	if b.Kind(n) == "else_clause" {
		return b.Block(b.Field(n, "body"))
	}
	st := b.At(flow.If, n)
	cond := bare(b, b.Field(n, "condition"))
	st.Cond = lower.Truth(b.Expr(cond))
	out := b.Effects(nil, cond, n)
	st.Body = b.Block(b.Field(n, "body"))
	st.Else = alternative(b, clauses[1:])
	return append(out, st)
}

func forStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	for _, c := range b.Named(n) {
		if b.Kind(c) == "assignment_expression" && c < b.Field(n, "body") {
			out = b.Assign(out, n, b.Expr(b.Field(c, "left")), "", b.Field(c, "right"))
		}
	}
	loop := b.Loop(nil, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While)
	if update := b.Field(n, "update"); len(loop) > 0 && update >= 0 && b.First(update) >= 0 {
		step := b.At(flow.Assign, update)
		step.Targets = []*expr.Expr{b.Expr(b.First(update))}
		loop[len(loop)-1].Body = append(loop[len(loop)-1].Body, step)
	}
	return append(out, loop...)
}

func foreach(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	kids := b.Named(n)
	if len(kids) < 2 {
		return out
	}
	var targets []*expr.Expr
	for c := kids[1]; c < b.After(kids[1]); c++ {
		if b.Kind(c) == "variable_name" {
			targets = append(targets, b.Expr(c))
		}
	}
	return b.Each(out, n, targets, kids[0], b.Field(n, "body"))
}

func try(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Try, n)
	st.Body = b.Block(b.Field(n, "body"))
	for _, c := range b.Named(n) {
		switch b.Kind(c) {
		case "catch_clause":
			types := strings.ReplaceAll(qualified(b.Text(b.Field(c, "type"))), `\`, ".")
			st.Handlers = append(st.Handlers, b.Handler(c, types, b.Text(b.Field(c, "name")), b.Field(c, "body")))
		case "finally_clause":
			st.Final = b.Block(b.Field(c, "body"))
		}
	}
	return append(out, st)
}

func switchStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := bare(b, b.Field(n, "condition"))
	out = b.Effects(out, value, value)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	for _, c := range b.Named(b.Field(n, "body")) {
		arm := flow.Case{Line: b.Line(c), Falls: true}
		label := b.Field(c, "value")
		if label >= 0 {
			arm.Values = []*expr.Expr{b.Expr(label)}
		}
		for _, s := range b.Named(c) {
			if s != label {
				arm.Body = b.Stmt(arm.Body, s)
			}
		}
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

// matched lowers a match expression for the sites in its arms.
func matched(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := bare(b, b.Field(n, "condition"))
	out = b.Effects(out, value, value)
	before := len(b.Facts.Sites)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	isTrue := st.Value.Is(expr.Bool) && st.Value.Text == "true"
	for _, c := range b.Named(b.Field(n, "body")) {
		kids := b.Named(c)
		if len(kids) == 0 {
			continue
		}
		arm := flow.Case{Line: b.Line(c)}
		if list := b.ChildOf(c, "match_condition_list"); list >= 0 {
			arm.Values = b.All(b.Named(list), 0)
			if isTrue {
				arm.Values, arm.Text = nil, b.Text(list)
			}
		}
		arm.Body = b.Effects(nil, kids[len(kids)-1], c)
		leave := b.At(flow.Leave, c)
		leave.Leaves = flow.Break
		arm.Body = append(arm.Body, leave)
		st.Cases = append(st.Cases, arm)
	}
	if len(b.Facts.Sites) == before {
		return out
	}
	return append(out, st)
}
