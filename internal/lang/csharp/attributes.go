package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// after reads what is known once the functions of the file are: its handlers, and what attributes say of methods.
func after(f *lower.File) {
	handlers(f)
	for n := range f.Nodes {
		if f.Kind(n) != "attribute" {
			continue
		}
		switch name := last(f.Text(f.Field(n, "name"))); name {
		case "LoggerMessage":
			logMessage(f, n)
		case "ExpectedException":
			expected(f, n)
		}
	}
	f.Facts.SortSites()
}

// method is the method that an attribute stands above, and its index in the facts or raise.NoFunction; -1 if there is none.
func method(f *lower.File, attribute int) (n, function int) {
	n = f.Parent(f.Parent(attribute))
	if f.Kind(n) != "method_declaration" {
		return -1, raise.NoFunction
	}
	for i := range f.Facts.Functions {
		if fn := &f.Facts.Functions[i]; fn.Line == f.Line(n) && fn.Name == f.Text(f.Field(n, "name")) {
			return n, i
		}
	}
	return n, raise.NoFunction
}

// options are the arguments of an attribute by name, those without one under "".
func options(f *lower.File, attribute int) map[string]int {
	out := map[string]int{}
	for _, a := range f.Named(f.ChildOf(attribute, "attribute_argument_list")) {
		kids := f.Named(a)
		if len(kids) == 0 {
			continue
		}
		value, name := kids[len(kids)-1], ""
		if len(kids) > 1 {
			name = f.Text(kids[0])
		} else if f.Kind(value) == "assignment_expression" {
			name, value = f.Text(f.Field(value, "left")), f.Field(value, "right")
		} else if text := f.Expr(value); text.Is(expr.String) {
			name = "Message"
		} else if strings.HasPrefix(f.Text(value), "LogLevel.") {
			name = "Level"
		}
		if _, given := out[name]; !given {
			out[name] = value
		}
	}
	return out
}

// logMessage adds the report of a method that an attribute writes: [LoggerMessage(Level = LogLevel.Error, Message = "…")].
func logMessage(f *lower.File, attribute int) {
	n, function := method(f, attribute)
	given := options(f, attribute)
	level, leveled := given["Level"]
	text, says := given["Message"]
	if n < 0 || !leveled || !says {
		return
	}
	if l := last(f.Text(level)); l != "Error" && l != "Critical" {
		return
	}
	template := f.Expr(text)
	if !template.Is(expr.String) {
		return
	}
	node := &f.Nodes[n]
	f.Facts.Sites = append(f.Facts.Sites, raise.Site{Kind: raise.KindLog, Function: function, Start: node.Start, End: node.End,
		Line: f.Line(n), EndLine: f.EndLine(n), Message: filled(template.Text, params(f, f.Field(n, "parameters")))})
}

// filled is a log template with the parameters that its places name.
func filled(template string, list []raise.Param) *expr.Expr {
	out := expr.New(expr.Interp, message.Composite)
	at := 0
	for _, m := range place.FindAllStringIndex(template, -1) {
		if m[0] > at {
			out.Args = append(out.Args, expr.Str(template[at:m[0]]))
		}
		name := strings.Trim(template[m[0]:m[1]], "{}@$")
		name, _, _ = strings.Cut(name, ":")
		name, _, _ = strings.Cut(name, ",")
		for _, p := range list {
			if strings.EqualFold(p.Name, name) {
				name = p.Name
			}
		}
		out.Args = append(out.Args, expr.New(expr.Hole, "", expr.Ident(name)))
		at = m[1]
	}
	if at < len(template) {
		out.Args = append(out.Args, expr.Str(template[at:]))
	}
	return out
}

// expected notes what a test expects by [ExpectedException(typeof(X))].
func expected(f *lower.File, attribute int) {
	n, function := method(f, attribute)
	typ := f.Expr(options(f, attribute)[""])
	if n < 0 || typ.Path() == "" {
		return
	}
	e := raise.Expectation{Function: function, Line: f.Line(n), EndLine: f.EndLine(n), Type: typ.Path()}
	if function >= 0 {
		for _, c := range f.Facts.Functions[function].Calls {
			if len(e.Calls) < 8 {
				e.Calls = append(e.Calls, c.Callee)
			}
		}
	}
	f.Facts.Expectations = append(f.Facts.Expectations, e)
}
