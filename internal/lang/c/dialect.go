package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar, language string) *lower.Dialect {
	return &lower.Dialect{
		Language: language, Grammar: g, Expr: expression, Function: function, Class: class, Call: callee, Stmt: statement, Inner: inner,
		Lambda: lambda, Comments: []string{"comment"}, Pure: Pure, Grow: Grow, Receiver: "this", ErrorType: ErrorType, Before: before,
		Raises: raises,
	}
}

// function describes a function with a body.
func function(b *lower.Body, n int) *lower.Function {
	if b.Kind(n) != "function_definition" {
		return nil
	}
	decl := functionDeclarator(b.File, b.Field(n, "declarator"))
	if t := b.Field(n, "type"); decl < 0 || b.Function >= 0 && t < 0 && b.Owner == b.Facts.Functions[b.Function].Owner || strings.HasPrefix(b.Kind(t), "class") && b.Field(t, "body") >= 0 {
		return nil // a class that broke off is taken for the type of what follows it
	}
	name := strings.Join(strings.Fields(b.Text(b.Field(decl, "declarator"))), "")
	fn := &lower.Function{Params: params(b.File, b.Field(decl, "parameters")), Body: b.Field(n, "body"), Exported: true}
	if i := strings.LastIndex(name, "::"); i >= 0 {
		fn.Owner, name = lastName(typeName(name[:i])), name[i+2:]
	}
	fn.Name = strings.TrimLeft(name, "*& ")
	owner := fn.Owner
	if owner == "" {
		owner = b.Owner
	}
	for _, c := range b.Named(n) {
		if k := b.Kind(c); k == "storage_class_specifier" && b.Text(c) == "static" {
			fn.Static = owner != ""
			fn.Exported = owner != ""
		} else if k == "try_statement" || k == "constructor_try_statement" {
			fn.Body = c
		}
	}
	switch {
	case owner == "":
	case fn.Name == lastName(owner):
		fn.Name = "<init>"
	case b.Field(n, "type") < 0 && shouting(fn.Name) && fn.Owner == "":
		return nil // a macro before a block
	}
	return fn
}

// functionDeclarator is the declarator of a function within pointers and references; -1 if it declares none.
func functionDeclarator(f *lower.File, n int) int {
	for range 8 {
		switch f.Kind(n) {
		case "function_declarator":
			if k := f.Kind(f.Field(n, "declarator")); k == "parenthesized_declarator" {
				return -1
			}
			return n
		case "pointer_declarator":
			n = f.Field(n, "declarator")
		case "reference_declarator", "attributed_declarator", "parenthesized_declarator":
			n = f.First(n)
		default:
			return -1
		}
	}
	return -1
}

// declared is the name that a declarator declares, "" if it is none.
func declared(f *lower.File, n int) string {
	for range 8 {
		switch f.Kind(n) {
		case "identifier", "field_identifier", "type_identifier", "qualified_identifier":
			return f.Text(n)
		case "pointer_declarator", "array_declarator", "init_declarator", "function_declarator":
			n = f.Field(n, "declarator")
		case "reference_declarator", "variadic_declarator", "parenthesized_declarator", "attributed_declarator":
			n = f.First(n)
		default:
			return ""
		}
	}
	return ""
}

func params(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	for _, p := range f.Named(list) {
		decl := f.Field(p, "declarator")
		switch f.Kind(p) {
		case "parameter_declaration":
			name := declared(f, decl)
			typ := f.Text(f.Field(p, "type"))
			if name == "" && decl < 0 && (typ == "void" || f.Kind(f.Field(p, "type")) != "type_identifier") {
				continue
			}
			if strings.HasPrefix(f.Kind(decl), "pointer") {
				typ += " *"
			}
			out = append(out, raise.Param{Name: name, Type: typ})
		case "optional_parameter_declaration":
			out = append(out, raise.Param{Name: declared(f, decl), Type: f.Text(f.Field(p, "type")), Default: f.Expr(f.Field(p, "default_value"))})
		case "variadic_parameter_declaration":
			out = append(out, raise.Param{Name: declared(f, decl), Type: f.Text(f.Field(p, "type")), Variadic: true})
		case "variadic_parameter":
			out = append(out, raise.Param{Name: "...", Variadic: true})
		}
	}
	if strings.HasSuffix(strings.TrimSpace(f.Text(list)), "...)") && (len(out) == 0 || !out[len(out)-1].Variadic) {
		out = append(out, raise.Param{Name: "...", Variadic: true})
	}
	return out
}

// callee is the path of what a call calls.
func callee(f *lower.File, n int) (string, bool) {
	switch f.Kind(n) {
	case "call_expression":
		return pathOf(f, f.Field(n, "function")), true
	case "new_expression":
		return typeName(f.Text(f.Field(n, "type"))), true
	}
	return "", false
}

// pathOf is the path that an expression spells, with dots between names; "" if it is none.
func pathOf(f *lower.File, n int) string {
	switch f.Kind(n) {
	case "identifier", "field_identifier", "this", "type_identifier", "namespace_identifier", "primitive_type":
		return f.Text(n)
	case "qualified_identifier", "template_function", "dependent_name", "template_method":
		return qualified(f, f.Text(n))
	case "field_expression":
		object := f.Field(n, "argument")
		name := typeName(f.Text(f.Field(n, "field")))
		switch f.Kind(object) {
		case "call_expression":
			inner, _ := callee(f, object)
			return inner + "()." + name
		case "parenthesized_expression", "subscript_expression", "pointer_expression":
			return "()." + name
		}
		if on := pathOf(f, object); on != "" {
			return on + "." + name
		}
	case "parenthesized_expression":
		return pathOf(f, f.First(n))
	}
	return ""
}

// qualified writes a qualified name with dots, without template arguments and namespaces of the project's own. What follows is how a
// reader finds the definition: by its class and its name.
func qualified(f *lower.File, text string) string {
	name := strings.TrimPrefix(typeName(text), "::")
	parts := strings.Split(name, "::")
	for len(parts) > 1 && (parts[0] == "detail" || parts[0] == "internal" || parts[0] == "impl" || f.Facts.Module != "" && strings.Contains(" "+f.Facts.Module+" ", " "+parts[0]+" ")) {
		parts = parts[1:]
	}
	return strings.Join(parts, ".")
}

// typeName is a type without qualifiers, template arguments, pointers and white space.
func typeName(s string) string {
	depth, out := 0, make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth == 0 && c != '&' && c != '*' && c != ' ' && c != '\n' && c != '\t' && c != '\r':
			out = append(out, c)
		case c == ' ' && string(out) == "const":
			out = out[:0]
		}
	}
	return string(out)
}

func lastName(path string) string {
	return path[strings.LastIndexAny(path, ".:>")+1:]
}

// dotted is the expression that a path spells.
func dotted(path string) *expr.Expr {
	head, rest, _ := strings.Cut(path, ".")
	e := expr.Ident(head)
	for rest != "" {
		head, rest, _ = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

// lambda is a function value.
func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	if f.Kind(n) != "lambda_expression" {
		return 0, nil, false
	}
	for _, p := range params(f, f.Field(f.Field(n, "declarator"), "parameters")) {
		names = append(names, p.Name)
	}
	return f.Field(n, "body"), names, true
}
