package rust

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// display reads what a function writes for a value of a type, if it is one variant of it.
type display struct {
	*lower.File
	typ, variant string
	sink         string                // the formatter
	bound        map[string]*expr.Expr // names of the function: fields of the type, and texts
	steps        int
}

// maxSteps bounds the work on one type or variant.
const maxSteps = 400

// prints is the text that an expression, block or statement writes to the formatter; nil if it writes none, or none that is known.
func (d *display) prints(n, depth int) *expr.Expr {
	if d.steps++; n < 0 || depth > 20 || d.steps > maxSteps {
		return nil
	}
	switch d.Kind(n) {
	case "block", "unsafe_block":
		return d.sequence(n, depth)
	case "expression_statement", "return_expression", "try_expression", "parenthesized_expression":
		return d.prints(d.First(n), depth+1)
	case "match_expression":
		return d.chosen(n, depth, d.prints)
	case "if_expression":
		then, els := d.prints(d.Field(n, "consequence"), depth+1), d.prints(d.First(d.Field(n, "alternative")), depth+1)
		if els == nil {
			els = expr.Str("")
		}
		if then == nil {
			then = expr.Str("")
		}
		return expr.New(expr.Alt, "", then, els)
	case "call_expression":
		return d.call(n, depth)
	}
	return nil
}

// sequence is what the statements of a block write, one behind the other.
func (d *display) sequence(n, depth int) *expr.Expr {
	var all []*expr.Expr
	for _, c := range d.Named(n) {
		switch d.Kind(c) {
		case "let_declaration":
			if name := d.Text(d.Field(c, "pattern")); d.Field(c, "value") >= 0 {
				if v := d.value(d.Field(c, "value"), depth+1); v != nil {
					d.bound[name] = v
				}
			}
		case "use_declaration":
		case "for_expression", "while_expression":
			all = append(all, &expr.Expr{Op: expr.Unknown, Src: "…"})
		default:
			if d.Kind(d.First(c)) == "for_expression" {
				all = append(all, &expr.Expr{Op: expr.Unknown, Src: "…"})
				continue
			}
			if text := d.prints(c, depth+1); text != nil {
				all = append(all, text)
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return then(all...)
}

// call is what one call writes: write!, a method of the formatter, or the value that is asked to print itself.
func (d *display) call(n, depth int) *expr.Expr {
	callee := d.Field(n, "function")
	args := d.Named(d.Field(n, "arguments"))
	switch path := d.Text(callee); {
	case (path == "write" || path == "writeln") && len(args) > 1:
		values := make([]*expr.Expr, 0, len(args))
		for _, a := range args[1:] {
			values = append(values, d.value(a, depth+1))
		}
		text := d.own(formatted(values))
		if path == "writeln" {
			text = then(text, expr.Str("\n"))
		}
		return text
	case strings.HasSuffix(path, "Display::fmt") && len(args) == 2:
		return d.value(args[0], depth+1)
	}
	if d.Kind(callee) != "field_expression" {
		return nil
	}
	on, name := d.Field(callee, "value"), d.Text(d.Field(callee, "field"))
	switch {
	case d.Text(on) == d.sink && (name == "write_str" || name == "pad" || name == "write_fmt") && len(args) == 1:
		return d.value(args[0], depth+1)
	case name == "fmt" && len(args) == 1 && d.Text(args[0]) == d.sink:
		return d.value(on, depth+1)
	case name == "and_then" || name == "map_err":
		return d.prints(on, depth+1)
	}
	return nil
}

// own puts in what the names of the function stand for.
func (d *display) own(e *expr.Expr) *expr.Expr {
	if len(d.bound) == 0 {
		return e
	}
	return ofFields(e, d.bound)
}

// value is an expression in terms of the fields; of a method of the type that gives a text for each variant, that text.
func (d *display) value(n, depth int) *expr.Expr {
	if d.steps++; depth > 20 || d.steps > maxSteps {
		return d.Expr(n)
	}
	switch d.Kind(n) {
	case "match_expression":
		if v := d.chosen(n, depth, d.value); v != nil {
			return v
		}
	case "block":
		if kids := d.Named(n); len(kids) == 1 {
			return d.value(kids[0], depth+1)
		}
	case "reference_expression":
		return d.value(d.Field(n, "value"), depth+1)
	case "expression_statement", "return_expression":
		return d.value(d.First(n), depth+1)
	case "call_expression":
		callee := d.Field(n, "function")
		if d.Kind(callee) != "field_expression" || strings.TrimLeft(d.Text(d.Field(callee, "value")), "*&") != "self" {
			break
		}
		method, ok := own(d.File).methods[d.typ+"."+d.Text(d.Field(callee, "field"))]
		if !ok {
			break
		}
		if text := d.value(d.Field(method, "body"), depth+1); text != nil && (flow.Textual(text) || text.Is(expr.Index)) {
			return text
		}
	}
	return d.own(d.Expr(n))
}

// chosen is what a match gives by read: of self, the arm of the variant; of a field, a table by its value.
func (d *display) chosen(n, depth int, read func(n, depth int) *expr.Expr) *expr.Expr {
	subject := strings.TrimLeft(d.Text(d.Field(n, "value")), "*&")
	arms := d.Named(d.Field(n, "body"))
	if subject == "self" && d.variant != "" {
		for _, arm := range arms {
			if d.fits(d.First(d.Field(arm, "pattern")), 0) {
				return read(d.Field(arm, "value"), depth+1)
			}
		}
		return nil
	}
	var all []*expr.Expr
	table := expr.New(expr.Map, "")
	key := ofFields(d.Lower(d.Field(n, "value"), 0), d.bound)
	for key.Is(expr.Unary) {
		key = key.Arg(0)
	}
	for _, arm := range arms {
		pattern := d.First(d.Field(arm, "pattern"))
		text := read(d.Field(arm, "value"), depth+1)
		if text == nil {
			continue
		}
		all = append(all, text)
		if k := d.Kind(pattern); k == "scoped_identifier" || k == "identifier" || k == "integer_literal" || k == "string_literal" {
			value := d.Expr(pattern)
			if enum := own(d.File).enums[value.Text]; value.Is(expr.Name) && enum != "" {
				value = expr.New(expr.Attr, value.Text, expr.Ident(enum)) // a variant that was brought in by a use
			}
			if isError(d.File, value) {
				value = expr.New(expr.Error, "", value, nil)
			}
			table.Args = append(table.Args, expr.New(expr.Entry, "", value, text))
		}
	}
	switch {
	case len(all) == 0:
		return nil
	case len(all) == 1:
		return all[0]
	case len(table.Args) == len(all) && key.Path() != "":
		return expr.New(expr.Index, "", table, key)
	}
	return expr.New(expr.Alt, "", all...)
}

// fits reports whether a pattern takes the variant, and binds its names to the fields.
func (d *display) fits(p, depth int) bool {
	if depth > 10 {
		return false
	}
	switch d.Kind(p) {
	case "or_pattern":
		for _, c := range d.Named(p) {
			if d.fits(c, depth+1) {
				return true
			}
		}
	case "reference_pattern", "ref_pattern", "mut_pattern":
		return d.fits(d.First(p), depth+1)
	case "identifier":
		return d.Text(p) == d.variant || isLower(d.Text(p))
	case "scoped_identifier":
		return macroName(d.Text(p)) == d.variant
	case "tuple_struct_pattern":
		if macroName(d.Text(d.Field(p, "type"))) != d.variant {
			return false
		}
		at := -1
		for c := range d.Children(p) {
			switch text := d.Name(c); {
			case text == "(":
				at = 0
			case text == ",":
				at++
			case at >= 0:
				d.bind(c, strconv.Itoa(at))
			}
		}
		return true
	case "struct_pattern":
		if macroName(d.Text(d.Field(p, "type"))) != d.variant {
			return false
		}
		for _, c := range d.Named(p) {
			if d.Kind(c) != "field_pattern" {
				continue
			}
			name := d.Text(d.Field(c, "name"))
			if inner := d.Field(c, "pattern"); inner >= 0 {
				d.bind(inner, name)
			} else {
				name = strings.TrimPrefix(strings.TrimPrefix(name, "ref "), "mut ")
				d.bound[name] = expr.New(expr.Attr, name, expr.Ident("self"))
			}
		}
		return true
	case "":
		return true // an underscore is no named node
	}
	return false
}

// bind binds the name of a pattern to a field.
func (d *display) bind(p int, field string) {
	for d.Kind(p) == "ref_pattern" || d.Kind(p) == "reference_pattern" || d.Kind(p) == "mut_pattern" {
		p = d.First(p)
	}
	if d.Kind(p) == "identifier" {
		d.bound[d.Text(p)] = expr.New(expr.Attr, field, expr.Ident("self"))
	}
}

func isLower(s string) bool { return s != "" && (s[0] == '_' || s[0] >= 'a' && s[0] <= 'z') }
