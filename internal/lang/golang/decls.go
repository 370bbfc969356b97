package golang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// general reads package-level constants, variables and types.
func (x *extractor) general(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			x.values(s)
		case *ast.TypeSpec:
			x.typ(d, s)
		}
	}
}

// values reads package-level constants and variables: texts, tables, declared errors, and whatever their values raise.
func (x *extractor) values(s *ast.ValueSpec) {
	b := &body{extractor: x, function: raise.NoFunction}
	for i, value := range s.Values {
		name := ""
		if i < len(s.Names) && len(s.Values) == len(s.Names) {
			name = s.Names[i].Name
		}
		first := len(x.facts.Sites)
		b.span = [2]ast.Node{s, s}
		stmts := b.sitesIn(value, nil, true)
		flow.Analyze(flow.Function{Body: stmts}, x.facts.Sites)
		e := x.expr(value)
		site := -1
		if e.Is(expr.Error) && len(x.facts.Sites) > first {
			site = first
			x.facts.Sites[first].Declared = name
		}
		if name != "" && name != "_" && keepValue(e, site) {
			x.facts.Values = append(x.facts.Values, raise.Value{Name: name, Value: e, Line: x.line(s.Names[i].Pos()), Site: site})
		}
	}
}

// keepValue reports whether messages, conditions or sites may need a package-level value.
func keepValue(e *expr.Expr, site int) bool {
	if site >= 0 {
		return true
	}
	switch e.Op {
	case expr.String, expr.Number, expr.Bool, expr.Format, expr.Join, expr.Binary:
		return true
	case expr.Map, expr.List:
		return len(e.Args) > 0 && len(e.Args) <= 300 && holdsText(e)
	}
	return false
}

func holdsText(e *expr.Expr) bool {
	found := false
	e.Walk(func(a *expr.Expr) bool {
		found = found || a.Op == expr.String && strings.ContainsRune(a.Text, ' ')
		return !found
	})
	return found
}

// typ records a type that can be an error.
func (x *extractor) typ(d *ast.GenDecl, s *ast.TypeSpec) {
	t := raise.Type{Name: s.Name.Name, Line: x.line(s.Pos()), EndLine: x.line(s.End()), Doc: paragraph(s.Doc.Text())}
	if t.Doc == "" {
		t.Doc = paragraph(d.Doc.Text())
	}
	if st, ok := s.Type.(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			typ := x.text(f.Type)
			for _, n := range f.Names {
				t.Params = append(t.Params, raise.Param{Name: n.Name, Type: typ})
			}
			if len(f.Names) == 0 {
				name := baseType(f.Type)
				t.Params = append(t.Params, raise.Param{Name: name[strings.LastIndexByte(name, '.')+1:], Type: typ})
				t.Bases = append(t.Bases, name)
			}
		}
		x.structs[t.Name] = true
	} else {
		t.Params = []raise.Param{{Name: ownValue, Type: x.text(s.Type)}}
	}
	if x.errorTypes[t.Name] || strings.HasSuffix(t.Name, "Error") {
		x.facts.Types = append(x.facts.Types, t)
	}
}

// function reads a function: its outline always, its statements where something in them raises or makes an error.
func (x *extractor) function(d *ast.FuncDecl) {
	fn := raise.Function{Name: d.Name.Name, Parent: raise.NoFunction, Line: x.line(d.Pos()), EndLine: x.line(d.End()),
		Exported: d.Name.IsExported(), Doc: paragraph(d.Doc.Text()), Params: x.params(d.Type)}
	b := &body{extractor: x, doc: d}
	b.testing(fn.Params)
	if d.Recv != nil && len(d.Recv.List) == 1 {
		fn.Owner = baseType(d.Recv.List[0].Type)
		fn.Exported = fn.Exported && ast.IsExported(fn.Owner)
		if names := d.Recv.List[0].Names; len(names) == 1 {
			b.receiver = names[0].Name
		}
	} else {
		fn.Static = true
	}
	b.function = len(x.facts.Functions)
	x.facts.Functions = append(x.facts.Functions, fn)
	if d.Body == nil {
		return
	}
	if c := cutAt(x.places.cuts, x.short(d.Body.Lbrace)+1); c != nil {
		b.skimmed(c)
		return
	}
	raises := b.outline(d.Body)
	if !raises && !(d.Type.Results != nil && textResult(d.Name.Name, x.text(d.Type.Results))) {
		return
	}
	b.bindings = b.bound(d)
	stmts := b.block(d.Body.List)
	made := flow.Analyze(flow.Function{Params: b.names(d), Receiver: b.receiver, Body: stmts, Pure: pure}, x.facts.Sites)
	f := &x.facts.Functions[b.function]
	for _, m := range made {
		m = b.selfish(m)
		switch {
		case m.Is(expr.Error) || usesAny(m, f.Params) || fn.Owner != "":
			f.Makes = append(f.Makes, m)
		case sentence(m):
			f.Makes = append(f.Makes, unnamed(m))
		}
	}
	if fn.Name == "Error" && x.errorTypes[fn.Owner] {
		x.messageOf(d, fn.Owner, made, b)
	}
}

// selfish writes the receiver as "self", which is how types' messages name it.
func (b *body) selfish(e *expr.Expr) *expr.Expr {
	if b.receiver == "" {
		return e
	}
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if a.Is(expr.Name) && a.Text == b.receiver {
			return &expr.Expr{Op: expr.Name, Text: "self"}
		}
		return a
	})
}

func usesAny(e *expr.Expr, params []raise.Param) bool {
	used := false
	e.Walk(func(a *expr.Expr) bool {
		for _, p := range params {
			used = used || a.Is(expr.Name) && a.Text == p.Name
		}
		return !used
	})
	return used
}

// sentence reports whether a text has words for people in it.
func sentence(e *expr.Expr) bool {
	found := false
	e.Walk(func(a *expr.Expr) bool {
		found = found || a.Is(expr.String) && strings.Contains(strings.TrimSpace(a.Text), " ") && word(a.Text)
		return !found
	})
	return found
}

// word reports whether a text has three letters in a row, as no format of values alone does.
func word(s string) bool {
	run := 0
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			run = 0
		} else if run++; run == 3 {
			return true
		}
	}
	return false
}

// unnamed is a text whose values are what the source calls them, and nothing that a caller may call alike.
func unnamed(e *expr.Expr) *expr.Expr {
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if a.Is(expr.Name) {
			return &expr.Expr{Op: expr.Unknown, Src: a.Text}
		}
		return a
	})
}

// textResult reports whether a function may be a helper that makes messages, by its name and its results as written.
func textResult(name, results string) bool {
	return strings.Contains(results, "string") && (!strings.Contains(results, ",") || raisingName(name))
}

// skimmed records the calls of a function whose body was left out.
func (b *body) skimmed(c *cut) {
	f := &b.facts.Functions[b.function]
	seen := make(map[string]bool, len(c.calls))
	for _, call := range c.calls {
		name := call.path
		if rest, ok := strings.CutPrefix(name, b.receiver+"."); ok && b.receiver != "" && b.places.src[call.at+len(b.receiver)] == '.' {
			name = "self." + rest
		}
		if !seen[name] {
			seen[name] = true
			f.Calls = append(f.Calls, raise.Call{Callee: name, Line: b.places.line(call.at)})
		}
	}
}

func (x *extractor) params(t *ast.FuncType) []raise.Param {
	var out []raise.Param
	for _, f := range t.Params.List {
		typ := f.Type
		_, variadic := typ.(*ast.Ellipsis)
		text := x.text(typ)
		for _, n := range f.Names {
			out = append(out, raise.Param{Name: n.Name, Type: text, Variadic: variadic})
		}
		if len(f.Names) == 0 {
			out = append(out, raise.Param{Name: "_", Type: text, Variadic: variadic})
		}
	}
	return out
}

// names are those that hold a value when the function begins.
func (b *body) names(d *ast.FuncDecl) []string {
	var out []string
	if b.receiver != "" {
		out = append(out, b.receiver)
	}
	for _, list := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// pure reports whether a method of that name leaves its receiver as it is, as far as names tell.
func pure(method string) bool {
	for _, p := range []string{"Is", "Has", "Len", "String", "Get", "Error", "Name", "Kind", "Type", "Equal", "Contains", "Int", "Bits", "Pos"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// outline records the calls of a function and reports whether something in it raises.
func (b *body) outline(block *ast.BlockStmt) bool {
	raises := false
	seen := map[string]bool{}
	f := &b.facts.Functions[b.function]
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := b.calleeSelf(n.Fun)
			if name != "" && !seen[name] {
				seen[name] = true
				f.Calls = append(f.Calls, raise.Call{Callee: name, Line: b.line(n.Pos())})
			}
			raises = raises || b.raisingCall(n)
		case *ast.CompositeLit:
			raises = raises || n.Type != nil && b.isErrorType(baseType(n.Type))
		case *ast.BranchStmt:
			if n.Tok == token.GOTO && n.Label != nil {
				if b.gotos == nil {
					b.gotos = map[string]bool{}
				}
				b.gotos[n.Label.Name] = true
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				raises = raises || isSentinel(r) || b.isCode(r)
			}
		case *ast.AssignStmt:
			for _, r := range n.Rhs {
				raises = raises || n.Tok == token.ASSIGN && isSentinel(r)
			}
		}
		return true
	})
	return raises
}

// calleeSelf is the callee as it is written, with the receiver called self.
func (b *body) calleeSelf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return b.calleeSelf(e.X)
	case *ast.IndexListExpr:
		return b.calleeSelf(e.X)
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if id.Name == b.receiver && b.receiver != "" {
				return "self." + e.Sel.Name
			}
			return id.Name + "." + e.Sel.Name
		}
		if base := b.calleeSelf(e.X); base != "" {
			return base + "." + e.Sel.Name
		}
		return "()." + e.Sel.Name
	case *ast.CallExpr:
		if f := b.calleeSelf(e.Fun); f != "" {
			return f + "()"
		}
	}
	return ""
}

// raisingCall reports whether a call is, or may turn out to be, a site.
func (b *body) raisingCall(c *ast.CallExpr) bool {
	name := b.callee(c.Fun)
	if _, ok := b.report(name); ok || b.errorTypes[name] || name == "new" && len(c.Args) == 1 && b.isErrorType(baseType(c.Args[0])) {
		return true
	}
	return raisingCallName(name, b.makers, func() bool { return textual(c) })
}

// raisingCallName is raisingCall for a callee's name; textual says whether a text stands among the arguments.
func raisingCallName(name string, makers map[string]bool, textual func() bool) bool {
	if _, ok := constructors[name]; ok {
		return true
	}
	if _, ok := reportOf(name); ok {
		return true
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return name == "os.Exit" || (makers[last] || raisingName(last)) && textual()
}

// textual reports whether a call has an argument with literal text.
func textual(c *ast.CallExpr) bool {
	for _, a := range c.Args {
		if hasText(a, 0) {
			return true
		}
	}
	return false
}

func hasText(e ast.Expr, depth int) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING && strings.ContainsAny(e.Value, "abcdefghijklmnopqrstuvwxyz") && len(e.Value) > 4
	case *ast.BinaryExpr:
		return depth < 20 && (hasText(e.X, depth+1) || hasText(e.Y, depth+1))
	case *ast.CallExpr:
		return depth < 4 && len(e.Args) > 0 && hasText(e.Args[0], depth+1)
	case *ast.ParenExpr:
		return depth < 20 && hasText(e.X, depth+1)
	}
	return false
}

// isSentinel reports whether a returned expression is a declared error by its name.
func isSentinel(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return sentinelName(e.Name)
	case *ast.SelectorExpr:
		_, ok := e.X.(*ast.Ident)
		return ok && sentinelName(e.Sel.Name)
	}
	return false
}
