package golang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// How assertion functions say what error they expect: the place of what is said among the arguments, behind t if that is given.
type expects struct {
	form    string // see raise.Expectation
	at      int    // of the expected text or error; -1: none
	typ     bool   // it is an error or a type, not a text
	negated bool
	message bool // only where an argument is err.Error()
}

var assertions = map[string]expects{
	"EqualError": {form: "equal", at: 1}, "ErrorContains": {form: "contains", at: 1}, "ErrorIs": {at: 1, typ: true}, "ErrorAs": {at: 1, typ: true},
	"Error": {at: -1}, "PanicsWithValue": {form: "equal", at: 0}, "PanicsWithError": {form: "equal", at: 0}, "Panics": {at: -1},
	"NoError": {at: -1, negated: true}, "NotPanics": {at: -1, negated: true}, "NotErrorIs": {at: 1, typ: true, negated: true},
	"Contains": {form: "contains", at: 1, message: true}, "Regexp": {form: "regexp", at: 0, message: true},
	"Equal": {form: "equal", at: -1, message: true}, "ErrorMatches": {form: "regexp", at: 1}, "MatchError": {form: "equal", at: 0},
}

// expectations reads tests that expect errors, in files that import a test package.
func (x *extractor) expectations(f *ast.File) {
	if !x.tests() {
		return
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		e := &expecting{extractor: x, function: x.named(fn.Name.Name, x.line(fn.Pos())), calls: map[string]string{}, types: map[string]string{}}
		e.read(fn.Body)
	}
}

// named is the index of a function by its name and line.
func (x *extractor) named(name string, line int) int {
	for i := range x.facts.Functions {
		if f := &x.facts.Functions[i]; f.Name == name && f.Line == line {
			return i
		}
	}
	return raise.NoFunction
}

// tests reports whether the file is one of tests, as far as its imports tell.
func (x *extractor) tests() bool {
	for _, p := range x.imports {
		if p == "testing" || strings.Contains(p, "testify") || strings.Contains(p, "gomega") || strings.Contains(p, "gocheck") {
			return true
		}
	}
	return false
}

// expecting reads one function.
type expecting struct {
	*extractor
	function int
	calls    map[string]string // the call that gave a name its value last
	types    map[string]string // what names are declared as
}

func (e *expecting) read(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			e.assigned(n)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				e.types[name.Name] = baseType(n.Type)
			}
		case *ast.CallExpr:
			e.call(n)
		case *ast.BinaryExpr:
			e.compared(n)
		case *ast.CompositeLit:
			e.table(n)
		}
		return true
	})
}

// assigned remembers which call gave names their values.
func (e *expecting) assigned(s *ast.AssignStmt) {
	if len(s.Rhs) != 1 {
		return
	}
	if c, ok := s.Rhs[0].(*ast.CallExpr); ok {
		for _, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				e.calls[id.Name] = e.callee(c.Fun)
			}
		}
	}
}

func (e *expecting) call(c *ast.CallExpr) {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	name := e.callee(c.Fun)
	switch {
	case (name == "errors.Is" || name == "errors.As" || strings.HasSuffix(name, "ErrorContains") && len(c.Args) == 2) && len(c.Args) == 2:
		e.add(c, expects{at: 1, typ: true}, c.Args)
		return
	case name == "strings.Contains" && len(c.Args) == 2 && e.errorText(c.Args[0]):
		e.add(c, expects{form: "contains", at: 1}, c.Args)
		return
	}
	a, ok := assertions[strings.TrimSuffix(sel.Sel.Name, "f")]
	owner := e.callee(sel.X)
	if !ok || owner != "assert" && owner != "require" && owner != "s" && owner != "suite" && owner != "s.Require()" && owner != "c" && owner != "is" {
		return
	}
	args := c.Args
	if len(args) > 0 && (owner == "assert" || owner == "require") {
		args = args[1:]
	}
	if a.message {
		if a = e.asserted(a, args); a.at < 0 {
			return
		}
	}
	if a.at < len(args) {
		e.add(c, a, args)
	}
}

// asserted finds the expected text beside err.Error().
func (e *expecting) asserted(a expects, args []ast.Expr) expects {
	if len(args) < 2 || !e.errorText(args[0]) && !e.errorText(args[1]) {
		a.at = -1
		return a
	}
	if a.at = 1; e.errorText(args[1]) {
		a.at = 0
	}
	return a
}

// errorText reports whether an expression is the text of an error: err.Error().
func (e *expecting) errorText(x ast.Expr) bool {
	c, ok := x.(*ast.CallExpr)
	if !ok || len(c.Args) != 0 {
		return false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Error"
}

// compared reads err.Error() != "…".
func (e *expecting) compared(b *ast.BinaryExpr) {
	if b.Op != token.EQL && b.Op != token.NEQ {
		return
	}
	for i, x := range []ast.Expr{b.X, b.Y} {
		if e.errorText(x) {
			other := []ast.Expr{b.Y, b.X}[i]
			e.add(b, expects{form: "equal", at: 1}, []ast.Expr{x, other})
			return
		}
	}
}

// add files an expectation whose text is known.
func (e *expecting) add(n ast.Node, a expects, args []ast.Expr) {
	x := raise.Expectation{Function: e.function, Line: e.line(n.Pos()), EndLine: e.line(n.End()), Form: a.form, Negated: a.negated}
	if a.at >= 0 {
		switch value := e.expr(args[a.at]); {
		case a.typ:
			for value.Is(expr.Unary) {
				value = value.Arg(0)
			}
			if x.Type = value.Path(); e.types[x.Type] != "" {
				x.Type = e.types[x.Type]
			}
			if x.Type == "" {
				return
			}
		case value.Is(expr.Name) || flow.Textual(value):
			x.Message = value
		default:
			return
		}
	}
	for i, arg := range args {
		if i != a.at {
			x.Calls = append(x.Calls, e.called(arg)...)
		}
	}
	e.facts.Expectations = append(e.facts.Expectations, x)
}

// called lists the calls that an argument makes, or that gave it its value.
func (e *expecting) called(arg ast.Expr) []string {
	var out []string
	ast.Inspect(arg, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := e.callee(n.Fun); name != "" && !e.errorText(n) {
				out = append(out, name)
			}
		case *ast.Ident:
			if c := e.calls[n.Name]; c != "" {
				out = append(out, c)
			}
		}
		return len(out) < 4
	})
	return out
}

// table reads the texts that a table of cases expects: fields called wantErr, expectedError and the like.
func (e *expecting) table(t *ast.CompositeLit) {
	array, ok := t.Type.(*ast.ArrayType)
	if !ok {
		if m, isMap := t.Type.(*ast.MapType); isMap {
			array = &ast.ArrayType{Elt: m.Value}
		} else {
			return
		}
	}
	fields := fieldNames(array.Elt)
	for _, el := range t.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		row, ok := el.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for i, v := range row.Elts {
			name := ""
			if kv, ok := v.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					name = id.Name
				}
				v = kv.Value
			} else if i < len(fields) {
				name = fields[i]
			}
			if wantsError(name) {
				e.wanted(v)
			}
		}
	}
}

func (e *expecting) wanted(v ast.Expr) {
	value := e.expr(v)
	switch {
	case value.Is(expr.String) && value.Text != "", !value.Is(expr.String) && flow.Textual(value):
		e.add(v, expects{form: "contains", at: 0}, []ast.Expr{v})
	case isSentinel(v):
		e.add(v, expects{at: 0, typ: true}, []ast.Expr{v})
	case value.Is(expr.Error) && value.Arg(1) != nil:
		e.facts.Expectations = append(e.facts.Expectations, raise.Expectation{Function: e.function, Line: e.line(v.Pos()),
			EndLine: e.line(v.End()), Form: "equal", Message: value.Arg(1)})
	}
}

// fieldNames are the names of a struct type's fields, in order.
func fieldNames(t ast.Expr) []string {
	st, ok := t.(*ast.StructType)
	if !ok {
		return nil
	}
	var out []string
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			out = append(out, n.Name)
		}
	}
	return out
}

// wantsError reports whether a field of a table of cases is called as one that holds an expected error.
func wantsError(name string) bool {
	name = strings.ToLower(name)
	if !strings.Contains(name, "err") && !strings.Contains(name, "panic") {
		return false
	}
	for _, w := range []string{"want", "expect", "exp", "err", "panic", "contains", "msg"} {
		if strings.HasPrefix(name, w) || strings.HasSuffix(name, w) {
			return true
		}
	}
	return false
}
