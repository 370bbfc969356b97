package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// call lowers calls; those that make texts of their arguments become the texts, those that construct errors become errors.
func call(f *lower.File, n, depth int) *expr.Expr {
	head := called(f, n)
	nodes := arguments(f, n)
	if f.Kind(head) != "navigation_expression" {
		name := f.Text(head)
		if name == "buildString" && len(nodes) > 0 {
			if text := built(f, nodes[len(nodes)-1], depth); text != nil {
				return text
			}
		}
		args := f.All(nodes, depth)
		if e := topLevel(f, n, name, args); e != nil {
			return e
		}
		return expr.New(expr.Call, "", append([]*expr.Expr{f.Lower(head, depth)}, args...)...)
	}
	kids := f.Named(head)
	if len(kids) < 2 {
		return nil
	}
	name := f.Text(kids[len(kids)-1])
	args := f.All(nodes, depth)
	on := f.Text(kids[0])
	switch {
	case capital(name) && (java.ErrorType(name) || f.Kind(f.Parent(n)) == "throw_expression"):
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{dotted(f.Text(head))}, args...)...))
	case name == "format" && last(on) == "String" && len(args) > 0:
		if len(args) > 1 && strings.HasPrefix(args[0].Path(), "Locale") {
			args = args[1:]
		}
		return expr.New(expr.Format, message.Printf, args...)
	case name == "format" && last(on) == "MessageFormat" && len(args) > 0:
		return expr.New(expr.Format, message.MessageFormat, args...)
	}
	inner := f.Lower(kids[0], depth)
	if e := method(name, inner, args); e != nil {
		return e
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, name, inner)}, args...)...)
}

// topLevel is what the library's functions and constructors make; nil for any other.
func topLevel(f *lower.File, n int, name string, args []*expr.Expr) *expr.Expr {
	switch name {
	case "listOf", "arrayOf", "mutableListOf", "arrayListOf":
		return expr.New(expr.List, "", args...)
	case "setOf", "mutableSetOf", "hashSetOf":
		return expr.New(expr.Set, "", args...)
	case "mapOf", "mutableMapOf", "hashMapOf":
		return expr.New(expr.Map, "", args...)
	case "StringBuilder":
		if len(args) == 0 || args[0].Is(expr.Number) {
			return expr.New(expr.List, "", expr.Str(""))
		}
		return expr.New(expr.List, "", args...)
	}
	switch thrown := f.Kind(f.Parent(n)) == "throw_expression"; {
	case !capital(name):
	case java.ErrorType(name) && !hidden(f, name, len(args)), thrown && !hidden(f, name, len(args)):
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{expr.Ident(name)}, args...)...))
	}
	return nil
}

// method is what the library's methods on texts and values give; nil for any other.
func method(name string, inner *expr.Expr, args []*expr.Expr) *expr.Expr {
	zero := expr.New(expr.Number, "0")
	switch {
	case (name == "format" || name == "formatted") && (flow.Textual(inner) || inner.Is(expr.Name) || inner.Is(expr.Attr)) && len(args) > 0:
		if strings.HasPrefix(args[0].Path(), "Locale") {
			args = args[1:]
		}
		return expr.New(expr.Format, message.Printf, append([]*expr.Expr{inner}, args...)...)
	case name == "trimIndent" && len(args) == 0:
		return unindented(inner, "")
	case name == "trimMargin" && len(args) == 0:
		return unindented(inner, "|")
	case name == "trimMargin" && args[0].Is(expr.String):
		return unindented(inner, args[0].Text)
	case name == "plus" && len(args) == 1 && flow.Textual(inner):
		return expr.New(expr.Binary, "+", inner, args[0])
	case name == "joinToString" && len(args) == 0:
		return expr.New(expr.Join, "", inner, expr.Str(", "))
	case name == "joinToString" && len(args) == 1 && separator(args[0]) != nil:
		return expr.New(expr.Join, "", inner, separator(args[0]))
	case (name == "length" || name == "count") && len(args) == 0:
		return expr.New(expr.Len, "", inner)
	case name == "isEmpty" && len(args) == 0, name == "none" && len(args) == 0:
		return expr.New(expr.Compare, "==", expr.New(expr.Len, "", inner), zero)
	case name == "isNotEmpty" && len(args) == 0, name == "any" && len(args) == 0:
		return expr.New(expr.Compare, "!=", expr.New(expr.Len, "", inner), zero)
	case name == "isNullOrEmpty" && len(args) == 0:
		return expr.Disj(expr.New(expr.Compare, "==", inner, null()), expr.New(expr.Compare, "==", expr.New(expr.Len, "", inner), zero))
	case name == "equals" && len(args) == 1:
		return expr.New(expr.Compare, "==", inner, args[0])
	case name == "toString" && len(args) == 0 && (inner.Is(expr.List) || inner.Is(expr.Name)):
		return expr.New(expr.Join, "", inner)
	case name == "toString" && len(args) == 0:
		return expr.New(expr.Interp, message.Plain, expr.New(expr.Hole, "", inner))
	case name == "append" && len(args) == 1 && inner.Is(expr.List):
		return expr.New(expr.List, "", append(inner.Args[:len(inner.Args):len(inner.Args)], args[0])...)
	case (name == "initCause" || name == "trim") && (inner.Is(expr.Error) || inner.Is(expr.String)):
		return inner
	case name == "getString" && len(args) == 1 && args[0].Is(expr.String) && bundle(inner.Path()):
		return expr.New(expr.Lookup, "", args[0])
	}
	return nil
}

// bundle reports whether a name is that of a bundle of texts.
func bundle(path string) bool {
	l := strings.ToLower(last(path))
	return strings.Contains(l, "bundle") || strings.Contains(l, "messages") || strings.Contains(l, "resources")
}

// separator is the text between the elements of a list that is joined; nil if the argument is another one.
func separator(e *expr.Expr) *expr.Expr {
	switch {
	case e.Is(expr.String):
		return e
	case e.Is(expr.Keyword) && e.Text == "separator":
		return e.Arg(0)
	}
	return nil
}

func null() *expr.Expr { return expr.New(expr.Null, "null") }
