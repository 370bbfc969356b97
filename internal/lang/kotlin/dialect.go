package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar) *lower.Dialect {
	throw := g.Symbol("throw_expression")
	return &lower.Dialect{
		Language: "Kotlin", Grammar: g, Stmt: statement, Expr: expression, Function: function, Class: class, Call: callee, Inner: inner,
		Lambda: lambda, Comments: []string{"line_comment", "block_comment"}, Pure: pure, Grow: grow, Receiver: "this", ErrorType: java.ErrorType,
		Before: before, After: handlers,
		Raises: func(f *lower.File, n int) bool { return f.Symbol(n) == throw || known(f, n) },
	}
}

// own is what is kept of a file: its functions, by name, with how many arguments they take, which may hide those of the library.
type own map[string][][2]int

// before reads the package, the imports and the names of functions.
func before(f *lower.File) {
	names := own{}
	f.Own = names
	for n := range f.Nodes {
		switch f.Kind(n) {
		case "function_declaration":
			name, takes := f.Text(f.Field(n, "name")), [2]int{}
			for _, p := range params(f, f.ChildOf(n, "function_value_parameters")) {
				takes[1]++
				if p.Default == nil {
					takes[0]++
				}
			}
			names[name] = append(names[name], takes)
		case "package_header":
			f.Facts.Module = f.Text(f.ChildOf(n, "qualified_identifier"))
		case "import":
			if name := f.Text(f.ChildOf(n, "qualified_identifier")); name != "" {
				java.AddImport(f, name, f.Text(f.ChildOf(n, "identifier")), f.Has(n, "*"), f.Line(n))
			}
		}
	}
}

// hidden reports whether the file has a function of the name of one of the library's that takes as many arguments.
func hidden(f *lower.File, name string, arguments int) bool {
	names, _ := f.Own.(own)
	for _, takes := range names[name] {
		if takes[0] <= arguments && arguments <= takes[1] {
			return true
		}
	}
	return false
}

func function(b *lower.Body, n int) *lower.Function {
	fn := &lower.Function{Body: -1, Exported: true}
	switch b.Kind(n) {
	case "function_declaration":
		fn.Name = b.Text(b.Field(n, "name"))
		fn.Params = params(b.File, b.ChildOf(n, "function_value_parameters"))
		// An extension belongs to the type that it extends.
		if t := receiver(b.File, n); t != "" && b.Owner == "" {
			fn.Owner = t
		}
		outer := b.Parent(b.Parent(n))
		fn.Static = b.Kind(outer) == "companion_object" || b.Kind(outer) == "object_declaration"
	case "anonymous_initializer":
		fn.Name, fn.Body = constructor, b.ChildOf(n, "block")
		fn.Params = params(b.File, b.ChildOf(b.ChildOf(b.Parent(b.Parent(n)), "primary_constructor"), "class_parameters"))
		return fn
	case "secondary_constructor":
		fn.Name, fn.Body = constructor, b.ChildOf(n, "block")
		fn.Params = params(b.File, b.ChildOf(n, "function_value_parameters"))
		return fn
	case "getter", "setter":
		name := property(b.File, b.Parent(n))
		if b.ChildOf(n, "function_body") < 0 || name == "" {
			return nil
		}
		// As the virtual machine calls it.
		fn.Name = b.Kind(n)[:3] + strings.ToUpper(name[:1]) + name[1:]
		if b.Kind(n) == "setter" {
			fn.Params = []raise.Param{{Name: b.Text(b.ChildOf(n, "identifier"))}}
		}
	default:
		return nil
	}
	mods := b.Text(b.ChildOf(n, "modifiers"))
	fn.Exported = !strings.Contains(mods, "private") && b.Kind(b.Parent(b.Parent(n))) != "object_literal"
	if body := b.ChildOf(n, "function_body"); body >= 0 {
		fn.Body = b.First(body)
		fn.Result = b.Has(body, "=")
	}
	return fn
}

// receiver is the type that an extension function extends; "" for any other function.
func receiver(f *lower.File, n int) string {
	name := f.Field(n, "name")
	for _, c := range f.Named(n) {
		if c >= name {
			break
		}
		switch f.Kind(c) {
		case "user_type", "nullable_type":
			return last(typeName(strings.TrimSuffix(f.Text(c), "?")))
		}
	}
	return ""
}

// property is the name that a property declares; "" for several.
func property(f *lower.File, n int) string {
	return strings.Trim(f.Text(f.ChildOf(f.ChildOf(n, "variable_declaration"), "identifier")), "`")
}

// params are the parameters of a function or of a primary constructor. A default stands behind its parameter, or in it.
func params(f *lower.File, list int) []raise.Param {
	var out []raise.Param
	variadic := false
	for _, p := range f.Named(list) {
		switch f.Kind(p) {
		case "parameter_modifiers":
			variadic = strings.Contains(f.Text(p), "vararg")
		case "parameter", "class_parameter":
			kids := f.Named(p)
			one := raise.Param{Name: f.Text(f.ChildOf(p, "identifier")), Variadic: variadic || strings.HasPrefix(f.Text(p), "vararg")}
			for i, c := range kids {
				switch k := f.Kind(c); {
				case strings.HasSuffix(k, "_type"):
					if one.Type == "" {
						one.Type = f.Text(c)
					}
				case i > 0 && k != "identifier" && k != "modifiers" || i > 1 && k == "identifier" && one.Type != "":
					one.Default = f.Value(c)
				}
			}
			variadic = false
			out = append(out, one)
		default:
			if len(out) > 0 {
				out[len(out)-1].Default = f.Value(p)
			}
		}
	}
	return out
}

// handlers adds the catch blocks of a file.
func handlers(f *lower.File) {
	for n := range f.Nodes {
		if f.Kind(n) != "catch_block" {
			continue
		}
		h := raise.Handler{Line: f.Line(n)}
		if body := f.ChildOf(f.Parent(n), "block"); body >= 0 {
			h.From, h.To = f.Line(body), f.EndLine(body)
		}
		if t := caughtType(f, n); t != "Exception" && t != "Throwable" && t != "" {
			h.Types = []string{t}
		}
		f.Facts.Handled(h)
	}
}

// caughtType is the type that a catch block takes.
func caughtType(f *lower.File, n int) string {
	return typeName(f.Text(f.ChildOf(n, "user_type", "nullable_type")))
}

func typeName(s string) string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// capital reports whether a name is one of a type or a constant by its first letter.
func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// callee is the dotted path of a call.
func callee(f *lower.File, n int) (string, bool) {
	if f.Kind(n) == "constructor_invocation" {
		return typeName(f.Text(f.First(n))), true
	}
	if f.Kind(n) != "call_expression" {
		return "", false
	}
	return path(f, called(f, n), 0), true
}

// called is the node of what a call calls. A lambda behind a call's arguments belongs to that call.
func called(f *lower.File, n int) int {
	head := f.First(n)
	if f.Kind(head) == "call_expression" && f.ChildOf(n, "value_arguments") < 0 && f.ChildOf(head, "annotated_lambda") < 0 {
		return f.First(head)
	}
	return head
}

// path is the dotted path of an expression; "" for what has none.
func path(f *lower.File, n, depth int) string {
	if depth > 40 {
		return ""
	}
	switch f.Kind(n) {
	case "identifier", "this_expression", "super_expression":
		text, _, _ := strings.Cut(f.Text(n), "@")
		return text
	case "navigation_expression":
		kids := f.Named(n)
		if len(kids) < 2 {
			return ""
		}
		inner, name := path(f, kids[0], depth+1), f.Text(kids[len(kids)-1])
		if inner == "" {
			inner = "()"
		}
		return inner + "." + name
	case "call_expression":
		if p := path(f, called(f, n), depth+1); p != "" {
			return p + "()"
		}
	case "unary_expression", "parenthesized_expression":
		return path(f, f.First(n), depth+1)
	}
	return ""
}

// arguments are the nodes of what a call is given: values in parentheses, and the lambda behind them.
func arguments(f *lower.File, n int) []int {
	var out []int
	for c := n; f.Kind(c) == "call_expression"; c = f.First(c) {
		if list := f.ChildOf(c, "value_arguments"); list >= 0 {
			out = append(f.Named(list), out...)
		}
		if l := trailing(f, c); l >= 0 {
			out = append(out, l)
		}
		if called(f, c) == f.First(c) {
			break
		}
	}
	return out
}

// trailing is the lambda behind a call's parentheses; -1 for none.
func trailing(f *lower.File, n int) int {
	return f.ChildOf(f.ChildOf(n, "annotated_lambda"), "lambda_literal")
}

func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	switch f.Kind(n) {
	case "lambda_literal":
		list := f.ChildOf(n, "lambda_parameters")
		for _, p := range f.Named(list) {
			names = append(names, f.Text(f.ChildOf(p, "identifier")))
		}
		if list < 0 {
			names = []string{"it"}
		}
		return n, names, true
	case "anonymous_function":
		for _, p := range params(f, f.ChildOf(n, "function_value_parameters")) {
			names = append(names, p.Name)
		}
		body := f.First(f.ChildOf(n, "function_body"))
		return body, names, body >= 0
	}
	return 0, nil, false
}

// statements are the nodes of the statements of a lambda.
func statements(f *lower.File, n int) []int {
	var out []int
	for _, c := range f.Named(n) {
		if f.Kind(c) != "lambda_parameters" {
			out = append(out, c)
		}
	}
	return out
}
