package ruby

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// inner reads the sites within expressions.
func inner(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	if b.Kind(n) != "call" {
		return out, false
	}
	switch {
	case raises(b.File, n):
		return raised(b, out, n, stmt), true
	case reports(b.File, n):
		return reported(b, out, n, stmt), true
	}
	p, _ := callee(b.File, n)
	return b.Potential(out, n, stmt, p, b.All(b.Named(b.Field(n, "arguments")), 0)), false
}

// raised lowers raise and fail with what they are given: a text, a class with a text, an exception.
func raised(b *lower.Body, out []flow.Stmt, n, stmt int) []flow.Stmt {
	nodes := b.Named(b.Field(n, "arguments"))
	var args []*expr.Expr
	var cause *expr.Expr
	for _, a := range nodes {
		e := b.Expr(a)
		switch {
		case e.Is(expr.Keyword) && e.Text == "cause":
			cause = e.Arg(0)
		case e.Is(expr.Keyword) && len(args) > 0 && b.Kind(a) == "pair":
			args = append(args, e)
		default:
			args = append(args, e)
		}
		out = b.Effects(out, a, stmt)
	}
	if len(args) == 0 {
		return b.Throw(out, at(b, n, stmt), -1)
	}
	s := b.Site(raise.KindError, at(b, n, stmt))
	st := b.At(flow.Raise, n)
	st.Kind, st.Cond = guarded(b, n)
	what := args[0]
	switch {
	case flow.Textual(what):
		s.TypeName, s.Message = "RuntimeError", what
	case what.Is(expr.Error):
		s.Type, s.Message, s.Args = what.Arg(0), what.Arg(1), append([]*expr.Expr{}, what.Args[2:]...)
		if len(args) > 1 {
			s.Args = append([]*expr.Expr{}, args[1]) // raise an exception with another text
		}
	case what.Is(expr.Call) && what.Text == "new":
		s.Type, s.Args = what.Arg(0), append([]*expr.Expr{}, what.Args[1:]...)
	case constant(what):
		s.Type, s.Args = what, []*expr.Expr{}
		if len(args) > 1 {
			s.Args = args[1:2]
			if args[1].Is(expr.Keyword) {
				s.Args = args[1:]
			}
		}
	case len(args) > 1: // a class that is computed, with a text
		s.Message = args[1]
	case what.Is(expr.Call) && b.Path(what.Arg(0).Path()) != "":
		s.Via, s.Args = b.Path(what.Arg(0).Path()), append([]*expr.Expr{}, what.Args[1:]...)
	default:
		s.Kind, st.Value = raise.KindReraise, what
		for _, c := range b.Caught {
			if what.Is(expr.Name) && what.Text == c {
				st.Value = nil
			}
		}
	}
	if s.Wraps = cause; cause == nil {
		for _, a := range s.Args {
			for _, c := range b.Caught {
				if a.Is(expr.Name) && a.Text == c {
					s.Wraps = a
				}
			}
		}
	}
	return b.Add(out, s, st)
}

// at is the statement that a site is: the modifier around a raise belongs to it.
func at(b *lower.Body, n, stmt int) int {
	if p := b.Parent(n); stmt == n && (b.Kind(p) == "if_modifier" || b.Kind(p) == "unless_modifier") {
		return p
	}
	return stmt
}

// constant reports whether an expression names a class.
func constant(e *expr.Expr) bool {
	name := e.Last()
	return (e.Is(expr.Name) || e.Is(expr.Attr)) && name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// guarded is how a raise within an expression depends on what stands before it: a || raise, a ? b : raise.
func guarded(b *lower.Body, n int) (flow.Kind, *expr.Expr) {
	p, inside := b.Parent(n), n
	for p >= 0 && b.Kind(p) == "parenthesized_statements" {
		p, inside = b.Parent(p), p
	}
	switch b.Kind(p) {
	case "binary":
		if b.Field(p, "right") != inside || b.Kind(b.Parent(p)) == "body_statement" || b.Kind(b.Parent(p)) == "then" {
			break // a statement of its own
		}
		left := lower.Truth(b.Expr(b.Field(p, "left")))
		switch operator(b.File, p) {
		case "||", "or":
			return flow.Assert, left
		case "&&", "and":
			return flow.Assert, expr.New(expr.Not, "", left)
		}
	case "operator_assignment":
		if strings.HasPrefix(operator(b.File, p), "||") {
			return flow.Assert, lower.Truth(b.Expr(b.Field(p, "left")))
		}
	case "conditional":
		cond := lower.Truth(b.Expr(b.Field(p, "condition")))
		if b.Field(p, "consequence") == inside {
			cond = expr.New(expr.Not, "", cond)
		}
		return flow.Assert, cond
	}
	return flow.Raise, nil
}

// reports reports whether a call ends the program with a text, warns, or logs at error level.
func reports(f *lower.File, n int) bool {
	if f.Kind(n) != "call" {
		return false
	}
	m := f.Text(f.Field(n, "method"))
	r := f.Field(n, "receiver")
	if r < 0 || f.Text(r) == "Kernel" {
		return m == "abort" || m == "warn" || m == "flunk"
	}
	on := strings.ToLower(f.Text(r))
	switch m {
	case "error", "fatal":
		return strings.HasSuffix(on, "logger") || strings.HasSuffix(on, "log")
	case "puts", "print", "write":
		return on == "$stderr" || on == "stderr"
	}
	return false
}

func reported(b *lower.Body, out []flow.Stmt, n, stmt int) []flow.Stmt {
	form := lower.Form{Kind: raise.KindLog, Text: 0, Goes: true, Needs: true}
	switch b.Text(b.Field(n, "method")) {
	case "abort":
		form.Kind, form.Goes = raise.KindExit, false
	case "warn":
		form.Kind = raise.KindWarning
	case "flunk":
		form.Kind, form.Goes = raise.KindTest, false
	}
	list := b.Field(n, "arguments")
	out = b.Effects(out, list, stmt)
	args := b.All(b.Named(list), 0)
	if block := b.Field(n, "block"); len(args) == 0 && block >= 0 { // logger.error { "text" }
		if kids := b.Named(b.Field(block, "body")); len(kids) == 1 {
			args = b.All(kids, 0)
		}
	}
	return b.Call(out, n, at(b, n, stmt), form, args)
}

// expectation notes the errors that a test expects.
func expectation(b *lower.Body, n int) {
	m := b.Text(b.Field(n, "method"))
	args := b.Named(b.Field(n, "arguments"))
	text := func(i int) (*expr.Expr, string) {
		if i >= len(args) {
			return nil, ""
		}
		e := b.Expr(args[i])
		switch {
		case b.Kind(args[i]) == "regex":
			return e, "regexp"
		case flow.Textual(e):
			return e, "equal"
		}
		return nil, ""
	}
	typ := func(i int) string {
		if i < len(args) {
			if k := b.Kind(args[i]); k == "constant" || k == "scope_resolution" {
				return last(dotted(b.Text(args[i])))
			}
		}
		return ""
	}
	switch m {
	case "assert_raises", "assert_raise", "assert_raise_with_message", "assert_raises_with_message":
		message, form := text(1)
		b.Expect(n, typ(0), message, form, b.CallsIn(b.Field(n, "block")))
	case "to", "not_to", "to_not":
		if len(args) == 0 || m != "to" {
			return
		}
		calls := b.CallsIn(b.Field(b.Field(n, "receiver"), "block"))
		matcher := args[0]
		for b.Kind(matcher) == "call" && b.Text(b.Field(matcher, "method")) != "raise_error" && b.Text(b.Field(matcher, "method")) != "raise_exception" {
			matcher = b.Field(matcher, "receiver")
		}
		if b.Kind(matcher) != "call" {
			return
		}
		args = b.Named(b.Field(matcher, "arguments"))
		message, form := text(1)
		if typ(0) == "" {
			message, form = text(0)
		}
		b.Expect(n, typ(0), message, form, calls)
	case "assert_equal", "assert_match":
		if len(args) > 1 && strings.HasSuffix(b.Text(args[1]), ".message") {
			message, form := text(0)
			b.Expect(n, "", message, form, nil)
		}
	}
}
