package php

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// inner reads the sites within expressions.
func inner(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "throw_expression":
		return thrown(b, out, n, stmt), true
	case "match_expression":
		return matched(b, out, n), true
	case "exit_statement":
		return exit(b, out, n, b.First(n)), true
	case "function_call_expression", "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression":
	default:
		return out, false
	}
	p, _ := callee(b.File, n)
	list := b.Field(n, "arguments")
	args := b.All(b.Named(list), 0)
	owner, name := "", p
	if i := strings.LastIndexByte(p, '.'); i >= 0 {
		owner, name = p[:i], p[i+1:]
	}
	if more, ok := conditional(b, out, n, stmt, p, args); ok {
		return more, true
	}
	if form, ok := lookup(owner, name, args); ok {
		out = b.Effects(out, list, stmt)
		if form.Kind == raise.KindLog {
			args = logged(args)
		}
		return b.Call(out, n, stmt, form, args), true
	}
	return b.Potential(out, n, stmt, p, args), false
}

// thrown lowers a throw within an expression: behind ?? and ?:, in an arm of a conditional, or as all that a function does.
func thrown(b *lower.Body, out []flow.Stmt, n, stmt int) []flow.Stmt {
	at := stmt
	if k := b.Kind(stmt); strings.HasPrefix(k, "match_") {
		at = n
	}
	before := len(out)
	out = b.Throw(out, at, made(b, b.First(n)))
	if len(out) == before {
		return out
	}
	st := &out[len(out)-1]
	p := b.Parent(n)
	for p >= 0 && b.Kind(p) == "parenthesized_expression" {
		p = b.Parent(p)
	}
	switch {
	case b.Kind(p) == "binary_expression":
		left := b.Expr(b.Field(p, "left"))
		switch operator(b.File, p) {
		case "??":
			st.Kind, st.Cond = flow.Assert, expr.New(expr.Compare, "!=", left, expr.New(expr.Null, "null"))
		case "or", "||":
			st.Kind, st.Cond = flow.Assert, lower.Truth(left)
		case "and", "&&":
			st.Kind, st.Cond = flow.Assert, expr.New(expr.Not, "", lower.Truth(left))
		}
	case b.Kind(p) == "conditional_expression":
		cond := lower.Truth(b.Expr(b.Field(p, "condition")))
		if body := b.Field(p, "body"); body >= 0 && body <= n && n < b.After(body) {
			cond = expr.New(expr.Not, "", cond)
		}
		st.Kind, st.Cond = flow.Assert, cond
	}
	return out
}

// made is the creation that begins a chain of calls: (new E($text))->setUser($u) throws an E. A creation without a text is left as it is
// where calls follow that may give it one.
func made(b *lower.Body, n int) int {
	at := n
	for range 20 {
		switch b.Kind(at) {
		case "parenthesized_expression":
			at = b.First(at)
		case "member_call_expression":
			at = b.Field(at, "object")
		case "object_creation_expression":
			if b.Kind(n) == "object_creation_expression" || len(b.Named(b.ChildOf(at, "arguments"))) > 0 {
				return at
			}
			return n
		default:
			return n
		}
	}
	return n
}

// conditional lowers calls that raise if, or unless, their first argument holds.
func conditional(b *lower.Body, out []flow.Stmt, n, stmt int, name string, args []*expr.Expr) ([]flow.Stmt, bool) {
	var accepted *expr.Expr
	if len(args) < 2 {
		return out, false
	}
	switch name {
	case "abort_if", "throw_if":
		accepted = expr.New(expr.Not, "", lower.Truth(args[0]))
	case "abort_unless", "throw_unless":
		accepted = lower.Truth(args[0])
	default:
		return out, false
	}
	s := b.Site(raise.KindHTTP, stmt)
	if strings.HasPrefix(name, "throw") {
		s.Kind = raise.KindError
		switch what := args[1]; {
		case what.Is(expr.Error):
			s.Type, s.Args = what.Arg(0), append([]*expr.Expr{}, what.Args[2:]...)
		case flow.Textual(what):
			s.TypeName, s.Message = "RuntimeException", what
		default:
			// The class of an exception, and what it is made of.
			nodes := b.Named(b.Field(n, "arguments"))
			if len(nodes) < 2 {
				return out, false
			}
			class, ok := strings.CutSuffix(b.Text(nodes[1]), "::class")
			if !ok {
				return out, false
			}
			s.Type, s.Args = dotted(qualified(class)), append([]*expr.Expr{}, args[2:]...)
		}
	} else if len(args) > 2 {
		s.Message = args[2]
	}
	st := b.At(flow.Assert, n)
	st.Cond = accepted
	return b.Add(b.Effects(out, b.Field(n, "arguments"), stmt), s, st), true
}

// lookup is the form of a call that raises or reports.
func lookup(owner, name string, args []*expr.Expr) (lower.Form, bool) {
	switch name {
	case "trigger_error", "user_error":
		kind := raise.KindWarning
		if len(args) > 1 && args[1].Is(expr.Name) && args[1].Text == "E_USER_ERROR" {
			kind = raise.KindError
		}
		return lower.Form{Kind: kind, Text: 0, Goes: kind == raise.KindWarning, Needs: true}, true
	case "error_log":
		return lower.Form{Kind: raise.KindLog, Text: 0, Goes: true, Needs: true}, owner == ""
	case "die", "exit":
		return lower.Form{Kind: raise.KindExit, Text: 0, Needs: true}, owner == ""
	case "abort":
		return lower.Form{Kind: raise.KindHTTP, Text: 1, Needs: true}, owner == ""
	case "assert":
		return lower.Form{Kind: raise.KindAssertion, Type: "AssertionError", Text: 1, Cond: 1}, owner == ""
	case "fail", "markTestIncomplete":
		if owner == "this" || last(owner) == "Assert" || last(owner) == "TestCase" {
			return lower.Form{Kind: raise.KindTest, Text: 0, Needs: true}, true
		}
	case "error", "critical", "alert", "emergency":
		if o := strings.ToLower(last(owner)); strings.HasSuffix(o, "log") || strings.HasSuffix(o, "logger") || strings.HasSuffix(o, "logger()") || strings.HasSuffix(o, "getlogger()") {
			return lower.Form{Kind: raise.KindLog, Text: 0, Format: message.Brace, Goes: true, Needs: true}, true
		}
	}
	// Assert::notEmpty($value, 'A message with %s for the value.')
	if last(owner) == "Assert" && !strings.HasPrefix(name, "assert") && len(args) > 1 {
		if text := args[len(args)-1]; text.Is(expr.String) && strings.Contains(text.Text, " ") {
			form := lower.Form{Kind: raise.KindError, Type: "InvalidArgumentException", Text: len(args) - 1}
			switch name {
			case "true":
				form.Cond = 1
			case "notNull":
				form.Cond = -1
			}
			return form, true
		}
	}
	return lower.Form{}, false
}

// logged are the arguments of a log call: its text, and the values of its places by name.
func logged(args []*expr.Expr) []*expr.Expr {
	if len(args) < 2 || !args[1].Is(expr.Map) {
		return args[:min(len(args), 1)]
	}
	return append([]*expr.Expr{args[0]}, args[1].Args...)
}

// known reports whether a call is of a known form.
func known(f *lower.File, n int) bool {
	p, ok := callee(f, n)
	if !ok {
		return false
	}
	switch name := last(p); name {
	case "trigger_error", "user_error", "error_log", "die", "exit", "abort", "assert", "fail", "error", "critical", "alert", "emergency", "abort_if",
		"abort_unless", "throw_if", "throw_unless", "expectException", "toThrow":
		return true
	default:
		return strings.HasSuffix(strings.TrimSuffix(p, "."+name), "Assert")
	}
}

// expectation notes the errors that a test expects.
func expectation(b *lower.Body, stmt, n int) {
	args := b.Named(b.Field(n, "arguments"))
	if len(args) == 0 {
		return
	}
	class := func(n int) string { return last(qualified(strings.TrimSuffix(b.Text(n), "::class"))) }
	switch b.Text(b.Field(n, "name")) {
	case "expectException":
		b.Expect(stmt, class(args[0]), nil, "", nil)
	case "expectExceptionMessage":
		b.Expect(stmt, "", b.Expr(args[0]), "contains", nil)
	case "expectExceptionMessageMatches":
		b.Expect(stmt, "", b.Expr(args[0]), "regexp", nil)
	case "toThrow":
		var text *expr.Expr
		form := ""
		if len(args) > 1 {
			text, form = b.Expr(args[1]), "contains"
		}
		b.Expect(stmt, class(args[0]), text, form, b.CallsIn(n))
	}
}
