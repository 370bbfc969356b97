package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar) *lower.Dialect {
	statement, inside := g.Symbol("throw_statement"), g.Symbol("throw_expression")
	return &lower.Dialect{
		Language: "C#", Grammar: g, Stmt: stmt, Expr: lowered, Function: function, Class: class, Call: callee, Inner: inner,
		Lambda: lambda, Comments: []string{"comment"}, Pure: pure, Grow: grow, Receiver: "this", ErrorType: errorType,
		Before: before, After: after, Spellings: spellings,
		Raises: func(f *lower.File, n int) bool {
			if s := f.Symbol(n); s == statement || s == inside {
				return true
			}
			return known(f, n)
		},
	}
}

// before reads the namespace and what is imported. Files rarely declare several namespaces; the first one counts.
func before(f *lower.File) {
	for n := range f.Nodes {
		switch f.Kind(n) {
		case "namespace_declaration", "file_scoped_namespace_declaration":
			if f.Facts.Module == "" {
				f.Facts.Module = f.Text(f.Field(n, "name"))
				around(f, n)
			}
		case "using_directive":
			imported(f, n)
		case "class_declaration", "struct_declaration", "interface_declaration", "record_declaration":
			if f.Facts.Module == "" && f.Parent(n) == 0 {
				return
			}
		}
	}
}

// around notes that the namespaces around the one of the file are seen without being named.
func around(f *lower.File, n int) {
	for name := f.Facts.Module; strings.Contains(name, "."); {
		name = name[:strings.LastIndexByte(name, '.')]
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "*", Module: name, Line: f.Line(n)})
	}
}

func imported(f *lower.File, n int) {
	alias := f.Text(f.Field(n, "name"))
	name := ""
	for _, c := range f.Named(n) {
		if k := f.Kind(c); (k == "qualified_name" || k == "identifier" || k == "generic_name") && c != f.Field(n, "name") {
			name = typeName(f.Text(c))
		}
	}
	if name == "" {
		return
	}
	module, symbol := name, ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		module, symbol = name[:i], name[i+1:]
	}
	switch {
	case alias != "":
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: alias, Module: module, Symbol: symbol, Line: f.Line(n)},
			raise.Import{Local: alias, Module: name, Line: f.Line(n)})
	case strings.Contains(f.Text(n), "static "):
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "*", Module: name, Line: f.Line(n)})
	default:
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "*", Module: name, Line: f.Line(n)})
	}
}

// handlers adds the catch clauses of a file.
func handlers(f *lower.File) {
	for n := range f.Nodes {
		if f.Kind(n) != "catch_clause" {
			continue
		}
		h := raise.Handler{Line: f.Line(n)}
		if try := f.Parent(n); try >= 0 {
			body := f.Field(try, "body")
			h.From, h.To = f.Line(body), f.EndLine(body)
		}
		if t := typeName(f.Text(f.Field(f.ChildOf(n, "catch_declaration"), "type"))); t != "" && last(t) != "Exception" {
			h.Types = []string{t}
		}
		f.Facts.Handled(h)
	}
}

func modifiers(f *lower.File, n int) string {
	var out []string
	for _, c := range f.Named(n) {
		if f.Kind(c) == "modifier" {
			out = append(out, f.Text(c))
		}
	}
	return strings.Join(out, " ")
}

// function describes methods, constructors, local functions, accessors with a body, and members that are one expression.
func function(b *lower.Body, n int) *lower.Function {
	mods := modifiers(b.File, n)
	fn := &lower.Function{Name: b.Text(b.Field(n, "name")), Params: params(b.File, b.Field(n, "parameters")),
		Body: b.Field(n, "body"), Static: strings.Contains(mods, "static")}
	switch b.Kind(n) {
	case "method_declaration", "local_function_statement":
	case "constructor_declaration":
		fn.Name = constructor
		fn.Handed = max(b.ChildOf(b.ChildOf(n, "constructor_initializer"), "argument_list"), 0)
	case "operator_declaration", "conversion_operator_declaration", "destructor_declaration":
		fn.Name = "operator"
	case "accessor_declaration":
		kind := accessor(b.Text(n))
		fn.Name = propertyOf(b, n) + "." + kind
		if fn.Body < 0 {
			return nil
		}
		if kind == "set" || kind == "init" {
			fn.Params = []raise.Param{{Name: "value"}}
		}
	case "property_declaration", "indexer_declaration":
		if fn.Body = b.ChildOf(n, "arrow_expression_clause"); fn.Body < 0 {
			return nil
		}
	default:
		return nil
	}
	fn.Error = errorType(typeName(b.Text(b.Field(n, "returns")))) || errorType(typeName(b.Text(b.Field(n, "type"))))
	fn.Exported = strings.Contains(mods, "public") || strings.Contains(mods, "protected") || b.Kind(n) == "accessor_declaration"
	if b.Kind(fn.Body) == "arrow_expression_clause" {
		fn.Body, fn.Result = b.First(fn.Body), true
	}
	return fn
}

// accessor is the word that an accessor begins with, behind its modifiers.
func accessor(text string) string {
	for _, word := range strings.FieldsFunc(text[:min(len(text), 60)], func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "get", "set", "init", "add", "remove":
			return word
		}
	}
	return ""
}

// propertyOf is the name of the property that an accessor belongs to.
func propertyOf(b *lower.Body, n int) string {
	for p := b.Parent(n); p > 0; p = b.Parent(p) {
		switch b.Kind(p) {
		case "property_declaration", "event_declaration":
			return b.Text(b.Field(p, "name"))
		case "indexer_declaration":
			return "this[]"
		}
	}
	return ""
}

func params(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	for _, p := range f.Named(list) {
		switch f.Kind(p) {
		case "parameter":
			one := raise.Param{Name: f.Text(f.Field(p, "name")), Type: f.Text(f.Field(p, "type"))}
			if kids := f.Named(p); len(kids) > 0 && kids[len(kids)-1] != f.Field(p, "name") {
				one.Default = f.Expr(kids[len(kids)-1])
			}
			out = append(out, one)
		case "array_type", "generic_name", "predefined_type": // params T[] rest stands bare in the list
		case "identifier":
			out = append(out, raise.Param{Name: f.Text(p), Variadic: true})
		}
	}
	return out
}

func class(b *lower.Body, n int) *lower.Class {
	switch b.Kind(n) {
	case "class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "enum_declaration":
	default:
		return nil
	}
	c := &lower.Class{Name: b.Text(b.Field(n, "name")), Body: b.Field(n, "body"), Type: &raise.Type{}}
	list := b.ChildOf(n, "base_list")
	for _, t := range b.Named(list) {
		name := b.Text(t)
		if b.Kind(t) == "primary_constructor_base_type" {
			name = b.Text(b.Field(t, "type"))
		}
		if b.Kind(t) != "argument_list" {
			c.Bases = append(c.Bases, typeName(name))
		}
	}
	if errorType(c.Name) || len(c.Bases) > 0 && errorType(last(c.Bases[0])) {
		c.Type = exception(b, n, c.Body)
	}
	return c
}

// exception reads what an exception of a class prints: what its constructors hand to the base, and an overridden Message.
func exception(b *lower.Body, n, body int) *raise.Type {
	t := &raise.Type{}
	if list := b.ChildOf(n, "parameter_list"); list >= 0 { // class X(string a) : Base(a)
		t.Params = params(b.File, list)
		if handed := b.ChildOf(b.ChildOf(b.ChildOf(n, "base_list"), "primary_constructor_base_type"), "argument_list"); handed >= 0 {
			t.Super = b.All(b.Named(handed), 0)
		} else if handed := b.ChildOf(b.ChildOf(n, "base_list"), "argument_list"); handed >= 0 {
			t.Super = b.All(b.Named(handed), 0)
		}
		return t
	}
	var best *raise.Type
	for _, m := range b.Named(body) {
		switch b.Kind(m) {
		case "constructor_declaration":
			one := &raise.Type{}
			b.Constructor(one, params(b.File, b.Field(m, "parameters")), b.Field(m, "body"), func(*expr.Expr) ([]*expr.Expr, bool) { return nil, false })
			one.Params = params(b.File, b.Field(m, "parameters"))
			if init := b.ChildOf(m, "constructor_initializer"); init >= 0 && strings.Contains(b.Text(init)[:min(8, len(b.Text(init)))], "base") {
				one.Super = b.All(b.Named(b.ChildOf(init, "argument_list")), 0)
			}
			if best == nil || says(one) && !says(best) {
				best = one
			}
		case "property_declaration":
			if b.Text(b.Field(m, "name")) == "Message" {
				t.Message = messageOf(b, m)
			}
		}
	}
	if best != nil {
		t.Params, t.Fields, t.Super = best.Params, best.Fields, best.Super
	}
	return t
}

// messageOf is what an overridden Message returns.
func messageOf(b *lower.Body, property int) *expr.Expr {
	var out *expr.Expr
	if arrow := b.ChildOf(property, "arrow_expression_clause"); arrow >= 0 {
		out = b.Returned(nil, b.First(arrow), true)
	} else if get := b.ChildOf(b.Field(property, "accessors"), "accessor_declaration"); get >= 0 {
		body := b.Field(get, "body")
		if b.Kind(body) == "arrow_expression_clause" {
			out = b.Returned(nil, b.First(body), true)
		} else {
			out = b.Returned(nil, body, false)
		}
	}
	if out != nil && strings.Contains(out.String(), "base.Message") {
		return nil
	}
	return out
}

// says reports whether what a constructor hands on holds a text of its own.
func says(t *raise.Type) bool {
	for _, a := range t.Super {
		if flow.Textual(a) {
			return true
		}
	}
	return false
}

// typeName is the name of a type without its arguments and marks.
func typeName(s string) string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimPrefix(strings.TrimRight(strings.TrimSpace(s), "?"), "global::")
}

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// callee is the dotted path of a call, without type arguments.
func callee(f *lower.File, n int) (string, bool) {
	switch f.Kind(n) {
	case "invocation_expression":
		return calleePath(f, f.Field(n, "function"), 0), true
	case "object_creation_expression":
		return typeName(f.Text(f.Field(n, "type"))), true
	}
	return "", false
}

// calleePath is the dotted path of what is called.
func calleePath(f *lower.File, n, depth int) string {
	if depth > 20 {
		return ""
	}
	switch f.Kind(n) {
	case "member_access_expression":
		object := f.Field(n, "expression")
		if object < 0 {
			return "this." + typeName(f.Text(f.Field(n, "name")))
		}
		return calleePath(f, object, depth+1) + "." + typeName(f.Text(f.Field(n, "name")))
	case "conditional_access_expression":
		if kids := f.Named(n); len(kids) == 2 {
			return calleePath(f, kids[0], depth+1) + "." + calleePath(f, kids[1], depth+1)
		}
	case "member_binding_expression":
		return typeName(f.Text(f.Field(n, "name")))
	case "invocation_expression":
		return calleePath(f, f.Field(n, "function"), depth+1) + "()"
	case "generic_name":
		return typeName(f.Text(n))
	case "parenthesized_expression", "await_expression":
		return calleePath(f, f.First(n), depth+1)
	}
	return strings.Join(strings.Fields(f.Text(n)), "")
}

func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	if k := f.Kind(n); k != "lambda_expression" && k != "anonymous_method_expression" {
		return 0, nil, false
	}
	p := f.Field(n, "parameters")
	if f.Kind(p) == "implicit_parameter" || f.Kind(p) == "identifier" {
		names = []string{f.Text(p)}
	} else {
		for _, q := range params(f, p) {
			names = append(names, q.Name)
		}
	}
	if body = f.Field(n, "body"); body < 0 {
		body = f.ChildOf(n, "block")
	}
	return body, names, body >= 0
}
