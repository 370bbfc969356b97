package ruby

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar) *lower.Dialect {
	call, name := g.Symbol("call"), g.Symbol("identifier")
	return &lower.Dialect{
		Language: "Ruby", Grammar: g, Stmt: stmt, Expr: lowered, Function: function, Class: class, Call: callee, Inner: inner, Lambda: lambda,
		Comments: []string{"comment"}, Pure: pure, Grow: grow, Receiver: "self", ErrorType: errorType, Before: before, After: handlers,
		Raises: func(f *lower.File, n int) bool {
			switch f.Symbol(n) {
			case call:
				return raises(f, n) || reports(f, n)
			case name:
				return f.Text(n) == "raise"
			}
			return false
		},
	}
}

// raises reports whether a call is raise or fail.
func raises(f *lower.File, n int) bool {
	if f.Kind(n) != "call" {
		return false
	}
	m := f.Text(f.Field(n, "method"))
	r := f.Field(n, "receiver")
	return (m == "raise" || m == "fail") && (r < 0 || f.Text(r) == "Kernel" || f.Text(r) == "self")
}

// heredocs are the bodies of a file's heredocs by the nodes that begin them.
type heredocs map[int]int

// before pairs heredocs with their bodies: they stand in the same order.
func before(f *lower.File) {
	bodies := heredocs{}
	var open []int
	for n := range f.Nodes {
		switch f.Kind(n) {
		case "heredoc_beginning":
			open = append(open, n)
		case "heredoc_body":
			if len(open) > 0 {
				bodies[open[0]] = n
				open = open[1:]
			}
		}
	}
	f.Own = bodies
}

// dotted spells a constant's path with dots.
func dotted(s string) string { return strings.TrimPrefix(strings.ReplaceAll(s, "::", "."), ".") }

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// handlers adds the rescue clauses of a file.
func handlers(f *lower.File) {
	for n := range f.Nodes {
		if f.Kind(n) != "rescue" {
			continue
		}
		h := raise.Handler{Line: f.Line(n)}
		if p := f.Parent(n); p >= 0 {
			h.From, h.To = f.Line(p), max(f.Line(p), f.Line(n)-1)
		}
		for _, t := range f.Named(f.ChildOf(n, "exceptions")) {
			name := last(dotted(f.Text(t)))
			if name == "StandardError" || name == "Exception" {
				h.Types = nil
				break
			}
			h.Types = append(h.Types, name)
		}
		f.Facts.Handled(h)
	}
}

func function(b *lower.Body, n int) *lower.Function {
	k := b.Kind(n)
	if k != "method" && k != "singleton_method" {
		return nil
	}
	fn := &lower.Function{Name: b.Text(b.Field(n, "name")), Params: params(b.File, b.Field(n, "parameters")), Body: b.Field(n, "body"),
		Exported: true, Static: k == "singleton_method" || b.Kind(b.Parent(b.Parent(n))) == "singleton_class"}
	if fn.Body >= 0 && b.Kind(fn.Body) != "body_statement" {
		fn.Result = true
	}
	return fn
}

func params(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	for _, p := range f.Named(list) {
		one := raise.Param{Name: f.Text(f.Field(p, "name"))}
		switch f.Kind(p) {
		case "identifier":
			one.Name = f.Text(p)
		case "optional_parameter", "keyword_parameter":
			if v := f.Field(p, "value"); v >= 0 {
				one.Default = f.Expr(v)
			}
		case "splat_parameter":
			one.Variadic = true
		default:
			continue
		}
		out = append(out, one)
	}
	return out
}

func class(b *lower.Body, n int) *lower.Class {
	switch b.Kind(n) {
	case "module":
		return &lower.Class{Name: dotted(b.Text(b.Field(n, "name"))), Body: b.Field(n, "body"), Type: &raise.Type{}}
	case "class":
	case "assignment":
		// NotFound = Class.new(StandardError)
		right := b.Field(n, "right")
		if b.Kind(b.Field(n, "left")) != "constant" || b.Kind(right) != "call" || b.Text(b.Field(right, "receiver")) != "Class" || b.Text(b.Field(right, "method")) != "new" {
			return nil
		}
		c := &lower.Class{Name: b.Text(b.Field(n, "left")), Body: b.ChildOf(b.Field(right, "block"), "body_statement", "block_body"), Type: &raise.Type{}}
		for _, a := range b.Named(b.Field(right, "arguments")) {
			c.Bases = append(c.Bases, dotted(b.Text(a)))
		}
		if c.Body >= 0 {
			c.Type = errorClass(b, c.Body)
		}
		return c
	default:
		return nil
	}
	c := &lower.Class{Name: dotted(b.Text(b.Field(n, "name"))), Body: b.Field(n, "body"), Type: &raise.Type{}}
	if base := b.First(b.Field(n, "superclass")); base >= 0 {
		c.Bases = []string{dotted(b.Text(base))}
	}
	for _, m := range b.Named(c.Body) {
		if b.Kind(m) == "call" && b.Field(m, "receiver") < 0 {
			if name := b.Text(b.Field(m, "method")); name == "include" || name == "prepend" {
				for _, a := range b.Named(b.Field(m, "arguments")) {
					c.Bases = append(c.Bases, dotted(b.Text(a)))
				}
			}
		}
	}
	if errorType(c.Name) || len(c.Bases) > 0 && errorType(c.Bases[0]) {
		c.Type = errorClass(b, c.Body)
	}
	return c
}

// errorClass reads what an exception of a class prints: what its constructor hands on, and message or to_s.
func errorClass(b *lower.Body, body int) *raise.Type {
	t := &raise.Type{}
	for _, m := range b.Named(body) {
		if b.Kind(m) != "method" {
			continue
		}
		inside := b.Field(m, "body")
		switch b.Text(b.Field(m, "name")) {
		case "initialize":
			list := params(b.File, b.Field(m, "parameters"))
			b.Constructor(t, list, inside, func(e *expr.Expr) ([]*expr.Expr, bool) {
				switch {
				case e.Is(expr.Call) && e.Arg(0).Is(expr.Name) && e.Arg(0).Text == "super":
					return e.Args[1:], true
				case e.Is(expr.Name) && e.Text == "super": // hands on what it was given
					var all []*expr.Expr
					for _, p := range list {
						all = append(all, expr.Ident(p.Name))
					}
					return all, true
				}
				return nil, false
			})
		case "message", "to_s":
			if inside >= 0 {
				if message := b.Returned(nil, inside, b.Kind(inside) != "body_statement"); message != nil && !strings.Contains(message.String(), "super") {
					t.Message = message
				}
			}
		}
	}
	return t
}

// callee is the dotted path of a call.
func callee(f *lower.File, n int) (string, bool) {
	if f.Kind(n) != "call" {
		return "", false
	}
	m := f.Text(f.Field(n, "method"))
	r := f.Field(n, "receiver")
	if r < 0 {
		return m, true
	}
	if inside, ok := callee(f, r); ok {
		return inside + "()." + m, true
	}
	return dotted(strings.Join(strings.Fields(f.Text(r)), "")) + "." + m, true
}

func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	k := f.Kind(n)
	if k != "block" && k != "do_block" && k != "lambda" {
		return 0, nil, false
	}
	for _, p := range f.Named(f.Field(n, "parameters")) {
		names = append(names, f.Text(p))
	}
	body = f.Field(n, "body")
	if k == "lambda" {
		return body, names, false // its block is one
	}
	return body, names, body >= 0
}
