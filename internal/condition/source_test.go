package condition

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// parse reads an expression written in the syntax of Go, with words for what that lacks: in(a, b), notin(a, b), is(a, T), list(…),
// set(…), cond(c, a, b), truthy(x); nil, true and false.
func parse(t testing.TB, src string) *expr.Expr {
	t.Helper()
	tree, err := parser.ParseExpr(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	l := lowerer{t, src}
	return l.expr(tree)
}

type lowerer struct {
	t   testing.TB
	src string
}

func (l lowerer) exprs(all []ast.Expr) []*expr.Expr {
	var out []*expr.Expr
	for _, e := range all {
		out = append(out, l.expr(e))
	}
	return out
}

func (l lowerer) expr(n ast.Expr) *expr.Expr {
	e := l.lower(n)
	src := l.src[n.Pos()-1 : n.End()-1]
	for _, word := range []string{"truthy(", "in(", "is(", "list(", "set(", "cond("} {
		if strings.Contains(src, word) {
			return e
		}
	}
	if e.Src == "" {
		e.Src = src
	}
	return e
}

func (l lowerer) lower(n ast.Expr) *expr.Expr {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return l.expr(n.X)
	case *ast.Ident:
		switch n.Name {
		case "nil":
			return expr.New(expr.Null, "nil")
		case "true", "false":
			return expr.New(expr.Bool, n.Name)
		}
		return expr.Ident(n.Name)
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			s, _ := strconv.Unquote(n.Value)
			return expr.Str(s)
		}
		return expr.New(expr.Number, n.Value)
	case *ast.SelectorExpr:
		return expr.New(expr.Attr, n.Sel.Name, l.expr(n.X))
	case *ast.IndexExpr:
		return expr.New(expr.Index, "", l.expr(n.X), l.expr(n.Index))
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return expr.New(expr.Not, "", l.expr(n.X))
		}
		return expr.New(expr.Unary, n.Op.String(), l.expr(n.X))
	case *ast.BinaryExpr:
		return l.binary(n)
	case *ast.CallExpr:
		return l.call(n)
	}
	l.t.Fatalf("%s: %T", l.src, n)
	return nil
}

func (l lowerer) binary(n *ast.BinaryExpr) *expr.Expr {
	a, b := l.expr(n.X), l.expr(n.Y)
	switch n.Op {
	case token.LAND:
		return expr.Conj(a, b)
	case token.LOR:
		return expr.Disj(a, b)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return expr.New(expr.Compare, n.Op.String(), a, b)
	}
	return expr.New(expr.Binary, n.Op.String(), a, b)
}

func (l lowerer) call(n *ast.CallExpr) *expr.Expr {
	args := l.exprs(n.Args)
	name, _ := n.Fun.(*ast.Ident)
	if name == nil {
		name = ast.NewIdent("")
	}
	switch name.Name {
	case "in":
		return expr.New(expr.Compare, "in", args...)
	case "notin":
		return expr.New(expr.Compare, "not in", args...)
	case "is":
		return expr.New(expr.TypeTest, "", args...)
	case "list":
		return expr.New(expr.List, "", args...)
	case "set":
		return expr.New(expr.Set, "", args...)
	case "cond":
		return expr.New(expr.Cond, "", args...)
	case "truthy":
		return expr.New(expr.Truthy, "", args...)
	case "len":
		return expr.New(expr.Len, "", args...)
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{l.expr(n.Fun)}, args...)...)
}
