package php

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar) *lower.Dialect {
	throw, exit, creation := g.Symbol("throw_expression"), g.Symbol("exit_statement"), g.Symbol("object_creation_expression")
	return &lower.Dialect{
		Language: "PHP", Grammar: g, Stmt: stmt, Expr: lowered, Function: function, Class: class, Call: callee, Inner: inner, Lambda: lambda,
		Comments: []string{"comment"}, Pure: pure, Receiver: "this", ErrorType: errorType, Before: before, After: handlers,
		Raises: func(f *lower.File, n int) bool {
			if s := f.Symbol(n); s == throw || s == exit {
				return true
			} else if s == creation {
				return factory(f, n)
			}
			return known(f, n)
		},
	}
}

// qualified spells a name with dots, as the facts do.
func qualified(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(name), `\`), `\`, ".")
}

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// before reads the namespace, what is imported, and the texts that the file returns.
func before(f *lower.File) {
	for _, n := range f.Named(0) {
		switch f.Kind(n) {
		case "namespace_definition":
			if f.Facts.Module == "" {
				f.Facts.Module = qualified(f.Text(f.Field(n, "name")))
			}
			for _, c := range f.Named(f.Field(n, "body")) {
				if f.Kind(c) == "namespace_use_declaration" {
					imported(f, c)
				}
			}
		case "namespace_use_declaration":
			imported(f, n)
		case "return_statement":
			texts(f, f.First(n), "", 0)
		}
	}
}

// imported reads use A\B, use A\B as C, use A\{B, C} and use function A\b.
func imported(f *lower.File, n int) {
	prefix := ""
	if name := f.ChildOf(n, "namespace_name"); name >= 0 {
		prefix = qualified(f.Text(name)) + "."
	}
	clauses := f.Named(n)
	if group := f.ChildOf(n, "namespace_use_group"); group >= 0 {
		clauses = f.Named(group)
	}
	for _, c := range clauses {
		if k := f.Kind(c); k != "namespace_use_clause" && k != "namespace_use_group_clause" {
			continue
		}
		kids := f.Named(c)
		if len(kids) == 0 {
			continue
		}
		name := prefix + qualified(f.Text(kids[0]))
		local := last(name)
		if alias := f.Field(c, "alias"); alias >= 0 {
			local = f.Text(alias)
		}
		module := strings.TrimSuffix(name[:len(name)-len(last(name))], ".")
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: local, Module: module, Symbol: last(name), Line: f.Line(n)})
	}
}

// maxTexts bounds the texts of one file, maxNested the nesting of their keys.
const maxTexts, maxNested = 5000, 6

// texts keeps what a file returns under keys, as message catalogues do.
func texts(f *lower.File, n int, key string, depth int) {
	switch f.Kind(n) {
	case "string", "encapsed_string":
		if e := f.Expr(n); e.Is(expr.String) && key != "" && e.Text != "" && len(f.Facts.Values) < maxTexts {
			f.Facts.Values = append(f.Facts.Values, raise.Value{Name: key, Value: places(e.Text), Line: f.Line(n), Site: -1})
		}
	case "array_creation_expression":
		for _, c := range f.Named(n) {
			if kids := f.Named(c); len(kids) == 2 && depth < maxNested {
				if name := f.Expr(kids[0]); name.Is(expr.String) {
					texts(f, kids[1], strings.TrimPrefix(key+"."+name.Text, "."), depth+1)
				}
			}
		}
	}
}

// places is a text with holes where it names values: ":name".
func places(s string) *expr.Expr {
	var parts []*expr.Expr
	at := 0
	for i := 0; i+1 < len(s); i++ {
		if s[i] != ':' || !letter(s[i+1]) || i > 0 && (letter(s[i-1]) || s[i-1] == ':') {
			continue
		}
		end := i + 1
		for end < len(s) && (letter(s[end]) || s[end] == '_') {
			end++
		}
		if i > at {
			parts = append(parts, expr.Str(s[at:i]))
		}
		parts = append(parts, expr.New(expr.Hole, "", expr.Ident(strings.ToLower(s[i+1:end]))))
		at, i = end, end-1
	}
	if at < len(s) || len(parts) == 0 {
		parts = append(parts, expr.Str(s[at:]))
	}
	if len(parts) == 1 && parts[0].Is(expr.String) {
		return parts[0]
	}
	return expr.New(expr.Interp, "", parts...)
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// spelled imports what a file names by a path without importing it: Exception\NoKey is a class below what Exception stands for here, or
// below the file's own namespace.
func spelled(f *lower.File, n int, seen map[string]bool) {
	text := f.Text(n)
	local := qualified(text)
	if seen[local] {
		return
	}
	seen[local] = true
	full := local
	if !strings.HasPrefix(text, `\`) {
		head, rest, _ := strings.Cut(local, ".")
		module := f.Facts.Module
		if module != "" {
			module += "."
		}
		full = module + local
		if head == "namespace" {
			full = module + rest
		}
		for i := range f.Facts.Imports {
			if imp := &f.Facts.Imports[i]; imp.Local == head {
				full = strings.TrimPrefix(imp.Module+"."+imp.Symbol+"."+rest, ".")
				break
			}
		}
	}
	if i := strings.LastIndexByte(full, '.'); i > 0 {
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: local, Module: full[:i], Symbol: full[i+1:], Line: f.Line(n)})
	}
}

// handlers adds the catch clauses of a file, and the classes that it names by their paths.
func handlers(f *lower.File) {
	seen := map[string]bool{}
	for n := range f.Nodes {
		if f.Kind(n) == "qualified_name" && f.Kind(f.Parent(n)) != "namespace_use_clause" {
			spelled(f, n, seen)
		}
		if f.Kind(n) != "catch_clause" {
			continue
		}
		h := raise.Handler{Line: f.Line(n)}
		if try := f.Parent(n); try >= 0 {
			body := f.Field(try, "body")
			h.From, h.To = f.Line(body), f.EndLine(body)
		}
		for _, t := range f.Named(f.Field(n, "type")) {
			name := last(qualified(f.Text(t)))
			if name == "Exception" || name == "Throwable" || name == "Error" {
				h.Types = nil
				break
			}
			h.Types = append(h.Types, name)
		}
		f.Facts.Handled(h)
	}
}

func function(b *lower.Body, n int) *lower.Function {
	switch b.Kind(n) {
	case "method_declaration", "function_definition":
	default:
		return nil
	}
	return &lower.Function{Name: b.Text(b.Field(n, "name")), Params: params(b.File, b.Field(n, "parameters")), Body: b.Field(n, "body"),
		Exported: b.Text(b.ChildOf(n, "visibility_modifier")) != "private", Static: b.ChildOf(n, "static_modifier") >= 0 || b.Kind(n) == "function_definition"}
}

func params(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	for _, p := range f.Named(list) {
		switch k := f.Kind(p); k {
		case "simple_parameter", "property_promotion_parameter", "variadic_parameter":
			one := raise.Param{Name: f.Text(f.Field(p, "name")), Type: f.Text(f.Field(p, "type")), Variadic: k == "variadic_parameter"}
			if d := f.Field(p, "default_value"); d >= 0 {
				one.Default = f.Expr(d)
			}
			out = append(out, one)
		}
	}
	return out
}

func class(b *lower.Body, n int) *lower.Class {
	switch b.Kind(n) {
	case "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration":
	case "object_creation_expression", "anonymous_class":
		body := b.ChildOf(n, "declaration_list")
		if body < 0 {
			return nil
		}
		return &lower.Class{Body: body, Bases: baseOf(b, n)}
	default:
		return nil
	}
	c := &lower.Class{Name: b.Text(b.Field(n, "name")), Body: b.Field(n, "body"), Bases: baseOf(b, n), Type: &raise.Type{}}
	// A trait's methods are those of the classes that use it.
	for _, m := range b.Named(c.Body) {
		if b.Kind(m) == "use_declaration" {
			for _, t := range b.Named(m) {
				if k := b.Kind(t); k == "name" || k == "qualified_name" {
					c.Bases = append(c.Bases, qualified(b.Text(t)))
				}
			}
		}
	}
	if errorType(c.Name) || len(c.Bases) > 0 && errorType(c.Bases[0]) {
		c.Type = errorClass(b, c.Body)
	}
	return c
}

func baseOf(b *lower.Body, n int) []string {
	var out []string
	for _, t := range b.Named(b.ChildOf(n, "base_clause")) {
		out = append(out, qualified(b.Text(t)))
	}
	return out
}

// errorClass reads what an exception of a class prints: what its constructor hands on, or the text that its property holds.
func errorClass(b *lower.Body, body int) *raise.Type {
	t := &raise.Type{}
	for _, m := range b.Named(body) {
		switch b.Kind(m) {
		case "method_declaration":
			if b.Text(b.Field(m, "name")) == "__construct" {
				b.Constructor(t, params(b.File, b.Field(m, "parameters")), b.Field(m, "body"), parentCall)
			}
		case "property_declaration":
			for _, p := range b.Named(m) {
				if kids := b.Named(p); b.Kind(p) == "property_element" && len(kids) > 1 && b.Text(b.Field(p, "name")) == "$message" && t.Super == nil {
					// A constructor that nobody writes prints the property unless it is given a text.
					t.Params = []raise.Param{{Name: "$message", Default: b.Expr(kids[len(kids)-1])}}
					t.Super = []*expr.Expr{expr.Ident("$message")}
				}
			}
		}
	}
	for _, field := range t.Fields {
		if field.Name == "self.message" && len(t.Super) == 0 {
			t.Super = []*expr.Expr{field.Value} // $this->message = …
		}
	}
	if len(t.Super) > 0 && t.Super[0].Is(expr.String) && t.Super[0].Text == "" {
		// The base gets nothing: the class puts the text together later, of what it is given and something behind that.
		for _, p := range t.Params {
			if p.Name == "$message" {
				rest := expr.New(expr.Hole, "", &expr.Expr{Op: expr.Unknown, Src: "…"})
				t.Super = []*expr.Expr{expr.New(expr.Interp, "", expr.New(expr.Hole, "", expr.Ident(p.Name)), rest)}
			}
		}
	}
	return t
}

// parentCall is the call of a base's constructor.
func parentCall(e *expr.Expr) ([]*expr.Expr, bool) {
	if e.Is(expr.Call) && e.Arg(0).Is(expr.Attr) && e.Arg(0).Text == "__construct" && e.Arg(0).Arg(0).Is(expr.Name) && e.Arg(0).Arg(0).Text == "super" {
		return e.Args[1:], true
	}
	return nil, false
}

// callee is the dotted path of a call.
func callee(f *lower.File, n int) (string, bool) {
	switch f.Kind(n) {
	case "function_call_expression":
		return qualified(f.Text(f.Field(n, "function"))), true
	case "member_call_expression", "nullsafe_member_call_expression":
		object := f.Field(n, "object")
		if inside, ok := callee(f, object); ok && f.Kind(object) != "object_creation_expression" {
			return inside + "()." + f.Text(f.Field(n, "name")), true
		}
		return strings.NewReplacer("$", "", "?->", ".", "->", ".").Replace(f.Text(object)) + "." + f.Text(f.Field(n, "name")), true
	case "scoped_call_expression":
		return scope(f.Text(f.Field(n, "scope"))) + "." + f.Text(f.Field(n, "name")), true
	case "object_creation_expression":
		if name := f.ChildOf(n, "name", "qualified_name"); name >= 0 {
			if text := f.Text(name); text != "self" && text != "static" {
				return qualified(text), true
			}
			return owner(f, n), true
		}
	}
	return "", false
}

// scope is the name before "::".
func scope(name string) string {
	switch name {
	case "self", "static":
		return "this"
	case "parent":
		return "super"
	}
	return qualified(strings.TrimPrefix(name, "$"))
}

func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	if k := f.Kind(n); k != "anonymous_function" && k != "arrow_function" {
		return 0, nil, false
	}
	for _, p := range params(f, f.Field(n, "parameters")) {
		names = append(names, p.Name)
	}
	body = f.Field(n, "body")
	return body, names, body >= 0
}
