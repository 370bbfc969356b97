package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// body lowers the statements of one function.
type body struct {
	*extractor
	function int
	receiver string
	doc      *ast.FuncDecl
	span     [2]ast.Node // first and last node of the statement at hand
	depth    int
	testers  map[string]bool // parameters that fail a test: t *testing.T
	gotos    map[string]bool // labels that gotos lead to
	bindings *bindings       // nil if no function value stands in the function
}

// maxDepth bounds the nesting of statements that are lowered.
const maxDepth = 150

func (b *body) block(list []ast.Stmt) []flow.Stmt {
	var out []flow.Stmt
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		if len(list) > 0 && !b.deep {
			b.deep = true
			b.facts.Problems = append(b.facts.Problems, raise.Problem{Line: b.line(list[0].Pos()), Reason: "nested too deeply"})
		}
		return nil
	}
	for _, s := range list {
		out = b.stmt(out, s)
	}
	return out
}

func (b *body) at(kind flow.Kind, n ast.Node) flow.Stmt {
	return flow.Stmt{Kind: kind, Line: b.line(n.Pos()), Site: flow.NoSite}
}

func (b *body) stmt(out []flow.Stmt, s ast.Stmt) []flow.Stmt {
	b.span = [2]ast.Node{s, s}
	switch s := s.(type) {
	case *ast.BlockStmt:
		st := b.at(flow.Block, s)
		st.Body = b.block(s.List)
		return append(out, st)
	case *ast.LabeledStmt:
		return b.labeled(out, s)
	case *ast.ExprStmt:
		return b.exprStmt(out, s)
	case *ast.AssignStmt:
		return b.assign(out, s)
	case *ast.DeclStmt:
		return b.decl(out, s)
	case *ast.ReturnStmt:
		return b.ret(out, s)
	case *ast.IfStmt:
		return b.ifStmt(out, s)
	case *ast.ForStmt, *ast.RangeStmt:
		return b.loop(out, s)
	case *ast.SwitchStmt:
		return b.switchStmt(out, s)
	case *ast.TypeSwitchStmt:
		return b.typeSwitch(out, s)
	case *ast.SelectStmt:
		return b.selectStmt(out, s)
	case *ast.BranchStmt:
		return b.branch(out, s)
	case *ast.IncDecStmt:
		st := b.at(flow.Assign, s)
		st.Targets, st.Op = []*expr.Expr{b.expr(s.X)}, s.Tok.String()[:1]
		return append(out, st)
	case *ast.GoStmt:
		return b.sitesIn(s.Call, out, true)
	case *ast.DeferStmt:
		return b.sitesIn(s.Call, out, true)
	case *ast.SendStmt:
		return b.sitesIn(s.Value, out, true)
	}
	return out
}

// labeled is a statement with a label: gotos lead to it, and breaks in the loops within it may leave it.
func (b *body) labeled(out []flow.Stmt, s *ast.LabeledStmt) []flow.Stmt {
	if b.gotos[s.Label.Name] {
		out = append(out, b.at(flow.Label, s))
	}
	out = b.stmt(out, s.Stmt)
	if n := len(out); n > 0 && (out[n-1].Kind == flow.While || out[n-1].Kind == flow.For) {
		ast.Inspect(s.Stmt, func(x ast.Node) bool {
			br, ok := x.(*ast.BranchStmt)
			if ok && br.Tok == token.BREAK && br.Label != nil && br.Label.Name == s.Label.Name {
				out[n-1].Breaks = true
			}
			return true
		})
	}
	return out
}

func (b *body) exprStmt(out []flow.Stmt, s *ast.ExprStmt) []flow.Stmt {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return b.sitesIn(s.X, out, true)
	}
	name := b.callee(call.Fun)
	if name == "os.Exit" {
		out = b.exit(out, s, call)
		st := b.at(flow.Leave, s)
		st.Leaves = flow.Throw
		return append(out, st)
	}
	out = b.sitesIn(call, out, true)
	if r, ok := b.report(name); ok && r.ends {
		st := b.at(flow.Leave, s)
		st.Leaves = flow.Throw
		return append(out, st)
	}
	st := b.at(flow.Do, s)
	st.Value = b.expr(call)
	return append(out, st)
}

// exit makes a site of what was printed to the standard error just before the process ends.
func (b *body) exit(out []flow.Stmt, s ast.Stmt, call *ast.CallExpr) []flow.Stmt {
	if len(out) == 0 || out[len(out)-1].Value == nil {
		return out
	}
	last := out[len(out)-1]
	printed := last.Value
	if !printed.Is(expr.Call) {
		return out
	}
	name := printed.Arg(0).Path()
	args := printed.Args[1:]
	if strings.HasPrefix(name, "fmt.Fprint") && len(args) > 1 && args[0].Path() == "os.Stderr" {
		args = args[1:]
	} else {
		return out
	}
	var text *expr.Expr
	if strings.HasSuffix(name, "f") {
		text = &expr.Expr{Op: expr.Format, Text: "verbs", Args: args}
	} else {
		text = sprint(args, strings.HasSuffix(name, "ln"))
	}
	site := b.site(raise.KindExit, call)
	site.Line = last.Line
	site.Message = text
	return b.add(out, site, false)
}

func (b *body) assign(out []flow.Stmt, s *ast.AssignStmt) []flow.Stmt {
	for _, r := range s.Rhs {
		out = b.sitesIn(r, out, true)
		if isSentinel(r) && s.Tok == token.ASSIGN {
			site := b.site(raise.KindError, r)
			site.Sentinel = b.calleeSelf(r)
			out = b.add(out, site, true)
		}
	}
	st := b.at(flow.Assign, s)
	for _, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok && id.Name == "_" {
			st.Targets = append(st.Targets, nil)
			continue
		}
		st.Targets = append(st.Targets, b.expr(l))
	}
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		st.Op = strings.TrimSuffix(s.Tok.String(), "=")
	}
	switch {
	case b.changes(s.Lhs):
		// A function value may give one of them another value at any time.
	case len(s.Rhs) == 1:
		st.Value = b.expr(s.Rhs[0])
	default:
		st.Value = &expr.Expr{Op: expr.Tuple}
		for _, r := range s.Rhs {
			st.Value.Args = append(st.Value.Args, b.expr(r))
		}
	}
	return append(out, st)
}

// changes reports whether a function value assigns one of the targets.
func (b *body) changes(targets []ast.Expr) bool {
	return b.bindings != nil && slices.ContainsFunc(targets, func(t ast.Expr) bool {
		id, ok := t.(*ast.Ident)
		return ok && b.bindings.captured[id.Name]
	})
}

func (b *body) decl(out []flow.Stmt, s *ast.DeclStmt) []flow.Stmt {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return out
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, value := range v.Values {
			b.span = [2]ast.Node{v, v}
			out = b.sitesIn(value, out, true)
			if len(v.Values) == len(v.Names) {
				st := b.at(flow.Assign, v)
				st.Targets, st.Value = []*expr.Expr{expr.Ident(v.Names[i].Name)}, b.expr(value)
				out = append(out, st)
			}
		}
	}
	return out
}

func (b *body) ret(out []flow.Stmt, s *ast.ReturnStmt) []flow.Stmt {
	var value *expr.Expr
	for _, r := range s.Results {
		before := len(b.facts.Sites)
		out = b.sitesIn(r, out, true)
		if isSentinel(r) && len(b.facts.Sites) == before {
			site := b.site(raise.KindError, r)
			site.Sentinel = b.calleeSelf(r)
			out = b.add(out, site, true)
		} else {
			out = b.coded(out, r)
		}
		value = b.expr(r) // the last result is the error
	}
	st := b.at(flow.Leave, s)
	st.Value = value
	return append(out, st)
}

func (b *body) ifStmt(out []flow.Stmt, s *ast.IfStmt) []flow.Stmt {
	if s.Init != nil {
		out = b.stmt(out, s.Init)
	}
	b.span = [2]ast.Node{s.Cond, s.Cond}
	out = b.sitesIn(s.Cond, out, true)
	st := b.at(flow.If, s)
	st.Cond = truth(b.expr(s.Cond))
	st.Body = b.block(s.Body.List)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		st.Else = b.block(e.List)
	case *ast.IfStmt:
		b.depth++
		if b.depth <= maxDepth {
			st.Else = b.ifStmt(nil, e)
		}
		b.depth--
	}
	return append(out, st)
}

func (b *body) loop(out []flow.Stmt, s ast.Stmt) []flow.Stmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		if s.Init != nil {
			out = b.stmt(out, s.Init)
		}
		st := b.at(flow.While, s)
		if s.Cond != nil {
			st.Cond = truth(b.expr(s.Cond))
		}
		st.Body = b.block(s.Body.List)
		if s.Post != nil {
			st.Body = b.stmt(st.Body, s.Post)
		}
		return append(out, st)
	case *ast.RangeStmt:
		b.span = [2]ast.Node{s.X, s.X}
		out = b.sitesIn(s.X, out, true)
		st := b.at(flow.For, s)
		st.Value = b.expr(s.X)
		for _, t := range []ast.Expr{s.Key, s.Value} {
			if id, ok := t.(*ast.Ident); t != nil && !(ok && id.Name == "_") {
				st.Targets = append(st.Targets, b.expr(t))
			}
		}
		st.Body = b.block(s.Body.List)
		return append(out, st)
	}
	return out
}

func (b *body) switchStmt(out []flow.Stmt, s *ast.SwitchStmt) []flow.Stmt {
	if s.Init != nil {
		out = b.stmt(out, s.Init)
	}
	st := b.at(flow.Switch, s)
	st.Breaks = true
	if s.Tag != nil {
		st.Value = b.expr(s.Tag)
	}
	for _, c := range s.Body.List {
		clause, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		arm := flow.Case{Line: b.line(clause.Pos())}
		for _, v := range clause.List {
			e := b.expr(v)
			if s.Tag == nil {
				e = truth(e)
			}
			arm.Values = append(arm.Values, e)
		}
		arm.Body = b.block(clause.Body)
		if n := len(clause.Body); n > 0 {
			if br, ok := clause.Body[n-1].(*ast.BranchStmt); ok && br.Tok == token.FALLTHROUGH {
				arm.Falls = true
			}
		}
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

func (b *body) typeSwitch(out []flow.Stmt, s *ast.TypeSwitchStmt) []flow.Stmt {
	if s.Init != nil {
		out = b.stmt(out, s.Init)
	}
	var subject *expr.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if t, ok := a.Rhs[0].(*ast.TypeAssertExpr); ok {
			subject = b.expr(t.X)
		}
	case *ast.ExprStmt:
		if t, ok := a.X.(*ast.TypeAssertExpr); ok {
			subject = b.expr(t.X)
		}
	}
	st := b.at(flow.Switch, s)
	st.Breaks = true
	for _, c := range s.Body.List {
		clause, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		arm := flow.Case{Line: b.line(clause.Pos()), Body: b.block(clause.Body)}
		if len(clause.List) > 0 && subject != nil {
			test := &expr.Expr{Op: expr.TypeTest, Args: []*expr.Expr{subject}}
			for _, v := range clause.List {
				test.Args = append(test.Args, b.expr(v))
			}
			arm.Cond = test
		}
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

func (b *body) selectStmt(out []flow.Stmt, s *ast.SelectStmt) []flow.Stmt {
	st := b.at(flow.Switch, s)
	st.Breaks = true
	for _, c := range s.Body.List {
		clause, ok := c.(*ast.CommClause)
		if !ok {
			continue
		}
		arm := flow.Case{Line: b.line(clause.Pos())}
		var first []flow.Stmt
		if clause.Comm != nil {
			arm.Text = strings.TrimSpace(b.text(clause.Comm))
			first = b.stmt(nil, clause.Comm)
		}
		arm.Body = append(first, b.block(clause.Body)...)
		st.Cases = append(st.Cases, arm)
	}
	return append(out, st)
}

func (b *body) branch(out []flow.Stmt, s *ast.BranchStmt) []flow.Stmt {
	st := b.at(flow.Leave, s)
	switch s.Tok {
	case token.BREAK:
		st.Leaves = flow.Break
	case token.CONTINUE:
		st.Leaves = flow.Continue
	case token.GOTO:
		st.Leaves = flow.Throw
	default:
		return out
	}
	return append(out, st)
}
