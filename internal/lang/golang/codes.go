package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Some error types are numbers or texts: their constants are errors, and the Error method says the text of each by a switch or by a
// table. A site that returns such a constant has the text of that constant alone.

// ownValue is how the message of a type that is no struct names the value that it is made of.
const ownValue = "value"

// codesOf finds the constants of the file's error types and their texts.
func (x *extractor) codesOf(f *ast.File) {
	tables := map[string]*ast.CompositeLit{}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			x.constants(g)
		} else if ok && g.Tok == token.VAR {
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i := range min(len(v.Names), len(v.Values)) {
					if table, ok := v.Values[i].(*ast.CompositeLit); ok {
						tables[v.Names[i].Name] = table
					}
				}
			}
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv == nil || fn.Name.Name != "Error" || len(fn.Recv.List) != 1 || len(fn.Recv.List[0].Names) != 1 {
			continue
		}
		typ, receiver := baseType(fn.Recv.List[0].Type), fn.Recv.List[0].Names[0].Name
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SwitchStmt:
				if names(n.Tag, receiver) {
					x.arms(typ, n)
				}
			case *ast.IndexExpr:
				if id, ok := n.X.(*ast.Ident); ok && names(n.Index, receiver) && tables[id.Name] != nil {
					x.table(typ, tables[id.Name])
				}
			}
			return true
		})
	}
}

// constants notes the constants of error types. One without a type and value of its own has those of the one before it.
func (x *extractor) constants(d *ast.GenDecl) {
	typ := ""
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		if v.Type != nil || len(v.Values) > 0 {
			typ = ""
			if v.Type != nil {
				typ = baseType(v.Type)
			} else if call, ok := v.Values[0].(*ast.CallExpr); ok {
				typ = baseType(call.Fun)
			}
		}
		if !x.errorTypes[typ] {
			continue
		}
		for _, n := range v.Names {
			x.codeTypes[n.Name] = typ
		}
	}
}

// names reports whether an expression is a name, or a conversion of it.
func names(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == name
	case *ast.CallExpr:
		return len(e.Args) == 1 && names(e.Args[0], name)
	case *ast.StarExpr:
		return names(e.X, name)
	}
	return false
}

// arms takes the texts of a switch whose arms return one.
func (x *extractor) arms(typ string, s *ast.SwitchStmt) {
	for _, c := range s.Body.List {
		clause, ok := c.(*ast.CaseClause)
		if !ok || len(clause.Body) == 0 {
			continue
		}
		if r, ok := clause.Body[len(clause.Body)-1].(*ast.ReturnStmt); ok && len(r.Results) == 1 && len(clause.Body) == 1 {
			for _, v := range clause.List {
				x.code(typ, v, r.Results[0])
			}
		}
	}
}

// table takes the texts of a table whose keys are constants.
func (x *extractor) table(typ string, t *ast.CompositeLit) {
	for _, el := range t.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			x.code(typ, kv.Key, kv.Value)
		}
	}
}

func (x *extractor) code(typ string, key, text ast.Expr) {
	id, ok := key.(*ast.Ident)
	if !ok {
		return
	}
	if e := x.expr(text); flow.Textual(e) {
		if x.codes[typ] == nil {
			x.codes[typ] = map[string]*expr.Expr{}
		}
		x.codes[typ][id.Name] = e
	}
}

func (x *extractor) isCode(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && x.codeTypes[id.Name] != ""
}

// coded files the site of a returned constant of an error type.
func (b *body) coded(out []flow.Stmt, r ast.Expr) []flow.Stmt {
	if !b.isCode(r) {
		return out
	}
	id := r.(*ast.Ident)
	typ := b.codeTypes[id.Name]
	s := b.site(raise.KindError, r)
	s.Type, s.Args, s.Message = expr.Ident(typ), []*expr.Expr{b.expr(r)}, b.codes[typ][id.Name]
	return b.add(out, s, true)
}

// messageOf gives a type of the file the text that its Error method returns.
func (x *extractor) messageOf(d *ast.FuncDecl, owner string, made []*expr.Expr, b *body) {
	at := -1
	for i := range x.facts.Types {
		if x.facts.Types[i].Name == owner {
			at = i
		}
	}
	if at < 0 {
		x.facts.Types = append(x.facts.Types, raise.Type{Name: owner})
		at = len(x.facts.Types) - 1
	}
	plain := !x.structs[owner]
	var texts []*expr.Expr
	for _, m := range made {
		if !m.Is(expr.Error) {
			texts = append(texts, x.ofValue(b.selfish(m), plain))
		}
	}
	if len(d.Body.List) == 0 {
		return
	}
	if r, ok := d.Body.List[len(d.Body.List)-1].(*ast.ReturnStmt); ok && len(texts) == 0 && len(d.Body.List) == 1 && len(r.Results) == 1 && names(r.Results[0], b.receiver) {
		texts = append(texts, expr.New(expr.Interp, message.Verbs, expr.New(expr.Hole, "%s", expr.Ident(ownValue))))
	}
	if len(texts) == 0 {
		for _, text := range x.codes[owner] {
			texts = append(texts, text)
		}
		if len(texts) > 8 {
			return
		}
		slices.SortFunc(texts, func(a, b *expr.Expr) int { return cmp.Compare(a.String(), b.String()) })
	}
	switch len(texts) {
	case 0:
	case 1:
		x.facts.Types[at].Message = texts[0]
	default:
		x.facts.Types[at].Message = expr.New(expr.Alt, "", texts...)
	}
}

// ofValue writes the receiver of a type that is no struct as what the value is made of.
func (x *extractor) ofValue(e *expr.Expr, plain bool) *expr.Expr {
	if !plain {
		return e
	}
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if a.Is(expr.Name) && a.Text == "self" {
			return expr.Ident(ownValue)
		}
		return a
	})
}
