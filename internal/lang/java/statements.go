package java

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func statement(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "expression_statement":
		return expressionStatement(b, out, n), true
	case "throw_statement":
		return b.Throw(out, n, b.First(n)), true
	case "if_statement":
		return b.If(out, n, b.First(b.Field(n, "condition")), b.Field(n, "consequence"), b.Field(n, "alternative")), true
	case "while_statement":
		return b.Loop(out, n, b.First(b.Field(n, "condition")), b.Field(n, "body"), flow.While), true
	case "do_statement":
		return b.Loop(out, n, b.First(b.Field(n, "condition")), b.Field(n, "body"), flow.DoWhile), true
	case "for_statement":
		return forStatement(b, out, n), true
	case "enhanced_for_statement":
		target := []*expr.Expr{expr.Ident(b.Text(b.Field(n, "name")))}
		return b.Each(out, n, target, b.Field(n, "value"), b.Field(n, "body")), true
	case "return_statement", "yield_statement":
		return b.Leave(out, n, flow.Return, b.First(n)), true
	case "break_statement":
		return b.Leave(out, n, flow.Break, -1), true
	case "continue_statement":
		return b.Leave(out, n, flow.Continue, -1), true
	case "try_statement", "try_with_resources_statement":
		return try(b, out, n), true
	case "switch_expression", "switch_statement":
		return switched(b, out, n), true
	case "assert_statement":
		return assert(b, out, n), true
	case "local_variable_declaration", "field_declaration":
		return variables(b, out, n), true
	case "block", "constructor_body":
		return b.Nested(out, n), true
	case "synchronized_statement":
		return b.Nested(out, b.Field(n, "body")), true
	case "labeled_statement":
		if kids := b.Named(n); len(kids) > 1 {
			return b.Stmt(out, kids[1]), true
		}
	case "explicit_constructor_invocation":
		st := b.At(flow.Do, n)
		out = b.Effects(out, b.Field(n, "arguments"), n)
		args := b.All(b.Named(b.Field(n, "arguments")), 0)
		st.Value = expr.New(expr.Call, "", append([]*expr.Expr{expr.Ident(b.Text(b.Field(n, "constructor")))}, args...)...)
		return append(out, st), true
	case "enum_constant":
		enumConstant(b, n)
		return out, true
	case "package_declaration", "import_declaration", "line_comment", "block_comment", "modifiers":
		return out, true
	}
	return out, false
}

// enumConstant keeps the texts of an enum's constants: its methods and fields refer to them.
func enumConstant(b *lower.Body, n int) {
	args := b.All(b.Named(b.Field(n, "arguments")), 0)
	for _, a := range args {
		if flow.Textual(a) {
			b.Constant(b.Text(b.Field(n, "name")), expr.New(expr.Tuple, "", args...), b.Line(n))
			return
		}
	}
}

func expressionStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	e := b.First(n)
	switch b.Kind(e) {
	case "assignment_expression":
		op := strings.TrimSuffix(b.Text(b.Field(e, "operator")), "=")
		return b.Assign(out, n, b.Expr(b.Field(e, "left")), op, b.Field(e, "right"))
	case "update_expression":
		st := b.At(flow.Assign, n)
		if kids := b.Named(e); len(kids) == 1 {
			st.Targets = []*expr.Expr{b.Expr(kids[0])}
		}
		return append(out, st)
	case "method_invocation":
		if chain := appends(b, e); len(chain) > 1 {
			out = b.Effects(out, e, n)
			for _, call := range chain {
				st := b.At(flow.Do, n)
				st.Value = call
				out = append(out, st)
			}
			return out
		}
	case "switch_expression":
		return switched(b, out, e)
	}
	expectThrows(b, n, e)
	before := len(out)
	out = b.Do(out, e)
	if leaves(b, e) && len(out) > before {
		out[len(out)-1].Kind, out[len(out)-1].Leaves, out[len(out)-1].Value = flow.Leave, flow.Throw, nil
	}
	return out
}

// appends splits sb.append(a).append(b) into its calls on sb.
func appends(b *lower.Body, n int) []*expr.Expr {
	var out []*expr.Expr
	for range 40 {
		if b.Kind(n) != "method_invocation" || b.Text(b.Field(n, "name")) != "append" {
			break
		}
		args := b.All(b.Named(b.Field(n, "arguments")), 0)
		out = append(out, expr.New(expr.Call, "", append([]*expr.Expr{nil}, args...)...))
		n = b.Field(n, "object")
	}
	if b.Kind(n) != "identifier" {
		return nil
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	for _, c := range out {
		c.Args[0] = expr.New(expr.Attr, "append", expr.Ident(b.Text(n)))
	}
	return out
}

// leaves reports whether a call never returns.
func leaves(b *lower.Body, n int) bool {
	path, ok := callee(b.File, n)
	return ok && (path == "System.exit" || path == "fail" || path == "Assert.fail" || path == "Assertions.fail")
}

func forStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	if init := b.Field(n, "init"); b.Kind(init) == "local_variable_declaration" {
		out = variables(b, out, init)
	}
	loop := b.Loop(nil, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While)
	if len(loop) > 0 {
		st := &loop[len(loop)-1]
		if update := b.Field(n, "update"); b.Kind(update) == "update_expression" || b.Kind(update) == "assignment_expression" {
			step := b.At(flow.Assign, update)
			step.Targets = []*expr.Expr{b.Expr(b.First(update))}
			st.Body = append(st.Body, step)
		}
	}
	return append(out, loop...)
}

func try(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Try, n)
	for _, r := range b.Named(b.Field(n, "resources")) {
		if value := b.Field(r, "value"); value >= 0 {
			st.Body = b.Assign(st.Body, r, expr.Ident(b.Text(b.Field(r, "name"))), "", value)
		}
	}
	st.Body = append(st.Body, b.Block(b.Field(n, "body"))...)
	for _, c := range b.Named(n) {
		switch b.Kind(c) {
		case "catch_clause":
			p := b.ChildOf(c, "catch_formal_parameter")
			st.Handlers = append(st.Handlers, b.Handler(c, b.Text(b.ChildOf(p, "catch_type")), b.Text(b.Field(p, "name")), b.Field(c, "body")))
		case "finally_clause":
			st.Final = b.Block(b.First(c))
		}
	}
	return append(out, st)
}

func switched(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.First(b.Field(n, "condition"))
	out = b.Effects(out, value, value)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	for _, group := range b.Named(b.Field(n, "body")) {
		arm := flow.Case{Line: b.Line(group), Falls: b.Kind(group) == "switch_block_statement_group"}
		for _, c := range b.Named(group) {
			if b.Kind(c) != "switch_label" {
				if b.Kind(group) == "switch_rule" {
					arm.Body = ruleBody(b, c)
				} else {
					arm.Body = b.Stmt(arm.Body, c)
				}
				continue
			}
			for _, v := range b.Named(c) {
				switch b.Kind(v) {
				case "pattern", "guard", "type_pattern", "record_pattern":
					arm.Text = b.Text(c)
				default:
					arm.Values = append(arm.Values, b.Expr(v))
				}
			}
		}
		if arm.Text != "" {
			arm.Values = nil
		}
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

// ruleBody is the body of an arm with an arrow.
func ruleBody(b *lower.Body, n int) []flow.Stmt {
	if b.Kind(n) == "expression_statement" {
		return expressionStatement(b, nil, n)
	}
	return b.Stmt(nil, n)
}

// assert lowers assert c : m.
func assert(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	kids := b.Named(n)
	if len(kids) == 0 {
		return out
	}
	out = b.Effects(out, kids[0], n)
	s := b.Site(raise.KindAssertion, n)
	s.TypeName = "AssertionError"
	if len(kids) > 1 {
		s.Message = b.Expr(kids[1])
	}
	st := b.At(flow.Assert, n)
	st.Cond = lower.Truth(b.Expr(kids[0]))
	return b.Add(out, s, st)
}

// variables lowers declarations of locals and of fields; final fields are constants of their class.
func variables(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	mods := b.Text(b.ChildOf(n, "modifiers"))
	field := b.Kind(n) == "field_declaration"
	for _, d := range b.Named(n) {
		if b.Kind(d) != "variable_declarator" {
			continue
		}
		name, value := b.Text(b.Field(d, "name")), b.Field(d, "value")
		if value < 0 {
			if !field {
				st := b.At(flow.Assign, d)
				st.Targets = []*expr.Expr{expr.Ident(name)}
				out = append(out, st)
			}
			continue
		}
		if field {
			if strings.Contains(mods, "final") {
				b.Constant(name, b.Value(value), b.Line(d))
			}
			out = b.Effects(out, value, n)
			continue
		}
		if b.Kind(value) == "switch_expression" {
			out = switched(b, out, value)
			continue
		}
		expectThrows(b, n, value)
		out = b.Assign(out, n, expr.Ident(name), "", value)
	}
	return out
}
