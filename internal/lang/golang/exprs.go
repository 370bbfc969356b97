package golang

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// expr lowers an expression.
func (x *extractor) expr(e ast.Expr) *expr.Expr { return x.lower(e, 0) }

func (x *extractor) lower(e ast.Expr, depth int) *expr.Expr {
	if e == nil {
		return nil
	}
	if depth > expr.Depth {
		return &expr.Expr{Op: expr.Unknown, Src: x.text(e)}
	}
	out := x.structure(e, depth+1)
	if out.Src == "" {
		out.Src = x.text(e)
	}
	return out
}

func (x *extractor) structure(e ast.Expr, depth int) *expr.Expr {
	one := func(op expr.Op, text string, args ...ast.Expr) *expr.Expr {
		out := &expr.Expr{Op: op, Text: text}
		for _, a := range args {
			out.Args = append(out.Args, x.lower(a, depth))
		}
		return out
	}
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "nil":
			return one(expr.Null, "nil")
		case "true", "false":
			return one(expr.Bool, e.Name)
		}
		return one(expr.Name, e.Name)
	case *ast.BasicLit:
		return literal(e)
	case *ast.ParenExpr:
		inner := x.lower(e.X, depth)
		return &expr.Expr{Op: inner.Op, Text: inner.Text, Args: inner.Args, Src: x.text(e)}
	case *ast.SelectorExpr:
		return one(expr.Attr, e.Sel.Name, e.X)
	case *ast.StarExpr:
		return one(expr.Unary, "*", e.X)
	case *ast.UnaryExpr:
		return x.unary(e, depth)
	case *ast.BinaryExpr:
		return x.binary(e, depth)
	case *ast.IndexExpr:
		return one(expr.Index, "", e.X, e.Index)
	case *ast.SliceExpr:
		return one(expr.Slice, "", e.X, e.Low, e.High)
	case *ast.CallExpr:
		return x.callExpr(e, depth)
	case *ast.CompositeLit:
		return x.composite(e, depth)
	case *ast.TypeAssertExpr:
		return &expr.Expr{Op: expr.Unknown}
	case *ast.FuncLit:
		return one(expr.Func, "")
	}
	return &expr.Expr{Op: expr.Unknown}
}

func literal(e *ast.BasicLit) *expr.Expr {
	switch e.Kind {
	case token.STRING:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return &expr.Expr{Op: expr.String, Text: s}
		}
	case token.INT, token.FLOAT:
		return &expr.Expr{Op: expr.Number, Text: strings.ReplaceAll(e.Value, "_", "")}
	case token.CHAR:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return &expr.Expr{Op: expr.Unknown, Text: s}
		}
	}
	return &expr.Expr{Op: expr.Unknown}
}

func (x *extractor) unary(e *ast.UnaryExpr, depth int) *expr.Expr {
	inner := x.lower(e.X, depth)
	switch e.Op {
	case token.NOT:
		return &expr.Expr{Op: expr.Not, Args: []*expr.Expr{truth(inner)}}
	case token.SUB, token.ADD:
		return &expr.Expr{Op: expr.Unary, Text: e.Op.String(), Args: []*expr.Expr{inner}}
	case token.XOR:
		return &expr.Expr{Op: expr.Unary, Text: "~", Args: []*expr.Expr{inner}}
	case token.AND:
		if inner.Op == expr.Error {
			return inner // the address of an error value is the error
		}
		return &expr.Expr{Op: expr.Unary, Text: "&", Args: []*expr.Expr{inner}}
	}
	return &expr.Expr{Op: expr.Unknown}
}

func (x *extractor) binary(e *ast.BinaryExpr, depth int) *expr.Expr {
	a, b := x.lower(e.X, depth), x.lower(e.Y, depth)
	switch e.Op {
	case token.LAND:
		return expr.Conj(truth(a), truth(b))
	case token.LOR:
		return expr.Disj(truth(a), truth(b))
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return &expr.Expr{Op: expr.Compare, Text: e.Op.String(), Args: []*expr.Expr{a, b}}
	}
	return &expr.Expr{Op: expr.Binary, Text: e.Op.String(), Args: []*expr.Expr{a, b}}
}

// truth marks a plain value that is used as a condition.
func truth(e *expr.Expr) *expr.Expr {
	if e == nil {
		return nil
	}
	switch e.Op {
	case expr.Compare, expr.And, expr.Or, expr.Not, expr.TypeTest, expr.Bool, expr.Truthy:
		return e
	}
	return &expr.Expr{Op: expr.Truthy, Args: []*expr.Expr{e}, Src: e.Src}
}

func (x *extractor) callExpr(e *ast.CallExpr, depth int) *expr.Expr {
	name := x.callee(e.Fun)
	switch {
	case name == "len" && len(e.Args) == 1:
		return &expr.Expr{Op: expr.Len, Args: []*expr.Expr{x.lower(e.Args[0], depth)}}
	case conversions[name] && len(e.Args) == 1:
		inner := x.lower(e.Args[0], depth)
		return &expr.Expr{Op: inner.Op, Text: inner.Text, Args: inner.Args, Src: x.text(e)}
	case name == "strings.Join" && len(e.Args) == 2:
		return &expr.Expr{Op: expr.Join, Args: []*expr.Expr{x.lower(e.Args[0], depth), x.lower(e.Args[1], depth)}}
	}
	switch {
	case (name == "fmt.Sprint" || name == "fmt.Sprintln") && len(e.Args) > 0 && !e.Ellipsis.IsValid():
		return sprint(x.withArgs(&expr.Expr{}, e, depth).Args, name == "fmt.Sprintln")
	case x.errorTypes[name] && len(e.Args) == 1:
		arg := x.lower(e.Args[0], depth)
		return &expr.Expr{Op: expr.Error, Text: name, Args: []*expr.Expr{expr.Ident(name), x.codes[name][arg.Path()], arg}}
	case name == "new" && len(e.Args) == 1 && x.isErrorType(baseType(e.Args[0])):
		return &expr.Expr{Op: expr.Error, Text: baseType(e.Args[0]), Args: []*expr.Expr{x.lower(e.Args[0], depth), nil}}
	}
	if f, ok := formatting[name]; ok && len(e.Args) > f {
		return x.format(e, f, depth)
	}
	if c, ok := constructors[name]; ok {
		return x.errorValue(e, name, c, depth)
	}
	out := &expr.Expr{Op: expr.Call, Args: make([]*expr.Expr, 0, len(e.Args)+1)}
	out.Args = append(out.Args, x.lower(e.Fun, depth))
	return x.withArgs(out, e, depth)
}

// withArgs appends the arguments of a call; a last one with "..." is a Spread.
func (x *extractor) withArgs(out *expr.Expr, e *ast.CallExpr, depth int) *expr.Expr {
	for i, a := range e.Args {
		arg := x.lower(a, depth)
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			arg = &expr.Expr{Op: expr.Spread, Args: []*expr.Expr{arg}}
		}
		out.Args = append(out.Args, arg)
	}
	return out
}

// format is a formatting call whose format string is the argument at from.
func (x *extractor) format(e *ast.CallExpr, from, depth int) *expr.Expr {
	out := &expr.Expr{Op: expr.Format, Text: message.Verbs}
	rest := *e
	rest.Args = e.Args[from:]
	return x.withArgs(out, &rest, depth)
}

// errorValue is a call that makes an error.
func (x *extractor) errorValue(e *ast.CallExpr, name string, c constructor, depth int) *expr.Expr {
	typ := &expr.Expr{Op: expr.Name, Text: "error"}
	return &expr.Expr{Op: expr.Error, Text: name, Args: append([]*expr.Expr{typ, x.constructed(e, c, depth)}, nil)[:2]}
}

// constructed is the text of the error that a constructor makes.
func (x *extractor) constructed(e *ast.CallExpr, c constructor, depth int) *expr.Expr {
	if len(e.Args) <= c.text {
		return nil
	}
	var text *expr.Expr
	if c.format {
		text = x.format(e, c.text, depth)
		if len(text.Args) == 1 && !text.Args[0].Is(expr.String) && !text.Args[0].Is(expr.Name) {
			text.Op = expr.Format
		}
	} else {
		text = x.lower(e.Args[c.text], depth)
	}
	if c.layout != "" {
		return x.laid(e, c.layout, depth)
	}
	if c.wraps >= 0 && c.wraps < len(e.Args) {
		hole := expr.New(expr.Hole, "%w", x.lower(e.Args[c.wraps], depth))
		text = expr.New(expr.Binary, "+", text, expr.New(expr.Interp, message.Verbs, expr.Str(": "), hole))
	}
	return text
}

// laid is the text of a layout.
func (x *extractor) laid(e *ast.CallExpr, layout string, depth int) *expr.Expr {
	out := &expr.Expr{Op: expr.Interp, Text: message.Verbs}
	for layout != "" {
		before, rest, ok := strings.Cut(layout, "{")
		if before != "" {
			out.Args = append(out.Args, expr.Str(before))
		}
		if !ok {
			break
		}
		i := int(rest[0] - '0')
		layout = rest[2:]
		if i >= len(e.Args) {
			continue
		}
		if arg := x.lower(e.Args[i], depth); arg.Is(expr.String) {
			out.Args = append(out.Args, arg)
		} else {
			out.Args = append(out.Args, expr.New(expr.Hole, "%v", arg))
		}
	}
	return out
}

// sprint is what fmt.Sprint prints of its arguments: with a blank between two of which neither is a text; and Sprintln with one
// between any two. A value that is no literal counts as a text beside a text.
func sprint(args []*expr.Expr, always bool) *expr.Expr {
	out := args[0]
	for i, a := range args[1:] {
		if always || !flow.Textual(args[i]) && !flow.Textual(a) {
			out = expr.New(expr.Binary, "+", out, expr.Str(" "))
		}
		out = expr.New(expr.Binary, "+", out, a)
	}
	if len(args) == 1 && !flow.Textual(out) {
		return expr.New(expr.Interp, message.Verbs, expr.New(expr.Hole, "%v", out))
	}
	return out
}

// composite is a literal of a type: an error value if its name says so or the file gives it an Error method.
func (x *extractor) composite(e *ast.CompositeLit, depth int) *expr.Expr {
	name := ""
	if e.Type != nil {
		name = baseType(e.Type)
	}
	out := &expr.Expr{Op: expr.Map, Text: name}
	if _, isMap := e.Type.(*ast.MapType); !isMap {
		if _, isArray := e.Type.(*ast.ArrayType); isArray {
			out.Op = expr.List
		}
	}
	positional := false
	for _, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			positional = true
			out.Args = append(out.Args, x.lower(el, depth))
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && out.Op == expr.Map && name != "" {
			out.Args = append(out.Args, expr.New(expr.Keyword, key.Name, x.lower(kv.Value, depth)))
		} else if key := x.lower(kv.Key, depth); key.Is(expr.String) {
			out.Args = append(out.Args, expr.New(expr.Keyword, key.Text, x.lower(kv.Value, depth)))
		} else {
			out.Args = append(out.Args, expr.New(expr.Entry, "", key, x.lower(kv.Value, depth)))
		}
	}
	if positional && name == "" && out.Op == expr.Map {
		out.Op = expr.List
	}
	if x.isErrorType(name) {
		typ := expr.Ident(name)
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			typ = expr.New(expr.Attr, name[i+1:], expr.Ident(name[:i]))
		}
		return &expr.Expr{Op: expr.Error, Text: name, Args: append([]*expr.Expr{typ, nil}, out.Args...)}
	}
	return out
}

// isErrorType reports whether a type is an error: the file gives it an Error method, or it is called one.
func (x *extractor) isErrorType(name string) bool {
	return x.errorTypes[name] || errorName(name)
}

// errorName reports whether a type is called an error.
func errorName(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasSuffix(last, "Error") || strings.HasSuffix(last, "Err") && len(last) > 3
}

// callee is the name of a called function: "f", "pkg.F" with the package's own name whatever it is imported as, "x.m" otherwise.
func (x *extractor) callee(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ParenExpr:
		return x.callee(e.X)
	case *ast.IndexExpr:
		return x.callee(e.X)
	case *ast.IndexListExpr:
		return x.callee(e.X)
	case *ast.SelectorExpr:
		base := x.callee(e.X)
		if id, ok := e.X.(*ast.Ident); ok {
			if p, imported := x.imports[id.Name]; imported {
				base = packageName(p)
			}
		}
		if base == "" {
			return e.Sel.Name
		}
		return base + "." + e.Sel.Name
	case *ast.CallExpr:
		if f := x.callee(e.Fun); f != "" {
			return f + "()"
		}
	}
	return ""
}

func packageName(p string) string {
	last := p[strings.LastIndexByte(p, '/')+1:]
	if isVersion(last) && strings.Contains(p, "/") {
		p = p[:strings.LastIndexByte(p, '/')]
		last = p[strings.LastIndexByte(p, '/')+1:]
	}
	return last
}
