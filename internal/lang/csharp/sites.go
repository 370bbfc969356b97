package csharp

import (
	"slices"
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
	case "switch_expression":
		return switchExpression(b, out, n), true
	case "invocation_expression":
	default:
		return out, false
	}
	p, _ := callee(b.File, n)
	list := b.Field(n, "arguments")
	nodes := b.Named(list)
	owner, name := "", p
	if i := strings.LastIndexByte(p, '.'); i >= 0 {
		owner, name = p[:i], p[i+1:]
	}
	if guarded, ok := guard(b, out, n, stmt, owner, name, nodes); ok {
		return guarded, true
	}
	if form, ok := lookup(owner, name); ok {
		out = b.Effects(out, list, stmt)
		args := b.All(nodes, 0)
		switch form.Kind {
		case raise.KindLog:
			args = logged(args)
		case raise.KindHTTP:
			args = slices.DeleteFunc(unnamed(args), func(a *expr.Expr) bool { return !flow.Textual(a) })
		}
		return b.Call(out, n, stmt, form, args), true
	}
	switch {
	case handsOn(name):
		for _, a := range nodes {
			if e := b.Value(a); e.Is(expr.Error) {
				before := len(out)
				if out = b.Throw(out, stmt, b.First(a)); len(out) > before {
					out[len(out)-1].Goes = true
				}
			}
		}
	default:
		out = b.Potential(out, n, stmt, p, b.All(nodes, 0))
	}
	return out, false
}

// thrown lowers a throw within an expression: behind ??, in an arm of a conditional, or as all that a member does.
func thrown(b *lower.Body, out []flow.Stmt, n, stmt int) []flow.Stmt {
	at := stmt
	if b.Kind(stmt) == "switch_expression_arm" || b.Kind(stmt) == "arrow_expression_clause" {
		at = n
	}
	before := len(out)
	out = b.Throw(out, at, b.First(n))
	if len(out) == before {
		return out
	}
	st := &out[len(out)-1]
	p := b.Parent(n)
	for p >= 0 && b.Kind(p) == "parenthesized_expression" {
		p = b.Parent(p)
	}
	switch {
	case b.Kind(p) == "binary_expression" && operator(b.File, p) == "??":
		st.Kind, st.Cond = flow.Assert, expr.New(expr.Compare, "!=", b.Expr(b.Field(p, "left")), expr.New(expr.Null, "null"))
	case b.Kind(p) == "conditional_expression":
		cond := lower.Truth(b.Expr(b.Field(p, "condition")))
		if within(b, b.Field(p, "consequence"), n) {
			cond = expr.New(expr.Not, "", cond)
		}
		st.Kind, st.Cond = flow.Assert, cond
	}
	return out
}

func within(b *lower.Body, outer, n int) bool { return outer >= 0 && outer <= n && n < b.After(outer) }

// guard lowers the checks that types of exceptions offer, in the words that the runtime prints.
func guard(b *lower.Body, out []flow.Stmt, n, stmt int, owner, name string, nodes []int) ([]flow.Stmt, bool) {
	typ := last(owner)
	if owner == "Guard.Against" && len(nodes) > 0 {
		return against(b, out, n, stmt, name, nodes)
	}
	if len(nodes) == 0 || typ != "ArgumentNullException" && typ != "ArgumentException" && typ != "ArgumentOutOfRangeException" && typ != "ObjectDisposedException" {
		return out, false
	}
	args := b.All(nodes, 0)
	value := args[0]
	null := expr.New(expr.Null, "null")
	parameterName := expr.Str(strings.TrimSuffix(b.Text(nodes[0]), "!"))
	add := func(typ string, accepted, text *expr.Expr) ([]flow.Stmt, bool) {
		s := b.Site(raise.KindError, stmt)
		s.TypeName, s.Message = typ, text
		st := b.At(flow.Assert, n)
		st.Cond = accepted
		return b.Add(b.Effects(out, nodes[0], stmt), s, st), true
	}
	bound := func(words string, accepted *expr.Expr, other *expr.Expr) ([]flow.Stmt, bool) {
		parts := []*expr.Expr{parameterName, expr.Str(" ('"), hole(value), expr.Str("') must " + words)}
		if other != nil {
			parts = append(parts, expr.Str(" '"), hole(other), expr.Str("'"))
		}
		text := expr.New(expr.Interp, message.Plain, append(parts, expr.Str("."))...)
		return add(typ, accepted, actual(parameter(text, parameterName), value))
	}
	compare := func(op string, other *expr.Expr) *expr.Expr { return expr.New(expr.Compare, op, value, other) }
	zero := expr.New(expr.Number, "0")
	var other *expr.Expr
	if len(args) > 1 {
		other = args[1]
	}
	switch name {
	case "ThrowIfNull":
		return add("ArgumentNullException", compare("!=", null), parameter(expr.Str(nullText), parameterName))
	case "ThrowIfNullOrEmpty":
		size := expr.New(expr.Compare, "!=", expr.New(expr.Len, "", value), zero)
		return add("ArgumentException", expr.Conj(compare("!=", null), size), expr.New(expr.Alt, "",
			parameter(expr.Str("The value cannot be an empty string."), parameterName), parameter(expr.Str(nullText), parameterName)))
	case "ThrowIfNullOrWhiteSpace":
		blank := expr.New(expr.Not, "", expr.New(expr.Call, "", expr.New(expr.Attr, "IsNullOrWhiteSpace", expr.Ident("string")), value))
		return add("ArgumentException", blank, expr.New(expr.Alt, "",
			parameter(expr.Str("The value cannot be an empty string or composed entirely of whitespace."), parameterName), parameter(expr.Str(nullText), parameterName)))
	case "ThrowIf": // of a disposed object
		kind := expr.New(expr.Hole, "", expr.New(expr.Call, "", expr.New(expr.Attr, "GetType", other)))
		return add("ObjectDisposedException", expr.New(expr.Not, "", lower.Truth(value)), expr.New(expr.Interp, message.Plain,
			expr.Str("Cannot access a disposed object.\nObject name: '"), kind, expr.Str("'.")))
	case "ThrowIfNegative":
		return bound("be a non-negative value", compare(">=", zero), nil)
	case "ThrowIfZero":
		return bound("be a non-zero value", compare("!=", zero), nil)
	case "ThrowIfNegativeOrZero":
		return bound("be a non-negative and non-zero value", compare(">", zero), nil)
	case "ThrowIfGreaterThan":
		return bound("be less than or equal to", compare("<=", other), other)
	case "ThrowIfGreaterThanOrEqual":
		return bound("be less than", compare("<", other), other)
	case "ThrowIfLessThan":
		return bound("be greater than or equal to", compare(">=", other), other)
	case "ThrowIfLessThanOrEqual":
		return bound("be greater than", compare(">", other), other)
	case "ThrowIfEqual":
		return bound("not be equal to", compare("!=", other), other)
	case "ThrowIfNotEqual":
		return bound("be equal to", compare("==", other), other)
	}
	return out, false
}

// lookup is the form of a call that raises or reports.
func lookup(owner, name string) (lower.Form, bool) {
	log := lower.Form{Kind: raise.KindLog, Text: 0, Format: message.Composite, Goes: true, Needs: true}
	switch name {
	case "Assert":
		if o := last(owner); o == "Debug" || o == "Trace" {
			return lower.Form{Kind: raise.KindAssertion, Text: 1, Cond: 1, Default: "Assertion failed."}, true
		}
	case "Requires":
		if last(owner) == "Contract" {
			return lower.Form{Kind: raise.KindAssertion, Text: 1, Cond: 1, Default: "Precondition failed."}, true
		}
	case "Fail":
		switch last(owner) {
		case "Debug", "Trace":
			return lower.Form{Kind: raise.KindAssertion, Text: 0, Needs: true}, true
		case "Assert":
			return lower.Form{Kind: raise.KindTest, Text: 0, Needs: true}, true
		}
	case "FailFast":
		if last(owner) == "Environment" {
			return lower.Form{Kind: raise.KindFatal, Text: 0, Needs: true}, true
		}
	case "Problem", "BadRequest", "NotFound", "Conflict", "UnprocessableEntity":
		if owner == "" || owner == "Results" || owner == "TypedResults" || owner == "this" {
			return lower.Form{Kind: raise.KindHTTP, Text: 0, Goes: true, Needs: true}, true
		}
	case "LogError", "LogCritical":
		return log, true
	case "Error", "Fatal", "ErrorFormat", "FatalFormat", "Critical":
		if o := strings.ToLower(strings.TrimLeft(last(owner), "_")); strings.HasSuffix(o, "log") || strings.HasSuffix(o, "logger") || strings.HasSuffix(o, "logger()") {
			return log, true
		}
	case "WriteLine":
		if strings.HasSuffix(owner, "Console.Error") || owner == "Error" {
			return lower.Form{Kind: raise.KindLog, Text: 0, Format: message.Composite, Goes: true, Needs: true}, true
		}
	}
	return lower.Form{}, false
}

// unnamed are arguments without their names.
func unnamed(args []*expr.Expr) []*expr.Expr {
	out := make([]*expr.Expr, len(args))
	for i, a := range args {
		if out[i] = a; a.Is(expr.Keyword) {
			out[i] = a.Arg(0)
		}
	}
	return out
}

// logged are the arguments of a log call from its text on, with places that take the values in order.
func logged(args []*expr.Expr) []*expr.Expr {
	for i, a := range args {
		if !flow.Textual(a) {
			continue
		}
		rest := slices.Clone(args[i:])
		if a.Is(expr.String) {
			rest[0] = expr.Str(numbered(a.Text))
		}
		return rest
	}
	return args
}

// handsOn reports whether a method takes an error for somebody else to raise.
func handsOn(name string) bool {
	switch name {
	case "FromException", "SetException", "TrySetException", "OnError", "Fail", "TryComplete", "Complete":
		return true
	}
	return false
}

// known reports whether a call is of a known form.
func known(f *lower.File, n int) bool {
	if f.Kind(n) != "invocation_expression" {
		return false
	}
	p, _ := callee(f, n)
	owner, name := "", p
	if i := strings.LastIndexByte(p, '.'); i >= 0 {
		owner, name = p[:i], p[i+1:]
	}
	_, ok := lookup(owner, name)
	return ok || handsOn(name) || strings.HasPrefix(name, "ThrowIf")
}

// expectation notes the errors that a test expects.
func expectation(b *lower.Body, stmt, n int) {
	typ, form := "", ""
	var text *expr.Expr
	for c := n; b.Kind(c) == "invocation_expression"; {
		function := b.Field(c, "function")
		args := b.Named(b.Field(c, "arguments"))
		written := b.Text(b.Field(function, "name"))
		if b.Kind(function) == "identifier" || b.Kind(function) == "generic_name" {
			written = b.Text(function)
		}
		generic := ""
		if _, rest, ok := strings.Cut(written, "<"); ok {
			generic = typeName(strings.TrimSuffix(rest, ">"))
		}
		switch name := typeName(written); name {
		case "Throws", "ThrowsAsync", "ThrowsAny", "ThrowsAnyAsync", "ThrowsException", "ThrowsExceptionAsync", "ThrowsExactly", "Throw", "ThrowAsync",
			"ThrowExactly", "ThrowExactlyAsync", "Catch":
			if generic != "" {
				typ = generic
			}
			b.Expect(stmt, typ, text, form, b.CallsIn(n))
			return
		case "WithMessage":
			if len(args) > 0 {
				text, form = b.Expr(args[0]), "equal"
				if text.Is(expr.String) && strings.Contains(text.Text, "*") {
					text, form = expr.Str(strings.Trim(text.Text, "*")), "contains"
				}
			}
		case "Equal", "AreEqual", "Contains", "StartsWith":
			// Assert.Equal("text", e.Message)
			if len(args) > 1 && strings.HasSuffix(b.Text(args[1]), ".Message") {
				b.Expect(stmt, "", b.Expr(args[0]), map[bool]string{true: "equal", false: "contains"}[name == "Equal" || name == "AreEqual"], nil)
			}
			return
		}
		c = b.Field(function, "expression")
		if b.Kind(c) == "member_access_expression" {
			c = b.Field(c, "expression")
		}
	}
}
