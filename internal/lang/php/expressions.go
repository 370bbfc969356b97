package php

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// lowered lowers an expression; nil if it is not understood. Variables keep their sign, but for $this.
func lowered(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "variable_name":
		if text == "$this" {
			return expr.Ident("this")
		}
		return expr.Ident(text)
	case "name", "qualified_name", "relative_scope", "named_type":
		return dotted(scope(text))
	case "integer", "float":
		return lower.Number(text)
	case "boolean":
		return expr.New(expr.Bool, strings.ToLower(text))
	case "null":
		return expr.New(expr.Null, text)
	case "string":
		return expr.Str(strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(strings.Trim(f.Text(n), "'")))
	case "encapsed_string":
		return interpolated(f, n, depth, false)
	case "heredoc":
		return interpolated(f, f.Field(n, "value"), depth, true)
	case "nowdoc":
		return expr.Str(lower.Dedent(strings.TrimPrefix(f.Text(f.Field(n, "value")), "\n")))
	case "member_access_expression", "nullsafe_member_access_expression":
		return expr.New(expr.Attr, f.Text(f.Field(n, "name")), f.Lower(f.Field(n, "object"), depth))
	case "scoped_property_access_expression":
		return expr.New(expr.Attr, strings.TrimPrefix(f.Text(f.Field(n, "name")), "$"), f.Lower(f.Field(n, "scope"), depth))
	case "class_constant_access_expression":
		if kids := f.Named(n); len(kids) == 2 && f.Text(kids[1]) != "class" {
			return expr.New(expr.Attr, f.Text(kids[1]), f.Lower(kids[0], depth))
		}
	case "subscript_expression":
		if kids := f.Named(n); len(kids) == 2 {
			index := f.Lower(kids[1], depth)
			if f.Kind(kids[1]) == "name" {
				index = expr.Str(f.Text(kids[1])) // "$a[key]"
			}
			return expr.New(expr.Index, "", f.Lower(kids[0], depth), index)
		}
	case "parenthesized_expression", "error_suppression_expression", "clone_expression", "reference_modifier":
		return f.Wrapped(n, f.First(n), depth)
	case "cast_expression":
		return f.Wrapped(n, f.Field(n, "value"), depth)
	case "argument":
		return argument(f, n, depth)
	case "unary_op_expression":
		operand := f.Field(n, "argument")
		if operand < 0 {
			operand = f.First(n)
		}
		inner := f.Lower(operand, depth)
		if strings.HasPrefix(text, "!") {
			return expr.New(expr.Not, "", lower.Truth(inner))
		}
		return expr.New(expr.Unary, text[:1], inner)
	case "binary_expression":
		return binary(f, n, depth)
	case "conditional_expression":
		cond := f.Lower(f.Field(n, "condition"), depth)
		body := f.Field(n, "body")
		if body < 0 { // a ?: b
			return expr.New(expr.Or, "", cond, f.Lower(f.Field(n, "alternative"), depth))
		}
		return expr.New(expr.Cond, "", lower.Truth(cond), f.Lower(body, depth), f.Lower(f.Field(n, "alternative"), depth))
	case "assignment_expression":
		return f.Wrapped(n, f.Field(n, "right"), depth)
	case "array_creation_expression":
		return array(f, n, depth)
	case "function_call_expression":
		return functionCall(f, n, depth)
	case "member_call_expression", "nullsafe_member_call_expression":
		args := f.All(f.Named(f.Field(n, "arguments")), depth)
		return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, f.Text(f.Field(n, "name")), f.Lower(f.Field(n, "object"), depth))}, args...)...)
	case "scoped_call_expression":
		args := f.All(f.Named(f.Field(n, "arguments")), depth)
		name := f.Text(f.Field(n, "name"))
		if s := last(qualified(f.Text(f.Field(n, "scope")))); s == "Lang" && (name == "get" || name == "trans") && len(args) > 0 {
			return expr.New(expr.Lookup, "", args...)
		}
		return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, name, f.Lower(f.Field(n, "scope"), depth))}, args...)...)
	case "object_creation_expression":
		return creation(f, n, depth)
	case "arrow_function":
		return expr.New(expr.Func, "", f.Value(f.Field(n, "body")))
	case "anonymous_function":
		return expr.New(expr.Func, "")
	case "match_expression":
		return arms(f, n, depth)
	}
	return nil
}

// dotted is the expression that a dotted name spells.
func dotted(name string) *expr.Expr {
	head, rest, _ := strings.Cut(name, ".")
	e := expr.Ident(head)
	for rest != "" {
		head, rest, _ = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

func argument(f *lower.File, n, depth int) *expr.Expr {
	kids := f.Named(n)
	switch {
	case len(kids) == 0:
		return nil
	case f.Field(n, "name") >= 0 && len(kids) > 1:
		return expr.New(expr.Keyword, "$"+f.Text(f.Field(n, "name")), f.Lower(kids[len(kids)-1], depth))
	case f.Kind(kids[0]) == "variadic_unpacking":
		return expr.New(expr.Spread, "", f.Lower(f.First(kids[0]), depth))
	}
	return f.Wrapped(n, kids[len(kids)-1], depth)
}

// operator is the token between the operands.
func operator(f *lower.File, n int) string {
	left, right := f.Field(n, "left"), f.Field(n, "right")
	if left < 0 || right < 0 {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(f.Src[f.Nodes[left].End:f.Nodes[right].Start]))
}

func binary(f *lower.File, n, depth int) *expr.Expr {
	op := operator(f, n)
	left, right := f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth)
	switch op {
	case ".":
		return expr.New(expr.Binary, "+", left, right)
	case "instanceof":
		return expr.New(expr.TypeTest, "", left, right)
	case "xor", "<=>":
		return nil
	}
	return f.Infix(op, left, right)
}

// array lowers [a, 'k' => v].
func array(f *lower.File, n, depth int) *expr.Expr {
	var list, entries []*expr.Expr
	for _, c := range f.Named(n) {
		kids := f.Named(c)
		switch {
		case len(kids) == 2:
			key, value := f.Lower(kids[0], depth), f.Lower(kids[1], depth)
			if key.Is(expr.String) {
				entries = append(entries, expr.New(expr.Keyword, key.Text, value))
			} else {
				entries = append(entries, expr.New(expr.Entry, "", key, value))
			}
		case len(kids) == 1:
			list = append(list, f.Lower(kids[0], depth))
		}
	}
	if len(entries) > 0 && len(list) == 0 {
		return expr.New(expr.Map, "", entries...)
	}
	return expr.New(expr.List, "", append(list, entries...)...)
}

// interpolated lowers "… $a {$b->c} …" and heredocs.
func interpolated(f *lower.File, n, depth int, heredoc bool) *expr.Expr {
	if n < 0 {
		return nil
	}
	out := expr.New(expr.Interp, message.Plain)
	literal := func(s string) {
		if k := len(out.Args); k > 0 && out.Args[k-1].Is(expr.String) {
			out.Args[k-1] = expr.Str(out.Args[k-1].Text + s)
		} else if s != "" {
			out.Args = append(out.Args, expr.Str(s))
		}
	}
	at := f.Nodes[n].Start
	for _, c := range f.Named(n) {
		// Line breaks can stand between the nodes.
		literal(strings.Repeat("\n", strings.Count(f.Src[at:f.Nodes[c].Start], "\n")))
		at = f.Nodes[c].End
		switch f.Kind(c) {
		case "string_content":
			literal(f.Text(c))
		case "escape_sequence":
			literal(lower.Unescape(f.Text(c)))
		default:
			if k := len(out.Args); k > 0 && out.Args[k-1].Is(expr.String) {
				out.Args[k-1] = expr.Str(strings.TrimSuffix(out.Args[k-1].Text, "${"))
			}
			out.Args = append(out.Args, expr.New(expr.Hole, "", f.Lower(c, depth)))
		}
	}
	if heredoc {
		dedent(f, n, out)
	}
	if len(out.Args) == 0 {
		return expr.Str("")
	}
	if len(out.Args) == 1 && out.Args[0].Is(expr.String) {
		return out.Args[0]
	}
	return out
}

// dedent takes the indentation of a heredoc's closing mark off its lines.
func dedent(f *lower.File, n int, e *expr.Expr) {
	behind := f.Src[f.Nodes[n].End:]
	closing := strings.TrimLeft(behind, "\r\n")
	indent := closing[:len(closing)-len(strings.TrimLeft(closing, " \t"))]
	for i, a := range e.Args {
		if a.Is(expr.String) {
			text := strings.ReplaceAll(a.Text, "\n"+indent, "\n")
			if i == 0 {
				text = strings.TrimPrefix(text, "\n")
			}
			e.Args[i] = expr.Str(text)
		}
	}
}

// arms is a match expression as the choice between the values of its arms.
func arms(f *lower.File, n, depth int) *expr.Expr {
	var values []*expr.Expr
	for _, c := range f.Named(f.Field(n, "body")) {
		if kids := f.Named(c); len(kids) > 0 && f.Kind(kids[len(kids)-1]) != "throw_expression" {
			values = append(values, f.Lower(kids[len(kids)-1], depth))
		}
	}
	if len(values) == 0 {
		return nil
	}
	return expr.New(expr.Alt, "", values...)
}

// functionCall lowers calls of functions; those that make texts of their arguments become the texts.
func functionCall(f *lower.File, n, depth int) *expr.Expr {
	name := qualified(f.Text(f.Field(n, "function")))
	args := f.All(f.Named(f.Field(n, "arguments")), depth)
	null := expr.New(expr.Null, "null")
	switch name {
	case "sprintf":
		if len(args) > 0 {
			return expr.New(expr.Format, message.Printf, args...)
		}
	case "vsprintf":
		if len(args) == 2 {
			return expr.New(expr.Format, message.Printf, args[0], expr.New(expr.Spread, "", args[1]))
		}
	case "implode", "join":
		if len(args) == 2 {
			return expr.New(expr.Join, "", args[1], args[0])
		}
	case "__", "trans", "_", "gettext", "t", "esc_html__", "trans_choice", "lang":
		if len(args) > 0 && (args[0].Is(expr.String) || args[0].Is(expr.Name)) {
			return expr.New(expr.Lookup, "", args...)
		}
	case "count", "sizeof", "strlen", "mb_strlen":
		if len(args) > 0 {
			return expr.New(expr.Len, "", args[0])
		}
	case "is_null":
		if len(args) == 1 {
			return expr.New(expr.Compare, "==", args[0], null)
		}
	case "isset":
		var all []*expr.Expr
		for _, a := range args {
			all = append(all, expr.New(expr.Compare, "!=", a, null))
		}
		return expr.Conj(all...)
	case "empty":
		if len(args) == 1 {
			return expr.New(expr.Not, "", lower.Truth(args[0]))
		}
	case "in_array":
		if len(args) >= 2 {
			return expr.New(expr.Compare, "in", args[0], args[1])
		}
	case "strval":
		if len(args) == 1 {
			return expr.New(expr.Interp, message.Plain, expr.New(expr.Hole, "", args[0]))
		}
	}
	callee := dotted(name)
	if function := f.Field(n, "function"); f.Kind(function) == "variable_name" {
		callee = f.Lower(function, depth)
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{callee}, args...)...)
}

// creation lowers new T(…).
func creation(f *lower.File, n, depth int) *expr.Expr {
	name := f.ChildOf(n, "name", "qualified_name")
	if name < 0 {
		return nil
	}
	args := f.All(f.Named(f.ChildOf(n, "arguments")), depth)
	typ := qualified(f.Text(name))
	if typ == "static" || typ == "self" {
		typ = owner(f, n)
	}
	made := expr.New(expr.Call, "new", append([]*expr.Expr{dotted(typ)}, args...)...)
	if factory(f, n) {
		return expr.New(expr.Error, "", append([]*expr.Expr{dotted(typ), nil}, args...)...)
	}
	return f.Error(made)
}

// factory reports whether new self(…) or new static(…) makes an error: the class around it is one.
func factory(f *lower.File, n int) bool {
	name := f.ChildOf(n, "name")
	if text := f.Text(name); name < 0 || text != "self" && text != "static" {
		return false
	}
	class := around(f, n)
	if class < 0 {
		return false
	}
	if errorType(f.Text(f.Field(class, "name"))) {
		return true
	}
	for _, kind := range []string{"base_clause", "class_interface_clause"} {
		for _, base := range f.Named(f.ChildOf(class, kind)) {
			if errorType(qualified(f.Text(base))) {
				return true
			}
		}
	}
	return false
}

// around is the class declaration that a node stands in, or -1.
func around(f *lower.File, n int) int {
	for p := f.Parent(n); p > 0; p = f.Parent(p) {
		if f.Kind(p) == "class_declaration" {
			return p
		}
	}
	return syntax.None
}

// owner is the name of the class around a node.
func owner(f *lower.File, n int) string {
	if class := around(f, n); class >= 0 {
		return f.Text(f.Field(class, "name"))
	}
	return "self"
}
