package csharp

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// lowered lowers an expression; nil if it is not understood.
func lowered(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "identifier", "this", "base", "predefined_type", "qualified_name", "generic_name", "alias_qualified_name":
		return dotted(text)
	case "integer_literal", "real_literal":
		return lower.Number(text)
	case "boolean_literal":
		return expr.New(expr.Bool, text)
	case "null_literal":
		return expr.New(expr.Null, text)
	case "string_literal":
		return expr.Str(lower.Unescape(strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)))
	case "verbatim_string_literal":
		return expr.Str(strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(text, `@"`), `"`), `""`, `"`))
	case "raw_string_literal":
		return expr.Str(lower.Dedent(f.Text(f.ChildOf(n, "raw_string_content"))))
	case "character_literal":
		return expr.Str(lower.Unescape(strings.Trim(text, "'")))
	case "interpolated_string_expression":
		return interpolated(f, n, depth)
	case "member_access_expression":
		return member(f, n, depth)
	case "conditional_access_expression":
		if kids := f.Named(n); len(kids) == 2 && f.Kind(kids[1]) == "member_binding_expression" {
			return expr.New(expr.Attr, f.Text(f.Field(kids[1], "name")), f.Lower(kids[0], depth))
		}
	case "element_access_expression":
		if kids := f.Named(f.ChildOf(n, "bracketed_argument_list")); len(kids) == 1 {
			return expr.New(expr.Index, "", f.Lower(f.Field(n, "expression"), depth), f.Lower(kids[0], depth))
		}
	case "parenthesized_expression", "await_expression", "checked_expression", "argument", "ref_expression", "expression_statement":
		return argument(f, n, depth)
	case "cast_expression":
		return f.Wrapped(n, f.Field(n, "value"), depth)
	case "prefix_unary_expression":
		return unary(f, n, depth)
	case "postfix_unary_expression":
		if strings.HasSuffix(text, "!") {
			return f.Wrapped(n, f.First(n), depth)
		}
	case "binary_expression":
		return f.Infix(operator(f, n), f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth))
	case "is_pattern_expression":
		return pattern(f, f.Lower(f.Field(n, "expression"), depth), f.Field(n, "pattern"), depth)
	case "is_expression":
		return expr.New(expr.TypeTest, "", f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth))
	case "as_expression":
		return f.Wrapped(n, f.Field(n, "left"), depth)
	case "conditional_expression":
		return expr.New(expr.Cond, "", lower.Truth(f.Lower(f.Field(n, "condition"), depth)), f.Lower(f.Field(n, "consequence"), depth),
			f.Lower(f.Field(n, "alternative"), depth))
	case "assignment_expression":
		return f.Wrapped(n, f.Field(n, "right"), depth)
	case "invocation_expression":
		return invocation(f, n, depth)
	case "object_creation_expression":
		return creation(f, n, depth)
	case "implicit_object_creation_expression":
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{dotted(target(f, n))}, f.All(f.Named(f.ChildOf(n, "argument_list")), depth)...)...))
	case "lambda_expression":
		if body := f.Field(n, "body"); body >= 0 && f.Kind(body) != "block" {
			return expr.New(expr.Func, "", f.Value(body))
		}
		return expr.New(expr.Func, "")
	case "initializer_expression", "collection_expression":
		return expr.New(expr.List, "", f.All(f.Named(n), depth)...)
	case "array_creation_expression", "implicit_array_creation_expression":
		if list := f.ChildOf(n, "initializer_expression"); list >= 0 {
			return f.Wrapped(n, list, depth)
		}
	case "switch_expression":
		return arms(f, n, depth)
	case "typeof_expression":
		return dotted(f.Text(f.First(n)))
	}
	return nil
}

// argument lowers what wraps one expression; a named argument keeps its name.
func argument(f *lower.File, n, depth int) *expr.Expr {
	kids := f.Named(n)
	if len(kids) == 0 {
		return nil
	}
	if name := f.Field(n, "name"); name >= 0 && len(kids) > 1 {
		return expr.New(expr.Keyword, f.Text(name), f.Lower(kids[len(kids)-1], depth))
	}
	return f.Wrapped(n, kids[len(kids)-1], depth)
}

// operator is the token between the operands.
func operator(f *lower.File, n int) string {
	left, right := f.Field(n, "left"), f.Field(n, "right")
	if left < 0 || right < 0 {
		return ""
	}
	return strings.TrimSpace(f.Src[f.Nodes[left].End:f.Nodes[right].Start])
}

// dotted is the expression that a dotted name spells.
func dotted(name string) *expr.Expr {
	name = typeName(name)
	head, rest, _ := strings.Cut(name, ".")
	e := expr.Ident(head)
	for rest != "" {
		head, rest, _ = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

// member lowers a.b. A member of what holds resources by name is a text of a catalogue.
func member(f *lower.File, n, depth int) *expr.Expr {
	name := typeName(f.Text(f.Field(n, "name")))
	object := f.Field(n, "expression")
	if object < 0 {
		return expr.New(expr.Attr, name, expr.Ident("this")) // this.name, whose this is a token
	}
	if text := f.Text(object); resources(text) && name != "ResourceManager" && name != "Culture" {
		return expr.New(expr.Lookup, "", expr.Str(name))
	} else if text == "string" && name == "Empty" || text == "String" && name == "Empty" {
		return expr.Str("")
	}
	inner := f.Lower(object, depth)
	switch name {
	case "Length", "Count":
		return expr.New(expr.Len, "", inner)
	case "HasValue":
		return expr.New(expr.Compare, "!=", inner, expr.New(expr.Null, "null"))
	}
	return expr.New(expr.Attr, name, inner)
}

// resources reports whether a name is that of a class made of a .resx file, by convention.
func resources(path string) bool {
	switch name := last(path); {
	case name == "SR", name == "Res", name == "Strings", name == "Resources", name == "Resource", name == "Messages", name == "ErrorMessages":
		return true
	default:
		return len(name) > 9 && name[0] >= 'A' && name[0] <= 'Z' && (strings.HasSuffix(name, "Resources") || strings.HasSuffix(name, "Strings") ||
			strings.HasSuffix(name, "Resource"))
	}
}

func unary(f *lower.File, n, depth int) *expr.Expr {
	operand := f.First(n)
	if operand < 0 {
		return nil
	}
	op := strings.TrimSpace(f.Src[f.Nodes[n].Start:f.Nodes[operand].Start])
	inner := f.Lower(operand, depth)
	switch op {
	case "!":
		return expr.New(expr.Not, "", lower.Truth(inner))
	case "-", "+", "~":
		return expr.New(expr.Unary, op, inner)
	}
	return inner
}

// pattern lowers value is pattern; nil for one that is not understood.
func pattern(f *lower.File, value *expr.Expr, n, depth int) *expr.Expr {
	null := expr.New(expr.Null, "null")
	switch f.Kind(n) {
	case "constant_pattern":
		if k := f.Kind(f.First(n)); k == "member_access_expression" || k == "identifier" {
			return nil // a constant or a type
		}
		return expr.New(expr.Compare, "==", value, f.Lower(f.First(n), depth))
	case "negated_pattern":
		inner := pattern(f, value, f.First(n), depth+1)
		switch {
		case inner.Is(expr.Compare) && inner.Text == "==":
			return expr.New(expr.Compare, "!=", inner.Args...)
		case inner != nil:
			return expr.New(expr.Not, "", inner)
		}
	case "relational_pattern":
		if operand := f.First(n); operand >= 0 {
			op := strings.TrimSpace(f.Src[f.Nodes[n].Start:f.Nodes[operand].Start])
			return expr.New(expr.Compare, op, value, f.Lower(operand, depth))
		}
	case "and_pattern", "or_pattern":
		left, right := pattern(f, value, f.Field(n, "left"), depth+1), pattern(f, value, f.Field(n, "right"), depth+1)
		if left != nil && right != nil && f.Kind(n) == "and_pattern" {
			return expr.Conj(left, right)
		} else if left != nil && right != nil {
			return expr.Disj(left, right)
		}
	case "parenthesized_pattern":
		return pattern(f, value, f.First(n), depth+1)
	case "declaration_pattern", "type_pattern", "recursive_pattern":
		typ := f.Field(n, "type")
		if typ < 0 && f.Kind(n) == "type_pattern" {
			typ = f.First(n)
		}
		if typ < 0 && strings.HasPrefix(strings.ReplaceAll(f.Text(n), " ", ""), "{}") {
			return expr.New(expr.Compare, "!=", value, null)
		}
		if typ >= 0 && f.ChildOf(n, "property_pattern_clause", "positional_pattern_clause") < 0 {
			return expr.New(expr.TypeTest, "", value, f.Lower(typ, depth))
		}
	case "var_pattern", "discard":
		return expr.New(expr.Bool, "true")
	}
	return nil
}

// interpolated lowers $"…", $@"…" and $"""…""".
func interpolated(f *lower.File, n, depth int) *expr.Expr {
	start := f.Text(n)[:min(6, len(f.Text(n)))]
	verbatim, raw := strings.Contains(start[:min(3, len(start))], "@"), strings.Contains(start, `"""`)
	out := expr.New(expr.Interp, message.Composite)
	literal := func(s string) {
		if !raw {
			s = strings.NewReplacer("{{", "{", "}}", "}").Replace(s)
		}
		if k := len(out.Args); k > 0 && out.Args[k-1].Is(expr.String) {
			out.Args[k-1] = expr.Str(out.Args[k-1].Text + s)
		} else if s != "" {
			out.Args = append(out.Args, expr.Str(s))
		}
	}
	for _, c := range f.Named(n) {
		switch text := f.Text(c); f.Kind(c) {
		case "string_content":
			if verbatim {
				text = strings.ReplaceAll(text, `""`, `"`)
			}
			literal(text)
		case "escape_sequence":
			literal(lower.Unescape(text))
		case "interpolation":
			out.Args = append(out.Args, interpolation(f, c, depth))
		}
	}
	if raw {
		dedent(out)
	}
	return out
}

func interpolation(f *lower.File, n, depth int) *expr.Expr {
	format := ""
	var value *expr.Expr
	for _, c := range f.Named(n) {
		switch f.Kind(c) {
		case "interpolation_brace":
		case "interpolation_alignment_clause":
			format = f.Text(c) + format
		case "interpolation_format_clause":
			format += f.Text(c)
		default:
			value = f.Lower(c, depth)
		}
	}
	return expr.New(expr.Hole, strings.TrimPrefix(format, ":"), value)
}

// dedent takes the common indentation of a raw text off its literal pieces.
func dedent(e *expr.Expr) {
	if len(e.Args) == 0 || !e.Args[0].Is(expr.String) || !strings.HasPrefix(e.Args[0].Text, "\n") {
		return
	}
	first := strings.TrimPrefix(e.Args[0].Text, "\n")
	indent := first[:len(first)-len(strings.TrimLeft(first, " \t"))]
	e.Args[0] = expr.Str(strings.TrimPrefix(first, indent))
	for i, a := range e.Args {
		if a.Is(expr.String) {
			e.Args[i] = expr.Str(strings.ReplaceAll(a.Text, "\n"+indent, "\n"))
		}
	}
	if k := len(e.Args) - 1; e.Args[k].Is(expr.String) {
		e.Args[k] = expr.Str(strings.TrimRight(e.Args[k].Text, " \t\n"))
	}
}

// arms is a switch expression as the choice between the values of its arms.
func arms(f *lower.File, n, depth int) *expr.Expr {
	var values []*expr.Expr
	for _, c := range f.Named(n) {
		if kids := f.Named(c); f.Kind(c) == "switch_expression_arm" && len(kids) > 1 && f.Kind(kids[len(kids)-1]) != "throw_expression" {
			values = append(values, f.Lower(kids[len(kids)-1], depth))
		}
	}
	if len(values) == 0 {
		return nil
	}
	return expr.New(expr.Alt, "", values...)
}

// place is a named place of a log template.
var place = regexp.MustCompile(`\{[@$]?[A-Za-z_]\w*([,:][^{}]*)?\}`)

// numbered is a log template whose places take the values in order, as a format of the Composite dialect.
func numbered(template string) string {
	n := -1
	return place.ReplaceAllStringFunc(template, func(s string) string {
		n++
		return "{" + strconv.Itoa(n) + place.FindStringSubmatch(s)[1] + "}"
	})
}
