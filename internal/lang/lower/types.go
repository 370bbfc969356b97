package lower

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// class reads a class: what a value of it prints, if it may be an error, and its members.
func (b *Body) class(out []flow.Stmt, n int, c *Class) []flow.Stmt {
	if b.Silent {
		return out
	}
	name := c.Name
	if b.Owner != "" && !strings.HasSuffix(b.Owner, "<locals>") && name != "" {
		name = b.Owner + "." + name
	}
	if c.Type != nil {
		t := *c.Type
		t.Name, t.Bases = name, c.Bases
		t.Line, t.EndLine, t.Doc = b.Line(n), b.EndLine(n), b.Doc(n)
		b.Facts.Types = append(b.Facts.Types, t)
	}
	inner := &Body{File: b.File, Function: b.Function, Owner: name, Caught: b.Caught, depth: b.depth + 1}
	if c.Body >= 0 && inner.depth < maxDepth {
		for _, m := range b.Within(c.Body) {
			out = inner.Stmt(out, m)
		}
	}
	return out
}

// Constructor reads what a constructor keeps and hands to its base: params and body are its own, super is told every call in it
// and returns the arguments of one that is the base's constructor. Fields are written as members of self.
func (b *Body) Constructor(t *raise.Type, params []raise.Param, body int, super func(*expr.Expr) ([]*expr.Expr, bool)) {
	if body < 0 {
		return
	}
	silent := &Body{File: b.File, Function: raise.NoFunction, Silent: true, depth: b.depth + 1}
	stmts := silent.Block(body)
	var sites []raise.Site
	mark := func(list []flow.Stmt) {}
	var handed []int
	mark = func(list []flow.Stmt) {
		for i := range list {
			st := &list[i]
			if st.Kind == flow.Do {
				if args, ok := super(st.Value); ok {
					st.Kind, st.Goes, st.Site = flow.Raise, true, len(sites)
					handed = append(handed, len(sites))
					sites = append(sites, raise.Site{Args: args})
				}
			}
			mark(st.Body)
			mark(st.Else)
		}
	}
	mark(stmts)
	members(stmts, b, t, 0)
	b.analyze(params, stmts, sites)
	t.Params = params
	if len(handed) > 0 {
		s := &sites[handed[0]]
		t.Super = []*expr.Expr{}
		for _, a := range s.Args {
			t.Super = append(t.Super, b.selfish(a))
		}
	}
}

// members collects what statements put into members of the receiver.
func members(stmts []flow.Stmt, b *Body, t *raise.Type, depth int) {
	if depth > 10 {
		return
	}
	for i := range stmts {
		st := &stmts[i]
		if st.Kind == flow.Assign && len(st.Targets) == 1 && st.Value != nil && st.Op == "" {
			if target := b.selfish(st.Targets[0]); target.Is(expr.Attr) && target.Arg(0).Is(expr.Name) && target.Arg(0).Text == "self" {
				t.Fields = append(t.Fields, raise.Def{Name: "self." + target.Text, Value: b.selfish(st.Value), Line: st.Line})
			}
		}
		members(st.Body, b, t, depth+1)
		members(st.Else, b, t, depth+1)
	}
}

// Returned is what a function body returns, as one expression in terms of the receiver's members; nil if it returns nothing that is
// known.
func (b *Body) Returned(params []raise.Param, body int, result bool) *expr.Expr {
	if body < 0 {
		return nil
	}
	silent := &Body{File: b.File, Function: raise.NoFunction, Silent: true, depth: b.depth + 1}
	var stmts []flow.Stmt
	if result {
		stmts = silent.Leave(nil, body, flow.Return, body)
	} else {
		stmts = silent.Block(body)
	}
	made := b.analyze(params, stmts, nil)
	if len(made) == 0 {
		made = returned(stmts, 0)
	}
	for i := range made {
		made[i] = b.selfish(made[i])
	}
	switch len(made) {
	case 0:
		return nil
	case 1:
		return made[0]
	}
	return expr.New(expr.Alt, "", made...)
}

// returned lists what return statements give back.
func returned(stmts []flow.Stmt, depth int) []*expr.Expr {
	var out []*expr.Expr
	for i := range stmts {
		st := &stmts[i]
		if st.Kind == flow.Leave && st.Leaves == flow.Return && st.Value != nil {
			out = append(out, st.Value)
		}
		if depth < 10 {
			out = append(out, returned(st.Body, depth+1)...)
			out = append(out, returned(st.Else, depth+1)...)
		}
	}
	return out
}

// Constant keeps a constant that messages may refer to, under its class's name if it has one.
func (b *Body) Constant(name string, value *expr.Expr, line int) {
	if b.Silent || value == nil || name == "" {
		return
	}
	switch value.Op {
	case expr.String, expr.Number, expr.Bool, expr.Interp, expr.Format, expr.Join, expr.Binary, expr.Name, expr.Attr, expr.Error:
	case expr.Map, expr.List, expr.Tuple:
		if len(value.Args) == 0 || len(value.Args) > 500 {
			return
		}
	default:
		return
	}
	if b.Owner != "" {
		name = b.Owner + "." + name
	}
	b.Facts.Values = append(b.Facts.Values, raise.Value{Name: name, Value: value, Line: line, Site: -1})
}
