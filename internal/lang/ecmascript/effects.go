package ecmascript

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// effects appends what evaluating an expression does: sites with the short circuits that lead to them, assignments, and the
// functions that it makes.
func (b *body) effects(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	if n < 0 || depth > maxNest || !b.effective(n) {
		return out
	}
	depth++
	switch k := t.kind(n); {
	case k.isFunction():
		return b.closure(n, k == kMethod, out, depth)
	case k.isClass():
		return b.classBody(n, out, depth)
	case k == kBinary:
		return b.shortCircuit(n, out, depth)
	case k == kTernary:
		return b.choice(n, out, depth)
	case k == kAssignment:
		target, value := t.first(n), t.last(n)
		out = b.effects(target, out, depth)
		out = b.effects(value, out, depth)
		out = b.quietMember(target, value, out)
		return b.assign(target, value, "", b.line(n), out)
	case k == kAugmented:
		return b.augmented(n, out, depth)
	case k == kUpdate:
		if target := t.first(n); target >= 0 {
			st := flow.Stmt{Kind: flow.Assign, Line: b.line(n), Targets: []*expr.Expr{b.place(target)}}
			return append(out, st)
		}
	case k == kCall || k == kNew:
		out = b.below(n, out, depth)
		if b.quiet != nil {
			return b.quietCall(n, out)
		}
		return b.trigger(n, out)
	}
	return b.below(n, out, depth)
}

// below appends the effects of what is below a node.
func (b *body) below(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		out = b.effects(c, out, depth)
	}
	return out
}

// effective reports whether evaluating an expression may do more than give a value.
func (b *body) effective(n int) bool {
	t := &b.tree
	for c := n; c < t.after(n); c++ {
		switch k := t.kind(c); {
		case k == kAssignment, k == kAugmented, k == kUpdate:
			return true
		case k.isFunction(), k.isClass():
			if b.triggered(c) || b.makes(c) {
				return true
			}
			c = t.after(c) - 1
		case k == kCall, k == kNew:
			if _, ok := b.forms[c]; ok || b.quiet != nil {
				return true
			}
		}
	}
	return false
}

// triggered reports whether anything in a node makes a site.
func (f *file) triggered(n int) bool {
	i, _ := slices.BinarySearch(f.triggers, n)
	return i < len(f.triggers) && f.triggers[i] < f.tree.after(n)
}

// makes reports whether a function or one in it returns a text.
func (f *file) makes(n int) bool {
	i, ok := f.indexOf[n]
	if !ok {
		return false
	}
	for ; i < len(f.functions) && f.functions[i] < f.tree.after(n); i++ {
		if f.makers[i] {
			return true
		}
	}
	return false
}

// shortCircuit lowers a && b, a || b and a ?? b: what b does happens only if a lets it.
func (b *body) shortCircuit(n int, out []flow.Stmt, depth int) []flow.Stmt {
	left, op, right := b.operands(n)
	out = b.effects(left, out, depth)
	inner := b.effects(right, nil, depth)
	if len(inner) == 0 {
		return out
	}
	var cond *expr.Expr
	switch op {
	case "&&":
		cond = b.condition(left)
	case "||":
		cond = flow.Negate(b.condition(left))
	case "??":
		cond = absent(b.expr(left))
	default:
		return append(out, inner...)
	}
	return append(out, flow.Stmt{Kind: flow.If, Line: b.line(left), Cond: cond, Body: inner})
}

// absent is the condition that a value is null or undefined.
func absent(e *expr.Expr) *expr.Expr {
	return expr.New(expr.Compare, "==", e, expr.New(expr.Null, "null"))
}

// choice lowers c ? a : b.
func (b *body) choice(n int, out []flow.Stmt, depth int) []flow.Stmt {
	kids := b.tree.kids(n)
	if len(kids) != 3 {
		return b.below(n, out, depth)
	}
	out = b.effects(kids[0], out, depth)
	st := flow.Stmt{Kind: flow.If, Line: b.line(kids[0]), Cond: b.condition(kids[0]),
		Body: b.effects(kids[1], nil, depth), Else: b.effects(kids[2], nil, depth)}
	if len(st.Body)+len(st.Else) == 0 {
		return out
	}
	return append(out, st)
}

// augmented lowers x += y, and x ||= y, which assigns only if x lets it.
func (b *body) augmented(n int, out []flow.Stmt, depth int) []flow.Stmt {
	target, op, value := b.operands(n)
	if value < 0 {
		return out
	}
	out = b.effects(value, out, depth)
	switch op {
	case "||=", "&&=", "??=":
		return append(out, flow.Stmt{Kind: flow.Assign, Line: b.line(n), Targets: []*expr.Expr{b.place(target)}})
	}
	return b.assign(target, value, op[:max(0, len(op)-1)], b.line(n), out)
}

// closure lowers a function that is made inside another one.
func (b *body) closure(n int, hoisted bool, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	index, ok := b.indexOf[n]
	if !ok || b.quiet != nil || b.top || !b.triggered(n) && !b.makes(n) {
		return out
	}
	st := flow.Stmt{Kind: flow.Closure, Line: b.line(n), Hoisted: hoisted, Makes: &b.facts.Functions[index].Makes, Keeps: b.keeps}
	for _, name := range b.paramNames(n) {
		st.Targets = append(st.Targets, expr.Ident(name))
	}
	outer := b.function
	b.function = index
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if t.kind(c) == kParameters {
			st.Body = b.effects(c, st.Body, depth) // defaults
		}
	}
	st.Body = append(st.Body, b.functionBody(n, depth)...)
	b.function = outer
	return append(out, st)
}

// functionBody lowers the statements of a function, or the expression that an arrow function returns.
func (b *body) functionBody(n, depth int) []flow.Stmt {
	content := b.tree.last(n)
	if content < 0 {
		return nil
	}
	if b.tree.kind(content) == kBlock {
		return b.statements(content, depth)
	}
	out := b.effects(content, nil, depth)
	return append(out, flow.Stmt{Kind: flow.Leave, Leaves: flow.Return, Line: b.line(content), Value: b.returned(content)})
}

// paramNames are the names that a function's parameters bind.
func (f *file) paramNames(n int) []string {
	t := &f.tree
	var out []string
	if list := t.child(n, kParameters); list >= 0 {
		f.patternNames(list, func(name string) { out = append(out, name) })
	} else if first := t.first(n); t.kind(n) == kArrow && first >= 0 && t.kind(first) == kIdentifier && first != t.last(n) {
		out = append(out, t.text(first))
	}
	return out
}

// classBody lowers the members of a class that stands inside of a function. They run whenever somebody calls them.
func (b *body) classBody(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	members := t.child(n, kClassBody)
	if members < 0 {
		return out
	}
	for c := t.first(n); c != members; c = t.next(c, n) {
		out = b.effects(c, out, depth) // decorators and the base
	}
	for c := t.first(members); c >= 0; c = t.next(c, members) {
		switch t.kind(c) {
		case kMethod:
			if _, ok := b.indexOf[c]; ok {
				out = b.closure(c, true, out, depth)
			}
		case kField:
			if value := t.last(c); value >= 0 && value != t.first(c) {
				out = b.effects(value, out, depth)
			}
		case kStaticBlock:
			out = append(out, b.statements(t.first(c), depth)...)
		}
	}
	return out
}

// site appends a site to those of the body and returns its index.
func (b *body) site(n int, s raise.Site) int {
	s.Function = b.function
	b.sites = append(b.sites, s)
	b.bound = append(b.bound, "")
	b.nodes = append(b.nodes, n)
	if n >= 0 {
		b.sited[n] = true
	}
	return len(b.sites) - 1
}

// probe makes a statement that asks what an expression is at this point: a site that is taken away afterwards and gives its message
// to the site behind it.
func (b *body) probe(line int, e *expr.Expr) flow.Stmt {
	i := b.site(-1, raise.Site{Message: e, Line: line})
	b.probes = append(b.probes, i)
	return flow.Stmt{Kind: flow.Raise, Line: line, Site: i, Goes: true}
}

// spanned gives a site the span of a node.
func (f *file) spanned(n int, s raise.Site) raise.Site {
	s.Start, s.End = uint32(f.tree.start(n)), uint32(f.tree.end(n))
	s.Line, s.EndLine = f.line(n), f.endLine(n)
	return s
}

// holding is the statement that a site stands in: the nearest statement, or the nearest part of one that is written on its own,
// such as an entry of an object, a class's field or the result of an arrow function.
func (f *file) holding(n int) int {
	t := &f.tree
	for c, p := n, t.parent(n); p >= 0; c, p = p, t.parent(p) {
		switch k := t.kind(p); {
		case k == kDeclarator:
			if list := t.parent(p); list >= 0 && t.first(list) == t.last(list) {
				return list
			}
			return p
		case k == kArrow && c == t.last(p), k == kProgram, k == kBlock, k == kCase, k == kDefault, k == kClassBody, k == kError:
			return c
		case k == kPair, k == kField, k == kRequiredParameter, k == kOptionalParameter, k == kAssignmentPattern,
			k == kExpressionStatement, k == kReturn, k == kThrow, k == kExport, k == kDecorator:
			return p
		case k >= kIf && k <= kWith && k != kBlock:
			return c
		}
	}
	return n
}
