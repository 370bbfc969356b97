package ecmascript

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// throwStatement lowers throw x.
func (b *body) throwStatement(n int, out []flow.Stmt, depth int) []flow.Stmt {
	value := b.tree.first(n)
	if b.quiet != nil {
		return append(out, flow.Stmt{Kind: flow.Leave, Leaves: flow.Throw, Line: b.line(n)})
	}
	return b.throwValue(n, value, out, depth)
}

// throwValue lowers the throw statement n for the value v, which may be chosen by a condition.
func (b *body) throwValue(n, v int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	if v < 0 || depth > maxNest {
		return append(out, b.throwSite(n, raise.Site{Kind: raise.KindReraise}, nil))
	}
	depth++
	switch t.kind(v) {
	case kParenthesized, kAs, kSatisfies, kNonNull:
		return b.throwValue(n, t.first(v), out, depth)
	case kTypeAssertion:
		return b.throwValue(n, t.last(v), out, depth)
	case kSequence:
		last := t.last(v)
		for c := t.first(v); c != last; c = t.next(c, v) {
			out = b.expressionAlone(c, out, depth)
		}
		return b.throwValue(n, last, out, depth)
	case kTernary:
		return b.throwChoice(n, v, out, depth)
	case kBinary:
		if left, op, right := b.operands(v); op == "||" || op == "??" {
			return b.throwDefault(n, left, op, right, out, depth)
		}
	case kAssignment:
		// throw (err = new X()): what is assigned is what is thrown.
		return b.throwValue(n, t.last(v), out, depth)
	case kNew:
		return b.throwNew(n, v, out, depth)
	case kCall:
		return b.throwCall(n, v, out, depth)
	}
	out = b.effects(v, out, depth)
	if b.names.messages[t.text(v)] {
		out = append(out, b.probe(b.line(n), expr.New(expr.Attr, "message", b.expr(v))))
	}
	return append(out, b.throwOther(n, v))
}

// throwChoice lowers throw c ? a : b to two sites.
func (b *body) throwChoice(n, v int, out []flow.Stmt, depth int) []flow.Stmt {
	kids := b.tree.kids(v)
	if len(kids) != 3 {
		return append(out, b.throwOther(n, v))
	}
	out = b.effects(kids[0], out, depth)
	return append(out, flow.Stmt{Kind: flow.If, Line: b.line(kids[0]), Cond: b.condition(kids[0]),
		Body: b.throwValue(n, kids[1], nil, depth), Else: b.throwValue(n, kids[2], nil, depth)})
}

// throwDefault lowers throw a || b: b is thrown where a is missing.
func (b *body) throwDefault(n, left int, op string, right int, out []flow.Stmt, depth int) []flow.Stmt {
	out = b.effects(left, out, depth)
	cond := absent(b.expr(left))
	if op == "||" {
		cond = flow.Negate(b.condition(left))
	}
	return append(out, flow.Stmt{Kind: flow.If, Line: b.line(left), Cond: cond,
		Body: b.throwValue(n, right, nil, depth), Else: b.throwValue(n, left, nil, depth)})
}

// throwNew lowers throw new X(…).
func (b *body) throwNew(n, v int, out []flow.Stmt, depth int) []flow.Stmt {
	callee, args := b.newParts(v)
	out = b.below(v, out, depth)
	s := b.raised(callee, args)
	b.sited[v] = true
	return append(out, b.throwSite(n, s, nil))
}

// raised is a site that raises a value of a type made with arguments.
func (b *body) raised(callee, args int) raise.Site {
	s := raise.Site{Kind: raise.KindError, Type: b.errorTypeExpr(callee), Args: b.args(args, 0)}
	name := lastName(b.path(callee))
	if plain := positional(s.Args); builtinError(name) && len(plain) > 0 {
		s.Message = plain[0]
	} else if name == "AggregateError" && len(plain) > 1 {
		s.Message = plain[1]
	}
	s.Wraps = cause(s.Args)
	s.Args = named(s.Args)
	return s
}

// errorTypeExpr is the type that a constructor makes. Some code bases keep variants of a type under it.
func (f *file) errorTypeExpr(callee int) *expr.Expr {
	e := f.expr(callee)
	if e.Is(expr.Attr) && e.Text == "HideStackFramesError" {
		e = e.Arg(0)
	}
	if !e.Is(expr.Name) && !e.Is(expr.Attr) {
		return nil
	}
	return e
}

// cause is the error that an options argument chains to the one that is made.
func cause(args []*expr.Expr) *expr.Expr {
	for _, a := range args {
		if c := property(a, "cause"); c != nil {
			return c
		}
	}
	return nil
}

// named adds the entries of an object that is the first argument as named arguments: a constructor that takes an object apart names
// them as its parameters.
func named(args []*expr.Expr) []*expr.Expr {
	if len(args) == 0 || !args[0].Is(expr.Map) || len(args[0].Args) > 40 {
		return args
	}
	out := args
	for _, a := range args[0].Args {
		if a.Is(expr.Keyword) {
			out = append(out, a)
		}
	}
	return out
}

// throwCall lowers throw f(…): an error made without "new", one that a call decorates, or one that a function makes.
func (b *body) throwCall(n, v int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	callee, args := b.callParts(v)
	path := b.path(callee)
	if t.kind(callee) == kMember {
		// throw new X("…").with(…): the decorated error is the one that is raised.
		if made := t.first(callee); t.kind(made) == kNew {
			out = b.effects(args, out, depth)
			return b.throwValue(n, made, out, depth)
		}
	}
	if b.errorCall(path) {
		out = b.below(v, out, depth)
		b.sited[v] = true
		return append(out, b.throwSite(n, b.raised(callee, args), nil))
	}
	if args >= 0 && t.kind(args) == kArguments {
		if first := t.first(args); first >= 0 && b.makesError(first) {
			for c := t.next(first, args); c >= 0; c = t.next(c, args) {
				out = b.effects(c, out, depth)
			}
			return b.throwValue(n, first, out, depth)
		}
	}
	out = b.below(v, out, depth)
	b.sited[v] = true
	return append(out, b.throwSite(n, b.throwVia(v, callee, path, args), b.expr(v)))
}

// makesError reports whether an expression makes an error where it stands.
func (b *body) makesError(n int) bool {
	switch b.tree.kind(n) {
	case kNew:
		callee, _ := b.newParts(n)
		return b.errorType(b.path(callee))
	case kCall:
		callee, _ := b.callParts(n)
		return b.errorCall(b.path(callee))
	}
	return false
}

// throwVia is the site of throw f(…) where f makes the error. A maker from a package outside is taken to use the text among its
// arguments.
func (b *body) throwVia(v, callee int, path string, args int) raise.Site {
	s := raise.Site{Kind: raise.KindError, Args: named(b.args(args, 0))}
	if e := b.expr(v); flow.Textual(e) {
		s.Args, s.Message = nil, e
		return s
	}
	if b.foreign(headName(path)) {
		if text := messageArgument(s.Args); sentence(text) {
			s.Message = text
			return s
		}
	}
	s.Via = b.lexical(path)
	if s.Via == "" {
		s.Kind = raise.KindReraise
	}
	return s
}

// foreign reports whether a name is imported from a package outside.
func (f *file) foreign(name string) bool {
	for i := range f.facts.Imports {
		imp := &f.facts.Imports[i]
		if imp.Local == name {
			m := imp.Module
			return m != "" && m[0] != '.' && m[0] != '/' && m[0] != '~' && m[0] != '#' && !strings.HasPrefix(m, "@/") && !strings.HasPrefix(m, "src/")
		}
	}
	return false
}

// lexical spells a callee so that link finds a function that only the functions around the call can see.
func (b *body) lexical(path string) string {
	if path == "" || strings.Contains(path, ".") {
		return path
	}
	for fn := b.function; fn >= 0; fn = b.facts.Functions[fn].Parent {
		if outer := b.qualified(fn); outer != "" {
			if name := outer + locals + "." + path; b.localFunction(name) {
				return name
			}
		}
	}
	return path
}

// calling names message functions that only the functions around a site can see as link finds them; what is shown stays.
func (b *body) calling(e *expr.Expr, depth int) *expr.Expr {
	if e == nil || depth > expr.Depth {
		return e
	}
	out := e
	for i, a := range e.Args {
		part := b.calling(a, depth+1)
		if i == 0 && e.Op == expr.Call && a.Is(expr.Name) {
			if name := b.lexical(a.Text); name != a.Text {
				part = &expr.Expr{Op: expr.Name, Text: name, Src: a.Src}
			}
		}
		if part == a {
			continue
		}
		if out == e {
			out = &expr.Expr{Op: e.Op, Text: e.Text, Args: slices.Clone(e.Args), Src: e.Src}
		}
		out.Args[i] = part
	}
	return out
}

func (b *body) localFunction(name string) bool {
	if b.localNames == nil {
		b.localNames = map[string]bool{}
		for i := range b.facts.Functions {
			if fn := &b.facts.Functions[i]; fn.Name != "" && strings.HasSuffix(fn.Owner, locals) {
				b.localNames[fn.Owner+"."+fn.Name] = true
			}
		}
	}
	return b.localNames[name]
}

// throwOther is the site of throw x for a value that is no construction: a text, an object, or an error that exists already.
func (b *body) throwOther(n, v int) flow.Stmt {
	e := b.expr(v)
	switch {
	case flow.Textual(e):
		return b.throwSite(n, raise.Site{Kind: raise.KindError, Message: e}, nil)
	case e.Is(expr.Map):
		s := raise.Site{Kind: raise.KindError, Args: []*expr.Expr{e}}
		for _, key := range []string{"message", "msg", "error", "reason"} {
			if text := property(e, key); text != nil && s.Message == nil {
				s.Message = text
			}
		}
		return b.throwSite(n, s, nil)
	}
	s := raise.Site{Kind: raise.KindReraise}
	path := b.path(v)
	if head := headName(path); path != "" && head != "self" && head != "super" && !b.declaredIn(head, b.root) && !strings.Contains(path, "()") {
		s.Sentinel = path
		return b.throwSite(n, s, nil)
	}
	return b.throwSite(n, s, e)
}

// throwSite makes the statement of a site of the throw statement n.
func (b *body) throwSite(n int, s raise.Site, value *expr.Expr) flow.Stmt {
	s = b.spanned(n, s)
	return flow.Stmt{Kind: flow.Raise, Line: s.Line, Site: b.site(n, s), Value: value}
}
