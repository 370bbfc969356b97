package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// stmt lowers a statement; false if the node is none.
func stmt(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "expression_statement":
		return expressionStatement(b, out, n), true
	case "throw_statement":
		return b.Throw(out, n, b.First(n)), true
	case "if_statement":
		return b.If(out, n, b.Field(n, "condition"), b.Field(n, "consequence"), b.Field(n, "alternative")), true
	case "while_statement":
		return b.Loop(out, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While), true
	case "do_statement":
		return b.Loop(out, n, b.Field(n, "condition"), b.Field(n, "body"), flow.DoWhile), true
	case "for_statement":
		return forStatement(b, out, n), true
	case "foreach_statement":
		target := []*expr.Expr{b.Expr(b.Field(n, "left"))}
		return b.Each(out, n, target, b.Field(n, "right"), b.Field(n, "body")), true
	case "return_statement":
		return b.Leave(out, n, flow.Return, b.First(n)), true
	case "yield_statement":
		if v := b.First(n); v >= 0 {
			return b.Effects(out, v, n), true
		}
		return b.Leave(out, n, flow.Return, -1), true
	case "break_statement":
		return b.Leave(out, n, flow.Break, -1), true
	case "continue_statement":
		return b.Leave(out, n, flow.Continue, -1), true
	case "try_statement":
		return try(b, out, n), true
	case "switch_statement":
		return switchStatement(b, out, n), true
	case "local_declaration_statement":
		return variables(b, out, b.ChildOf(n, "variable_declaration"), n), true
	case "field_declaration":
		return fields(b, out, n), true
	case "property_declaration", "indexer_declaration", "event_declaration":
		return property(b, out, n), true
	case "using_statement":
		if d := b.ChildOf(n, "variable_declaration"); d >= 0 {
			out = variables(b, out, d, n)
		}
		return append(out, b.Block(b.Field(n, "body"))...), true
	case "lock_statement", "checked_statement", "unsafe_statement", "fixed_statement":
		return b.Nested(out, b.ChildOf(n, "block")), true
	case "preproc_if", "preproc_elif", "preproc_else":
		return conditional(b, out, n), true
	case "block":
		return b.Nested(out, n), true
	case "labeled_statement":
		if kids := b.Named(n); len(kids) > 1 {
			return b.Stmt(out, kids[len(kids)-1]), true
		}
	case "using_directive", "comment", "modifier", "attribute_list", "base_list", "parameter_list", "type_parameter_list", "enum_member_declaration":
		return out, true
	}
	return out, false
}

// conditional reads all branches of conditional compilation. In a function each is a way of its own.
func conditional(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	alternative := b.Field(n, "alternative")
	read := func(list []flow.Stmt) []flow.Stmt {
		for _, c := range b.Within(n) {
			if c != b.Field(n, "condition") && c != alternative {
				list = b.Stmt(list, c)
			}
		}
		return list
	}
	switch {
	case b.Kind(n) == "preproc_else":
		return read(out)
	case b.Function < 0:
		out = read(out)
		if alternative >= 0 {
			out = b.Stmt(out, alternative)
		}
		return out
	}
	line, _, _ := strings.Cut(b.Text(n), "\n")
	line = strings.TrimSpace(line)
	st := b.At(flow.Switch, n)
	st.Cases = []flow.Case{{Line: b.Line(n), Text: line, Body: read(nil)}, {Line: b.Line(n)}}
	if alternative >= 0 {
		st.Cases[1] = flow.Case{Line: b.Line(alternative), Text: "not " + line, Body: b.Stmt(nil, alternative)}
	}
	return append(out, st)
}

func expressionStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	e := b.First(n)
	if b.Kind(e) == "await_expression" {
		e = b.First(e)
	}
	switch b.Kind(e) {
	case "assignment_expression":
		return assignment(b, out, n, e)
	case "postfix_unary_expression", "prefix_unary_expression":
		if text := b.Text(e); strings.Contains(text, "++") || strings.Contains(text, "--") {
			st := b.At(flow.Assign, n)
			st.Targets = []*expr.Expr{b.Expr(b.First(e))}
			return append(out, st)
		}
	case "invocation_expression":
		expectation(b, n, e)
		before := len(out)
		out = b.Do(out, e)
		if p, _ := callee(b.File, e); p == "Environment.Exit" && len(out) > before {
			out[len(out)-1].Kind, out[len(out)-1].Leaves, out[len(out)-1].Value = flow.Leave, flow.Throw, nil
		}
		return out
	}
	return b.Do(out, e)
}

func assignment(b *lower.Body, out []flow.Stmt, n, e int) []flow.Stmt {
	left, right := b.Field(e, "left"), b.Field(e, "right")
	op := strings.TrimSuffix(operator(b.File, e), "=")
	if op == "??" {
		// a ??= b leaves a, or makes it b.
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{b.Expr(left)}
		st.Value = expr.New(expr.Coalesce, "", b.Expr(left), b.Expr(right))
		return append(b.Effects(out, right, n), st)
	}
	return b.Assign(out, n, b.Expr(left), op, right)
}

func forStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	if init := b.Field(n, "initializer"); b.Kind(init) == "variable_declaration" {
		out = variables(b, out, init, n)
	}
	loop := b.Loop(nil, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While)
	if len(loop) > 0 {
		st := &loop[len(loop)-1]
		if update := b.Field(n, "update"); update >= 0 && b.First(update) >= 0 {
			step := b.At(flow.Assign, update)
			step.Targets = []*expr.Expr{b.Expr(b.First(update))}
			st.Body = append(st.Body, step)
		}
	}
	return append(out, loop...)
}

func try(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Try, n)
	st.Body = b.Block(b.Field(n, "body"))
	for _, c := range b.Named(n) {
		switch b.Kind(c) {
		case "catch_clause":
			d := b.ChildOf(c, "catch_declaration")
			h := b.Handler(c, typeName(b.Text(b.Field(d, "type"))), b.Text(b.Field(d, "name")), b.Field(c, "body"))
			st.Handlers = append(st.Handlers, h)
		case "finally_clause":
			st.Final = b.Block(b.First(c))
		}
	}
	return append(out, st)
}

func switchStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.Field(n, "value")
	out = b.Effects(out, value, value)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	for _, section := range b.Named(b.Field(n, "body")) {
		arm := flow.Case{Line: b.Line(section), Falls: true}
		for _, c := range b.Named(section) {
			if !label(b, &arm, c) {
				arm.Body, arm.Falls = b.Stmt(arm.Body, c), false
			}
		}
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

// label adds what an arm is for; false if the node is no part of that.
func label(b *lower.Body, arm *flow.Case, n int) bool {
	switch k := b.Kind(n); {
	case k == "constant_pattern":
		if arm.Text == "" {
			arm.Values = append(arm.Values, b.Expr(b.First(n)))
		}
	case k == "when_clause":
		arm.Text, arm.Values = strings.TrimSpace(arm.Text+" "+b.Text(n)), nil
	case k == "discard" || k == "var_pattern":
	case strings.HasSuffix(k, "_pattern"):
		arm.Text, arm.Values = b.Text(n), nil
	default:
		return false
	}
	return true
}

// switchExpression lowers value switch { … } for the sites in its arms.
func switchExpression(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	kids := b.Named(n)
	if len(kids) == 0 {
		return out
	}
	out = b.Effects(out, kids[0], kids[0])
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(kids[0]), true
	before := len(b.Facts.Sites)
	for _, a := range kids[1:] {
		parts := b.Named(a)
		if b.Kind(a) != "switch_expression_arm" || len(parts) < 2 {
			continue
		}
		arm := flow.Case{Line: b.Line(a)}
		for _, c := range parts[:len(parts)-1] {
			label(b, &arm, c)
		}
		arm.Body = b.Effects(nil, parts[len(parts)-1], a)
		arm.Body = append(arm.Body, b.At(flow.Leave, a))
		arm.Body[len(arm.Body)-1].Leaves = flow.Break
		st.Cases = append(st.Cases, arm)
	}
	if len(b.Facts.Sites) == before {
		return out
	}
	return append(out, st)
}

// variables lowers the declarators of a declaration of locals.
func variables(b *lower.Body, out []flow.Stmt, list, n int) []flow.Stmt {
	for _, d := range b.Named(list) {
		if b.Kind(d) != "variable_declarator" {
			continue
		}
		name, value := b.Field(d, "name"), initial(b, d)
		if value < 0 {
			st := b.At(flow.Assign, d)
			st.Targets = []*expr.Expr{expr.Ident(b.Text(name))}
			out = append(out, st)
			continue
		}
		out = b.Assign(out, n, expr.Ident(b.Text(name)), "", value)
	}
	return out
}

// initial is the value of a declarator; -1 if it has none.
func initial(b *lower.Body, d int) int {
	kids := b.Named(d)
	if k := len(kids) - 1; k > 0 && kids[k] != b.Field(d, "name") && b.Kind(kids[k]) != "bracketed_argument_list" {
		return kids[k]
	}
	return -1
}

// fields keeps the constants of a class.
func fields(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	mods := modifiers(b.File, n)
	for _, d := range b.Named(b.ChildOf(n, "variable_declaration")) {
		value := initial(b, d)
		if b.Kind(d) != "variable_declarator" || value < 0 {
			continue
		}
		if strings.Contains(mods, "const") || strings.Contains(mods, "readonly") {
			b.Constant(b.Text(b.Field(d, "name")), b.Value(value), b.Line(d))
		}
		out = b.Effects(out, value, n)
	}
	return out
}

// property reads the accessors of a property, and keeps a text that it always is.
func property(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	list := b.Field(n, "accessors")
	for _, a := range b.Named(list) {
		out = b.Stmt(out, a)
	}
	if value := b.Field(n, "value"); value >= 0 && list >= 0 { // an auto-property's
		if strings.Contains(modifiers(b.File, n), "static") {
			b.Constant(b.Text(b.Field(n, "name")), b.Value(value), b.Line(n))
		}
		out = b.Effects(out, value, n)
	}
	return out
}
