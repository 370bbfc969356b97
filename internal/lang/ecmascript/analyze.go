package ecmascript

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// sites lowers every function that pays: those that make sites, and those that make texts for others. Functions inside of others
// are read with the outermost one.
func (f *file) sites() {
	for i, n := range f.functions {
		if f.facts.Functions[i].Parent != raise.NoFunction {
			continue
		}
		if f.triggered(n) || f.makes(n) {
			f.root(n, i)
		}
	}
	if f.topSites() {
		f.root(0, raise.NoFunction)
	}
	f.leftOver()
	f.facts.SortSites()
	f.declare()
	f.comment()
}

// declare ties the constants that hold an error to the sites that make it.
func (f *file) declare() {
	for i := range f.facts.Sites {
		s := &f.facts.Sites[i]
		for j := range f.facts.Values {
			if v := &f.facts.Values[j]; s.Declared != "" && v.Name == s.Declared && v.Line == s.Line {
				v.Site = i
			}
		}
	}
}

// topSites reports whether a trigger stands outside of any function.
func (f *file) topSites() bool {
	for _, n := range f.triggers {
		if f.enclosing(n) == raise.NoFunction {
			return true
		}
	}
	return false
}

// root lowers one function with all inside it and keeps its sites.
func (f *file) root(n, function int) {
	b := newBody(f, n, function)
	var body []flow.Stmt
	fn := flow.Function{Pure: pure, Grow: grown}
	if function == raise.NoFunction {
		body = b.topLevel(n)
	} else {
		fn.Params = append(f.paramNames(n), "this")
		for c := f.tree.first(n); c >= 0; c = f.tree.next(c, n) {
			if f.tree.kind(c) == kParameters {
				body = b.effects(c, body, 0)
			}
		}
		body = append(body, b.functionBody(n, 0)...)
	}
	fn.Body = body
	made := flow.Analyze(fn, b.sites)
	if function >= 0 {
		f.facts.Functions[function].Makes = made
	}
	b.finish()
}

// topLevel lowers the statements outside of functions. Functions there are roots of their own.
func (b *body) topLevel(n int) []flow.Stmt {
	b.top = true
	return b.statements(n, 0)
}

// finish keeps the sites of a body, without those that another one stands for.
func (b *body) finish() {
	gone := make([]bool, len(b.sites))
	for _, i := range b.dropped {
		gone[i] = true
	}
	for _, i := range b.probes {
		gone[i] = true
		b.give(i)
	}
	for i := range b.sites {
		b.settle(i, gone)
	}
	for i := range b.sites {
		if gone[i] {
			continue
		}
		s := &b.sites[i]
		if s.Message.Is(expr.Null) {
			s.Message = nil
		}
		b.function = s.Function
		s.Message = b.calling(s.Message, 0)
		for j, a := range s.Args {
			s.Args[j] = b.calling(a, 0)
		}
		if b.bound[i] != "" && s.Function == raise.NoFunction {
			s.Declared = b.bound[i]
			b.facts.Values = append(b.facts.Values, raise.Value{Name: s.Declared, Line: s.Line, Site: -1,
				Value: expr.New(expr.Error, "", slices.Concat([]*expr.Expr{s.Type, s.Message}, s.Args)...)})
		}
		b.facts.Sites = append(b.facts.Sites, *s)
	}
}

// give hands the text that a probe found to the site behind it.
func (b *body) give(i int) {
	m := b.sites[i].Message
	if m.Is(expr.Attr) || i+1 >= len(b.sites) {
		return
	}
	s := &b.sites[i+1]
	s.Message = m
	if s.Kind == raise.KindReraise {
		s.Kind = raise.KindError
	}
}

// settle decides between a throw of a local variable and the constructions that it was given: one that alone reaches the throw is
// raised there; where several do, each is a site with its own condition, and the throw passes them on.
func (b *body) settle(i int, gone []bool) {
	s := &b.sites[i]
	node := b.nodes[i]
	if gone[i] || node < 0 || b.tree.kind(node) != kThrow || s.Kind == raise.KindReraise || b.tree.kind(b.thrown(node)) != kIdentifier {
		return
	}
	name := b.tree.text(b.thrown(node))
	if s.Made > 0 {
		for j := range i {
			if b.bound[j] == name && b.sites[j].Function == s.Function && b.line(b.nodes[j]) >= s.Made && b.sites[j].Line <= s.Made {
				gone[j] = true
				s.Made = b.line(b.nodes[j])
			}
		}
		return
	}
	if s.Type == nil {
		return
	}
	for j := range i {
		if b.bound[j] == name {
			*s = raise.Site{Kind: raise.KindReraise, Function: s.Function, Start: s.Start, End: s.End, Line: s.Line, EndLine: s.EndLine,
				Condition: s.Condition, Defs: s.Defs}
			return
		}
	}
}

// thrown is the value of a throw statement without parentheses and casts.
func (f *file) thrown(n int) int {
	t := &f.tree
	v := t.first(n)
	for v >= 0 {
		switch t.kind(v) {
		case kParenthesized, kAs, kSatisfies, kNonNull:
			v = t.first(v)
			continue
		}
		return v
	}
	return n
}

// leftOver gives a site without a condition to every trigger that the statements did not lead to: in code that does not parse, in
// places that are not followed, and deeper than is entered.
func (f *file) leftOver() {
	for _, n := range f.throws {
		if !f.sited[n] {
			f.bare(n)
		}
	}
	for _, n := range f.triggers {
		if f.tree.kind(n) != kThrow && !f.sited[n] && f.forms[n] == formMade {
			f.bare(n)
		}
	}
}

// bare lowers one trigger by itself.
func (f *file) bare(n int) {
	b := newBody(f, n, f.enclosing(n))
	var body []flow.Stmt
	if f.tree.kind(n) == kThrow {
		body = b.throwStatement(n, nil, 0)
	} else {
		body = b.trigger(n, nil)
	}
	flow.Analyze(flow.Function{Body: body, Pure: pure, Grow: grown}, b.sites)
	b.finish()
}

// comment gives each site the comments beside it and beside its guard.
func (f *file) comment() {
	if len(f.comments) == 0 {
		return
	}
	for i := range f.facts.Sites {
		s := &f.facts.Sites[i]
		seen := map[int]bool{}
		var out []string
		for _, p := range s.Condition {
			if p.Role == raise.RoleGuard || p.Role == raise.RoleCase || p.Role == raise.RoleDefault {
				out = f.beside(p.Line, seen, nil)
			}
		}
		out = f.beside(s.Line, seen, out)
		for j, text := range out {
			if j > 0 {
				s.Comment += "\n"
			}
			s.Comment += text
		}
	}
}
