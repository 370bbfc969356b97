package golang

import (
	"go/ast"
	"maps"
	"slices"
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
	if b.errorTypes[name] || name == "new" {
		if made := b.expr(c); made.Is(expr.Error) {
			s := b.site(raise.KindError, c)
			s.Type, s.Message, s.Args = made.Arg(0), made.Arg(1), slices.Clone(made.Args[2:])
			return b.add(out, s, goes)
		}
	}
	if r, ok := b.report(name); ok && (len(c.Args) > r.text || r.kind == raise.KindPanic) {
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
	case r.join != first && !fields(args[1:]):
		s.Message = sprint(b.withArgs(&expr.Expr{}, c, 0).Args[min(r.text, len(c.Args)):], r.join == lined)
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

// report is reportOf for a call in the function at hand, which knows its parameters that fail a test.
func (b *body) report(name string) (report, bool) {
	if owner, method, ok := strings.Cut(name, "."); ok && b.testers[owner] {
		r, ok := testMethods[method]
		return r, ok
	}
	return reportOf(name)
}

// fields reports whether arguments are those of a structured log line.
func fields(args []ast.Expr) bool {
	for _, a := range args {
		call, ok := a.(*ast.CallExpr)
		if !ok {
			return false
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if id, ok := f.X.(*ast.Ident); !ok || id.Name != "zap" && id.Name != "slog" {
			return false
		}
	}
	return len(args) > 0
}

// testing notes which parameters are those of a test.
func (b *body) testing(params []raise.Param) {
	for _, p := range params {
		if t := strings.TrimPrefix(p.Type, "*"); strings.HasPrefix(t, "testing.") {
			if b.testers == nil {
				b.testers = map[string]bool{}
			}
			b.testers[p.Name] = true
		}
	}
}

// closure reads a function value as a function of its own, inside what is known where it is made.
func (b *body) closure(out []flow.Stmt, n *ast.FuncLit) []flow.Stmt {
	f := &b.facts.Functions
	fn := raise.Function{Parent: b.function, Line: b.line(n.Pos()), EndLine: b.line(n.End()), Params: b.params(n.Type)}
	if b.function >= 0 {
		fn.Owner = FunctionPath(*f, b.function)
	}
	inner := &body{extractor: b.extractor, function: len(*f), receiver: b.receiver, depth: b.depth + 1, testers: maps.Clone(b.testers), bindings: b.bindings}
	inner.testing(fn.Params)
	*f = append(*f, fn)
	inner.outline(n.Body)
	st := flow.Stmt{Kind: flow.Closure, Line: fn.Line, Site: flow.NoSite, Body: inner.block(n.Body.List),
		Keeps: b.bindings.keeps}
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
