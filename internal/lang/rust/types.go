package rust

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// known is what is kept of a file while it is read.
type known struct {
	errors  map[string]bool   // types of the file that print something
	methods map[string]int    // nodes of methods, by "Type.name"
	enums   map[string]string // the enum of each variant, "" where several have one of the name
	tests   [][2]int          // the nodes from and to of what is compiled for tests alone
}

func own(f *lower.File) *known {
	if k, ok := f.Own.(*known); ok {
		return k
	}
	return &known{}
}

// declare keeps the types of a file that print something, each variant of an enum as a type of its own.
func declare(f *lower.File) {
	k := &known{errors: map[string]bool{}, methods: map[string]int{}, enums: map[string]string{}}
	f.Own = k
	shown := map[string]int{} // the function that prints a type
	for n := range f.Nodes {
		if f.Kind(n) == "enum_variant" {
			enum, variant := f.Text(f.Field(f.Parent(f.Parent(n)), "name")), f.Text(f.Field(n, "name"))
			if old, taken := k.enums[variant]; taken && old != enum {
				enum = ""
			}
			k.enums[variant] = enum
		}
		if f.Kind(n) != "function_item" {
			continue
		}
		impl := f.Parent(f.Parent(n))
		if f.Kind(impl) != "impl_item" {
			continue
		}
		of, name := typeName(f.Text(f.Field(impl, "type"))), f.Text(f.Field(n, "name"))
		if trait := f.Field(impl, "trait"); trait >= 0 {
			if name == "fmt" && macroName(f.Text(trait)) == "Display" {
				shown[of] = n
			}
			if name != "description" {
				continue
			}
		}
		if _, taken := k.methods[of+"."+name]; !taken {
			k.methods[of+"."+name] = n
		}
	}
	for n := range f.Nodes {
		switch f.Kind(n) {
		case "enum_item":
			enum(f, n, shown)
		case "struct_item":
			structure(f, n, shown)
		}
	}
}

func enum(f *lower.File, n int, shown map[string]int) {
	name := f.Text(f.Field(n, "name"))
	fmt, has := shown[name]
	attrs := ""
	for _, v := range f.Named(f.Field(n, "body")) {
		switch f.Kind(v) {
		case "attribute_item":
			attrs += f.Text(v) + "\n"
			continue
		case "enum_variant":
		default:
			continue
		}
		t := raise.Type{Name: name + "." + f.Text(f.Field(v, "name")), Line: f.Line(v), EndLine: f.EndLine(v), Doc: f.Doc(v)}
		t.Params = fields(f, f.Field(v, "body"))
		t.Message = attributed(f, attrs)
		if t.Message == nil && has {
			t.Message = shows(f, name, last(t.Name), fmt)
		}
		attrs = ""
		if t.Message == nil && !errorType(name) {
			continue
		}
		own(f).errors[name] = true
		f.Facts.Types = append(f.Facts.Types, t)
		if strings.Contains(f.Src, "snafu") {
			// The selector that snafu makes of the variant is another name of it.
			selector := strings.TrimSuffix(last(t.Name), "Error") + "Snafu"
			f.Facts.Values = append(f.Facts.Values, raise.Value{Name: selector, Value: dotted(t.Name), Line: t.Line, Site: -1})
		}
	}
}

func structure(f *lower.File, n int, shown map[string]int) {
	t := raise.Type{Name: f.Text(f.Field(n, "name")), Line: f.Line(n), EndLine: f.EndLine(n), Doc: f.Doc(n)}
	t.Params = fields(f, f.Field(n, "body"))
	attrs := ""
	for p := n - 1; p > 0; p-- {
		if f.Kind(p) == "attribute_item" && f.Parent(p) == f.Parent(n) {
			attrs += f.Text(p) + "\n"
		} else if f.Parent(p) == f.Parent(n) && !strings.HasSuffix(f.Kind(p), "comment") {
			break
		}
	}
	t.Message = attributed(f, attrs)
	if fmt, has := shown[t.Name]; t.Message == nil && has {
		t.Message = shows(f, t.Name, "", fmt)
	}
	if t.Message == nil && !errorType(t.Name) {
		return
	}
	own(f).errors[t.Name] = true
	f.Facts.Types = append(f.Facts.Types, t)
}

// fields are the fields of a struct or variant; those without a name are called by their number.
func fields(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	for _, c := range f.Named(list) {
		switch f.Kind(c) {
		case "field_declaration":
			out = append(out, raise.Param{Name: f.Text(f.Field(c, "name")), Type: f.Text(f.Field(c, "type"))})
		case "attribute_item", "visibility_modifier":
		default:
			out = append(out, raise.Param{Name: strconv.Itoa(len(out)), Type: f.Text(c)})
		}
	}
	return out
}

// shorthand is a field of the type itself as attributes write it.
var shorthand = regexp.MustCompile(`([,=]\s*)\.(\w)`)

// attributed is the text that the attributes of a type or variant give it: #[error("…")], #[snafu(display("…"))], #[display("…")];
// nil if they give none.
func attributed(f *lower.File, attrs string) *expr.Expr {
	text := attrs
	for _, begin := range []string{"#[error(", "#[snafu(display(", "#[display(", "#[fail(display = "} {
		_, inside, ok := strings.Cut(text, begin)
		if !ok {
			continue
		}
		if strings.HasPrefix(inside, "transparent") {
			return then(expr.New(expr.Attr, "0", expr.Ident("self")))
		}
		inside, _, _ = strings.Cut(inside, "]\n")
		inside = strings.TrimPrefix(strings.TrimRight(inside, " \n)"), "fmt = ")
		// What was cut off may have closed more than the attribute itself.
		for strings.Count(inside, "(") > strings.Count(inside, ")") {
			inside += ")"
		}
		args := fragment(f, shorthand.ReplaceAllString(inside, "${1}self.$2"))
		if len(args) == 0 || !args[0].Is(expr.String) {
			return nil
		}
		return ofFields(holes(args[0].Text, args[1:], func(name string) *expr.Expr { return expr.New(expr.Attr, name, expr.Ident("self")) }), nil)
	}
	return nil
}

// fragment lowers arguments that the grammar did not read.
func fragment(f *lower.File, args string) []*expr.Expr {
	inner := f.Fragment("fn f() { format!(" + args + "); }")
	if inner == nil {
		return nil
	}
	for n := range inner.Nodes {
		if inner.Kind(n) == "arguments" {
			return inner.All(inner.Named(n), 0)
		}
	}
	return nil
}

// ofFields writes the names in a text as members of self: bound ones as what they are bound to, all others too if bound is nil.
func ofFields(text *expr.Expr, bound map[string]*expr.Expr) *expr.Expr {
	if text == nil {
		return nil
	}
	return text.Map(func(e *expr.Expr) *expr.Expr {
		switch {
		case !e.Is(expr.Name) || e.Text == "self" || e.Text == "":
		case bound == nil && (e.Text[0] < 'A' || e.Text[0] > 'Z'):
			return expr.New(expr.Attr, e.Text, expr.Ident("self"))
		case bound[e.Text] != nil:
			return bound[e.Text]
		}
		return e
	})
}

// shows is what a type prints by its own implementation, the function fmt; of an enum, what its variant prints.
func shows(f *lower.File, typ, variant string, fmt int) *expr.Expr {
	d := &display{File: f, typ: typ, variant: variant, bound: map[string]*expr.Expr{}}
	for _, p := range f.Named(f.Field(fmt, "parameters")) {
		if f.Kind(p) == "parameter" {
			d.sink = f.Text(f.Field(p, "pattern"))
		}
	}
	text := d.prints(f.Field(fmt, "body"), 0)
	if text == nil || text.Is(expr.Interp) && len(text.Args) == 0 {
		return nil
	}
	if !flow.Textual(text) && !text.Is(expr.Index) {
		text = then(text)
	}
	return text
}

// typeName is a type's own name, without its path, generics and reference.
func typeName(s string) string {
	s, _, _ = strings.Cut(s, "<")
	return macroName(strings.TrimSpace(strings.TrimLeft(s, "&")))
}

// errorType reports whether a type is an error by its name.
func errorType(name string) bool {
	for _, end := range []string{"Error", "ErrorKind", "Err", "Failure", "Fault", "Exception", "Problem"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
