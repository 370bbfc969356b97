package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// statement lowers a statement; false if the node is none.
func statement(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch kind := b.Kind(n); kind {
	case "throw_expression":
		return thrown(b, out, n, n), true
	case "if_expression":
		return conditional(b, out, n), true
	case "when_expression":
		return when(b, out, n), true
	case "try_expression":
		return try(b, out, n), true
	case "while_statement", "do_while_statement":
		how := map[bool]flow.Kind{true: flow.While, false: flow.DoWhile}[kind == "while_statement"]
		return b.Loop(out, n, b.Field(n, "condition"), loopBody(b, n), how), true
	case "for_statement":
		return each(b, out, n), true
	case "return_expression":
		value := b.First(n)
		if label := b.Field(n, "label"); label >= 0 {
			if value = -1; len(b.Named(n)) > 1 {
				value = b.Named(n)[1]
			}
		}
		return b.Leave(out, n, flow.Return, value), true
	case "assignment":
		op := strings.TrimSuffix(b.Text(b.Field(n, "operator")), "=")
		return b.Assign(out, n, b.Expr(b.Field(n, "left")), op, b.Field(n, "right")), true
	case "property_declaration":
		return declared(b, out, n), true
	case "block", "lambda_literal":
		return b.Nested(out, n), true
	case "labeled_expression", "annotated_expression":
		if kids := b.Named(n); len(kids) > 1 {
			return b.Stmt(out, kids[len(kids)-1]), true
		}
	case "unary_expression":
		if op := b.Text(b.Field(n, "operator")); op == "++" || op == "--" {
			st := b.At(flow.Assign, n)
			st.Targets = []*expr.Expr{b.Expr(b.Field(n, "argument"))}
			return append(out, st), true
		}
		return b.Do(out, n), true
	case "identifier":
		switch b.Text(n) {
		case "break":
			return b.Leave(out, n, flow.Break, -1), true
		case "continue":
			return b.Leave(out, n, flow.Continue, -1), true
		}
		return out, true
	case "break_expression":
		return b.Leave(out, n, flow.Break, -1), true
	case "continue_expression":
		return b.Leave(out, n, flow.Continue, -1), true
	case "call_expression":
		return callStatement(b, out, n), true
	case "enum_entry":
		enumEntry(b, n)
		return out, false
	case "infix_expression":
		expected(b, n, n)
		return b.Do(out, n), true
	case "package_header", "import", "modifiers", "line_comment", "block_comment", "lambda_parameters", "type_parameters", "delegation_specifiers",
		"primary_constructor", "value_arguments", "type_alias", "variable_declaration":
		return out, true
	default:
		if strings.HasSuffix(kind, "_expression") || strings.HasSuffix(kind, "_literal") {
			return b.Do(out, n), true
		}
	}
	return out, false
}

// conditional lowers an if.
func conditional(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	then, els := branches(b.File, n)
	return b.If(out, n, b.Field(n, "condition"), then, els)
}

// loopBody is what a loop repeats: what stands before or behind its condition.
func loopBody(b *lower.Body, n int) int {
	cond := b.Field(n, "condition")
	for _, c := range b.Named(n) {
		if c != cond && b.Kind(c) != "label" {
			return c
		}
	}
	return -1
}

func each(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	var targets []*expr.Expr
	var rest []int
	for _, c := range b.Named(n) {
		switch b.Kind(c) {
		case "variable_declaration":
			targets = append(targets, expr.Ident(b.Text(b.ChildOf(c, "identifier"))))
		case "multi_variable_declaration":
			for _, v := range b.Named(c) {
				targets = append(targets, expr.Ident(b.Text(b.ChildOf(v, "identifier"))))
			}
		case "label", "annotation":
		default:
			rest = append(rest, c)
		}
	}
	if len(rest) == 0 {
		return out
	}
	body := -1
	if len(rest) > 1 {
		body = rest[1]
	}
	return b.Each(out, n, targets, rest[0], body)
}

// initial is the value that a property is declared with; -1 for none.
func initial(f *lower.File, n int) int {
	behind := false
	for c := range f.Children(n) {
		switch {
		case f.Name(c) == "=":
			behind = true
		case behind && named(f, n, c):
			return c
		}
	}
	return -1
}

// declared lowers a property: a local variable, or a member, whose text is kept where it never changes.
func declared(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := initial(b.File, n)
	up := b.Parent(n)
	for b.Kind(up) == "ERROR" {
		up = b.Parent(up)
	}
	if k := b.Kind(up); k == "class_body" || k == "enum_class_body" || k == "source_file" {
		for _, a := range []string{"getter", "setter"} {
			if c := b.ChildOf(n, a); c >= 0 {
				out = b.Stmt(out, c)
			}
		}
		if value >= 0 && b.Has(n, "val") {
			b.Constant(property(b.File, n), b.Value(value), b.Line(n))
		}
		out = b.Effects(out, value, n)
		return b.Effects(out, b.ChildOf(n, "property_delegate"), n)
	}
	if several := b.ChildOf(n, "multi_variable_declaration"); several >= 0 {
		out = b.Effects(out, value, n)
		st := b.At(flow.Assign, n)
		for _, v := range b.Named(several) {
			st.Targets = append(st.Targets, expr.Ident(b.Text(b.ChildOf(v, "identifier"))))
		}
		return append(out, st)
	}
	if value < 0 {
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{expr.Ident(property(b.File, n))}
		return append(b.Effects(out, b.ChildOf(n, "property_delegate"), n), st)
	}
	expected(b, n, value)
	return b.Assign(out, n, expr.Ident(property(b.File, n)), "", value)
}

func try(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Try, n)
	st.Body = b.Block(b.ChildOf(n, "block"))
	for _, c := range b.Named(n) {
		switch b.Kind(c) {
		case "catch_block":
			st.Handlers = append(st.Handlers, b.Handler(c, caughtType(b.File, c), b.Text(b.ChildOf(c, "identifier")), b.ChildOf(c, "block")))
		case "finally_block":
			st.Final = b.Block(b.ChildOf(c, "block"))
		}
	}
	return append(out, st)
}

// when lowers a when with or without a subject.
func when(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Switch, n)
	if subject := b.ChildOf(n, "when_subject"); subject >= 0 {
		kids := b.Named(subject)
		value := kids[len(kids)-1]
		if v := b.ChildOf(subject, "variable_declaration"); v >= 0 {
			name := expr.Ident(b.Text(b.ChildOf(v, "identifier")))
			out = b.Assign(out, subject, name, "", value)
			st.Value = name
		} else {
			out = b.Effects(out, value, value)
			st.Value = b.Expr(value)
		}
	}
	for _, e := range b.Named(n) {
		if b.Kind(e) == "when_entry" {
			st.Cases = append(st.Cases, arm(b, st.Value, e))
		}
	}
	return append(out, st)
}

// arm lowers an arm of a when on a subject, nil for none.
func arm(b *lower.Body, subject *expr.Expr, n int) flow.Case {
	c := flow.Case{Line: b.Line(n)}
	kids := b.Named(n)
	if len(kids) == 0 {
		return c
	}
	plain := true
	var tests []*expr.Expr
	for _, k := range kids[:len(kids)-1] {
		switch b.Kind(k) {
		case "range_test":
			plain = false
			tests = append(tests, member(b.File, subject, b.First(k), b.Has(k, "!in"), 0))
		case "type_test":
			plain = false
			tests = append(tests, typeTest(b.File, subject, b.First(k), b.Has(k, "!is")))
		default:
			v := b.Expr(k)
			c.Values = append(c.Values, v)
			if subject == nil {
				tests = append(tests, lower.Truth(v))
			} else {
				tests = append(tests, expr.New(expr.Compare, "==", subject, v))
			}
		}
	}
	if !plain || subject == nil && len(tests) > 0 {
		c.Values, c.Cond = nil, expr.Disj(tests...)
	}
	c.Body = b.Block(kids[len(kids)-1])
	return c
}

// callStatement lowers a call that stands for itself.
func callStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	if chain := appends(b, n); len(chain) > 1 {
		out = b.Effects(out, n, n)
		for _, c := range chain {
			st := b.At(flow.Do, n)
			st.Value = c
			out = append(out, st)
		}
		return out
	}
	expected(b, n, n)
	before := len(out)
	out = b.Do(out, n)
	if p, _ := callee(b.File, n); (p == "exitProcess" || p == "System.exit") && len(out) > before {
		out[len(out)-1].Kind, out[len(out)-1].Leaves, out[len(out)-1].Value = flow.Leave, flow.Throw, nil
	}
	return out
}

// appends splits sb.append(a).append(b) into its calls on sb.
func appends(b *lower.Body, n int) []*expr.Expr {
	var out []*expr.Expr
	for range 40 {
		head := b.First(n)
		kids := b.Named(head)
		if b.Kind(n) != "call_expression" || b.Kind(head) != "navigation_expression" || b.Text(kids[len(kids)-1]) != "append" {
			break
		}
		out = append([]*expr.Expr{expr.New(expr.Call, "", append([]*expr.Expr{nil}, b.All(arguments(b.File, n), 0)...)...)}, out...)
		n = kids[0]
	}
	if b.Kind(n) != "identifier" {
		return nil
	}
	for _, c := range out {
		c.Args[0] = expr.New(expr.Attr, "append", expr.Ident(b.Text(n)))
	}
	return out
}
