package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Bounds on the constants of one file.
const (
	maxValues  = 5000
	maxEntries = 2000 // of one table
)

// declarator reads const x = …: an import, or a constant of the module.
func (f *file) declarator(n, function int) {
	t := &f.tree
	name, value := t.first(n), t.last(n)
	if name < 0 || value == name {
		return
	}
	if module, symbol := f.loaded(value); module != "" {
		switch t.kind(name) {
		case kIdentifier:
			if symbol == "" {
				f.wholeModule(t.text(name), module, n)
			} else {
				f.addImport(t.text(name), module, symbol, n)
			}
		case kObjectPattern:
			f.importPattern(name, module, symbol)
		}
		return
	}
	if function != raise.NoFunction && !f.wrapper(function) || t.kind(name) != kIdentifier {
		return
	}
	kept := f.spaced(n, t.text(name))
	if !f.declaration(value, kept) {
		f.constant(kept, value)
	}
}

// spaced is a name with the namespaces that it stands in.
func (f *file) spaced(n int, name string) string {
	t := &f.tree
	for p := t.parent(n); p >= 0; p = t.parent(p) {
		if t.kind(p) == kNamespace {
			if space := t.first(p); t.kind(space) == kIdentifier || t.kind(space) == kNestedIdentifier {
				name = t.text(space) + "." + name
			}
		}
	}
	return name
}

// wrapper reports whether a function only gives a module its scope: an anonymous one that is called where it stands or handed to
// a module loader, outside of any named function.
func (f *file) wrapper(function int) bool {
	for ; function >= 0; function = f.facts.Functions[function].Parent {
		if f.facts.Functions[function].Name != "" {
			return false
		}
		holder, _ := f.holder(f.functions[function])
		switch f.tree.kind(holder) {
		case kCall, kUnary, kExpressionStatement:
		case kArguments:
			callee := f.path(f.tree.first(f.tree.parent(holder)))
			if f.tree.parent(holder) < 0 || callee != "define" && !strings.HasPrefix(callee, "System.register") && callee != "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// constant keeps a value that messages may refer to: a text, a number, a table of texts, an error that is made once.
func (f *file) constant(name string, value int) {
	t := &f.tree
	if len(f.facts.Values) >= maxValues || name == "" {
		return
	}
	switch t.kind(value) {
	case kAs, kSatisfies, kParenthesized, kNonNull:
		if inner := t.first(value); inner >= 0 {
			f.constant(name, inner)
		}
		return
	case kString, kTemplate, kNumber, kBinary, kTernary, kUnary:
	case kObject, kArray:
		f.table(name, value)
		return
	case kCall:
		callee, args := f.callParts(value)
		if path := f.path(callee); path == "Object.freeze" || path == "deepFreeze" || path == "freeze" {
			if first := t.first(args); first >= 0 {
				f.constant(name, first)
			}
			return
		}
	case kNew, kArrow:
		return
	case kIdentifier, kMember:
		if last := lastName(f.path(value)); errorLike(last) || codeName(last) {
			f.alias(name, value)
		}
		return
	default:
		return
	}
	e := f.expr(value)
	if constantText(e, 0) {
		f.facts.Values = append(f.facts.Values, raise.Value{Name: name, Value: e, Line: f.line(value), Site: -1})
	}
}

// constantText reports whether an expression is a constant that is worth keeping.
func constantText(e *expr.Expr, depth int) bool {
	if e == nil || depth > 8 {
		return false
	}
	switch e.Op {
	case expr.String, expr.Number, expr.Interp, expr.Format, expr.Join:
		return true
	case expr.Unary:
		return e.Arg(0).Is(expr.Number)
	case expr.Binary:
		return constantText(e.Arg(0), depth+1) || constantText(e.Arg(1), depth+1)
	case expr.Cond:
		return constantText(e.Arg(1), depth+1) && constantText(e.Arg(2), depth+1)
	}
	return false
}

// table keeps an object or list of texts: as a whole, for entries whose key is computed, and each entry under its path.
func (f *file) table(name string, n int) {
	var entries []*expr.Expr
	f.entries(name, n, 0, &entries)
	if len(entries) == 0 {
		return
	}
	op := expr.Map
	if f.tree.kind(n) == kArray {
		op = expr.List
	}
	f.facts.Values = append(f.facts.Values, raise.Value{Name: name, Value: expr.New(op, "", entries...), Line: f.line(n), Site: -1})
}

// entries collects the texts of a table, and keeps those that have a path of names as constants of their own.
func (f *file) entries(name string, n, depth int, out *[]*expr.Expr) {
	t := &f.tree
	for c := t.first(n); c >= 0 && len(*out) < maxEntries && len(f.facts.Values) < maxValues; c = t.next(c, n) {
		if t.kind(n) == kArray {
			if e := f.expr(c); constantText(e, 0) {
				*out = append(*out, e)
			} else {
				*out = append(*out, f.made(c, expr.Unknown, ""))
			}
			continue
		}
		if t.kind(c) != kPair {
			continue
		}
		value := t.last(c)
		key, ok := f.key(t.first(c))
		switch k := t.kind(value); {
		case k == kObject && depth < 3 && ok:
			var inner []*expr.Expr
			f.entries(name+"."+key, value, depth+1, &inner)
			if len(inner) > 0 {
				*out = append(*out, expr.New(expr.Keyword, key, expr.New(expr.Map, "", inner...)))
			}
		case k == kCall && ok && f.declaration(value, name+"."+key):
		case k == kString || k == kTemplate || k == kBinary || k == kNumber || k == kTernary || k == kCall:
			f.entry(name, c, value, out)
		}
	}
}

func (f *file) entry(name string, pair, value int, out *[]*expr.Expr) {
	e := f.expr(value)
	if !constantText(e, 0) {
		return
	}
	key, ok := f.key(f.tree.first(pair))
	if !ok {
		*out = append(*out, expr.New(expr.Entry, "", f.expr(f.tree.first(f.tree.first(pair))), e))
		return
	}
	*out = append(*out, expr.New(expr.Keyword, key, e))
	f.facts.Values = append(f.facts.Values, raise.Value{Name: name + "." + key, Value: e, Line: f.line(value), Site: -1})
}

// topStatement reads an expression statement outside of functions: exports, constants of classes, error declarations.
func (f *file) topStatement(n int) {
	t := &f.tree
	e := t.first(n)
	if e < 0 {
		return
	}
	switch t.kind(e) {
	case kAssignment:
		if t.first(e) != t.last(e) {
			f.topAssignment(t.first(e), t.last(e))
		}
	case kCall:
		f.declaration(e, "")
	}
}

// topAssignment reads a = value, and a = b = value as one assignment for each name.
func (f *file) topAssignment(left, value int) {
	t := &f.tree
	targets := []int{left}
	for t.kind(value) == kAssignment && t.first(value) != t.last(value) {
		targets = append(targets, t.first(value))
		value = t.last(value)
	}
	for _, target := range targets {
		if target != value {
			f.topTarget(target, value)
		}
	}
}

// topTarget reads what one name outside of functions is given.
func (f *file) topTarget(left, value int) {
	t := &f.tree
	path := f.path(left)
	if path == "module.exports" || path == "exports" {
		f.exportWhole(value)
		return
	}
	name := exportless(path)
	name = strings.Replace(name, ".prototype.", ".", 1)
	if name == "" || path == "" {
		return
	}
	if module, symbol := f.loaded(value); module != "" && name != path {
		f.addImport(name, module, symbol, value)
		return
	}
	if f.declaration(value, name) {
		return
	}
	if t.kind(value) == kIdentifier && name != path {
		f.alias(name, value)
		f.exports[t.text(value)] = true
		return
	}
	f.constant(name, value)
}

// exportWhole reads module.exports = ….
func (f *file) exportWhole(value int) {
	t := &f.tree
	if module, symbol := f.loaded(value); module != "" {
		if symbol == "" {
			f.addImport("*", module, "*", value)
		}
		f.addImport(defaultName, module, strings.Trim(symbol, "."), value)
		return
	}
	switch k := t.kind(value); {
	case k == kObject:
		f.exportObject(value)
	case k == kIdentifier, k == kMember:
		f.alias(defaultName, value)
		f.exports[t.text(value)] = true
	case k == kNew:
		f.alias(defaultName, t.first(value))
	case k.isClass(), k == kFunctionExpression:
		if name := t.child(value, kIdentifier); name >= 0 {
			f.alias(defaultName, name)
		}
	}
}

// enum keeps the members of an enum.
func (f *file) enum(n int) {
	t := &f.tree
	name := t.child(n, kIdentifier)
	body := t.child(n, kEnumBody)
	if name < 0 || body < 0 {
		return
	}
	for c := t.first(body); c >= 0 && len(f.facts.Values) < maxValues; c = t.next(c, body) {
		if t.kind(c) != kEnumAssignment {
			continue
		}
		if key, ok := f.key(t.first(c)); ok {
			f.constant(t.text(name)+"."+key, t.last(c))
		}
	}
}

// staticField keeps a constant of a class.
func (f *file) staticField(n int, in *scope) {
	t := &f.tree
	if !in.isClass || in.class == "" || t.end(n)-t.start(n) > 20000 || !f.hasWord(n, "static") {
		return
	}
	name, value := t.child(n, kPropertyIdentifier, kPrivateIdentifier, kString), t.last(n)
	if key, ok := f.key(name); ok && value != name {
		f.constant(in.class+"."+key, value)
	}
}
