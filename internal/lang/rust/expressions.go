package rust

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func expression(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "identifier", "self", "scoped_identifier", "shorthand_field_identifier", "type_identifier", "scoped_type_identifier", "crate":
		if text == "None" {
			return expr.New(expr.Null, text)
		}
		return spelled(f, n)
	case "integer_literal", "float_literal":
		return number(text)
	case "boolean_literal":
		return expr.New(expr.Bool, text)
	case "string_literal", "raw_string_literal":
		return expr.Str(literal(text))
	case "char_literal":
		return expr.Str(unescape(strings.Trim(strings.TrimPrefix(text, "b"), "'")))
	case "field_expression":
		return expr.New(expr.Attr, f.Text(f.Field(n, "field")), f.Lower(f.Field(n, "value"), depth))
	case "index_expression":
		if kids := f.Named(n); len(kids) == 2 {
			return indexed(f, kids[0], kids[1], depth)
		}
	case "parenthesized_expression", "try_expression", "await_expression", "type_cast_expression", "block", "const_block":
		if kids := f.Named(n); len(kids) == 1 || f.Kind(n) == "type_cast_expression" && len(kids) > 0 {
			return f.Wrapped(n, kids[0], depth)
		}
	case "reference_expression":
		return f.Wrapped(n, f.Field(n, "value"), depth)
	case "unary_expression":
		operand := f.Lower(f.First(n), depth)
		switch text[0] {
		case '!':
			return expr.New(expr.Not, "", lower.Truth(operand))
		case '*':
			return &expr.Expr{Op: operand.Op, Text: operand.Text, Args: operand.Args, Src: text}
		}
		return expr.New(expr.Unary, text[:1], operand)
	case "binary_expression":
		return f.Infix(f.Text(f.Field(n, "operator")), f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth))
	case "if_expression":
		then, els := f.Field(n, "consequence"), f.First(f.Field(n, "alternative"))
		if els >= 0 && len(f.Named(then)) == 1 && len(f.Named(els)) == 1 {
			return expr.New(expr.Cond, "", lower.Truth(f.Lower(f.Field(n, "condition"), depth)), f.Lower(then, depth), f.Lower(els, depth))
		}
	case "match_expression":
		return matched(f, n, depth)
	case "let_condition":
		if c := fitting(f, f.Field(n, "pattern"), f.Lower(f.Field(n, "value"), depth)); c != nil {
			c.Src = c.String() // a pattern cannot be negated as it is written
			return c
		}
	case "let_chain":
		return expr.Conj(truths(f.All(f.Named(n), depth))...)
	case "array_expression":
		if !f.Has(n, ";") {
			return expr.New(expr.List, "", f.All(f.Named(n), depth)...)
		}
	case "tuple_expression":
		return expr.New(expr.Tuple, "", f.All(f.Named(n), depth)...)
	case "closure_expression":
		if body := f.Field(n, "body"); f.Kind(body) != "block" || len(f.Named(body)) == 1 {
			return expr.New(expr.Func, "", made(f, body, depth))
		}
		return expr.New(expr.Func, "")
	case "struct_expression":
		return composite(f, n, depth)
	case "call_expression":
		return call(f, n, depth)
	case "macro_invocation":
		return expr.New(expr.Truthy, "", &expr.Expr{Op: expr.Unknown, Src: text})
	case "assignment_expression":
		if left := f.Field(n, "left"); f.Kind(left) == "identifier" && f.Kind(f.Parent(n)) == "arguments" && isMacro(f, f.Parent(f.Parent(n))) {
			return expr.New(expr.Keyword, f.Text(left), f.Lower(f.Field(n, "right"), depth))
		}
	}
	return nil
}

func truths(all []*expr.Expr) []*expr.Expr {
	for i := range all {
		all[i] = lower.Truth(all[i])
	}
	return all
}

// number is a numeric literal without its type.
func number(text string) *expr.Expr {
	text = strings.ReplaceAll(text, "_", "")
	for _, suffix := range []string{"usize", "isize", "u128", "i128", "u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8", "f64", "f32"} {
		if rest, ok := strings.CutSuffix(text, suffix); ok && !(strings.HasPrefix(text, "0x") && suffix[0] == 'f') {
			text = rest
			break
		}
	}
	return expr.New(expr.Number, text)
}

// spelled is the expression that a path spells.
func spelled(f *lower.File, n int) *expr.Expr {
	head, rest, dotted := strings.Cut(pathText(f, n), ".")
	e := expr.Ident(head)
	for dotted {
		head, rest, dotted = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

func indexed(f *lower.File, object, at, depth int) *expr.Expr {
	if f.Kind(at) != "range_expression" {
		return expr.New(expr.Index, "", f.Lower(object, depth), f.Lower(at, depth))
	}
	var from, to *expr.Expr
	behind := false
	for c := range f.Children(at) {
		switch {
		case !f.Is(c, syntax.Named):
			behind = true
		case behind:
			to = f.Lower(c, depth)
		default:
			from = f.Lower(c, depth)
		}
	}
	return expr.New(expr.Slice, "", f.Lower(object, depth), from, to)
}

// matched is a match as a value: a table of texts, or one of them.
func matched(f *lower.File, n, depth int) *expr.Expr {
	var all []*expr.Expr
	for _, arm := range f.Named(f.Field(n, "body")) {
		v := f.Lower(f.Field(arm, "value"), depth)
		if !flow.Textual(v) {
			return nil
		}
		all = append(all, v)
	}
	if len(all) == 0 || len(all) > 16 {
		return nil
	}
	return expr.New(expr.Alt, "", all...)
}

// composite is T { field: value, … }: a value of an error type is an error.
func composite(f *lower.File, n, depth int) *expr.Expr {
	out := expr.New(expr.Error, "", spelled(f, f.Field(n, "name")), nil)
	for _, c := range f.Named(f.Field(n, "body")) {
		switch f.Kind(c) {
		case "field_initializer":
			out.Args = append(out.Args, expr.New(expr.Keyword, f.Text(f.Field(c, "field")), made(f, f.Field(c, "value"), depth)))
		case "shorthand_field_initializer":
			name := f.Text(c)
			out.Args = append(out.Args, expr.New(expr.Keyword, name, expr.Ident(name)))
		}
	}
	if isError(f, out.Arg(0)) {
		return out
	}
	return expr.New(expr.Map, out.Arg(0).Path(), out.Args[2:]...)
}

// isError reports whether a path names an error type, or a variant of one.
func isError(f *lower.File, p *expr.Expr) bool {
	name := p.Path()
	if name == "" {
		return false
	}
	owner, variant := "", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		owner, variant = last(name[:i]), name[i+1:]
	}
	if variant == "" || variant[0] < 'A' || variant[0] > 'Z' {
		return false
	}
	return errorType(variant) || errorType(owner) || strings.HasSuffix(variant, "Snafu") || own(f).errors[variant] || own(f).errors[owner]
}

// made is an expression as a value that may be an error: the error in Err(e), a unit variant.
func made(f *lower.File, n, depth int) *expr.Expr {
	for f.Kind(n) == "block" && len(f.Named(n)) == 1 || f.Kind(n) == "parenthesized_expression" {
		n = f.First(n)
	}
	return asError(f, n, f.Lower(n, depth))
}

// asError is the expression that a node was lowered to as a value: a path to a variant of an error type is an error.
func asError(f *lower.File, n int, e *expr.Expr) *expr.Expr {
	if (e.Is(expr.Attr) || e.Is(expr.Name)) && isError(f, e) && (f.Kind(n) == "scoped_identifier" || f.Kind(n) == "identifier") {
		return &expr.Expr{Op: expr.Error, Args: []*expr.Expr{e, nil}, Src: e.Src}
	}
	return e
}

// call lowers calls; those that make texts or errors of their arguments become these.
func call(f *lower.File, n, depth int) *expr.Expr {
	c := f.Field(n, "function")
	nodes := f.Named(f.Field(n, "arguments"))
	if isMacro(f, n) {
		return macroValue(f, macroName(f.Text(c)), f.All(nodes, depth))
	}
	if f.Kind(c) == "generic_function" {
		c = f.Field(c, "function")
	}
	if f.Kind(c) == "field_expression" {
		return method(f, n, c, nodes, depth)
	}
	p := spelled(f, c)
	name := p.Path()
	switch {
	case name == "Err" && len(nodes) == 1:
		return made(f, nodes[0], depth)
	case (name == "Some" || name == "Ok" || name == "Box.new" || name == "Arc.new" || name == "Rc.new" || name == "Cow.Borrowed" || name == "Cow.Owned" ||
		name == "String.from" || name == "Box.from" || name == "Cow.from" || name == "Into.into" || name == "From.from") && len(nodes) == 1:
		inside := made(f, nodes[0], depth)
		if name == "Some" || name == "Ok" {
			if inside.Is(expr.Error) || flow.Textual(inside) {
				break
			}
		}
		return inside
	case name == "fmt.format" || name == "std.fmt.format":
		return f.Lower(nodes[0], depth)
	}
	args := make([]*expr.Expr, 0, len(nodes))
	for _, a := range nodes {
		args = append(args, made(f, a, depth))
	}
	if e := foreign(name, args); e != nil {
		return e
	}
	if isError(f, p) {
		return expr.New(expr.Error, "", append([]*expr.Expr{p, nil}, args...)...)
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{p}, args...)...)
}

// foreign is an error that a constructor of a usual library makes; nil for any other call.
func foreign(name string, args []*expr.Expr) *expr.Expr {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || len(args) == 0 {
		return nil
	}
	typ, fn := name[:i], name[i+1:]
	of := func(message *expr.Expr) *expr.Expr {
		return expr.New(expr.Error, "", expr.New(expr.Attr, last(typ), expr.Ident("std")), then(message))
	}
	switch owner := last(typ); {
	case typ == "io.Error" || typ == "std.io.Error":
		switch {
		case fn == "new" && len(args) == 2:
			return of(args[1])
		case fn == "other" && len(args) == 1:
			return of(args[0])
		}
	case fn == "missing_field" || fn == "duplicate_field":
		return of(then(expr.Str(strings.ReplaceAll(fn, "_", " ")+" `"), args[0], expr.Str("`")))
	case (fn == "invalid_type" || fn == "invalid_value" || fn == "invalid_length") && len(args) == 2:
		between := map[bool]string{true: " ", false: ": "}[fn == "invalid_length"]
		return of(then(expr.Str(strings.ReplaceAll(fn, "_", " ")+between), args[0], expr.Str(", expected "), args[1]))
	case (fn == "unknown_variant" || fn == "unknown_field") && len(args) == 2:
		return of(then(expr.Str(strings.ReplaceAll(fn, "_", " ")+" `"), args[0], expr.Str("`, "), &expr.Expr{Op: expr.Unknown, Src: args[1].String()}))
	case (owner == "Error" || owner == "E") && (fn == "custom" || fn == "msg" || fn == "new_spanned" || fn == "raw"):
		if text := args[len(args)-1]; flow.Textual(text) {
			return of(text)
		}
	case typ == "syn.Error" && fn == "new" && len(args) == 2:
		return of(args[1])
	}
	return nil
}

// macroValue is what a macro with these arguments gives.
func macroValue(f *lower.File, name string, args []*expr.Expr) *expr.Expr {
	switch name {
	case "format", "format_args":
		return formatted(args)
	case "concat":
		return then(args...)
	case "anyhow", "eyre", "format_err", "miette":
		if len(args) == 1 && args[0].Is(expr.Error) {
			return args[0]
		}
		return expr.New(expr.Error, "", nil, then(formatted(args)))
	case "dbg":
		if len(args) == 1 {
			return args[0]
		}
	}
	return &expr.Expr{Op: expr.Unknown}
}

// method lowers calls of methods.
func method(f *lower.File, n, c int, nodes []int, depth int) *expr.Expr {
	on, name := f.Field(c, "value"), f.Text(f.Field(c, "field"))
	inner := f.Lower(on, depth)
	switch {
	case len(nodes) == 0:
		switch name {
		case "to_string", "to_owned", "into", "into_owned", "as_str", "as_ref", "clone", "to_string_lossy", "into_boxed_str", "into_iter", "iter",
			"borrow", "as_slice", "to_vec", "into_string":
			inner = asError(f, on, inner)
			if name != "to_string" || flow.Textual(inner) {
				return &expr.Expr{Op: inner.Op, Text: inner.Text, Args: inner.Args, Src: f.Text(n)}
			}
			return expr.New(expr.Interp, message.Plain, expr.New(expr.Hole, "", inner))
		case "len":
			return expr.New(expr.Len, "", inner)
		case "is_empty":
			return expr.New(expr.Compare, "==", expr.New(expr.Len, "", inner), expr.New(expr.Number, "0"))
		case "build", "boxed", "fail", "into_error":
			if e := asError(f, on, inner); e.Is(expr.Error) {
				return e
			}
		}
	case name == "join" && len(nodes) == 1 && (f.Kind(nodes[0]) == "string_literal"):
		return expr.New(expr.Join, "", inner, f.Lower(nodes[0], depth))
	case name == "contains" && len(nodes) == 1 && f.Kind(on) == "parenthesized_expression" && f.Kind(f.First(on)) == "range_expression":
		return within(f, f.First(on), nodes[0], depth)
	case name == "eq" && len(nodes) == 1:
		return expr.New(expr.Compare, "==", inner, f.Lower(nodes[0], depth))
	case inner.Is(expr.Error) && (strings.HasPrefix(name, "with_") || name == "at" || name == "set_span"):
		return inner // an error with more about it
	}
	args := []*expr.Expr{expr.New(expr.Attr, name, inner)}
	for _, a := range nodes {
		args = append(args, made(f, a, depth))
	}
	return expr.New(expr.Call, "", args...)
}

// within is (a..b).contains(&x) as comparisons.
func within(f *lower.File, bounds, value, depth int) *expr.Expr {
	x := f.Lower(value, depth)
	for x.Is(expr.Unary) {
		x = x.Arg(0)
	}
	x = &expr.Expr{Op: x.Op, Text: x.Text, Args: x.Args, Src: strings.TrimPrefix(f.Text(value), "&")}
	var parts []*expr.Expr
	upper, behind := "<", false
	for c := range f.Children(bounds) {
		switch {
		case !f.Is(c, syntax.Named):
			behind = true
			if f.Text(c) == "..=" {
				upper = "<="
			}
		case behind:
			parts = append(parts, expr.New(expr.Compare, upper, x, f.Lower(c, depth)))
		default:
			parts = append(parts, expr.New(expr.Compare, ">=", x, f.Lower(c, depth)))
		}
	}
	return expr.Conj(parts...)
}

// ranged is the condition that a value lies within a range of numbers; nil for a range of anything else.
func ranged(f *lower.File, p int, value *expr.Expr) *expr.Expr {
	var parts []*expr.Expr
	upper, behind := "<", false
	for c := range f.Children(p) {
		switch bound := f.Lower(c, 0); {
		case !f.Is(c, syntax.Named):
			if behind = true; f.Text(c) != ".." {
				upper = "<="
			}
		case !bound.Is(expr.Number):
			return nil
		case behind:
			parts = append(parts, expr.New(expr.Compare, upper, value, bound))
		default:
			parts = append(parts, expr.New(expr.Compare, ">=", value, bound))
		}
	}
	return expr.Conj(parts...)
}

// fitting is the condition that a value fits a pattern; nil for a pattern that every value fits.
func fitting(f *lower.File, p int, value *expr.Expr) *expr.Expr {
	asks := func(method string) *expr.Expr {
		return expr.New(expr.Truthy, "", expr.New(expr.Call, "", expr.New(expr.Attr, method, value)))
	}
	whole := func() *expr.Expr {
		return expr.New(expr.Truthy, "", &expr.Expr{Op: expr.Unknown, Src: "matches!(" + value.String() + ", " + f.Text(p) + ")"})
	}
	switch f.Kind(p) {
	case "":
		return nil
	case "match_pattern":
		return fitting(f, f.First(p), value)
	case "reference_pattern", "ref_pattern", "mut_pattern":
		return fitting(f, f.First(p), value)
	case "captured_pattern":
		return whole()
	case "identifier":
		switch name := f.Text(p); {
		case name == "None":
			return asks("is_none")
		case isLower(name):
			return nil
		}
		return expr.New(expr.Compare, "==", value, spelled(f, p))
	case "scoped_identifier":
		return expr.New(expr.Compare, "==", value, spelled(f, p))
	case "integer_literal", "string_literal", "char_literal", "boolean_literal", "negative_literal", "float_literal", "raw_string_literal":
		if f.Kind(p) == "negative_literal" {
			return expr.New(expr.Compare, "==", value, expr.New(expr.Unary, "-", f.Lower(f.First(p), 0)))
		}
		return expr.New(expr.Compare, "==", value, f.Lower(p, 0))
	case "range_pattern":
		if c := ranged(f, p, value); c != nil {
			return c
		}
	case "or_pattern":
		var any []*expr.Expr
		for _, c := range f.Named(p) {
			cond := fitting(f, c, value)
			if cond == nil {
				return nil
			}
			any = append(any, cond)
		}
		return expr.Disj(any...)
	case "tuple_struct_pattern":
		if kids := f.Named(p); len(kids) < 2 || len(kids) == 2 && (f.Kind(kids[1]) == "identifier" && isLower(f.Text(kids[1])) || f.Kind(kids[1]) == "ref_pattern" || f.Kind(kids[1]) == "mut_pattern" || f.Kind(kids[1]) == "remaining_field_pattern") {
			switch f.Text(f.Field(p, "type")) {
			case "Some":
				return asks("is_some")
			case "Ok":
				return asks("is_ok")
			case "Err":
				return asks("is_err")
			}
		}
	}
	return whole()
}
