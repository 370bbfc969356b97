package golang

import (
	"go/ast"
	"go/token"
	"strings"
)

// bindings says how often the names of a function are given values, for what function values in it may rely on.
type bindings struct {
	given    map[string]int  // how often a name gets a value; parameters have one
	captured map[string]bool // names that a function value assigns
}

// bound counts the assignments in a function; nil if no function value stands in it.
func (b *body) bound(d *ast.FuncDecl) *bindings {
	out := &bindings{given: map[string]int{}, captured: map[string]bool{}}
	for _, n := range b.names(d) {
		out.given[n]++
	}
	closures := 0
	var visit func(n ast.Node, inner bool)
	visit = func(n ast.Node, inner bool) {
		give := func(e ast.Expr, assigns bool) {
			for {
				if s, ok := e.(*ast.StarExpr); ok {
					e = s.X
					continue
				}
				break
			}
			if id, ok := e.(*ast.Ident); ok {
				out.given[id.Name]++
				out.captured[id.Name] = out.captured[id.Name] || inner && assigns
			}
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				closures++
				for _, f := range n.Type.Params.List {
					for _, name := range f.Names {
						out.given[name.Name]++
					}
				}
				visit(n.Body, true)
				return false
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					give(l, n.Tok != token.DEFINE)
				}
			case *ast.IncDecStmt:
				give(n.X, true)
			case *ast.RangeStmt:
				for _, l := range []ast.Expr{n.Key, n.Value} {
					if l != nil {
						give(l, n.Tok == token.ASSIGN)
					}
				}
			case *ast.ValueSpec:
				for _, name := range n.Names {
					out.given[name.Name]++
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					give(n.X, true)
				}
			}
			return true
		})
	}
	visit(d.Body, false)
	if closures == 0 {
		return nil
	}
	return out
}

// keeps reports whether a name holds one value whenever a function value runs: what is in it may change, so paths do not.
func (b *bindings) keeps(path string) bool {
	return b != nil && !strings.Contains(path, ".") && b.given[path] == 1
}
