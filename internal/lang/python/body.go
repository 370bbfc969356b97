package python

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
)

// body lowers the statements of one function, or of a module or class outside of functions.
type body struct {
	*extractor
	function int
	class    string // the class whose members the statements define, or belong to
	receiver string
	raises   bool
	gives    bool     // has a return statement
	silent   bool     // statements are read for what they assign alone: no sites, no functions
	caught   []string // names that hold caught errors
	depth    int
}

// maxDepth bounds the nesting of statements that are lowered.
const maxDepth = 100

// ownerFor is the owner of a function that is defined here, and whether that is a class.
func (b *body) ownerFor() (owner string, class bool) {
	if b.function < 0 {
		return b.class, b.class != ""
	}
	f := &b.facts.Functions[b.function]
	if b.class != "" && b.class != f.Owner {
		return b.class, true
	}
	name := f.Name + ".<locals>"
	if f.Owner != "" {
		name = f.Owner + "." + name
	}
	return name, false
}

func (b *body) paramNames() []string {
	var out []string
	if b.receiver != "" {
		out = append(out, b.receiver)
	}
	for _, p := range b.facts.Functions[b.function].Params {
		out = append(out, p.Name)
	}
	return out
}

// selfish writes the receiver as "self".
func (b *body) selfish(e *expr.Expr) *expr.Expr {
	if b.receiver == "" || b.receiver == "self" {
		return e
	}
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if a.Is(expr.Name) && a.Text == b.receiver {
			return expr.Ident("self")
		}
		return a
	})
}

// path is a dotted path with the receiver called self and super() called super.
func (b *body) path(e *expr.Expr) string {
	p := e.Path()
	if rest, ok := strings.CutPrefix(p, b.receiver+"."); ok && b.receiver != "" {
		p = "self." + rest
	}
	if rest, ok := strings.CutPrefix(p, "super()."); ok {
		p = "super." + rest
	}
	if rest, ok := strings.CutPrefix(p, "self.__class__."); ok {
		p = "self." + rest
	}
	return p
}

func (b *body) at(kind flow.Kind, i int) flow.Stmt {
	return flow.Stmt{Kind: kind, Line: b.line(i), Site: flow.NoSite}
}

func (b *body) block(i int) []flow.Stmt {
	if i < 0 || b.depth > maxDepth {
		return nil
	}
	b.depth++
	defer func() { b.depth-- }()
	var out []flow.Stmt
	for c := range b.tree.NamedChildren(i) {
		out = b.stmt(out, c)
	}
	return out
}

func (b *body) stmt(out []flow.Stmt, i int) []flow.Stmt {
	switch b.name(i) {
	case "expression_statement":
		return b.expression(out, i)
	case "raise_statement":
		return b.raise(out, i)
	case "assert_statement":
		return b.assert(out, i)
	case "return_statement":
		st := b.at(flow.Leave, i)
		if kids := b.named(i); len(kids) > 0 {
			out = b.calls(out, kids[0], i)
			st.Value = b.value(kids[0])
		}
		return append(out, st)
	case "break_statement", "continue_statement":
		st := b.at(flow.Leave, i)
		st.Leaves = flow.Break
		if b.name(i) == "continue_statement" {
			st.Leaves = flow.Continue
		}
		return append(out, st)
	case "if_statement":
		return b.ifStmt(out, i)
	case "while_statement", "for_statement":
		return b.loop(out, i)
	case "try_statement":
		return b.try(out, i)
	case "with_statement":
		return b.with(out, i)
	case "match_statement":
		return b.match(out, i)
	case "function_definition":
		if b.silent {
			return out
		}
		return append(out, b.extractor.function(i, b)...)
	case "class_definition":
		if b.silent {
			return out
		}
		return append(out, b.extractor.class(i, b)...)
	case "decorated_definition":
		return b.stmt(out, b.child(i, b.f.definition))
	case "import_statement", "import_from_statement":
		if !b.silent {
			b.imports(i)
		}
	case "print_statement", "exec_statement", "delete_statement":
		st := b.at(flow.Do, i)
		return append(out, st)
	case "ERROR", "block":
		st := b.at(flow.Block, i)
		st.Body = b.block(i)
		return append(out, st)
	}
	return out
}

// value lowers an expression as a value: a call of an exception class is an error.
func (b *body) value(i int) *expr.Expr {
	e := b.expr(i)
	if e.Is(expr.Call) && (b.errorClass(e.Arg(0)) || e.Arg(0).Is(expr.Name) && e.Arg(0).Text == "error") {
		return &expr.Expr{Op: expr.Error, Args: append([]*expr.Expr{e.Arg(0), nil}, e.Args[1:]...), Src: e.Src}
	}
	return e
}

// errorClass reports whether a callee is an exception class by its name, or one of the file.
func (b *body) errorClass(callee *expr.Expr) bool {
	last := callee.Last()
	return errorName(last) || b.errorClasses[last]
}

// errorName reports whether a name is one of an exception class.
func errorName(last string) bool {
	if last == "" || last[0] < 'A' || last[0] > 'Z' {
		return false
	}
	for _, end := range []string{"Error", "Exception", "Warning", "Exit", "Interrupt", "Fault", "Failure", "DoesNotExist", "NotFound", "Timeout", "Http404", "Abort", "Invalid", "Denied", "Required"} {
		if strings.HasSuffix(last, end) {
			return true
		}
	}
	return false
}

func (b *body) expression(out []flow.Stmt, i int) []flow.Stmt {
	for _, c := range b.named(i) {
		switch b.name(c) {
		case "assignment", "augmented_assignment":
			out = b.assign(out, c, i)
		default:
			before := len(out)
			out = b.calls(out, c, i)
			st := b.at(flow.Do, i)
			st.Value = b.expr(c)
			if len(out) > before && b.leaves(st.Value) {
				st.Kind, st.Leaves, st.Value = flow.Leave, flow.Throw, nil
			}
			out = append(out, st)
		}
	}
	return out
}

// isHeir reports whether one of a class's bases, as written, is an exception class by its name or one of those known.
func isHeir(bases string, known map[string]bool) bool {
	for base := range strings.SplitSeq(strings.Trim(bases, "() \t\r\n"), ",") {
		base = strings.TrimSpace(base)
		last := base[strings.LastIndexByte(base, '.')+1:]
		if errorName(last) || known[last] {
			return true
		}
	}
	return false
}

// leaves reports whether a call never returns, as far as its name tells.
func (b *body) leaves(e *expr.Expr) bool {
	if !e.Is(expr.Call) {
		return false
	}
	switch p := b.path(e.Arg(0)); p {
	case "sys.exit", "exit", "quit", "os._exit", "pytest.fail", "self.fail", "parser.error", "pytest.skip":
		return true
	default:
		return strings.HasSuffix(p, "parser.error") || strings.HasSuffix(p, "parser.exit")
	}
}

func (b *body) assign(out []flow.Stmt, a, stmt int) []flow.Stmt {
	right := b.child(a, b.f.right)
	st := b.at(flow.Assign, a)
	targets := []int{b.child(a, b.f.left)}
	for b.name(right) == "assignment" {
		targets = append(targets, b.child(right, b.f.left))
		right = b.child(right, b.f.right)
	}
	if right < 0 {
		return out
	}
	out = b.calls(out, right, stmt)
	st.Value = b.value(right)
	if op := b.text(b.child(a, b.f.operator)); op != "" {
		st.Op = strings.TrimSuffix(op, "=")
	}
	for _, t := range targets {
		one := st
		one.Targets = b.targets(t)
		out = append(out, one)
	}
	return out
}

func (b *body) targets(i int) []*expr.Expr {
	switch b.name(i) {
	case "pattern_list", "tuple_pattern", "list_pattern", "expression_list", "tuple":
		var out []*expr.Expr
		for _, c := range b.named(i) {
			out = append(out, b.expr(c))
		}
		return out
	}
	if i < 0 {
		return nil
	}
	return []*expr.Expr{b.expr(i)}
}

func (b *body) ifStmt(out []flow.Stmt, i int) []flow.Stmt {
	cond := b.child(i, b.f.condition)
	out = b.calls(out, cond, cond)
	out = b.walrus(out, cond)
	st := b.at(flow.If, i)
	st.Cond = truth(b.expr(cond))
	st.Body = b.block(b.child(i, b.f.consequence))
	current := &st
	for c := range b.tree.NamedChildren(i) {
		switch b.name(c) {
		case "elif_clause":
			next := b.at(flow.If, c)
			next.Cond = truth(b.expr(b.child(c, b.f.condition)))
			next.Body = b.block(b.child(c, b.f.consequence))
			current.Else = []flow.Stmt{next}
			current = &current.Else[0]
		case "else_clause":
			current.Else = b.block(b.child(c, b.f.body))
		}
	}
	return append(out, st)
}

// walrus adds the assignments that stand inside a condition.
func (b *body) walrus(out []flow.Stmt, i int) []flow.Stmt {
	if i < 0 {
		return out
	}
	for c := i; c < b.tree.After(i); c++ {
		if b.name(c) == "named_expression" {
			st := b.at(flow.Assign, c)
			st.Targets, st.Value = []*expr.Expr{b.expr(b.child(c, b.f.name))}, b.value(b.child(c, b.f.value))
			out = append(out, st)
		}
	}
	return out
}

func (b *body) loop(out []flow.Stmt, i int) []flow.Stmt {
	st := b.at(flow.While, i)
	if b.name(i) == "for_statement" {
		st.Kind = flow.For
		right := b.child(i, b.f.right)
		out = b.calls(out, right, right)
		st.Value, st.Targets = b.expr(right), b.targets(b.child(i, b.f.left))
	} else {
		cond := b.child(i, b.f.condition)
		if c := b.expr(cond); !c.Is(expr.Bool) || c.Text != "true" {
			if !c.Is(expr.Number) || c.Text != "1" {
				st.Cond = truth(c)
			}
		}
	}
	st.Body = b.block(b.child(i, b.f.body))
	if e := b.child(i, b.f.alternative); e >= 0 {
		st.Else = b.block(b.child(e, b.f.body))
	}
	return append(out, st)
}

func (b *body) try(out []flow.Stmt, i int) []flow.Stmt {
	st := b.at(flow.Try, i)
	st.Body = b.block(b.child(i, b.f.body))
	for c := range b.tree.NamedChildren(i) {
		switch b.name(c) {
		case "except_clause", "except_group_clause":
			st.Handlers = append(st.Handlers, b.handler(c))
		case "else_clause":
			st.Else = b.block(b.child(c, b.f.body))
		case "finally_clause":
			for _, k := range b.named(c) {
				st.Final = b.block(k)
			}
		}
	}
	return append(out, st)
}

func (b *body) handler(i int) flow.Handler {
	h := flow.Handler{Line: b.line(i)}
	value := b.child(i, b.f.value)
	if value >= 0 {
		h.Types = b.text(value)
	}
	if alias := b.child(i, b.f.alias); alias >= 0 {
		h.Name = b.text(alias)
	}
	block := -1
	for _, k := range b.named(i) {
		switch b.name(k) {
		case "block":
			block = k
		case "as_pattern":
			kids := b.named(k)
			if len(kids) > 0 {
				h.Types = b.text(kids[0])
			}
			if alias := b.child(k, b.f.alias); alias >= 0 {
				h.Name = b.text(alias)
			}
		default:
			if h.Types == "" {
				h.Types = b.text(k)
			} else if h.Name == "" && b.name(k) == "identifier" && k != value {
				h.Name = b.text(k) // except X, e of version 2
			}
		}
	}
	if h.Name != "" {
		b.caught = append(b.caught, h.Name)
	}
	h.Body = b.block(block)
	return h
}

func (b *body) with(out []flow.Stmt, i int) []flow.Stmt {
	for _, c := range b.named(i) {
		if b.name(c) != "with_clause" {
			continue
		}
		for _, item := range b.named(c) {
			value := b.child(item, b.f.value)
			if value < 0 {
				continue
			}
			out = b.calls(out, value, value)
			b.expectation(value, i)
			st := b.at(flow.Do, item)
			if b.name(value) == "as_pattern" {
				kids := b.named(value)
				st.Kind = flow.Assign
				st.Value = b.expr(kids[0])
				if alias := b.child(value, b.f.alias); alias >= 0 {
					for _, t := range b.named(alias) {
						st.Targets = b.targets(t)
					}
				}
			} else {
				st.Value = b.expr(value)
			}
			out = append(out, st)
		}
	}
	st := b.at(flow.Block, i)
	st.Body = b.block(b.child(i, b.f.body))
	return append(out, st)
}

func (b *body) match(out []flow.Stmt, i int) []flow.Stmt {
	st := b.at(flow.Switch, i)
	st.Value = b.expr(b.child(i, b.f.subject))
	for _, c := range b.named(b.child(i, b.f.body)) {
		if b.name(c) != "case_clause" {
			continue
		}
		arm := flow.Case{Line: b.line(c), Body: b.block(b.child(c, b.f.consequence))}
		var patterns []string
		for _, k := range b.named(c) {
			if b.name(k) == "case_pattern" {
				patterns = append(patterns, b.text(k))
				if kids := b.named(k); len(kids) == 1 && literalPattern(b.name(kids[0])) {
					arm.Values = append(arm.Values, b.expr(kids[0]))
				} else {
					arm.Text = b.text(k)
				}
			}
		}
		if arm.Text != "" {
			arm.Values = nil
		}
		if guard := b.child(c, b.f.guard); guard >= 0 {
			arm.Text = strings.Join(patterns, ", ") + " " + b.text(guard)
			arm.Values = nil
		}
		if strings.TrimSpace(arm.Text) == "_" {
			arm.Text = ""
		}
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

func literalPattern(name string) bool {
	switch name {
	case "string", "integer", "float", "true", "false", "none", "concatenated_string":
		return true
	}
	return false
}

// pure reports whether a method of that name leaves its receiver as it is.
func pure(method string) bool {
	for _, p := range []string{"is", "has", "get", "start", "end", "lower", "upper", "strip", "split", "join", "format", "find", "index",
		"count", "copy", "keys", "values", "items", "encode", "decode", "replace", "lstrip", "rstrip", "title", "read", "match", "search",
		"assert", "total", "to_", "as_", "__", "isoformat", "debug", "info", "warning", "error", "log"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// grown says what a list holds behind a call of one of its methods.
func grown(method string, list, args []*expr.Expr) []*expr.Expr {
	switch {
	case method == "append" && len(args) == 1:
		return append(slices.Clip(list), args[0])
	case method == "extend" && len(args) == 1 && (args[0].Is(expr.List) || args[0].Is(expr.Tuple)):
		return append(slices.Clip(list), args[0].Args...)
	case method == "insert" && len(args) == 2 && args[0].Is(expr.Number) && args[0].Text == "0":
		return append([]*expr.Expr{args[1]}, list...)
	}
	return nil
}
