package ecmascript

import (
	"sort"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxNest bounds how deep statements and expressions are entered; sites below that are found without their condition.
const maxNest = 150

// body lowers the statements of one function with the functions inside it, or of the top level.
type body struct {
	*file
	root     int // node
	function int // index of the function whose statements are lowered now
	sites    []raise.Site
	// bound is, for each site, the local name that the made error is kept under; "" if none.
	bound []string
	// nodes is, for each site, the node that makes it.
	nodes []int
	names names
	// quiet lowers for the definitions alone: no sites. It is how constructors are read.
	quiet *constructor
	// probes are sites that only ask what an expression is.
	probes []int
	// dropped are sites that another one stands for.
	dropped []int
	// top is set for the top level, whose functions are read by themselves.
	top bool
}

// names says how the local names of a root are assigned.
type names struct {
	assigned map[string]bool // by an assignment, not by the declaration
	volatile map[string]bool // assigned by a function inside the one that declares it
	messages map[string]bool // x.message is assigned
}

// assignment is one name that a node assigns, other than in its declaration.
type assignment struct {
	node     int
	name     string
	function int  // node of the function around it
	message  bool // it is name.message that is assigned
}

func newBody(f *file, root, function int) *body {
	f.collectNames()
	b := &body{file: f, root: root, function: function}
	b.names = f.namesOf(root)
	return b
}

// collectNames reads, once a file, which names are declared and assigned where.
func (f *file) collectNames() {
	if f.declarations != nil {
		return
	}
	f.declarations = map[string][]int{}
	t := &f.tree
	declare := func(n, pattern int) {
		f.patternNames(pattern, func(name string) { f.declarations[name] = append(f.declarations[name], n) })
	}
	for n := 0; n < t.len(); n++ {
		switch k := t.kind(n); k {
		case kDeclarator, kCatch:
			declare(n, t.first(n))
		case kParameters:
			declare(n, n)
		case kArrow:
			if first := t.first(n); first >= 0 && t.kind(first) == kIdentifier {
				declare(n, first)
			}
		case kFunctionDeclaration, kGeneratorDeclaration, kClassDeclaration, kAbstractClass, kEnum:
			if name := t.first(n); name >= 0 {
				f.declarations[t.text(name)] = append(f.declarations[t.text(name)], n)
			}
		case kForIn:
			if target := t.first(n); target >= 0 && declares(f.src[t.start(n):t.start(target)]) {
				declare(n, target)
			} else {
				f.assigns(n, target)
			}
		case kAssignment, kAugmented, kUpdate:
			f.assigns(n, t.first(n))
		}
	}
}

// declares reports whether the head of a loop declares its variable.
func declares(head string) bool {
	return strings.Contains(head, "const ") || strings.Contains(head, "let ") || strings.Contains(head, "var ")
}

// assigns notes what a node assigns.
func (f *file) assigns(n, target int) {
	t := &f.tree
	if target < 0 {
		return
	}
	if t.kind(target) == kMember {
		if t.text(t.last(target)) == "message" {
			f.assignments = append(f.assignments, assignment{n, t.text(t.first(target)), -1, true})
		}
		return
	}
	in := 0
	if i := f.enclosing(n); i >= 0 {
		in = f.functions[i]
	}
	f.patternNames(target, func(name string) {
		f.assignments = append(f.assignments, assignment{n, name, in, false})
		f.reassigned[name] = true
	})
}

// namesOf says how the names in a root are assigned.
func (f *file) namesOf(root int) names {
	v := names{assigned: map[string]bool{}, volatile: map[string]bool{}, messages: map[string]bool{}}
	from := sort.Search(len(f.assignments), func(i int) bool { return f.assignments[i].node >= root })
	for _, a := range f.assignments[from:] {
		switch {
		case a.node >= f.tree.after(root):
			return v
		case a.message:
			v.messages[a.name] = true
		default:
			v.assigned[a.name] = true
			v.volatile[a.name] = v.volatile[a.name] || a.function > root && !f.declaredIn(a.name, a.function)
		}
	}
	return v
}

// declaredIn reports whether a name is declared anywhere in a node.
func (f *file) declaredIn(name string, n int) bool {
	all := f.declarations[name]
	i := sort.SearchInts(all, n)
	return i < len(all) && all[i] < f.tree.after(n)
}

// keeps reports whether a name or member path holds the same value whenever a closure of the root runs: a name that is declared in
// the root and given no other value there, one of the file that nothing in it assigns, and what is imported or global with its members.
func (b *body) keeps(path string) bool {
	head, _, member := strings.Cut(path, ".")
	if b.names.assigned[head] {
		return false
	}
	if len(b.declarations[head]) == 0 {
		switch head {
		case "this", "process", "window", "globalThis", "global", "document", "self", "exports", "module", "arguments":
			return false
		}
		return true
	}
	return !member && (b.declaredIn(head, b.root) || !b.reassigned[head])
}

// patternNames calls yield for each name that a pattern, a list of parameters or a plain target assigns.
func (f *file) patternNames(n int, yield func(string)) {
	t := &f.tree
	if n < 0 {
		return
	}
	end := t.after(n)
	for c := n; c < end; {
		switch k := t.kind(c); {
		case k == kIdentifier, k == kShorthandPattern:
			yield(t.text(c))
		case k == kMember, k == kSubscript, k == kTypeAnnotation, k == kDecorator, k == kComputed, k.isFunction():
			c = t.after(c)
			continue
		case k == kAssignmentPattern, k == kObjectAssignmentPattern, k == kRequiredParameter, k == kOptionalParameter:
			// The default is no target: the first of the children that is no modifier is.
			for d := t.first(c); d >= 0; d = t.next(d, c) {
				if dk := t.kind(d); dk != kDecorator && dk != kAccessibility && dk != kOther {
					f.patternNames(d, yield)
					break
				}
			}
			c = t.after(c)
			continue
		}
		c++
	}
}

// statements lowers the statements below a block, a case or the program.
func (b *body) statements(n int, depth int) []flow.Stmt {
	var out []flow.Stmt
	for c := b.tree.first(n); c >= 0; c = b.tree.next(c, n) {
		out = b.statement(c, out, depth)
	}
	return out
}

// branch lowers a statement that stands alone as a branch or a loop's body.
func (b *body) branch(n int, depth int) []flow.Stmt {
	if n >= 0 && b.tree.kind(n) == kBlock {
		return b.statements(n, depth)
	}
	return b.statement(n, nil, depth)
}

// statement appends what a statement is lowered to.
func (b *body) statement(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	if n < 0 || depth > maxNest {
		return out
	}
	depth++
	line := b.line(n)
	switch k := t.kind(n); k {
	case kExpressionStatement:
		return b.expressionStatement(n, out, depth)
	case kLexical, kVariable:
		for c := t.first(n); c >= 0; c = t.next(c, n) {
			if t.kind(c) == kDeclarator {
				out = b.declare(c, out, depth)
			}
		}
	case kIf:
		return b.ifStatement(n, out, depth)
	case kReturn:
		value := t.first(n)
		out = b.effects(value, out, depth)
		return append(out, flow.Stmt{Kind: flow.Leave, Leaves: flow.Return, Line: line, Value: b.returned(value)})
	case kThrow:
		return b.throwStatement(n, out, depth)
	case kBlock:
		return append(out, flow.Stmt{Kind: flow.Block, Line: line, Body: b.statements(n, depth)})
	case kFor, kForIn, kWhile, kDo:
		return b.loop(n, k, out, depth)
	case kSwitch:
		return b.switchStatement(n, out, depth)
	case kTry:
		return append(out, b.tryStatement(n, depth))
	case kLabeled:
		return b.labelled(n, out, depth)
	case kWith:
		return b.statement(t.last(n), out, depth)
	case kBreak:
		return append(out, flow.Stmt{Kind: flow.Leave, Leaves: flow.Break, Line: line})
	case kContinue:
		return append(out, flow.Stmt{Kind: flow.Leave, Leaves: flow.Continue, Line: line})
	case kFunctionDeclaration, kGeneratorDeclaration:
		return b.closure(n, true, out, depth)
	case kClassDeclaration, kAbstractClass:
		return b.classBody(n, out, depth)
	case kExport, kNamespace, kAmbient:
		return append(out, b.statements(n, depth)...)
	}
	return out
}

// labelled lowers a statement that a break in it can leave by name, from any depth.
func (b *body) labelled(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	content := t.last(n)
	if !b.leftByName(n) {
		return b.statement(content, out, depth)
	}
	from := len(out)
	out = b.statement(content, out, depth)
	for i := from; i < len(out); i++ {
		markLoops(&out[i])
	}
	switch t.kind(content) {
	case kFor, kForIn, kWhile, kDo:
		return out
	}
	// Any other statement is a loop that runs once.
	once := flow.Stmt{Kind: flow.DoWhile, Line: b.line(n), Cond: expr.New(expr.Bool, "false"), Breaks: true, Body: out[from:]}
	return append(out[:from:from], once)
}

// markLoops says of the outermost loop in a statement that it is left from within.
func markLoops(st *flow.Stmt) {
	switch st.Kind {
	case flow.While, flow.DoWhile, flow.For:
		st.Breaks = true
	case flow.Block:
		for i := range st.Body {
			markLoops(&st.Body[i])
		}
	}
}

// leftByName reports whether a break in a labelled statement names its label.
func (b *body) leftByName(n int) bool {
	t := &b.tree
	label := b.between(t.start(n), t.start(t.last(n)))
	for c := n; c < t.after(n); c++ {
		if t.kind(c) == kBreak && strings.HasPrefix(label, strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(t.text(c), "break"), ";"))) && t.first(c) >= 0 {
			return true
		}
	}
	return false
}

// expressionStatement lowers an expression that stands alone.
func (b *body) expressionStatement(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	e := t.first(n)
	if e < 0 {
		return out
	}
	if t.kind(e) == kNamespace {
		return append(out, b.statements(t.last(e), depth)...)
	}
	if t.kind(e) == kSequence {
		for c := t.first(e); c >= 0; c = t.next(c, e) {
			out = b.expressionAlone(c, out, depth)
		}
		return out
	}
	return b.expressionAlone(e, out, depth)
}

func (b *body) expressionAlone(e int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	out = b.effects(e, out, depth)
	switch t.kind(e) {
	case kCall, kAwait:
		if _, ok := b.forms[e]; !ok {
			out = append(out, flow.Stmt{Kind: flow.Do, Line: b.line(e), Value: b.expr(e)})
		}
		if b.exits(e) {
			out = append(out, flow.Stmt{Kind: flow.Leave, Leaves: flow.Throw, Line: b.line(e)})
		}
	}
	return out
}

// declare lowers one declarator.
func (b *body) declare(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	name, value := t.first(n), t.last(n)
	if name < 0 || value == name || t.kind(value) == kTypeAnnotation {
		return out
	}
	out = b.effects(value, out, depth)
	return b.assign(name, value, "", b.line(n), out)
}

// assign lowers target = value. A name that a function inside assigns keeps no value: it may change at any time.
func (b *body) assign(target, value int, op string, line int, out []flow.Stmt) []flow.Stmt {
	t := &b.tree
	for t.kind(target) == kParenthesized || t.kind(target) == kNonNull {
		target = t.first(target)
	}
	e := b.value(value)
	switch t.kind(target) {
	case kIdentifier, kUndefined:
		if b.names.volatile[t.text(target)] {
			e = nil
		}
		return append(out, flow.Stmt{Kind: flow.Assign, Line: line, Op: op, Targets: []*expr.Expr{b.expr(target)}, Value: e})
	case kMember, kSubscript:
		return append(out, flow.Stmt{Kind: flow.Assign, Line: line, Op: op, Targets: []*expr.Expr{b.place(target)}, Value: e})
	case kObjectPattern, kArrayPattern, kArray, kObject:
		return b.destructure(target, e, line, out)
	}
	return out
}

// maxDefinition bounds the spelling of a definition that is no text: a longer one explains nothing where the name is used.
const maxDefinition = 300

// value is what a name is given; nil if there is none or it is too long to be told.
func (b *body) value(n int) *expr.Expr {
	if n < 0 {
		return nil
	}
	e := b.expr(n)
	if b.tree.end(n)-b.tree.start(n) <= maxDefinition || flow.Textual(e) || e.Is(expr.Error) {
		return e
	}
	switch e.Op {
	case expr.List, expr.Map, expr.Or, expr.Coalesce, expr.Cond:
		if sentence(e) {
			return e
		}
	}
	return nil
}

// place is an assignment's target: the member itself, also where reading it would mean a length.
func (b *body) place(n int) *expr.Expr {
	e := b.expr(n)
	if e.Is(expr.Len) {
		return b.made(n, expr.Attr, "length", e.Arg(0))
	}
	return e
}

// destructure lowers { a, b: c } = value and [a, b] = value: each name is the member of the value.
func (b *body) destructure(pattern int, value *expr.Expr, line int, out []flow.Stmt) []flow.Stmt {
	t := &b.tree
	give := func(name string, part *expr.Expr) {
		if b.names.volatile[name] || value == nil || value.Path() == "" {
			part = nil
		}
		out = append(out, flow.Stmt{Kind: flow.Assign, Line: line, Targets: []*expr.Expr{expr.Ident(name)}, Value: part})
	}
	if k := t.kind(pattern); k == kArrayPattern || k == kArray {
		b.patternNames(pattern, func(name string) { give(name, nil) })
		return out
	}
	for c := t.first(pattern); c >= 0; c = t.next(c, pattern) {
		switch t.kind(c) {
		case kShorthandPattern, kShorthand:
			give(t.text(c), expr.New(expr.Attr, t.text(c), value))
		case kPairPattern:
			if key, ok := b.key(t.first(c)); ok && t.kind(t.last(c)) == kIdentifier {
				give(t.text(t.last(c)), expr.New(expr.Attr, key, value))
				continue
			}
			b.patternNames(t.last(c), func(name string) { give(name, nil) })
		default:
			b.patternNames(c, func(name string) { give(name, nil) })
		}
	}
	return out
}

// returned is the value of a return statement; a function that is returned is no text.
func (b *body) returned(n int) *expr.Expr {
	if n < 0 {
		return nil
	}
	return b.expr(n)
}

// condition is the expression of a condition, which may stand in parentheses.
func (b *body) condition(n int) *expr.Expr {
	if n < 0 {
		return nil
	}
	return truth(b.expr(n))
}

func (b *body) ifStatement(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	kids := t.kids(n)
	if len(kids) < 2 {
		return out
	}
	out = b.effects(kids[0], out, depth)
	st := flow.Stmt{Kind: flow.If, Line: b.line(kids[0]), Cond: b.condition(kids[0]), Body: b.branch(kids[1], depth)}
	if len(kids) > 2 {
		st.Else = b.branch(t.first(kids[2]), depth)
	}
	return append(out, st)
}

func (b *body) loop(n int, k kind, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	kids := t.kids(n)
	line := b.line(n)
	switch {
	case k == kWhile && len(kids) == 2:
		out = b.effects(kids[0], out, depth)
		return append(out, flow.Stmt{Kind: flow.While, Line: line, Cond: b.forever(kids[0]), Body: b.branch(kids[1], depth)})
	case k == kDo && len(kids) == 2:
		body := b.branch(kids[0], depth)
		body = b.effects(kids[1], body, depth)
		return append(out, flow.Stmt{Kind: flow.DoWhile, Line: line, Cond: b.forever(kids[1]), Body: body})
	case k == kForIn && len(kids) >= 3:
		list := kids[len(kids)-2]
		out = b.effects(list, out, depth)
		st := flow.Stmt{Kind: flow.For, Line: line, Value: b.expr(list), Body: b.branch(kids[len(kids)-1], depth)}
		b.patternNames(kids[0], func(name string) { st.Targets = append(st.Targets, expr.Ident(name)) })
		return append(out, st)
	case k == kFor:
		return b.counting(kids, line, out, depth)
	}
	return out
}

// forever is a loop's condition; nil if it always holds.
func (b *body) forever(n int) *expr.Expr {
	e := b.condition(n)
	if e.Is(expr.Bool) && e.Text == "true" || e.Is(expr.Truthy) && e.Arg(0).Is(expr.Number) && e.Arg(0).Text != "0" {
		return nil
	}
	return e
}

// counting lowers for (init; condition; update) body.
func (b *body) counting(kids []int, line int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	if len(kids) < 3 {
		return out
	}
	all := flow.Stmt{Kind: flow.Block, Line: line}
	switch first := kids[0]; t.kind(first) {
	case kLexical, kVariable:
		all.Body = b.statement(first, all.Body, depth)
	case kEmpty:
	default:
		all.Body = b.effects(first, all.Body, depth)
	}
	loop := flow.Stmt{Kind: flow.While, Line: line}
	if t.kind(kids[1]) != kEmpty {
		all.Body = b.effects(kids[1], all.Body, depth)
		loop.Cond = b.forever(kids[1])
	}
	loop.Body = b.branch(kids[len(kids)-1], depth)
	if len(kids) > 3 {
		loop.Body = b.effects(kids[2], loop.Body, depth)
	}
	all.Body = append(all.Body, loop)
	return append(out, all)
}

func (b *body) tryStatement(n int, depth int) flow.Stmt {
	t := &b.tree
	st := flow.Stmt{Kind: flow.Try, Line: b.line(n), Body: b.branch(t.first(n), depth)}
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		switch t.kind(c) {
		case kCatch:
			h := flow.Handler{Line: b.line(c), Body: b.branch(t.last(c), depth)}
			if name := t.first(c); t.kind(name) == kIdentifier {
				h.Name = t.text(name)
			}
			st.Handlers = append(st.Handlers, h)
		case kFinally:
			st.Final = b.branch(t.first(c), depth)
		}
	}
	return st
}

func (b *body) switchStatement(n int, out []flow.Stmt, depth int) []flow.Stmt {
	t := &b.tree
	subject, arms := t.first(n), t.child(n, kSwitchBody)
	if arms < 0 {
		return out
	}
	out = b.effects(subject, out, depth)
	st := flow.Stmt{Kind: flow.Switch, Line: b.line(n), Value: b.expr(subject), Breaks: true}
	if st.Value.Is(expr.Bool) && st.Value.Text == "true" {
		st.Value = nil // switch (true): the arms are conditions
	}
	var values []*expr.Expr // of arms without statements, which share the next one's
	for c := t.first(arms); c >= 0; c = t.next(c, arms) {
		arm := flow.Case{Line: b.line(c)}
		from := t.first(c)
		if t.kind(c) == kCase {
			v := b.expr(from)
			if st.Value == nil {
				v = truth(v)
			}
			values = append(values, v)
			from = t.next(from, c)
		}
		if from < 0 && t.kind(c) == kCase && t.next(c, arms) >= 0 {
			continue
		}
		if t.kind(c) == kCase {
			arm.Values = values
		}
		values = nil
		arm.Body, arm.Falls = b.arm(c, from, depth)
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

// arm lowers the statements of an arm. A break at its end is what every arm has.
func (b *body) arm(c, from, depth int) (body []flow.Stmt, falls bool) {
	t := &b.tree
	for ; from >= 0; from = t.next(from, c) {
		body = b.statement(from, body, depth)
	}
	list := &body
	for len(*list) > 0 && (*list)[len(*list)-1].Kind == flow.Block {
		list = &(*list)[len(*list)-1].Body
	}
	if last := len(*list) - 1; last >= 0 && (*list)[last].Kind == flow.Leave && (*list)[last].Leaves == flow.Break {
		*list = (*list)[:last]
		return body, false
	}
	return body, true
}
