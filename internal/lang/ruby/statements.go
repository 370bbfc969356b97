package ruby

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// stmt lowers a statement; false if the node is none.
func stmt(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch k := b.Kind(n); k {
	case "if_modifier", "unless_modifier":
		return conditional(b, out, n, b.Field(n, "condition"), k == "unless_modifier", b.Field(n, "body"), -1), true
	case "if", "elsif", "unless":
		return conditional(b, out, n, b.Field(n, "condition"), k == "unless", b.Field(n, "consequence"), b.Field(n, "alternative")), true
	case "while", "while_modifier":
		return b.Loop(out, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While), true
	case "until", "until_modifier":
		loop := b.Loop(out, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While)
		if st := &loop[len(loop)-1]; st.Cond != nil {
			st.Cond = expr.New(expr.Not, "", st.Cond)
		}
		return loop, true
	case "for":
		return b.Each(out, n, []*expr.Expr{b.Expr(b.Field(n, "pattern"))}, b.First(b.Field(n, "value")), b.Field(n, "body")), true
	case "case":
		return caseWhen(b, out, n), true
	case "case_match":
		return caseIn(b, out, n), true
	case "begin":
		return rescued(b, out, n), true
	case "body_statement":
		if b.ChildOf(n, "rescue", "ensure") >= 0 {
			return rescued(b, out, n), true
		}
		return b.Nested(out, n), true
	case "rescue_modifier":
		st := b.At(flow.Try, n)
		st.Body = b.Block(b.Field(n, "body"))
		h := flow.Handler{Line: b.Line(n)}
		h.Body = b.Block(b.Field(n, "handler"))
		st.Handlers = []flow.Handler{h}
		return append(out, st), true
	case "return":
		return b.Leave(out, n, flow.Return, b.First(n)), true
	case "break":
		return b.Leave(out, n, flow.Break, -1), true
	case "next", "redo":
		return b.Leave(out, n, flow.Continue, -1), true
	case "retry":
		return b.Leave(out, n, flow.Return, -1), true
	case "assignment":
		return assignment(b, out, n), true
	case "operator_assignment":
		return operatorAssignment(b, out, n), true
	case "binary":
		return binaryStatement(b, out, n), true
	case "then", "do", "else", "block_body", "ensure":
		return b.Nested(out, n), true
	case "comment", "heredoc_body", "uninterpreted", "empty_statement":
		return out, true
	case "identifier":
		switch b.Text(n) {
		case "raise", "fail":
			return b.Throw(out, n, -1), true
		case "exit", "abort":
			return b.Leave(out, n, flow.Throw, -1), true
		}
		return valueStatement(b, out, n), true
	case "call":
		return callStatement(b, out, n), true
	case "string", "chained_string", "heredoc_beginning", "conditional", "array", "hash", "instance_variable", "constant", "scope_resolution", "element_reference",
		"self", "nil", "true", "false", "integer", "simple_symbol", "unary", "super", "yield", "parenthesized_statements":
		return valueStatement(b, out, n), true
	}
	return out, false
}

// valueStatement lowers an expression: the last one of a method is what it returns.
func valueStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	if tail(b, n) && b.Kind(n) != "super" {
		return b.Leave(out, n, flow.Return, n)
	}
	return b.Do(out, n)
}

// tail reports whether a statement is the last one of a method.
func tail(b *lower.Body, n int) bool {
	p := b.Parent(n)
	if b.Kind(p) != "body_statement" {
		return false
	}
	if k := b.Kind(b.Parent(p)); k != "method" && k != "singleton_method" {
		return false
	}
	kids := b.Named(p)
	for len(kids) > 0 && b.Kind(kids[len(kids)-1]) == "heredoc_body" {
		kids = kids[:len(kids)-1]
	}
	return len(kids) > 0 && kids[len(kids)-1] == n
}

func conditional(b *lower.Body, out []flow.Stmt, n, cond int, unless bool, body, alternative int) []flow.Stmt {
	out = b.Effects(out, cond, cond)
	st := b.At(flow.If, n)
	st.Line = b.Line(cond)
	st.Cond = lower.Truth(b.Expr(cond))
	if unless {
		st.Cond = expr.New(expr.Not, "", st.Cond)
	}
	st.Body, st.Else = b.Block(body), b.Block(alternative)
	return append(out, st)
}

// caseWhen lowers case: with a value a switch, without one a chain of conditions.
func caseWhen(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.Field(n, "value")
	if value < 0 {
		var arms []int
		for _, c := range b.Named(n) {
			if k := b.Kind(c); k == "when" || k == "else" {
				arms = append(arms, c)
			}
		}
		return chain(b, out, arms)
	}
	out = b.Effects(out, value, value)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	for _, c := range b.Named(n) {
		arm := flow.Case{Line: b.Line(c)}
		switch b.Kind(c) {
		case "when":
			var text []string
			literal := true
			for _, p := range b.Named(c) {
				if b.Kind(p) != "pattern" {
					continue
				}
				text = append(text, b.Text(p))
				arm.Values = append(arm.Values, b.Expr(b.First(p)))
				switch b.Kind(b.First(p)) {
				case "integer", "float", "string", "simple_symbol", "nil", "true", "false":
				default:
					literal = false // a class, a range or a pattern
				}
			}
			if !literal {
				arm.Values, arm.Text = nil, "when "+strings.Join(text, ", ")
			}
			arm.Body = b.Block(b.Field(c, "body"))
		case "else":
			arm.Body = b.Block(c)
		default:
			continue
		}
		st.Cases = append(st.Cases, left(b, arm, c))
	}
	return append(out, st)
}

// left is an arm that does not fall through.
func left(b *lower.Body, arm flow.Case, n int) flow.Case {
	leave := b.At(flow.Leave, n)
	leave.Leaves = flow.Break
	arm.Body = append(arm.Body, leave)
	return arm
}

func chain(b *lower.Body, out []flow.Stmt, arms []int) []flow.Stmt {
	if len(arms) == 0 {
		return out
	}
	n := arms[0]
	if b.Kind(n) == "else" {
		return append(out, b.Block(n)...)
	}
	var all []*expr.Expr
	for _, p := range b.Named(n) {
		if b.Kind(p) == "pattern" {
			all = append(all, lower.Truth(b.Expr(b.First(p))))
		}
	}
	st := b.At(flow.If, n)
	st.Cond = expr.Disj(all...)
	st.Body = b.Block(b.Field(n, "body"))
	st.Else = chain(b, nil, arms[1:])
	return append(out, st)
}

// caseIn lowers the matching of patterns.
func caseIn(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.Field(n, "value")
	out = b.Effects(out, value, value)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	for _, c := range b.Named(n) {
		arm := flow.Case{Line: b.Line(c)}
		switch b.Kind(c) {
		case "in_clause":
			body := b.Field(c, "body")
			head := b.Text(c)
			if body >= 0 {
				head = b.Src[b.Nodes[c].Start:b.Nodes[body].Start]
			}
			arm.Text = strings.TrimSpace(head)
			arm.Body = b.Block(body)
		case "else":
			arm.Body = b.Block(c)
		default:
			continue
		}
		st.Cases = append(st.Cases, left(b, arm, c))
	}
	return append(out, st)
}

// rescued lowers begin … rescue … else … ensure, and a method's body with such clauses.
func rescued(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Try, n)
	for _, c := range b.Named(n) {
		switch b.Kind(c) {
		case "rescue":
			types := strings.ReplaceAll(b.Text(b.ChildOf(c, "exceptions")), "::", ".")
			name := b.Text(b.First(b.Field(c, "variable")))
			h := b.Handler(c, strings.ReplaceAll(types, ", ", " | "), name, b.Field(c, "body"))
			st.Handlers = append(st.Handlers, h)
		case "ensure":
			st.Final = b.Block(c)
		default:
			st.Body = b.Stmt(st.Body, c)
		}
	}
	return append(out, st)
}

func assignment(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	target, value := b.Field(n, "left"), b.Field(n, "right")
	switch k := b.Kind(target); {
	case k == "constant" && (b.Function < 0 || b.Kind(b.Parent(n)) == "body_statement" && b.Kind(b.Parent(b.Parent(n))) != "method"):
		b.Constant(b.Text(target), b.Value(value), b.Line(n))
		return b.Effects(out, value, n)
	case k == "left_assignment_list":
		out = b.Effects(out, value, n)
		st := b.At(flow.Assign, n)
		st.Targets = b.All(b.Named(target), 0)
		return append(out, st)
	}
	switch b.Kind(value) {
	case "begin", "case", "case_match":
		out = b.Stmt(out, value)
		st := b.At(flow.Assign, n)
		st.Targets, st.Value = []*expr.Expr{b.Expr(target)}, b.Value(value)
		return append(out, st)
	}
	return b.Assign(out, n, b.Expr(target), "", value)
}

func operatorAssignment(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	target, value := b.Field(n, "left"), b.Field(n, "right")
	op := strings.TrimSuffix(operator(b.File, n), "=")
	switch op {
	case "||", "&&":
		out = b.Effects(out, value, n)
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{b.Expr(target)}
		if op == "||" {
			st.Value = expr.New(expr.Or, "", b.Expr(target), b.Expr(value))
		}
		return append(out, st)
	case "<<":
		op = "+"
	}
	return b.Assign(out, n, b.Expr(target), op, value)
}

// binaryStatement lowers a or raise …: what stands behind it happens if what stands before does not hold.
func binaryStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	op, first, second := operator(b.File, n), b.Field(n, "left"), b.Field(n, "right")
	switch op {
	case "or", "||", "and", "&&":
		if b.Kind(first) == "assignment" {
			out = assignment(b, out, first)
		} else {
			out = b.Effects(out, first, n)
		}
		st := b.At(flow.If, n)
		st.Cond = lower.Truth(b.Expr(first))
		if op == "or" || op == "||" {
			st.Cond = expr.New(expr.Not, "", st.Cond)
		}
		st.Body = b.Stmt(nil, second)
		return append(out, st)
	case "<<":
		out = b.Effects(out, second, n)
		st := b.At(flow.Do, n)
		st.Value = expr.New(expr.Call, "", expr.New(expr.Attr, "<<", b.Expr(first)), b.Expr(second))
		return append(out, st)
	}
	return valueStatement(b, out, n)
}

func callStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	m := b.Text(b.Field(n, "method"))
	if b.Field(n, "receiver") < 0 {
		switch m {
		case "exit", "exit!", "throw":
			return b.Leave(out, n, flow.Throw, -1)
		case "loop":
			if block := b.Field(n, "block"); block >= 0 {
				return b.Loop(out, n, -1, b.Field(block, "body"), flow.While)
			}
		case "private", "public", "protected", "module_function", "private_class_method", "memoize":
			// private def name … end
			for _, a := range b.Named(b.Field(n, "arguments")) {
				out = b.Stmt(out, a)
			}
			return out
		}
	}
	expectation(b, n)
	if tail(b, n) && m != "super" && !raises(b.File, n) && !reports(b.File, n) {
		return b.Leave(out, n, flow.Return, n)
	}
	return b.Do(out, n)
}
