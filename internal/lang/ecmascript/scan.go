package ecmascript

import (
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// class is a class literal or declaration that was seen.
type class struct {
	node     int
	name     string // with enclosing types; empty if it has none
	function int    // that it stands in
}

// scope is a function or class that the scan is inside of.
type scope struct {
	node     int
	function int    // index, or that of the enclosing one for a class
	class    string // name of the class, for members
	isClass  bool
}

// scan reads the outline in one pass over the nodes: functions with their calls, classes, imports, constants, and what can be a site.
func (f *file) scan() {
	t := &f.tree
	stack := []scope{{node: -1, function: raise.NoFunction}}
	for n := 0; n < t.len(); n++ {
		for len(stack) > 1 && n >= t.after(stack[len(stack)-1].node) {
			stack = stack[:len(stack)-1]
		}
		top := &stack[len(stack)-1]
		switch k := t.kind(n); {
		case k.isFunction():
			stack = append(stack, scope{node: n, function: f.addFunction(n, top)})
		case k.isClass():
			c := class{node: n, name: f.className(n, top), function: top.function}
			f.classes = append(f.classes, c)
			stack = append(stack, scope{node: n, function: top.function, class: c.name, isClass: true})
		default:
			f.note(n, k, top)
		}
	}
}

// note keeps what one node says.
func (f *file) note(n int, k kind, in *scope) {
	t := &f.tree
	switch k {
	case kCall, kNew:
		f.calls = append(f.calls, n)
		f.addCall(n, in.function)
	case kThrow:
		f.throws = append(f.throws, n)
	case kComment:
		f.comments = append(f.comments, n)
	case kImport:
		f.importStatement(n)
	case kImportAlias:
		f.importAlias(n)
	case kExport:
		f.exportStatement(n)
	case kDeclarator:
		f.declarator(n, in.function)
	case kReturn:
		if v := t.first(n); v >= 0 && in.function >= 0 && f.makesText(v) {
			f.makers[in.function] = true
		}
	case kExpressionStatement:
		if in.function == raise.NoFunction {
			f.topStatement(n)
		}
	case kEnum:
		f.enum(n)
	case kField:
		f.staticField(n, in)
	case kError:
		f.problem(n)
	}
}

// maxProblems bounds the problems that one file reports.
const maxProblems = 20

func (f *file) problem(n int) {
	p := raise.Problem{Line: f.line(n), Reason: "syntax error"}
	if known := f.facts.Problems; len(known) < maxProblems && (len(known) == 0 || known[len(known)-1] != p) {
		f.facts.Problems = append(known, p)
	}
}

// addCall keeps a callee of a function, once.
func (f *file) addCall(n, function int) {
	if function < 0 {
		return
	}
	f.addCallee(function, f.path(f.tree.first(n)), f.line(n))
}

// addCallee keeps a callee of a function by its path, once.
func (f *file) addCallee(function int, callee string, line int) {
	if callee == "" || len(callee) > 200 {
		return
	}
	key := seenCall{function, callee}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	fn := &f.facts.Functions[function]
	fn.Calls = append(fn.Calls, raise.Call{Callee: callee, Line: line})
}

// addFunction keeps a function and returns its index.
func (f *file) addFunction(n int, in *scope) int {
	fn := raise.Function{Parent: in.function, Line: f.line(n), EndLine: f.endLine(n)}
	f.nameFunction(n, in, &fn)
	fn.Params = f.params(n)
	fn.Doc = f.doc(f.statementOf(n))
	if in.isClass {
		fn.Static = f.hasWord(n, "static")
	}
	index := len(f.facts.Functions)
	f.facts.Functions = append(f.facts.Functions, fn)
	f.functions = append(f.functions, n)
	f.order = append(f.order, index)
	f.indexOf[n] = index
	if body := f.tree.last(n); f.skimmer != nil && body >= 0 {
		if r, ok := f.elided[f.tree.start(body)]; ok {
			f.addSkimmed(index, r)
		}
	}
	if f.tree.kind(n) == kArrow && f.makesText(f.tree.last(n)) {
		f.makers[index] = true
	}
	return index
}

// makesText reports whether an expression is by its form a text: a function that returns it may be a message function.
func (f *file) makesText(n int) bool {
	t := &f.tree
	for range 4 {
		if n < 0 {
			return false
		}
		switch t.kind(n) {
		case kTemplate:
			return t.child(n, kSubstitution) >= 0 || proseLike(t.text(n))
		case kString:
			return proseLike(t.text(n))
		case kParenthesized:
			n = t.first(n)
			continue
		case kBinary:
			if k := t.kind(t.first(n)); k == kBinary {
				n = t.first(n)
				continue
			}
			left, op, right := f.operands(n)
			return op == "+" && right >= 0 && (isText(t.kind(left)) || isText(t.kind(right)))
		case kTernary:
			n = t.last(n)
			continue
		case kCall:
			path := f.path(t.first(n))
			return f.formats(path) || lastName(path) == "join" || lastName(path) == "concat"
		}
		return false
	}
	return false
}

func isText(k kind) bool { return k == kTemplate || k == kString }

// params lists the parameters of a function. Those of an object pattern stand for themselves, as callers name them.
func (f *file) params(n int) []raise.Param {
	t := &f.tree
	list := t.child(n, kParameters)
	if list < 0 {
		if name := t.first(n); t.kind(n) == kArrow && name >= 0 && t.kind(name) == kIdentifier && name != t.last(n) {
			return []raise.Param{{Name: t.text(name)}}
		}
		return nil
	}
	var out []raise.Param
	for c := t.first(list); c >= 0 && len(out) < 100; c = t.next(c, list) {
		out = f.param(c, out)
	}
	return out
}

// param appends what one parameter binds.
func (f *file) param(n int, out []raise.Param) []raise.Param {
	t := &f.tree
	switch t.kind(n) {
	case kIdentifier, kShorthandPattern, kUndefined:
		return append(out, raise.Param{Name: t.text(n)})
	case kRequiredParameter, kOptionalParameter:
		return f.typedParam(n, out)
	case kAssignmentPattern, kObjectAssignmentPattern:
		name := t.first(n)
		before := len(out)
		out = f.param(name, out)
		if len(out) == before+1 && (t.kind(name) == kIdentifier || t.kind(name) == kShorthandPattern) {
			out[before].Default = f.expr(t.last(n))
		}
		return out
	case kRest:
		if name := t.first(n); name >= 0 && t.kind(name) == kIdentifier {
			return append(out, raise.Param{Name: t.text(name), Variadic: true})
		}
	case kObjectPattern:
		for c := t.first(n); c >= 0 && len(out) < 100; c = t.next(c, n) {
			out = f.patternEntry(c, out)
		}
		return out
	}
	return append(out, raise.Param{})
}

// patternEntry appends what one entry of an object pattern binds.
func (f *file) patternEntry(n int, out []raise.Param) []raise.Param {
	t := &f.tree
	if t.kind(n) == kPairPattern {
		// { key: name }: callers say key, the body says name. A renamed entry cannot be bound by name.
		if key, ok := f.key(t.first(n)); ok && key == t.text(t.last(n)) {
			return append(out, raise.Param{Name: key})
		}
		return out
	}
	if t.kind(n) == kRest {
		return out
	}
	return f.param(n, out)
}

// typedParam reads a parameter of TypeScript's: modifiers, pattern, type, default.
func (f *file) typedParam(n int, out []raise.Param) []raise.Param {
	t := &f.tree
	before := len(out)
	typ, value := "", -1
	pattern := -1
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		switch k := t.kind(c); {
		case k == kDecorator || k == kAccessibility:
		case k == kTypeAnnotation:
			typ = f.typeText(c)
		case pattern < 0 && k == kThis:
			return out // the type of the receiver is no parameter
		case pattern < 0 && k != kOther:
			pattern = c
			out = f.param(c, out)
		case pattern >= 0:
			value = c
		}
	}
	if len(out) == before+1 && pattern >= 0 && t.kind(pattern) != kObjectPattern {
		out[before].Type = typ
		if value >= 0 {
			out[before].Default = f.expr(value)
		}
	}
	return out
}

// typeText is a type annotation as written, without the colon.
func (f *file) typeText(n int) string {
	s := f.tree.text(n)
	for len(s) > 0 && (s[0] == ':' || s[0] == ' ' || s[0] == '\n' || s[0] == '\t') {
		s = s[1:]
	}
	if len(s) > 200 {
		return ""
	}
	return s
}
