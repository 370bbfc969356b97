package rust

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// A macro of the project that expands to one raise is kept as a function that makes the error of what it is given; where it is used
// stands a call of that function, which link turns into a site. The runtime names that place, too.

// macroOwner stands before the name of a macro where it is called like a function.
const macroOwner = "macro"

// everything is the parameter that stands for all that a macro is given.
const everything = "__all"

// Repetitions and names as the right side of a rule writes them.
var (
	repeated = regexp.MustCompile(`,?\s*\$\(\s*,?\s*\$(\w+)\s*,?\s*\)\s*,?\s*[*+?]`)
	named    = regexp.MustCompile(`\$(\w+)`)
)

// defineMacro keeps a macro whose rule expands to one raise.
func defineMacro(f *lower.File, n int) {
	name := f.Text(f.Field(n, "name"))
	for _, rule := range f.Named(n) {
		if f.Kind(rule) != "macro_rule" {
			continue
		}
		left, right := f.Text(f.Field(rule, "left")), f.Text(f.Field(rule, "right"))
		if len(right) > 600 {
			continue
		}
		fn := raise.Function{Name: name + "!", Owner: macroOwner, Parent: raise.NoFunction, Line: f.Line(n), EndLine: f.EndLine(n), Static: true}
		tokens := strings.Contains(left, ":tt") && strings.Contains(left, "$(")
		if tokens {
			fn.Params = []raise.Param{{Name: everything, Variadic: true}}
		} else {
			for _, m := range regexp.MustCompile(`(\$\([^$]*)?\$(\w+)\s*:`).FindAllStringSubmatch(left, -1) {
				fn.Params = append(fn.Params, raise.Param{Name: m[2], Variadic: m[1] != ""})
			}
		}
		body := repeated.ReplaceAllStringFunc(right, func(s string) string {
			inner := repeated.FindStringSubmatch(s)[1]
			if tokens {
				inner = everything
			}
			before, _, _ := strings.Cut(s, "$"+repeated.FindStringSubmatch(s)[1])
			return map[bool]string{true: ", ", false: ""}[strings.Contains(before, ",")] + inner
		})
		made := raised(f, named.ReplaceAllString(strings.ReplaceAll(body, "$crate", "crate"), "$1"), fn.Params)
		if made == nil {
			continue
		}
		fn.Makes = []*expr.Expr{made}
		f.Facts.Functions = append(f.Facts.Functions, fn)
		return
	}
}

// raised is the one error that the right side of a rule makes; nil if it makes none, or several.
func raised(f *lower.File, body string, params []raise.Param) *expr.Expr {
	inner := f.Fragment("fn f() { " + body + " }")
	if inner == nil {
		return nil
	}
	var out *expr.Expr
	for n := 0; n < len(inner.Nodes); n++ {
		if inner.Kind(n) != "call_expression" || !raises(inner, n) {
			continue
		}
		e := madeBy(inner, n)
		if e == nil || out != nil {
			return nil
		}
		out = e
		n = inner.After(n) - 1
	}
	if out == nil {
		return nil
	}
	// The parameters that stand for several values are unpacked where a format takes them.
	return out.Map(func(e *expr.Expr) *expr.Expr {
		if !e.Is(expr.Format) {
			return e
		}
		args := append([]*expr.Expr{}, e.Args...)
		for i, a := range args {
			for _, p := range params {
				if p.Variadic && a.Is(expr.Name) && a.Text == p.Name {
					args[i] = expr.New(expr.Spread, "", a)
				}
			}
		}
		return expr.New(expr.Format, e.Text, args...)
	})
}

// madeBy is the error that a raising call of a macro's body makes; its text is a format of the parameters.
func madeBy(f *lower.File, n int) *expr.Expr {
	args := f.Named(f.Field(n, "arguments"))
	format := func(args []*expr.Expr) *expr.Expr { return expr.New(expr.Format, message.Brace, args...) }
	if !isMacro(f, n) {
		if f.Text(f.Field(n, "function")) != "Err" || len(args) != 1 {
			return nil
		}
		if e := made(f, args[0], 0); e.Is(expr.Error) {
			return e
		} else if flow.Textual(e) {
			return expr.New(expr.Error, "", nil, e)
		}
		return nil
	}
	typ, all := expr.Ident("panic"), f.All(args, 0)
	if len(all) == 0 {
		return nil
	}
	switch macroName(f.Text(f.Field(n, "function"))) {
	case "panic":
	case "bail", "whatever", "anyhow", "eyre":
		typ = nil
	case "unreachable":
		all[0] = expr.New(expr.Binary, "+", expr.Str("internal error: entered unreachable code: "), all[0])
	default:
		return nil
	}
	return expr.New(expr.Error, "", typ, format(all))
}

// expanded files the use of a macro that may be one of the project that raises.
func expanded(b *lower.Body, out []flow.Stmt, n, stmt int) []flow.Stmt {
	name := macroName(b.Text(b.Field(n, "macro")))
	tokens := b.Text(b.ChildOf(n, "token_tree"))
	if len(tokens) < 2 || len(tokens) > 2000 || !strings.Contains(tokens, `"`) || harmless(name) {
		return out
	}
	args := fragment(b.File, tokens[1:len(tokens)-1])
	text := false
	for _, a := range args {
		text = text || flow.Textual(a) && !a.Is(expr.Unknown)
	}
	if !text {
		return out
	}
	if b.Line(stmt) != b.Line(n) {
		stmt = n
	}
	s := b.Site(raise.KindError, stmt)
	s.Potential, s.Via, s.Args = true, macroOwner+"."+name+"!", args
	st := b.At(flow.Raise, n)
	st.Goes = true
	return b.Add(out, s, st)
}

// harmless reports whether a macro is one of the library or of a usual crate that raises nothing.
func harmless(name string) bool {
	switch name {
	case "println", "print", "vec", "matches", "info", "debug", "trace", "warn", "log", "env", "option_env", "include_str", "include_bytes", "cfg",
		"json", "quote", "select", "thread_local", "lazy_static", "stringify", "line", "file", "column", "module_path", "macro_rules", "span",
		"event", "info_span", "debug_span", "trace_span", "assert_snapshot", "sql", "html", "s", "str", "regex", "doc", "writeln", "write":
		return true
	}
	return false
}
