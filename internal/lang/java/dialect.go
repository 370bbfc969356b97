package java

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar) *lower.Dialect {
	throw, assert := g.Symbol("throw_statement"), g.Symbol("assert_statement")
	return &lower.Dialect{
		Language: "Java", Grammar: g, Stmt: statement, Expr: expression, Function: function, Class: class, Call: callee, Inner: inner,
		Lambda: lambda, Comments: []string{"line_comment", "block_comment"}, Pure: Pure, Grow: Grow, Receiver: "this", ErrorType: ErrorType,
		Before: before, After: handlers,
		Raises: func(f *lower.File, n int) bool {
			if s := f.Symbol(n); s == throw || s == assert {
				return true
			}
			return known(f, n)
		},
	}
}

// before reads the package clause and the imports.
func before(f *lower.File) {
	for _, n := range f.Named(0) {
		switch f.Kind(n) {
		case "package_declaration":
			if name := f.ChildOf(n, "scoped_identifier", "identifier"); name >= 0 {
				f.Facts.Module = f.Text(name)
			}
		case "import_declaration":
			name := f.ChildOf(n, "scoped_identifier", "identifier")
			if name < 0 {
				continue
			}
			AddImport(f, f.Text(name), "", f.ChildOf(n, "asterisk") >= 0, f.Line(n))
		}
	}
}

// AddImport keeps the import of a qualified name: its package ends before the first part that begins with a capital.
func AddImport(f *lower.File, name, alias string, wildcard bool, line int) {
	module, symbol := Split(name)
	local := name[strings.LastIndexByte(name, '.')+1:]
	if alias != "" {
		local = alias
	}
	switch {
	case wildcard && symbol == "":
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "*", Module: module, Line: line})
	case wildcard:
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "*", Module: module + "." + symbol, Line: line})
	case symbol == "":
		// A function or constant of a package.
		i := strings.LastIndexByte(module, '.')
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: local, Module: module[:max(i, 0)], Symbol: local, Line: line})
	default:
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: local, Module: module, Symbol: symbol, Line: line})
	}
}

// Split splits a qualified name into its package and what stands in it: packages are written small.
func Split(name string) (pkg, symbol string) {
	at := 0
	for at < len(name) {
		if c := name[at]; c >= 'A' && c <= 'Z' {
			return strings.TrimSuffix(name[:at], "."), name[at:]
		}
		next := strings.IndexByte(name[at:], '.')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return name, ""
}

func function(b *lower.Body, n int) *lower.Function {
	switch b.Kind(n) {
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration":
	default:
		return nil
	}
	name := b.Text(b.Field(n, "name"))
	mods := b.Text(b.ChildOf(n, "modifiers"))
	fn := &lower.Function{Name: name, Params: params(b.File, b.Field(n, "parameters")), Body: b.Field(n, "body"),
		Exported: !strings.Contains(mods, "private"), Static: strings.Contains(mods, "static")}
	if b.Kind(n) != "method_declaration" {
		fn.Name = "<init>"
	} else if b.Owner == "" {
		fn.Exported = false // of a class without a name
	}
	return fn
}

// handlers adds the catch clauses of a file, and what its tests expect by their annotations.
func handlers(f *lower.File) {
	for n := range f.Nodes {
		if f.Kind(n) == "method_declaration" {
			expectedByTest(f, n)
		}
		if f.Kind(n) != "catch_clause" {
			continue
		}
		h := raise.Handler{Line: f.Line(n)}
		if try := f.Parent(n); try >= 0 {
			body := f.Field(try, "body")
			h.From, h.To = f.Line(body), f.EndLine(body)
		}
		for t := range strings.SplitSeq(f.Text(f.ChildOf(f.ChildOf(n, "catch_formal_parameter"), "catch_type")), "|") {
			if t = strings.TrimSpace(t); t == "Exception" || t == "Throwable" {
				h.Types = nil
				break
			} else if t != "" {
				h.Types = append(h.Types, t)
			}
		}
		f.Facts.Handled(h)
	}
}

func params(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	for _, p := range f.Named(list) {
		switch f.Kind(p) {
		case "formal_parameter":
			out = append(out, raise.Param{Name: f.Text(f.Field(p, "name")), Type: f.Text(f.Field(p, "type"))})
		case "spread_parameter":
			if d := f.ChildOf(p, "variable_declarator"); d >= 0 {
				out = append(out, raise.Param{Name: f.Text(f.Field(d, "name")), Type: f.Text(f.First(p)), Variadic: true})
			}
		}
	}
	return out
}

func class(b *lower.Body, n int) *lower.Class {
	switch b.Kind(n) {
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
	case "object_creation_expression":
		// new T() { … }
		if body := b.ChildOf(n, "class_body"); body >= 0 && b.Function >= 0 {
			return &lower.Class{Name: "", Bases: []string{b.Text(b.Field(n, "type"))}, Body: body}
		}
		return nil
	default:
		return nil
	}
	c := &lower.Class{Name: b.Text(b.Field(n, "name")), Body: b.Field(n, "body")}
	for _, t := range b.Named(b.Field(n, "superclass")) {
		c.Bases = append(c.Bases, typeName(b.Text(t)))
	}
	if ErrorType(c.Name) || len(c.Bases) > 0 && ErrorType(last(c.Bases[0])) {
		c.Type = errorType(b, n, c.Body)
	} else {
		c.Type = &raise.Type{}
	}
	return c
}

// errorType reads what an exception of a class prints: what its constructors hand on, and getMessage.
func errorType(b *lower.Body, n, body int) *raise.Type {
	t := &raise.Type{}
	if b.Kind(n) == "record_declaration" {
		t.Params = params(b.File, b.Field(n, "parameters"))
	}
	var plain *raise.Type
	for _, m := range b.Named(body) {
		switch b.Kind(m) {
		case "constructor_declaration":
			one := &raise.Type{}
			b.Constructor(one, params(b.File, b.Field(m, "parameters")), b.Field(m, "body"), superCall)
			if says(one) && (plain == nil || !says(plain)) || plain == nil {
				plain = one
			}
		case "method_declaration":
			if name := b.Text(b.Field(m, "name")); name == "getMessage" || name == "toString" && t.Message == nil {
				if message := b.Returned(nil, b.Field(m, "body"), false); message != nil && !strings.Contains(message.String(), "getMessage") {
					t.Message = message
				}
			}
		}
	}
	if plain != nil {
		t.Params, t.Fields, t.Super = plain.Params, plain.Fields, plain.Super
	}
	return t
}

// says reports whether what a constructor hands on holds a text of its own.
func says(t *raise.Type) bool {
	for _, a := range t.Super {
		if flow.Textual(a) {
			return true
		}
	}
	return len(t.Super) > 0
}

// superCall is the call of a base's constructor.
func superCall(e *expr.Expr) ([]*expr.Expr, bool) {
	if e.Is(expr.Call) && e.Arg(0).Is(expr.Name) && e.Arg(0).Text == "super" {
		return e.Args[1:], true
	}
	return nil, false
}

func typeName(s string) string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// callee is the dotted path of a call.
func callee(f *lower.File, n int) (string, bool) {
	switch f.Kind(n) {
	case "method_invocation":
		name := f.Text(f.Field(n, "name"))
		if object := f.Field(n, "object"); object >= 0 {
			if f.Kind(object) == "method_invocation" {
				inner, _ := callee(f, object)
				return inner + "()." + name, true
			}
			return f.Text(object) + "." + name, true
		}
		return name, true
	case "object_creation_expression":
		return typeName(f.Text(f.Field(n, "type"))), true
	case "explicit_constructor_invocation":
		return f.Text(f.Field(n, "constructor")), true
	}
	return "", false
}

func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	if f.Kind(n) != "lambda_expression" {
		return 0, nil, false
	}
	p := f.Field(n, "parameters")
	switch f.Kind(p) {
	case "identifier":
		names = []string{f.Text(p)}
	case "inferred_parameters":
		for _, c := range f.Named(p) {
			names = append(names, f.Text(c))
		}
	default:
		for _, q := range params(f, p) {
			names = append(names, q.Name)
		}
	}
	return f.Field(n, "body"), names, true
}
