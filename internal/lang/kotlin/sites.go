package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// form is the form of a call that raises or reports, by its path. What the file defines itself hides what the library defines.
func form(f *lower.File, path string, arguments int) (lower.Form, bool) {
	owner, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		owner, name = path[:i], path[i+1:]
	}
	library := (owner == "" || owner == "kotlin") && !hidden(f, name, arguments)
	illegal, state, assertion := "IllegalArgumentException", "IllegalStateException", "AssertionError"
	switch {
	case name == "require" && library:
		return lower.Form{Kind: raise.KindError, Type: illegal, Cond: 1, Text: 1, Default: "Failed requirement."}, true
	case name == "check" && library:
		return lower.Form{Kind: raise.KindError, Type: state, Cond: 1, Text: 1, Default: "Check failed."}, true
	case name == "requireNotNull" && library:
		return lower.Form{Kind: raise.KindError, Type: illegal, Cond: -1, Text: 1, Default: "Required value was null."}, true
	case name == "checkNotNull" && library:
		return lower.Form{Kind: raise.KindError, Type: state, Cond: -1, Text: 1, Default: "Required value was null."}, true
	case name == "error" && library:
		return lower.Form{Kind: raise.KindError, Type: state, Text: 0}, true
	case name == "TODO" && library:
		return lower.Form{Kind: raise.KindError, Type: "NotImplementedError", Text: 0, Default: "An operation is not implemented."}, true
	case name == "assert" && library:
		return lower.Form{Kind: raise.KindAssertion, Type: assertion, Cond: 1, Text: 1, Default: "Assertion failed"}, true
	case name == "fail" && (library || last(owner) == "Assert" || last(owner) == "Assertions"):
		return lower.Form{Kind: raise.KindTest, Type: assertion, Text: 0, Needs: true}, true
	case name == "requireNonNull" && last(owner) == "Objects":
		return lower.Form{Kind: raise.KindError, Type: "NullPointerException", Cond: -1, Text: 1}, true
	case (name == "checkArgument" || name == "checkState") && last(owner) == "Preconditions":
		typ := map[string]string{"checkArgument": illegal, "checkState": state}[name]
		return lower.Form{Kind: raise.KindError, Type: typ, Cond: 1, Text: 1, Format: message.Printf}, true
	case (name == "e" || name == "wtf") && owner == "Log":
		return lower.Form{Kind: raise.KindLog, Text: 1, Goes: true, Needs: true}, true
	case (name == "e" || name == "wtf") && owner == "Timber":
		return lower.Form{Kind: raise.KindLog, Text: 0, Format: message.Printf, Goes: true, Needs: true}, true
	case (name == "error" || name == "severe" || name == "fatal") && logger(owner):
		return lower.Form{Kind: raise.KindLog, Text: 0, Format: message.Slots, Goes: true, Needs: true}, true
	case (name == "println" || name == "print") && strings.HasSuffix(owner, "System.err"):
		return lower.Form{Kind: raise.KindLog, Text: 0, Goes: true, Needs: true}, true
	}
	return lower.Form{}, false
}

// logger reports whether a path names a log.
func logger(path string) bool {
	l := strings.ToLower(strings.TrimSuffix(last(path), "()"))
	return strings.HasSuffix(l, "log") || strings.HasSuffix(l, "logger")
}

// known reports whether a node is a call of a known form, or one that hands an error on.
func known(f *lower.File, n int) bool {
	if f.Kind(n) != "call_expression" {
		return false
	}
	p, _ := callee(f, n)
	_, ok := form(f, p, len(arguments(f, n)))
	return ok || handsOn(last(p)) || last(p) == "orElseThrow"
}

// handsOn reports whether a function takes an error for somebody else to raise.
func handsOn(name string) bool {
	switch name {
	case "failure", "failedFuture", "completeExceptionally", "resumeWithException", "onError", "onFailure", "setException", "cancel", "close", "fail":
		return true
	}
	return false
}

// inner reads the sites within expressions.
func inner(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "throw_expression":
		return thrown(b, out, n, stmt), true
	case "if_expression":
		return conditional(b, out, n), true
	case "when_expression":
		return when(b, out, n), true
	case "try_expression":
		return try(b, out, n), true
	case "return_expression":
		return statement(b, out, n)
	case "binary_expression":
		return circuit(b, out, n, stmt)
	case "call_expression":
		return calls(b, out, n, stmt)
	}
	return out, false
}

// thrown lowers a throw; the statement around it is the site.
func thrown(b *lower.Body, out []flow.Stmt, n, stmt int) []flow.Stmt {
	switch b.Kind(stmt) {
	case "when_entry", "block", "function_body", "lambda_literal":
		stmt = n
	}
	return b.Throw(out, stmt, b.First(n))
}

// circuit lowers a ?: b, a && b and a || b whose right side leaves or raises: it is evaluated only where the left side does not decide.
func circuit(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	var cond *expr.Expr
	switch b.Text(b.Field(n, "operator")) {
	case "?:":
		cond = absent(b, left)
	case "&&":
		cond = lower.Truth(b.Expr(left))
	case "||":
		cond = expr.New(expr.Not, "", lower.Truth(b.Expr(left)))
	default:
		return out, false
	}
	out = b.Effects(out, left, stmt)
	st := b.At(flow.If, n)
	st.Cond = cond
	switch b.Kind(right) {
	case "identifier", "return_expression":
		st.Body = b.Block(right) // break, continue
	default:
		st.Body = b.Effects(nil, right, stmt)
	}
	if len(st.Body) > 0 {
		out = append(out, st)
	}
	return out, true
}

// absent is the condition under which an expression gives null.
func absent(b *lower.Body, n int) *expr.Expr {
	for b.Kind(n) == "parenthesized_expression" {
		n = b.First(n)
	}
	if b.Kind(n) == "as_expression" && b.Has(n, "as?") {
		return typeTest(b.File, b.Expr(b.Field(n, "left")), b.Field(n, "right"), true)
	}
	head := called(b.File, n)
	kids := b.Named(head)
	if b.Kind(n) == "call_expression" && b.Kind(head) == "navigation_expression" && len(kids) > 1 {
		name, test := b.Text(kids[len(kids)-1]), b.Expr(trailing(b.File, n))
		if (name == "takeIf" || name == "takeUnless") && test.Is(expr.Func) && test.Arg(0) != nil && b.ChildOf(trailing(b.File, n), "lambda_parameters") < 0 {
			value := b.Expr(kids[0])
			cond := lower.Truth(test.Arg(0).Map(func(e *expr.Expr) *expr.Expr {
				if e.Is(expr.Name) && e.Text == "it" {
					return value
				}
				return e
			}))
			if name == "takeIf" {
				cond = expr.New(expr.Not, "", cond)
			}
			if b.Has(head, "?.") {
				cond = expr.Disj(expr.New(expr.Compare, "==", value, null()), cond)
			}
			return cond
		}
	}
	return expr.New(expr.Compare, "==", b.Expr(n), null())
}

// calls reads a call that raises or reports, or that runs a block at once.
func calls(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	p, _ := callee(b.File, n)
	name := last(p)
	nodes := arguments(b.File, n)
	if fm, ok := form(b.File, p, len(nodes)); ok {
		return formed(b, out, n, stmt, fm, nodes), true
	}
	switch {
	case name == "orElseThrow" && len(nodes) == 1:
		return orElseThrow(b, out, n, stmt, nodes[0]), true
	case runsOnce(name) || name == "forEach":
		if more, ok := inline(b, out, n, stmt, name); ok {
			return more, true
		}
	case handsOn(name):
		for _, a := range nodes {
			if e := b.Value(a); e.Is(expr.Error) {
				before := len(out)
				if out = b.Throw(out, stmt, a); len(out) > before {
					out[len(out)-1].Goes = true
				}
			}
		}
		return out, false
	}
	if capital(name) {
		return out, false // what is made is not raised
	}
	args := b.All(nodes, 0)
	for i, a := range args {
		if a.Is(expr.Func) && a.Arg(0) != nil {
			args[i] = a.Arg(0) // a text that is made when it is needed
		}
	}
	return b.Potential(out, n, stmt, p, args), false
}

// formed files a call of a known form. What a lambda does before the text that it gives is read as what comes before the call.
func formed(b *lower.Body, out []flow.Stmt, n, stmt int, fm lower.Form, nodes []int) []flow.Stmt {
	var args []*expr.Expr
	if head := called(b.File, n); b.Kind(head) == "navigation_expression" {
		out = b.Effects(out, head, stmt)
	}
	for _, a := range nodes {
		if b.Kind(a) != "lambda_literal" {
			out = b.Effects(out, a, stmt)
			e := b.Expr(a)
			if e.Is(expr.Keyword) {
				e = e.Arg(0)
			}
			args = append(args, e)
			continue
		}
		body := statements(b.File, a)
		for _, s := range body[:max(len(body)-1, 0)] {
			out = b.Stmt(out, s)
		}
		if len(body) > 0 {
			args = append(args, b.Expr(body[len(body)-1]))
		}
	}
	if fm.Kind == raise.KindLog && fm.Text == 0 {
		// The error may stand before the text.
		for i, a := range args {
			if flow.Textual(a) || i > 0 && i == len(args)-1 {
				args = args[i:]
				break
			}
		}
	}
	if fm.Type == "NotImplementedError" && len(args) > 0 {
		args[0] = expr.New(expr.Interp, message.Plain, expr.Str("An operation is not implemented: "), expr.New(expr.Hole, "", args[0]))
		if fm.Text = 0; b.Expr(nodes[0]).Is(expr.String) {
			args[0] = expr.Str("An operation is not implemented: " + b.Expr(nodes[0]).Text)
		}
	}
	at := stmt
	if k := b.Kind(stmt); k == "when_entry" || k == "block" || k == "function_body" {
		at = n
	}
	return b.Call(out, n, at, fm, args)
}

// orElseThrow reads optional.orElseThrow { X(…) }.
func orElseThrow(b *lower.Body, out []flow.Stmt, n, stmt, supplier int) []flow.Stmt {
	object := b.First(called(b.File, n))
	out = b.Effects(out, object, stmt)
	e := b.Expr(supplier)
	if !e.Is(expr.Func) || !e.Arg(0).Is(expr.Error) {
		return out
	}
	made := e.Arg(0)
	s := b.Site(raise.KindError, stmt)
	s.Type, s.Message, s.Args = made.Arg(0), made.Arg(1), append([]*expr.Expr{}, made.Args[2:]...)
	st := b.At(flow.Assert, n)
	st.Cond = expr.New(expr.Truthy, "", expr.New(expr.Call, "", expr.New(expr.Attr, "isPresent", b.Expr(object))))
	return b.Add(out, s, st)
}

// runsOnce reports whether a function of the library runs the block that it is given exactly once, at once.
func runsOnce(name string) bool {
	switch name {
	case "run", "let", "also", "apply", "with", "use", "synchronized", "withLock", "coroutineScope", "withContext", "runBlocking", "buildString",
		"buildList", "buildMap", "supervisorScope", "runInterruptible":
		return true
	}
	return false
}

// inline lowers the block of a call that runs it at once; false where the block leaves itself early, or something else is passed.
func inline(b *lower.Body, out []flow.Stmt, n, stmt int, name string) ([]flow.Stmt, bool) {
	block := trailing(b.File, n)
	if block < 0 || strings.Contains(b.Text(block), "return@") {
		return out, false
	}
	head := called(b.File, n)
	object := -1
	if b.Kind(head) == "navigation_expression" {
		object = b.First(head)
		out = b.Effects(out, object, stmt)
	}
	out = b.Effects(out, b.ChildOf(n, "value_arguments"), stmt)
	_, names, _ := lambda(b.File, block)
	before := len(b.Facts.Sites)
	at := b.At(flow.Block, n)
	switch {
	case name == "forEach" && object < 0:
		return out, false
	case name == "forEach":
		at.Kind, at.Value = flow.For, b.Expr(object)
		for _, v := range names {
			at.Targets = append(at.Targets, expr.Ident(v))
		}
	case object >= 0 && b.Has(head, "?."):
		at.Kind, at.Cond = flow.If, expr.New(expr.Compare, "!=", b.Expr(object), null())
	}
	if object >= 0 && (name == "let" || name == "also" || name == "use") && len(names) == 1 {
		bind := b.At(flow.Assign, n)
		bind.Targets, bind.Value = []*expr.Expr{expr.Ident(names[0])}, b.Expr(object)
		at.Body = append(at.Body, bind)
	}
	for _, s := range statements(b.File, block) {
		at.Body = b.Stmt(at.Body, s)
	}
	if len(b.Facts.Sites) == before && !strings.Contains(b.Text(block), "return") {
		return out, true
	}
	return append(out, at), true
}
