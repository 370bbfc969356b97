package lower

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Body lowers the statements of one function, or of a file or class outside of functions.
type Body struct {
	*File
	Function int      // index in the facts, or raise.NoFunction
	Owner    string   // the class whose members are read, with those around it
	Caught   []string // names that hold caught errors
	Silent   bool     // statements are read for what they assign alone: no sites, no functions
	depth    int
}

// maxDepth bounds the nesting of statements that are lowered.
const maxDepth = 120

// At starts a statement that stands where n does.
func (b *Body) At(kind flow.Kind, n int) flow.Stmt {
	return flow.Stmt{Kind: kind, Line: b.Line(n), Site: flow.NoSite}
}

// Block lowers the statements that a node holds. A node that is a statement itself is a block of one.
func (b *Body) Block(n int) []flow.Stmt {
	if n < 0 || b.depth > maxDepth {
		return nil
	}
	b.depth++
	defer func() { b.depth-- }()
	if out, ok := b.one(nil, n); ok {
		return out
	}
	var out []flow.Stmt
	for _, c := range b.Within(n) {
		out = b.Stmt(out, c)
	}
	return out
}

// Stmt lowers a statement and appends it. A node that is neither a statement nor a definition is read for the statements in it.
func (b *Body) Stmt(out []flow.Stmt, n int) []flow.Stmt {
	if b.depth > maxDepth {
		return out
	}
	if more, ok := b.one(out, n); ok {
		return more
	}
	return append(out, b.Block(n)...)
}

func (b *Body) one(out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	if n == 0 {
		return out, false
	}
	if fn := b.Dialect.Function(b, n); fn != nil {
		b.define(n, fn)
		return out, true
	}
	if c := b.Dialect.Class(b, n); c != nil {
		return b.class(out, n, c), true
	}
	return b.Dialect.Stmt(b, out, n)
}

// Nested is a block with a scope of its own.
func (b *Body) Nested(out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Block, n)
	for _, c := range b.Within(n) {
		st.Body = b.Stmt(st.Body, c)
	}
	return append(out, st)
}

// If lowers a conditional: els may be another conditional.
func (b *Body) If(out []flow.Stmt, n, cond, then, els int) []flow.Stmt {
	out = b.Effects(out, cond, cond)
	st := b.At(flow.If, n)
	st.Cond = Truth(b.Expr(cond))
	st.Body, st.Else = b.Block(then), b.Block(els)
	return append(out, st)
}

// Loop lowers a loop that goes on as long as cond holds; -1 for one without end.
func (b *Body) Loop(out []flow.Stmt, n, cond, body int, kind flow.Kind) []flow.Stmt {
	st := b.At(kind, n)
	if cond >= 0 {
		out = b.Effects(out, cond, cond)
		if c := b.Expr(cond); !c.Is(expr.Bool) {
			st.Cond = Truth(c)
		}
	}
	st.Body = b.Block(body)
	return append(out, st)
}

// Each lowers a loop over values.
func (b *Body) Each(out []flow.Stmt, n int, targets []*expr.Expr, values, body int) []flow.Stmt {
	out = b.Effects(out, values, values)
	st := b.At(flow.For, n)
	st.Targets, st.Value = targets, b.Expr(values)
	st.Body = b.Block(body)
	return append(out, st)
}

// Leave lowers a jump. value is what is returned, or -1.
func (b *Body) Leave(out []flow.Stmt, n int, how flow.Leaves, value int) []flow.Stmt {
	st := b.At(flow.Leave, n)
	st.Leaves = how
	if value >= 0 {
		out = b.Effects(out, value, n)
		st.Value = b.Value(value)
	}
	return append(out, st)
}

// Do lowers an expression that is evaluated for what it does.
func (b *Body) Do(out []flow.Stmt, n int) []flow.Stmt {
	out = b.Effects(out, n, n)
	st := b.At(flow.Do, n)
	st.Value = b.Expr(n)
	return append(out, st)
}

// Assign lowers an assignment to a target; op is the operator of an augmented one ("+"), or "".
func (b *Body) Assign(out []flow.Stmt, n int, target *expr.Expr, op string, value int) []flow.Stmt {
	out = b.Effects(out, value, n)
	st := b.At(flow.Assign, n)
	st.Op = op
	st.Targets = []*expr.Expr{target}
	st.Value = b.Value(value)
	return append(out, st)
}

// Handler lowers a handler of a try statement.
func (b *Body) Handler(n int, types, name string, body int) flow.Handler {
	if name != "" {
		b.Caught = append(b.Caught, name)
	}
	h := flow.Handler{Line: b.Line(n), Types: types, Name: name}
	h.Body = b.Block(body)
	if name != "" {
		b.Caught = b.Caught[:len(b.Caught)-1]
	}
	return h
}

// Effects appends the sites and closures among the parts of an expression, which stands in the statement stmt.
func (b *Body) Effects(out []flow.Stmt, n, stmt int) []flow.Stmt {
	if n < 0 || b.Silent {
		return out
	}
	d := b.Dialect
	for c := n; c < b.After(n); {
		if d.Lambda != nil {
			if body, params, ok := d.Lambda(b.File, c); ok {
				out = b.closure(out, c, body, params)
				c = b.After(c)
				continue
			}
		}
		if cl := d.Class(b, c); cl != nil {
			out = b.class(out, c, cl)
			c = b.After(c)
			continue
		}
		if d.Inner != nil {
			var ok bool
			if out, ok = d.Inner(b, out, c, stmt); ok {
				c = b.After(c)
				continue
			}
		}
		c++
	}
	return out
}

// closure lowers a function value.
func (b *Body) closure(out []flow.Stmt, n, body int, params []string) []flow.Stmt {
	if b.depth > maxDepth {
		return out
	}
	st := b.At(flow.Closure, n)
	for _, p := range params {
		st.Targets = append(st.Targets, expr.Ident(p))
	}
	before := len(b.Facts.Sites)
	b.depth++
	if _, isStmt := b.Dialect.Stmt(&Body{File: b.File, Silent: true, depth: b.depth}, nil, body); isStmt || len(b.Named(body)) > 0 && b.blockLike(body) {
		st.Body = b.Block(body)
	} else {
		st.Body = b.Effects(nil, body, body)
	}
	b.depth--
	if len(b.Facts.Sites) == before {
		return out
	}
	return append(out, st)
}

// blockLike reports whether a node holds statements.
func (b *Body) blockLike(n int) bool {
	k := b.Kind(n)
	return strings.Contains(k, "block") || strings.Contains(k, "body") || strings.Contains(k, "statement")
}

// define reads a function: its outline, and its statements where something in them may raise.
func (b *Body) define(n int, fn *Function) {
	if b.Silent {
		return
	}
	owner := b.Owner
	if fn.Owner != "" {
		owner = fn.Owner
	}
	if b.Function >= 0 && fn.Owner == "" {
		parent := &b.Facts.Functions[b.Function]
		if b.Owner == parent.Owner {
			owner = strings.TrimPrefix(parent.Owner+".", ".") + parent.Name + ".<locals>"
		}
	}
	inner := &Body{File: b.File, Function: len(b.Facts.Functions), Owner: owner, depth: b.depth + 1}
	b.Facts.Functions = append(b.Facts.Functions, raise.Function{Name: fn.Name, Owner: owner, Parent: b.Function, Params: fn.Params,
		Line: b.Line(n), EndLine: b.EndLine(n), Exported: fn.Exported, Static: fn.Static, Doc: b.Doc(n)})
	if fn.Body < 0 || !inner.outline(fn) && fn.Handed == 0 {
		return
	}
	var stmts []flow.Stmt
	if fn.Handed > 0 {
		stmts = inner.Effects(nil, fn.Handed, fn.Handed)
	}
	if fn.Result {
		stmts = inner.Leave(stmts, fn.Body, flow.Return, fn.Body)
	} else {
		stmts = append(stmts, inner.Block(fn.Body)...)
	}
	made := inner.analyze(fn.Params, stmts, b.Facts.Sites)
	f := &b.Facts.Functions[inner.Function]
	for _, m := range made {
		if m.Is(expr.Error) || uses(m, f.Params) || f.Owner != "" || MakesText(fn.Name) {
			f.Makes = append(f.Makes, b.selfish(m))
		}
	}
}

// analyze follows the statements of a function.
func (b *Body) analyze(params []raise.Param, stmts []flow.Stmt, sites []raise.Site) []*expr.Expr {
	var names []string
	if b.Dialect.Receiver != "" {
		names = append(names, b.Dialect.Receiver)
	}
	for _, p := range params {
		names = append(names, p.Name)
	}
	return flow.Analyze(flow.Function{Params: names, Receiver: b.Dialect.Receiver, Body: stmts, Pure: b.Dialect.Pure, Grow: b.Dialect.Grow}, sites)
}

// selfish writes the receiver as "self".
func (f *File) selfish(e *expr.Expr) *expr.Expr {
	r := f.Dialect.Receiver
	if r == "" || r == "self" {
		return e
	}
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if a.Is(expr.Name) && a.Text == r {
			return expr.Ident("self")
		}
		return a
	})
}

func uses(e *expr.Expr, params []raise.Param) bool {
	used := false
	e.Walk(func(a *expr.Expr) bool {
		used = used || a.Is(expr.Name) && slices.ContainsFunc(params, func(p raise.Param) bool { return p.Name == a.Text })
		return !used
	})
	return used
}

// MakesText reports whether a function is called as one that makes a message for others.
func MakesText(name string) bool {
	l := strings.ToLower(name)
	return RaisingName(name) || strings.Contains(l, "msg") || strings.Contains(l, "message") || strings.Contains(l, "text") || strings.Contains(l, "describe") ||
		l == "tostring" || l == "to_s" || l == "__tostring" || l == "what" || l == "fmt"
}

// RaisingName reports whether a function is called as one that raises what it is given.
func RaisingName(name string) bool {
	l := strings.ToLower(name)
	if strings.HasPrefix(l, "is") || strings.HasPrefix(l, "has") || strings.HasPrefix(l, "get") || strings.HasPrefix(l, "set") || strings.HasPrefix(l, "on") {
		return false
	}
	for _, part := range []string{"err", "fail", "fatal", "throw", "die", "abort", "panic", "bug", "invalid", "bad", "reject", "warn", "usage",
		"exit", "check", "require", "ensure", "assert", "complain", "exception", "raise", "unsupported", "unexpected", "illegal", "verify"} {
		if strings.Contains(l, part) {
			return true
		}
	}
	return false
}

// outline records the calls of a function and reports whether something in it may raise. Functions inside it are read on their own.
func (b *Body) outline(fn *Function) bool {
	d := b.Dialect
	f := &b.Facts.Functions[b.Function]
	seen := map[string]bool{}
	raises := MakesText(fn.Name) || fn.Error
	for n := fn.Body; n < b.After(fn.Body); n++ {
		if d.Raises != nil && !raises && d.Raises(b.File, n) {
			raises = true
		}
		if !b.Is(n, 1) { // syntax.Named
			continue
		}
		callee, ok := d.Call(b.File, n)
		if !ok {
			if !raises && n > fn.Body && (d.Class(b, n) != nil || d.Function(b, n) != nil) {
				raises = true // what is defined inside is found by reading
			}
			continue
		}
		if callee == "" || len(callee) > 100 || strings.ContainsAny(callee, " \n\"'") {
			continue
		}
		callee = b.Path(callee)
		last := callee[strings.LastIndexAny(callee, ".:>")+1:]
		if !raises && (RaisingName(last) || b.raisers[last]) {
			raises = true
		}
		if !seen[callee] {
			seen[callee] = true
			f.Calls = append(f.Calls, raise.Call{Callee: callee, Line: b.Line(n)})
		}
	}
	return raises
}

// Path writes a callee as link resolves it: members separated by dots, the receiver as "self".
func (f *File) Path(callee string) string {
	if !strings.ContainsAny(callee, ":>?!$") && (f.Dialect.Receiver == "" || !strings.HasPrefix(callee, f.Dialect.Receiver)) {
		return callee // most are
	}
	callee = strings.NewReplacer("::", ".", "->", ".", "?.", ".", "!!.", ".").Replace(callee)
	callee = strings.TrimPrefix(callee, "$")
	if rest, ok := strings.CutPrefix(callee, f.Dialect.Receiver+"."); ok && f.Dialect.Receiver != "" {
		return "self." + rest
	}
	return callee
}
