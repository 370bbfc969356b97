package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// expression lowers an expression; nil if it is not understood.
func expression(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "identifier":
		return identifier(f, n, strings.Trim(text, "`"))
	case "this_expression":
		return expr.Ident("this")
	case "super_expression", "qualified_identifier", "user_type":
		return dotted(text)
	case "number_literal", "float_literal":
		return lower.Number(text)
	case "string_literal", "multiline_string_literal":
		return template(f, n, depth)
	case "character_literal":
		return expr.Str(java.Unescape(strings.TrimSuffix(strings.TrimPrefix(text, "'"), "'")))
	case "navigation_expression":
		return navigation(f, n, depth)
	case "index_expression":
		if kids := f.Named(n); len(kids) == 2 {
			return expr.New(expr.Index, "", f.Lower(kids[0], depth), f.Lower(kids[1], depth))
		}
	case "parenthesized_expression", "annotated_expression", "labeled_expression", "block":
		if kids := f.Named(n); len(kids) > 0 && (f.Kind(n) != "block" || len(kids) == 1) {
			return f.Wrapped(n, kids[len(kids)-1], depth)
		}
	case "as_expression":
		if !f.Has(n, "as?") {
			return f.Wrapped(n, f.Field(n, "left"), depth)
		}
	case "value_argument":
		return argument(f, n, depth)
	case "spread_expression":
		return expr.New(expr.Spread, "", f.Lower(f.First(n), depth))
	case "unary_expression":
		return unary(f, n, depth)
	case "binary_expression":
		if f.Text(f.Field(n, "operator")) == "?:" && leaves(f, f.Field(n, "right")) {
			return f.Lower(f.Field(n, "left"), depth)
		}
		return f.Infix(f.Text(f.Field(n, "operator")), f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth))
	case "in_expression":
		return member(f, f.Lower(f.Field(n, "left"), depth), f.Field(n, "right"), f.Has(n, "!in"), depth)
	case "is_expression":
		return typeTest(f, f.Lower(f.Field(n, "left"), depth), f.Field(n, "right"), f.Has(n, "!is"))
	case "infix_expression":
		return infix(f, n, depth)
	case "if_expression":
		then, els := branches(f, n)
		if then >= 0 && els >= 0 {
			return expr.New(expr.Cond, "", lower.Truth(f.Lower(f.Field(n, "condition"), depth)), f.Lower(then, depth), f.Lower(els, depth))
		}
	case "when_expression":
		return arms(f, n, depth)
	case "try_expression":
		return f.Lower(f.ChildOf(n, "block"), depth)
	case "call_expression":
		return call(f, n, depth)
	case "lambda_literal":
		if body := statements(f, n); len(body) == 1 {
			return expr.New(expr.Func, "", f.Value(body[0]))
		}
		return expr.New(expr.Func, "")
	case "collection_literal":
		return expr.New(expr.List, "", f.All(f.Named(n), depth)...)
	case "callable_reference":
		if name, ok := strings.CutPrefix(text, "::"); ok && java.ErrorType(name) {
			return expr.New(expr.Func, "", expr.New(expr.Error, "", expr.Ident(name), nil))
		}
		if name, ok := strings.CutSuffix(text, "::class"); ok {
			return dotted(name)
		}
	}
	return nil
}

// leaves reports whether an expression never gives a value, by its form.
func leaves(f *lower.File, n int) bool {
	switch f.Kind(n) {
	case "throw_expression", "return_expression":
		return true
	case "identifier":
		return f.Text(n) == "continue" || f.Text(n) == "break"
	case "call_expression":
		p, _ := callee(f, n)
		form, ok := form(f, p, len(arguments(f, n)))
		return ok && !form.Goes && form.Cond == 0
	}
	return false
}

// identifier lowers a name. What is thrown by its name alone and is written large is an object that is an error.
func identifier(f *lower.File, n int, name string) *expr.Expr {
	switch name {
	case "true", "false":
		return expr.New(expr.Bool, name)
	case "null":
		return expr.New(expr.Null, name)
	}
	if f.Kind(f.Parent(n)) == "throw_expression" && capital(name) && name != strings.ToUpper(name) {
		return f.Error(expr.New(expr.Call, "new", expr.Ident(name)))
	}
	return expr.Ident(name)
}

// dotted is the expression that a dotted name spells.
func dotted(name string) *expr.Expr {
	name = strings.TrimSuffix(typeName(name), "?")
	head, rest, _ := strings.Cut(name, ".")
	e := expr.Ident(head)
	for rest != "" {
		head, rest, _ = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

// navigation lowers a.b and a?.b.
func navigation(f *lower.File, n, depth int) *expr.Expr {
	kids := f.Named(n)
	if len(kids) < 2 {
		return nil
	}
	name := strings.Trim(f.Text(kids[len(kids)-1]), "`")
	object := f.Lower(kids[0], depth)
	switch {
	case name == "length" || name == "size":
		return expr.New(expr.Len, "", object)
	case name == "class" && f.Has(n, "::"):
		return object
	case name == "java" && strings.HasSuffix(f.Text(kids[0]), "::class"):
		return object
	case f.Kind(f.Parent(n)) == "throw_expression" && (java.ErrorType(name) || capital(name) && name != strings.ToUpper(name)):
		return f.Error(expr.New(expr.Call, "new", expr.New(expr.Attr, name, object)))
	}
	return expr.New(expr.Attr, name, object)
}

// argument lowers a value that is passed; a named one keeps its name.
func argument(f *lower.File, n, depth int) *expr.Expr {
	kids := f.Named(n)
	if len(kids) == 0 {
		return nil
	}
	value := kids[len(kids)-1]
	if len(kids) > 1 && f.Has(n, "=") {
		return expr.New(expr.Keyword, f.Text(kids[0]), f.Lower(value, depth))
	}
	return f.Wrapped(n, value, depth)
}

func unary(f *lower.File, n, depth int) *expr.Expr {
	operand := f.Lower(f.Field(n, "argument"), depth)
	switch op := f.Text(f.Field(n, "operator")); op {
	case "!":
		return expr.New(expr.Not, "", lower.Truth(operand))
	case "!!":
		return f.Wrapped(n, f.Field(n, "argument"), depth)
	case "-", "+":
		return expr.New(expr.Unary, op, operand)
	}
	return nil
}

// member lowers a test of membership: of a range, the comparisons with its ends.
func member(f *lower.File, value *expr.Expr, set int, not bool, depth int) *expr.Expr {
	low, high, open, ok := ends(f, set)
	if !ok {
		return expr.New(expr.Compare, map[bool]string{false: "in", true: "not in"}[not], value, f.Lower(set, depth))
	}
	from, to := f.Lower(low, depth), f.Lower(high, depth)
	upper := map[bool]string{false: "<=", true: "<"}[open]
	if not {
		return expr.Disj(expr.New(expr.Compare, "<", value, from), expr.New(expr.Compare, map[string]string{"<=": ">", "<": ">="}[upper], value, to))
	}
	return expr.Conj(expr.New(expr.Compare, ">=", value, from), expr.New(expr.Compare, upper, value, to))
}

// ends are the ends of a range, and whether the upper one lies outside.
func ends(f *lower.File, n int) (low, high int, open, ok bool) {
	kids := f.Named(n)
	switch f.Kind(n) {
	case "parenthesized_expression":
		return ends(f, f.First(n))
	case "range_expression":
		if len(kids) == 2 {
			return kids[0], kids[1], f.Has(n, "..<"), true
		}
	case "infix_expression":
		if len(kids) == 3 && f.Text(kids[1]) == "until" {
			return kids[0], kids[2], true, true
		}
	}
	return 0, 0, false, false
}

func typeTest(f *lower.File, value *expr.Expr, typ int, not bool) *expr.Expr {
	test := expr.New(expr.TypeTest, "", value, dotted(f.Text(typ)))
	if not {
		return expr.New(expr.Not, "", test)
	}
	return test
}

// infix lowers functions between their operands.
func infix(f *lower.File, n, depth int) *expr.Expr {
	kids := f.Named(n)
	if len(kids) != 3 {
		return nil
	}
	left, right := f.Lower(kids[0], depth), f.Lower(kids[2], depth)
	switch name := f.Text(kids[1]); name {
	case "to":
		return expr.New(expr.Entry, "", left, right)
	case "and", "or", "xor", "shl", "shr", "ushr":
		op := map[string]string{"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>", "ushr": ">>>"}[name]
		return expr.New(expr.Binary, op, left, right)
	default:
		return expr.New(expr.Call, "", expr.New(expr.Attr, name, left), right)
	}
}

// branches are the nodes of an if; -1 for one that is missing.
func branches(f *lower.File, n int) (then, els int) {
	then, els = -1, -1
	cond, behind := f.Field(n, "condition"), false
	for c := range f.Children(n) {
		switch {
		case f.Name(c) == "else":
			behind = true
		case c <= cond || !within(f, n, c) || !named(f, n, c):
		case behind:
			els = c
		default:
			then = c
		}
	}
	return then, els
}

func within(f *lower.File, outer, n int) bool { return outer >= 0 && outer <= n && n < f.After(outer) }

// named reports whether c is one of the named children of n that are no comments.
func named(f *lower.File, n, c int) bool {
	for _, k := range f.Named(n) {
		if k == c {
			return true
		}
	}
	return false
}

// arms is a when as the choice between the values of its arms; what throws or leaves gives none.
func arms(f *lower.File, n, depth int) *expr.Expr {
	var values []*expr.Expr
	for _, e := range f.Named(n) {
		if f.Kind(e) != "when_entry" {
			continue
		}
		kids := f.Named(e)
		body := kids[len(kids)-1]
		if f.Kind(body) == "block" {
			if kids = f.Named(body); len(kids) != 1 {
				continue
			}
			body = kids[0]
		}
		if k := f.Kind(body); k != "throw_expression" && k != "return_expression" {
			values = append(values, f.Lower(body, depth))
		}
	}
	if len(values) == 0 {
		return nil
	}
	return expr.New(expr.Alt, "", values...)
}
