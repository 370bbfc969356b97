package golang

import (
	"go/ast"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxStatement is how many lines a statement may have to be the site as a whole; in a longer one (a table, a call with function
// values) the raising call is.
const maxStatement = 14

// site starts a site at the statement at hand.
func (b *body) site(kind raise.Kind, n ast.Node) raise.Site {
	from, to := b.span[0].Pos(), b.span[1].End()
	if b.line(to)-b.line(from) > maxStatement || n.Pos() < from || n.End() > to {
		from, to = n.Pos(), n.End()
	}
	s := raise.Site{Kind: kind, Function: b.function, Start: uint32(b.offset(from)), End: uint32(b.offset(to)),
		Line: b.line(from), EndLine: max(b.line(from), b.line(to-1))}
	return s
}

// add files a site and appends the statement that raises it.
func (b *body) add(out []flow.Stmt, s raise.Site, goes bool) []flow.Stmt {
	st := flow.Stmt{Kind: flow.Raise, Line: s.Line, Site: len(b.facts.Sites), Goes: goes}
	b.facts.Sites = append(b.facts.Sites, s)
	return append(out, st)
}

// sitesIn files the sites in an expression, outermost first, and reads the functions that stand in it.
func (b *body) sitesIn(e ast.Expr, out []flow.Stmt, goes bool) []flow.Stmt {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			out = b.closure(out, n)
			return false
		case *ast.CallExpr:
			out = b.call(out, n, goes)
		case *ast.CompositeLit:
			if n.Type != nil && b.isErrorType(baseType(n.Type)) {
				made := b.expr(n)
				s := b.site(raise.KindError, n)
				s.Type, s.Args = made.Arg(0), append([]*expr.Expr{}, made.Args[2:]...)
				out = b.add(out, s, goes)
			}
		}
		return true
	})
	return out
}

// call files what a call raises.
func (b *body) call(out []flow.Stmt, c *ast.CallExpr, goes bool) []flow.Stmt {
	name := b.callee(c.Fun)
	if ctor, ok := constructors[name]; ok {
		s := b.site(raise.KindError, c)
		s.TypeName = "error"
		s.Message = b.constructed(c, ctor, 0)
		s.Wraps = b.wraps(c, ctor)
		if s.Message == nil {
			s.Message = &expr.Expr{Op: expr.Unknown, Src: b.text(c)}
		}
		return b.add(out, s, goes)
	}
	if r, ok := reportOf(name); ok && (len(c.Args) > r.text || r.kind == raise.KindPanic) {
		return b.reported(out, c, r, name)
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if (raisingName(last) || b.makers[last]) && textual(c) {
		if _, ok := formatting[name]; ok {
			return out
		}
		s := b.site(raise.KindError, c)
		s.Potential, s.Via = true, b.calleeSelf(c.Fun)
		call := b.withArgs(&expr.Expr{Op: expr.Tuple}, c, 0)
		s.Args = call.Args
		out = b.add(out, s, true)
	}
	return out
}

// wraps is the error that a constructor wraps.
func (b *body) wraps(c *ast.CallExpr, ctor constructor) *expr.Expr {
	if ctor.wraps >= 0 && ctor.wraps < len(c.Args) {
		return b.expr(c.Args[ctor.wraps])
	}
	if !ctor.format || len(c.Args) <= ctor.text {
		return nil
	}
	lit, ok := c.Args[ctor.text].(*ast.BasicLit)
	if !ok || !strings.Contains(lit.Value, "%w") || len(c.Args) < 2 {
		return nil
	}
	return b.expr(c.Args[len(c.Args)-1])
}

// reported files a call that reports an error: a panic, a log line, a failed test.
func (b *body) reported(out []flow.Stmt, c *ast.CallExpr, r report, name string) []flow.Stmt {
	s := b.site(r.kind, c)
	s.TypeName = r.typ
	args := c.Args[min(r.text, len(c.Args)):]
	switch {
	case len(args) == 0:
	case r.format:
		s.Message = b.format(c, r.text, 0)
	case r.line:
		var all []*expr.Expr
		for _, a := range args {
			all = append(all, b.expr(a))
		}
		s.Message = joined(all)
	default:
		value := b.expr(args[0])
		if name == "panic" && (value.Is(expr.Error) || isSentinel(args[0])) {
			// The error has a site of its own, or is declared elsewhere: the panic hands it on.
			s.Message = expr.New(expr.Interp, "verbs", expr.New(expr.Hole, "%v", value))
			if value.Is(expr.Error) && value.Arg(1) != nil {
				s.Message = value.Arg(1)
			}
		} else {
			s.Message = value
		}
	}
	return b.add(out, s, !r.ends)
}

// closure reads a function value as a function of its own, inside what is known where it is made.
func (b *body) closure(out []flow.Stmt, n *ast.FuncLit) []flow.Stmt {
	f := &b.facts.Functions
	fn := raise.Function{Parent: b.function, Line: b.line(n.Pos()), EndLine: b.line(n.End()), Params: b.params(n.Type)}
	if b.function >= 0 {
		fn.Owner = FunctionPath(*f, b.function)
	}
	inner := &body{extractor: b.extractor, function: len(*f), receiver: b.receiver, depth: b.depth + 1}
	*f = append(*f, fn)
	inner.outline(n.Body)
	st := flow.Stmt{Kind: flow.Closure, Line: fn.Line, Site: flow.NoSite, Body: inner.block(n.Body.List)}
	for _, p := range fn.Params {
		st.Targets = append(st.Targets, expr.Ident(p.Name))
	}
	return append(out, st)
}

// FunctionPath names a function as its closures' owner.
func FunctionPath(all []raise.Function, i int) string {
	fn := all[i]
	switch {
	case fn.Owner == "":
		return fn.Name
	case fn.Name == "":
		return fn.Owner
	}
	return fn.Owner + "." + fn.Name
}
