package rust

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

func statement(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "expression_statement":
		return evaluated(b, out, b.First(n)), true
	case "let_declaration":
		return let(b, out, n), true
	case "const_item", "static_item":
		return constant(b, out, n), true
	case "use_declaration", "attribute_item", "inner_attribute_item", "macro_definition", "enum_item", "struct_item", "type_item", "empty_statement",
		"extern_crate_declaration", "visibility_modifier", "function_signature_item", "union_item", "line_comment", "block_comment":
		return out, true
	case "mod_item", "source_file", "declaration_list", "foreign_mod_item", "ERROR":
		return out, false
	case "block":
		if b.Kind(b.Parent(n)) == "function_item" {
			return out, false
		}
	}
	if !isExpression(b, n) {
		return out, false
	}
	return evaluated(b, out, n), true
}

// isExpression reports whether a node is an expression.
func isExpression(b *lower.Body, n int) bool {
	switch k := b.Kind(n); k {
	case "block", "unsafe_block", "async_block", "identifier", "self", "scoped_identifier", "macro_invocation", "compound_assignment_expr",
		"string_literal", "integer_literal", "boolean_literal", "const_block", "try_block", "gen_block":
		return true
	default:
		return strings.HasSuffix(k, "_expression")
	}
}

// evaluated lowers an expression that stands as a statement, or as the value of a block.
func evaluated(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	switch b.Kind(n) {
	case "return_expression":
		return b.Leave(out, n, flow.Return, b.First(n))
	case "break_expression":
		return b.Leave(out, n, flow.Break, -1)
	case "continue_expression":
		return b.Leave(out, n, flow.Continue, -1)
	case "assignment_expression":
		return b.Assign(out, n, b.Expr(b.Field(n, "left")), "", b.Field(n, "right"))
	case "compound_assignment_expr":
		return b.Assign(out, n, b.Expr(b.Field(n, "left")), strings.TrimSuffix(b.Text(b.Field(n, "operator")), "="), b.Field(n, "right"))
	case "macro_invocation":
		expectation(b, n, n)
	}
	if more, ok := control(b, out, n); ok {
		return more
	}
	expectation(b, n, n)
	if result(b, n) {
		return b.Leave(out, n, flow.Return, n)
	}
	out = b.Do(out, n)
	if path, ok := callee(b.File, n); ok && (path == "process.exit" || path == "std.process.exit" || path == "exit" || strings.HasSuffix(path, ".abort") && strings.Contains(path, "process")) {
		out[len(out)-1].Kind, out[len(out)-1].Leaves, out[len(out)-1].Value = flow.Leave, flow.Throw, nil
	}
	return out
}

// control lowers what runs some of its parts, or runs them several times.
func control(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "if_expression":
		return ifLet(b, out, n), true
	case "match_expression":
		return match(b, out, n), true
	case "while_expression":
		out = b.Loop(out, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While)
		bindIn(b, &out[len(out)-1].Body, b.Field(n, "condition"))
	case "loop_expression":
		out = b.Loop(out, n, -1, b.Field(n, "body"), flow.While)
	case "for_expression":
		return b.Each(out, n, names(b, b.Field(n, "pattern")), b.Field(n, "value"), b.Field(n, "body")), true
	case "block", "unsafe_block", "const_block":
		return b.Nested(out, n), true
	case "async_block", "try_block":
		return b.Nested(out, b.First(n)), true
	default:
		return out, false
	}
	return out, true
}

// result reports whether the value of an expression is what the function around it returns.
func result(b *lower.Body, n int) bool {
	for range 40 {
		p := b.Parent(n)
		switch b.Kind(p) {
		case "block":
			kids := b.Named(p)
			if len(kids) == 0 || kids[len(kids)-1] != n {
				return false
			}
			if b.Kind(b.Parent(p)) == "function_item" {
				return true
			}
		case "expression_statement":
			if b.Has(p, ";") {
				return false
			}
		case "if_expression":
			if n == b.Field(p, "condition") {
				return false
			}
		case "match_arm":
			if n != b.Field(p, "value") {
				return false
			}
		case "match_expression":
			if n == b.Field(p, "value") {
				return false
			}
		case "else_clause", "match_block", "unsafe_block":
		default:
			return false
		}
		n = p
	}
	return false
}

// names are the names that a pattern binds.
func names(b *lower.Body, p int) []*expr.Expr {
	var out []*expr.Expr
	for n := p; p >= 0 && n < b.After(p) && len(out) < 20; n++ {
		switch b.Kind(n) {
		case "identifier", "shorthand_field_identifier":
			if name := b.Text(n); isLower(name) {
				out = append(out, expr.Ident(name))
			}
		}
	}
	return out
}

// bindIn puts the names that the patterns of a condition bind in front of the statements that it leads to.
func bindIn(b *lower.Body, body *[]flow.Stmt, cond int) {
	var bound []flow.Stmt
	for n := cond; cond >= 0 && n < b.After(cond); n++ {
		if b.Kind(n) != "let_condition" {
			continue
		}
		for _, name := range names(b, b.Field(n, "pattern")) {
			st := b.At(flow.Assign, n)
			st.Targets = []*expr.Expr{name}
			bound = append(bound, st)
		}
	}
	*body = append(bound, *body...)
}

func ifLet(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	cond := b.Field(n, "condition")
	out = b.If(out, n, cond, b.Field(n, "consequence"), b.First(b.Field(n, "alternative")))
	bindIn(b, &out[len(out)-1].Body, cond)
	return out
}

func let(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value, pattern := b.Field(n, "value"), b.Field(n, "pattern")
	if value < 0 {
		st := b.At(flow.Assign, n)
		st.Targets = names(b, pattern)
		return append(out, st)
	}
	if b.Kind(pattern) == "mut_pattern" {
		pattern = b.First(pattern)
	}
	expectation(b, n, value)
	if els := b.Field(n, "alternative"); els >= 0 {
		out = b.Effects(out, value, n)
		st := b.At(flow.If, n)
		if cond := fitting(b.File, pattern, b.Expr(value)); cond != nil {
			st.Cond = flow.Negate(cond)
		}
		st.Body = b.Block(els)
		out = append(out, st)
		value = -1
	}
	if b.Kind(pattern) == "identifier" && value >= 0 {
		return b.Assign(out, n, expr.Ident(b.Text(pattern)), "", value)
	}
	if value >= 0 {
		out = b.Effects(out, value, n)
	}
	bound := b.At(flow.Assign, n)
	if bound.Targets = names(b, pattern); len(bound.Targets) == 0 {
		return out
	}
	if value >= 0 && b.Kind(pattern) == "tuple_pattern" && len(bound.Targets) == len(b.Named(pattern)) && len(bound.Targets) > 1 {
		bound.Value = b.Expr(value)
		return append(out, bound)
	}
	for _, t := range bound.Targets {
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{t}
		out = append(out, st)
	}
	return out
}

func constant(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.Field(n, "value")
	if value < 0 {
		return out
	}
	if b.Function >= 0 {
		return b.Assign(out, n, expr.Ident(b.Text(b.Field(n, "name"))), "", value)
	}
	b.Constant(b.Text(b.Field(n, "name")), b.Expr(value), b.Line(n))
	return b.Effects(out, value, n)
}

// match lowers a match: of a value that says which variant it is, conditions that say so.
func match(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.Field(n, "value")
	out = b.Effects(out, value, value)
	subject := b.Expr(value)
	st := b.At(flow.Switch, n)
	st.Value = subject
	for _, arm := range b.Named(b.Field(n, "body")) {
		if b.Kind(arm) != "match_arm" {
			continue
		}
		pattern := b.Field(arm, "pattern")
		c := flow.Case{Line: b.Line(arm), Cond: fitting(b.File, pattern, subject)}
		if guard := b.Field(pattern, "condition"); guard >= 0 {
			asked := lower.Truth(b.Expr(guard))
			if p := b.First(pattern); b.Kind(p) == "identifier" && isLower(b.Text(p)) {
				asked = ofFields(asked, map[string]*expr.Expr{b.Text(p): subject})
			}
			c.Cond = expr.Conj(c.Cond, asked)
		}
		if body := b.Field(arm, "value"); body >= 0 {
			c.Body = b.Block(body)
		}
		for _, name := range names(b, b.First(pattern)) {
			bound := b.At(flow.Assign, arm)
			bound.Targets = []*expr.Expr{name}
			c.Body = append([]flow.Stmt{bound}, c.Body...)
		}
		st.Cases = append(st.Cases, c)
	}
	return append(out, st)
}
