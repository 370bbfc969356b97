package python

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// class reads a class: its members, its constants, and, if it may be an error, what a value of it prints.
func (x *extractor) class(i int, parent *body) []flow.Stmt {
	name := x.text(x.child(i, x.f.name))
	if parent.class != "" {
		name = parent.class + "." + name
	}
	block := x.child(i, x.f.body)
	t := raise.Type{Name: name, Line: x.line(i), EndLine: x.endLine(i), Doc: x.docstring(block)}
	for _, c := range x.named(x.child(i, x.f.superclasses)) {
		if e := x.expr(c); e.Path() != "" {
			t.Bases = append(t.Bases, e.Path())
		}
	}
	b := &body{extractor: x, function: parent.function, class: name, receiver: parent.receiver, depth: parent.depth + 1}
	x.values(block, name)
	x.printed(block, &t)
	if len(t.Bases) > 0 || t.Message != nil {
		x.facts.Types = append(x.facts.Types, t)
	}
	return b.block(block)
}

// printed reads what a value of the class prints: __str__, what __init__ hands to its base, and what it keeps.
func (x *extractor) printed(block int, t *raise.Type) {
	for _, c := range x.named(block) {
		fn := c
		if x.name(c) == "decorated_definition" {
			fn = x.child(c, x.f.definition)
		}
		switch x.name(fn) {
		case "function_definition":
			switch x.text(x.child(fn, x.f.name)) {
			case "__init__", "__new__":
				x.constructor(fn, t)
			case "__str__":
				t.Message = x.returned(fn, t)
			case "__repr__":
				if strings.Contains(x.text(block), "__str__ = __repr__") {
					t.Message = x.returned(fn, t)
				}
			}
		case "expression_statement":
			x.dataclassField(fn, block, t)
		}
	}
}

// dataclassField takes an annotated attribute of a dataclass for a parameter of its constructor.
func (x *extractor) dataclassField(stmt, block int, t *raise.Type) {
	class := x.tree.Parent(block)
	if !strings.Contains(x.text(x.tree.Parent(class))[:min(200, len(x.text(x.tree.Parent(class))))], "dataclass") &&
		!x.decorated(class, "dataclass") {
		return
	}
	for _, a := range x.named(stmt) {
		if x.name(a) == "assignment" && x.child(a, x.f.typ) >= 0 && x.name(x.child(a, x.f.left)) == "identifier" {
			p := raise.Param{Name: x.text(x.child(a, x.f.left)), Type: x.text(x.child(a, x.f.typ))}
			if right := x.child(a, x.f.right); right >= 0 {
				p.Default = x.expr(right)
			}
			t.Params = append(t.Params, p)
		}
	}
}

// member is the body of a method of a class that is read for what it keeps or returns.
func (x *extractor) member(fn int) (*body, []raise.Param, []flow.Stmt) {
	params := x.params(x.child(fn, x.f.parameters))
	b := &body{extractor: x, function: raise.NoFunction, silent: true}
	if len(params) > 0 {
		b.receiver = params[0].Name
		params = params[1:]
	}
	return b, params, b.block(x.child(fn, x.f.body))
}

// constructor reads parameters, members and the call of the base's constructor.
func (x *extractor) constructor(fn int, t *raise.Type) {
	b, params, stmts := x.member(fn)
	t.Params = params
	env := map[string]*expr.Expr{}
	b.keep(stmts, env, t, 0)
}

// keep follows the assignments of a constructor in order: locals are put into what comes after them.
func (b *body) keep(stmts []flow.Stmt, env map[string]*expr.Expr, t *raise.Type, depth int) {
	if depth > 10 {
		return
	}
	put := func(e *expr.Expr) *expr.Expr {
		return b.selfish(e.Map(func(a *expr.Expr) *expr.Expr {
			if a.Is(expr.Name) && env[a.Text] != nil {
				return env[a.Text]
			}
			return a
		}))
	}
	for i := range stmts {
		st := &stmts[i]
		switch st.Kind {
		case flow.Assign:
			if len(st.Targets) != 1 || st.Value == nil || st.Targets[0] == nil {
				continue
			}
			target, value := st.Targets[0], put(st.Value)
			if st.Op == "+" && target.Is(expr.Name) && env[target.Text] != nil {
				value = expr.New(expr.Binary, "+", env[target.Text], value)
			} else if st.Op != "" {
				continue
			}
			if target.Is(expr.Name) {
				if old := env[target.Text]; old != nil && depth > 0 && st.Op == "" {
					value = expr.New(expr.Alt, "", old, value)
				} else if depth > 0 && st.Op == "" && isParamName(t.Params, target.Text) {
					value = expr.New(expr.Alt, "", expr.Ident(target.Text), value)
				}
				env[target.Text] = value
			} else if target.Is(expr.Attr) && target.Arg(0).Is(expr.Name) && target.Arg(0).Text == b.receiver {
				t.Fields = append(t.Fields, raise.Def{Name: "self." + target.Text, Value: value, Line: st.Line})
				if target.Text == "args" && value.Is(expr.Tuple) && t.Super == nil {
					t.Super = value.Args
				}
			}
		case flow.Do:
			grow(st.Value, put, env)
			b.super(st.Value, put, t)
		case flow.Leave:
			b.super(st.Value, put, t)
		case flow.If, flow.Block, flow.Try:
			b.keep(st.Body, env, t, depth+1)
			b.keep(st.Else, env, t, depth+1)
		}
	}
}

// grow follows what is put into a list that a message is joined from later.
func grow(e *expr.Expr, put func(*expr.Expr) *expr.Expr, env map[string]*expr.Expr) {
	if !e.Is(expr.Call) || !e.Arg(0).Is(expr.Attr) || !e.Arg(0).Arg(0).Is(expr.Name) {
		return
	}
	name := e.Arg(0).Arg(0).Text
	old := env[name]
	args := slices.Clone(e.Args[1:])
	if !old.Is(expr.List) {
		return
	}
	for i := range args {
		args[i] = put(args[i])
	}
	if elements := grown(e.Arg(0).Text, old.Args, args); elements != nil {
		env[name] = expr.New(expr.List, "", elements...)
	} else {
		delete(env, name)
	}
}

func isParamName(params []raise.Param, name string) bool {
	for _, p := range params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// super takes the arguments of super().__init__(…) or Base.__init__(self, …).
func (b *body) super(e *expr.Expr, put func(*expr.Expr) *expr.Expr, t *raise.Type) {
	if !e.Is(expr.Call) {
		return
	}
	callee := e.Arg(0)
	if !callee.Is(expr.Attr) || callee.Text != "__init__" && callee.Text != "__new__" {
		return
	}
	args := e.Args[1:]
	if !callee.Arg(0).Is(expr.Call) || callee.Text == "__new__" {
		if len(args) == 0 || !args[0].Is(expr.Name) {
			return
		}
		args = args[1:]
	}
	if t.Super != nil {
		return // a second call, on another branch
	}
	if p := callee.Arg(0).Path(); p != "" && !callee.Arg(0).Is(expr.Call) {
		t.SuperOf = p
	}
	t.Super = []*expr.Expr{}
	for _, a := range args {
		t.Super = append(t.Super, put(a))
	}
}

// returned is the text that a method returns, in terms of members.
func (x *extractor) returned(fn int, _ *raise.Type) *expr.Expr {
	b, _, stmts := x.member(fn)
	var sites []raise.Site
	made := flow.Analyze(flow.Function{Params: []string{b.receiver}, Body: stmts, Pure: pure, Grow: grown}, sites)
	if len(made) == 0 {
		made = b.attributesReturned(stmts, 0)
	}
	var out []*expr.Expr
	for _, m := range made {
		out = append(out, b.selfish(m))
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return expr.New(expr.Alt, "", out...)
}

// attributesReturned lists what return statements give back, where that is a member or a call.
func (b *body) attributesReturned(stmts []flow.Stmt, depth int) []*expr.Expr {
	var out []*expr.Expr
	for i := range stmts {
		st := &stmts[i]
		if st.Kind == flow.Leave && st.Leaves == flow.Return && st.Value != nil {
			out = append(out, st.Value)
		}
		if depth < 10 {
			out = append(out, b.attributesReturned(st.Body, depth+1)...)
			out = append(out, b.attributesReturned(st.Else, depth+1)...)
		}
	}
	return out
}
