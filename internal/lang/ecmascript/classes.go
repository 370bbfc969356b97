package ecmascript

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// findErrorClasses lists the classes of the file that are errors by their bases, before anything is lowered.
func (f *file) findErrorClasses() {
	t := &f.tree
	type heir struct{ name, base string }
	var heirs []heir
	for n := 0; n < t.len(); n++ {
		switch k := t.kind(n); {
		case k.isClass():
			if base := f.base(n); base != "" {
				heirs = append(heirs, heir{lastName(f.className(n, &scope{})), base})
			}
		case k == kCall:
			if name, base := f.inherits(n); name != "" {
				heirs = append(heirs, heir{lastName(name), base})
				f.inherited[name] = base
			}
		case k == kAssignment:
			if name, base := f.prototypeOf(n); name != "" {
				heirs = append(heirs, heir{lastName(name), base})
				f.inherited[name] = base
			}
		}
	}
	for range 6 {
		before := len(f.errorClasses)
		for _, h := range heirs {
			if h.name != "" && (errorLike(h.base) || codeName(lastName(h.base)) || f.errorClasses[lastName(h.base)]) {
				f.errorClasses[h.name] = true
			}
		}
		if len(f.errorClasses) == before {
			break
		}
	}
}

// base is the path of what a class extends; for a call that makes the base, the path of what is called.
func (f *file) base(n int) string {
	t := &f.tree
	heritage := t.child(n, kHeritage)
	if heritage < 0 {
		return ""
	}
	value := t.first(heritage)
	if value >= 0 && t.kind(value) == kExtends {
		value = t.first(value)
	}
	return exportless(strings.TrimSuffix(f.path(value), "()"))
}

// exportless is a path without the object that a module exports: what is exported is known by its own name.
func exportless(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "module."), "exports.")
}

// inherits reads util.inherits(Name, Base) and Object.setPrototypeOf(Name.prototype, Base.prototype).
func (f *file) inherits(n int) (name, base string) {
	t := &f.tree
	callee, args := f.callParts(n)
	last := t.text(callee)
	if !strings.HasSuffix(last, "inherits") && last != "Object.setPrototypeOf" && last != "__extends" && last != "_inherits" {
		return "", ""
	}
	kids := t.kids(max(args, 0))
	if args < 0 || len(kids) < 2 {
		return "", ""
	}
	return strings.TrimSuffix(f.path(kids[0]), ".prototype"), strings.TrimSuffix(f.path(kids[1]), ".prototype")
}

// prototypeOf reads Name.prototype = Object.create(Base.prototype), = new Base, and Name.prototype.__proto__ = Base.prototype.
func (f *file) prototypeOf(n int) (name, base string) {
	t := &f.tree
	left, value := t.first(n), t.last(n)
	if left < 0 || t.kind(left) != kMember {
		return "", ""
	}
	path := strings.TrimSuffix(f.path(left), ".__proto__")
	name, ok := strings.CutSuffix(path, ".prototype")
	if !ok {
		return "", ""
	}
	switch t.kind(value) {
	case kCall:
		callee, args := f.callParts(value)
		if first := t.first(args); first >= 0 && f.path(callee) == "Object.create" {
			base = f.path(first)
		}
	case kNew:
		base = f.path(t.first(value))
	case kMember:
		base = f.path(value)
	}
	base = strings.TrimSuffix(base, ".prototype")
	if base == "" {
		return "", ""
	}
	return name, base
}

// types keeps the classes, the constructors that inherit from errors, and the errors that are declared by code.
func (f *file) types() {
	for _, c := range f.classes {
		if c.name != "" {
			f.classType(c)
		}
	}
	for i := range f.facts.Functions {
		fn := &f.facts.Functions[i]
		name := join(strings.TrimSuffix(fn.Owner, locals), fn.Name)
		if strings.HasSuffix(fn.Owner, locals) {
			name = fn.Name
		}
		if base, ok := f.inherited[name]; ok && fn.Name != "" && f.errorClasses[lastName(name)] {
			f.facts.Types = append(f.facts.Types, f.constructorType(name, base, i))
		}
	}
	for _, d := range f.codes {
		f.codeType(d)
	}
}

// classType keeps a class: in full if it is an error.
func (f *file) classType(c class) {
	t := &f.tree
	typ := raise.Type{Name: c.name, Line: f.line(c.node), EndLine: f.endLine(c.node), Doc: f.doc(f.statementOf(c.node))}
	if base := f.base(c.node); base != "" {
		typ.Bases = []string{base}
	}
	if !f.errorClasses[lastName(c.name)] && !errorLike(c.name) {
		if len(typ.Bases) > 0 {
			f.facts.Types = append(f.facts.Types, typ)
		}
		return
	}
	members := t.child(c.node, kClassBody)
	for m := t.first(members); m >= 0; m = t.next(m, members) {
		switch t.kind(m) {
		case kField:
			f.errorField(m, &typ)
		case kMethod:
			i, ok := f.indexOf[m]
			if !ok {
				continue
			}
			switch f.facts.Functions[i].Name {
			case "constructor":
				f.construction(m, i, &typ)
			case "message":
				f.getter(m, i, &typ)
			}
		}
	}
	f.finishType(&typ)
	f.facts.Types = append(f.facts.Types, typ)
}

// errorField keeps a field that an error's class declares with a value.
func (f *file) errorField(n int, typ *raise.Type) {
	t := &f.tree
	key := t.child(n, kPropertyIdentifier, kPrivateIdentifier, kString)
	value := t.last(n)
	name, ok := f.key(key)
	if !ok || value == key || t.kind(value) == kTypeAnnotation || f.hasWord(n, "static") {
		return
	}
	typ.Fields = append(typ.Fields, raise.Def{Name: "self." + name, Value: selfed(f.expr(value)), Line: f.line(n)})
}

// getter takes the text that get message() returns.
func (f *file) getter(n, index int, typ *raise.Type) {
	if !f.hasWord(n, "get") {
		return
	}
	b := newBody(f, n, index)
	b.quiet = &constructor{}
	made := flow.Analyze(flow.Function{Params: []string{"this"}, Body: b.functionBody(n, 0), Pure: pure, Grow: grown}, b.sites)
	if text := alternative(made); text != nil {
		typ.Message = selfed(text)
	}
}

// constructor collects what the constructor of an error does: what it hands to its base, and what it puts into members.
type constructor struct {
	supers []int // probes
	fields []memberProbe
}

// memberProbe is a member that is assigned, and the probe that asks for its value.
type memberProbe struct {
	name  string
	probe int
	line  int
}

// constructorType keeps a function that is used as the constructor of an error.
func (f *file) constructorType(name, base string, index int) raise.Type {
	n := f.functions[index]
	typ := raise.Type{Name: name, Bases: []string{base}, Line: f.line(n), EndLine: f.endLine(n), Doc: f.facts.Functions[index].Doc}
	f.construction(n, index, &typ)
	f.finishType(&typ)
	return typ
}

// construction reads a constructor.
func (f *file) construction(n, index int, typ *raise.Type) {
	typ.Params = optional(f.facts.Functions[index].Params)
	f.parameterProperties(n, typ)
	b := newBody(f, n, index)
	b.quiet = &constructor{}
	body := b.functionBody(n, 0)
	flow.Analyze(flow.Function{Params: append(f.paramNames(n), "this"), Body: body, Pure: pure, Grow: grown}, b.sites)
	for _, i := range b.quiet.supers {
		args := make([]*expr.Expr, 0, len(b.sites[i].Args))
		for _, a := range b.sites[i].Args {
			args = append(args, selfed(expanded(a, b.sites[i].Defs, 0)))
		}
		typ.Super = mergeArgs(typ.Super, args)
	}
	for _, p := range b.quiet.fields {
		value := selfed(expanded(b.sites[p.probe].Message, b.sites[p.probe].Defs, 0))
		name := "self." + p.name
		if j := slices.IndexFunc(typ.Fields, func(d raise.Def) bool { return d.Name == name }); j >= 0 {
			typ.Fields[j].Value = either(typ.Fields[j].Value, value)
			continue
		}
		typ.Fields = append(typ.Fields, raise.Def{Name: name, Value: value, Line: p.line})
	}
}

// optional gives parameters without a default the value that they have where no argument is given.
func optional(params []raise.Param) []raise.Param {
	out := slices.Clone(params)
	for i := range out {
		if out[i].Default == nil && !out[i].Variadic {
			out[i].Default = expr.New(expr.Null, "undefined")
		}
	}
	return out
}

// expanded writes an expression without the local names of the constructor: each is replaced by what it was computed from.
func expanded(e *expr.Expr, defs []raise.Def, depth int) *expr.Expr {
	if depth > 4 {
		return e
	}
	return e.Map(func(x *expr.Expr) *expr.Expr {
		if !x.Is(expr.Name) {
			return x
		}
		for _, d := range defs {
			if d.Name == x.Text {
				return expanded(d.Value, defs, depth+1)
			}
		}
		return x
	})
}

// parameterProperties keeps TypeScript's parameters that are members: constructor(readonly code: string).
func (f *file) parameterProperties(n int, typ *raise.Type) {
	t := &f.tree
	list := t.child(n, kParameters)
	for c := t.first(list); c >= 0; c = t.next(c, list) {
		if t.kind(c) != kRequiredParameter && t.kind(c) != kOptionalParameter {
			continue
		}
		name := t.child(c, kIdentifier)
		if name < 0 || t.child(c, kAccessibility) < 0 && !strings.Contains(f.src[t.start(c):t.start(name)], "readonly") {
			continue
		}
		typ.Fields = append(typ.Fields, raise.Def{Name: "self." + t.text(name), Value: expr.Ident(t.text(name)), Line: f.line(c)})
	}
}

// mergeArgs joins what two calls of the base's constructor hand to it.
func mergeArgs(a, b []*expr.Expr) []*expr.Expr {
	if a == nil {
		return b
	}
	for i := range a {
		if i < len(b) {
			a[i] = either(a[i], b[i])
		}
	}
	return a
}

// either is one of two values.
func either(a, b *expr.Expr) *expr.Expr {
	if expr.Equal(a, b) {
		return a
	}
	if a.Is(expr.Alt) {
		if len(a.Args) >= 8 {
			return a
		}
		return expr.New(expr.Alt, "", append(slices.Clone(a.Args), b)...)
	}
	return expr.New(expr.Alt, "", a, b)
}

func alternative(all []*expr.Expr) *expr.Expr {
	var out *expr.Expr
	for _, e := range all {
		if out == nil {
			out = e
		} else {
			out = either(out, e)
		}
	}
	return out
}

// selfed writes the receiver as "self".
func selfed(e *expr.Expr) *expr.Expr {
	if e == nil || e.Src != "" && !strings.Contains(e.Src, "this") {
		return e
	}
	return e.Map(func(x *expr.Expr) *expr.Expr {
		if x.Is(expr.Name) && x.Text == "this" {
			return expr.Ident("self")
		}
		return x
	})
}

// finishType takes the message out of the members that were set.
func (f *file) finishType(typ *raise.Type) {
	for _, d := range typ.Fields {
		if d.Name != "self.message" || typ.Message != nil {
			continue
		}
		given := argument(typ.Super, 0)
		typ.Message = d.Value.Map(func(x *expr.Expr) *expr.Expr {
			if x.Is(expr.Attr) && x.Text == "message" && x.Arg(0).Is(expr.Name) && x.Arg(0).Text == "self" && given != nil {
				return given
			}
			return x
		})
	}
}

// quietCall notes, in a constructor, what is handed to the base: super(…), Base.call(this, …).
func (b *body) quietCall(n int, out []flow.Stmt) []flow.Stmt {
	t := &b.tree
	callee, argsAt := b.callParts(n)
	var args []*expr.Expr
	switch {
	case t.kind(callee) == kSuper:
		args = b.args(argsAt, 0)
	case strings.HasSuffix(b.path(callee), ".call"):
		first := t.first(argsAt)
		if first < 0 || t.kind(first) != kThis || strings.Contains(b.path(callee), "prototype") {
			return out
		}
		if builtinError(strings.TrimSuffix(b.path(callee), ".call")) {
			return out // these ignore the receiver that they are called on
		}
		args = b.args(argsAt, 0)[1:]
	default:
		return out
	}
	if args == nil {
		args = []*expr.Expr{}
	}
	i := b.site(-1, raise.Site{Args: args, Line: b.line(n)})
	b.quiet.supers = append(b.quiet.supers, i)
	return append(out, flow.Stmt{Kind: flow.Raise, Line: b.line(n), Site: i, Goes: true})
}

// quietMember notes, in a constructor, what a member of the receiver is set to.
func (b *body) quietMember(target, value int, out []flow.Stmt) []flow.Stmt {
	t := &b.tree
	if b.quiet == nil || value < 0 || t.kind(target) != kMember || t.kind(t.first(target)) != kThis {
		return out
	}
	st := b.probe(b.line(target), b.expr(value))
	b.quiet.fields = append(b.quiet.fields, memberProbe{t.text(t.last(target)), st.Site, b.line(target)})
	return append(out, st)
}
