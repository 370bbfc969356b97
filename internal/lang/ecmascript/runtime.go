package ecmascript

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
)

// builtinError reports whether a name is an error type of the language or its runtimes whose first argument is the message.
func builtinError(name string) bool {
	switch name {
	case "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "DOMException", "InternalError":
		return true
	}
	return false
}

// bases are the types that a type of the runtime extends, nearest first.
func bases(name string) []string {
	switch name {
	case "Error":
		return nil
	case "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError", "InternalError",
		"AssertionError", "DOMException", "SystemError", "AbortError", "SuppressedError":
		return []string{"Error"}
	}
	return nil
}

// render is the text that the runtime prints for an error of a type that the repository does not define.
func render(name string, args []*expr.Expr) *expr.Expr {
	args = positional(args)
	for i, a := range args {
		if a.Is(expr.Null) && a.Text != "null" {
			args = append(slices.Clone(args[:i]), append([]*expr.Expr{nil}, args[i+1:]...)...) // undefined is as if it were not given
		}
	}
	switch name {
	case "AggregateError":
		return argument(args, 1)
	case "SuppressedError":
		return argument(args, 2)
	}
	if len(args) == 0 {
		return nil
	}
	if builtinError(name) {
		return args[0]
	}
	return messageArgument(args)
}

// positional drops arguments behind a spread one: their place is not known.
func positional(args []*expr.Expr) []*expr.Expr {
	for i, a := range args {
		if a.Is(expr.Spread) {
			return args[:i]
		}
	}
	return args
}

func argument(args []*expr.Expr, i int) *expr.Expr {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// messageArgument guesses which argument of a constructor from elsewhere is the message: the message of an options object, the
// first text, or the first argument if it may be one.
func messageArgument(args []*expr.Expr) *expr.Expr {
	for _, a := range args {
		if flow.Textual(a) && !codeText(a) {
			return a
		}
		if m := property(a, "message"); m != nil {
			return m
		}
	}
	for _, a := range args {
		if flow.Textual(a) {
			return a
		}
	}
	for _, a := range args {
		if a == nil {
			continue
		}
		if a.Is(expr.Name) || a.Is(expr.Attr) || a.Is(expr.Call) || a.Is(expr.Cond) || a.Is(expr.Or) || a.Is(expr.Alt) {
			return a
		}
	}
	return nil
}

// codeText reports whether a literal is a code rather than a text for people: ERR_X, not-found, E1234.
func codeText(e *expr.Expr) bool {
	return e.Is(expr.String) && e.Text != "" && !strings.ContainsAny(e.Text, " \n") && len(e.Text) < 60
}

// property is the value under a literal key of an object.
func property(e *expr.Expr, name string) *expr.Expr {
	if !e.Is(expr.Map) {
		return nil
	}
	for _, a := range e.Args {
		if a.Is(expr.Keyword) && a.Text == name {
			return a.Arg(0)
		}
	}
	return nil
}

// pure reports whether a method leaves its receiver as it is.
func pure(method string) bool {
	switch method {
	case "at", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "entries", "every", "filter", "find", "findIndex", "findLast",
		"flat", "flatMap", "forEach", "get", "getTime", "has", "hasOwn", "hasOwnProperty", "includes", "indexOf", "isArray", "join", "keys",
		"lastIndexOf", "localeCompare", "map", "match", "matchAll", "normalize", "padEnd", "padStart", "reduce", "reduceRight", "repeat",
		"replace", "replaceAll", "search", "slice", "some", "split", "startsWith", "substr", "substring", "toFixed", "toISOString",
		"toJSON", "toLowerCase", "toString", "toUpperCase", "trim", "trimEnd", "trimStart", "valueOf", "values", "test", "then", "catch":
		return true
	}
	return false
}

// grown says what a list holds behind a call of one of its methods.
func grown(method string, list, args []*expr.Expr) []*expr.Expr {
	for _, a := range args {
		if a.Is(expr.Spread) {
			return nil
		}
	}
	switch method {
	case "push":
		return append(slices.Clip(list), args...)
	case "unshift":
		return append(slices.Clip(args), list...)
	}
	return nil
}

// spelling prints built expressions. There are two words for an absent value, so that each is printed as it was written.
func spelling() expr.Spelling {
	return expr.Spelling{And: " && ", Or: " || ", Not: "!", True: "true", False: "false", Len: "%.length",
		In: "% in %", NotIn: "!(% in %)", Is: "===", IsNot: "!==", Equal: "===", NotEqual: "!==", TypeTest: "% instanceof %",
		Cond: "% ? % : %", New: "new ", Coalesce: " ?? ", QuoteChar: '\''}
}
