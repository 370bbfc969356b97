package java

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// form is a call that raises or reports, with the names that may stand before it; nil for any.
type form struct {
	lower.Form
	owners []string
}

// forms are the calls of each name.
func forms(name string) []form {
	illegal, state, null, assertion := "IllegalArgumentException", "IllegalStateException", "NullPointerException", "AssertionError"
	checks, asserts, validate := []string{"Preconditions", "Verify", ""}, []string{"Assert"}, []string{"Validate"}
	check := func(typ string, cond, text int, format string, owners ...[]string) form {
		return form{lower.Form{Kind: raise.KindError, Type: typ, Cond: cond, Text: text, Format: format}, slices.Concat(owners...)}
	}
	switch name {
	case "requireNonNull":
		return []form{check(null, -1, 1, "", []string{"Objects", ""})}
	case "checkArgument":
		return []form{check(illegal, 1, 1, message.Printf, checks)}
	case "checkState":
		return []form{check(state, 1, 1, message.Printf, checks)}
	case "checkNotNull":
		return []form{check(null, -1, 1, message.Printf, checks)}
	case "verify":
		return []form{check("VerifyException", 1, 1, message.Printf, []string{"Verify"})}
	case "isTrue":
		return []form{check(illegal, 1, 1, "", asserts), check(illegal, 1, 1, message.Printf, validate)}
	case "notNull", "hasText", "hasLength", "notEmpty", "notBlank":
		return []form{check(illegal, -1, 1, "", asserts), check(null, -1, 1, message.Printf, validate)}
	case "state":
		return []form{check(state, 1, 1, "", asserts)}
	case "validState":
		return []form{check(state, 1, 1, message.Printf, validate)}
	case "isInstanceOf":
		return []form{check(illegal, 0, 2, "", asserts)}
	case "fail":
		return []form{{lower.Form{Kind: raise.KindTest, Type: assertion, Text: 0, Needs: true}, []string{"", "Assert", "Assertions"}}}
	case "error", "severe", "fatal":
		loggers := []string{"log", "logger", "LOG", "LOGGER", "_log", "_logger", "log()", "logger()", "getLogger()", "getLog()"}
		return []form{{lower.Form{Kind: raise.KindLog, Text: 0, Format: message.Slots, Goes: true, Needs: true}, loggers}}
	case "println", "printf", "format":
		f := lower.Form{Kind: raise.KindLog, Text: 0, Goes: true, Needs: true}
		if name != "println" {
			f.Format = message.Printf
		}
		return []form{{f, []string{"System.err"}}}
	}
	return nil
}

// lookup is the form of a call, by its path.
func lookup(path string) (lower.Form, bool) {
	owner, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		owner, name = path[:i], path[i+1:]
	}
	owner = strings.TrimPrefix(owner, "this.")
	for _, f := range forms(name) {
		for _, o := range f.owners {
			if owner == o || o != "" && strings.HasSuffix(owner, "."+o) {
				return f.Form, true
			}
		}
	}
	return lower.Form{}, false
}

// known reports whether a call is of a known form.
func known(f *lower.File, n int) bool {
	if f.Kind(n) != "method_invocation" {
		return false
	}
	name := f.Text(f.Field(n, "name"))
	return forms(name) != nil || handsOn(name) || name == "orElseThrow"
}

// handsOn reports whether a method takes an error for somebody else to raise.
func handsOn(name string) bool {
	switch name {
	case "failedFuture", "failedStage", "completeExceptionally", "onError", "failed", "setException", "onFailure", "error", "fail", "failure", "reject":
		return true
	}
	return false
}

// inner reads the sites within expressions.
func inner(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "method_invocation":
	case "switch_expression":
		return switched(b, out, n), true
	default:
		return out, false
	}
	path, _ := callee(b.File, n)
	name := b.Text(b.Field(n, "name"))
	nodes := b.Named(b.Field(n, "arguments"))
	if form, ok := lookup(path); ok {
		out = b.Effects(out, b.Field(n, "arguments"), stmt)
		return b.Call(out, n, stmt, form, b.All(nodes, 0)), true
	}
	switch {
	case name == "orElseThrow" && len(nodes) == 1:
		return orElseThrow(b, out, n, stmt, nodes[0]), true
	case handsOn(name):
		for _, a := range nodes {
			if e := b.Value(a); e.Is(expr.Error) {
				before := len(out)
				if out = b.Throw(out, stmt, a); len(out) > before {
					out[len(out)-1].Goes = true
				}
			}
		}
	default:
		args := b.All(nodes, 0)
		out = b.Potential(out, n, stmt, path, args)
	}
	return out, false
}

// orElseThrow reads optional.orElseThrow(() -> new X(…)).
func orElseThrow(b *lower.Body, out []flow.Stmt, n, stmt, supplier int) []flow.Stmt {
	object := b.Field(n, "object")
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
