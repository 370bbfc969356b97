package java

import (
	"path"
	"strings"

	grammar "github.com/tree-sitter/tree-sitter-java/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Language returns the language. It panics if the grammar does not fit the tree-sitter that it is built with, which tests find.
func Language() *lang.Language {
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		panic(err)
	}
	return &lang.Language{
		Name:         "Java",
		Family:       "JVM",
		Version:      6,
		Extensions:   []string{".java"},
		NewExtractor: func() lang.Extractor { return lower.Extractor(dialect(g)) },
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "null", True: "true", False: "false", Len: "%.length()",
			Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=", TypeTest: "% instanceof %", Cond: "% ? % : %", New: "new ",
			QuoteChar: '"'},
		ImplicitMembers: true,
		Rules:           rules(),
		Modules:         Modules,
		Imported:        Imported,
		Scope:           Scope,
		Constructors:    []string{"<init>"},
		Render:          Render,
		Traces:          Traces(),
		Environment:     lang.Environment{Calls: []string{"System.getenv", "System.getProperty"}},
		Faults:          Faults(),
		CheckCode:       func(condition, call string) string { return "if (" + condition + ") {\n    " + call + ";\n}" },
		HandlerCode: func(typ, call string) string {
			if typ == "" {
				return ""
			}
			return "try {\n    " + call + ";\n} catch (" + typ + " e) {\n    System.err.println(e.getMessage());\n}"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte(code), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// Modules names what a file declares: its package.
func Modules(p string, f *raise.Facts) []string {
	if f.Module != "" {
		return []string{f.Module}
	}
	return []string{strings.ReplaceAll(path.Dir(p), "/", ".")}
}

// Imported names the package that an import means.
func Imported(_ string, imp raise.Import) []string { return []string{imp.Module} }

// Scope is the package, whose types see each other without imports.
func Scope(_ string, f *raise.Facts) string { return f.Module }

// Render is the message of an exception of the library: the first argument, unless that is the cause alone.
func Render(_ string, args []*expr.Expr) *expr.Expr {
	if len(args) == 0 {
		return nil
	}
	if first := args[0]; first.Is(expr.Name) {
		switch strings.ToLower(first.Text) {
		case "e", "ex", "t", "cause", "exception", "throwable", "err", "error", "ioe", "ie", "rootcause":
			// The message of an exception that has only a cause is what the cause prints.
			return expr.New(expr.Interp, "", expr.New(expr.Hole, "", first))
		}
	}
	return args[0]
}

// ErrorType reports whether a type is an error by its name.
func ErrorType(name string) bool {
	for _, end := range []string{"Exception", "Error", "Throwable", "Failure", "Fault", "Interrupt", "Abort"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

func rules() condition.Rules {
	return condition.Rules{
		Static:   true,
		Integers: condition.Wrapping,
		Types: map[string][]condition.Kind{"String": {condition.Text}, "Integer": {condition.Whole}, "Long": {condition.Whole},
			"Short": {condition.Whole}, "Double": {condition.Number}, "Float": {condition.Number}, "Boolean": {condition.Boolean}},
		Calls: map[string]condition.Call{
			".startsWith": condition.HasPrefix, ".endsWith": condition.HasSuffix, ".contains": condition.Contains,
			".toLowerCase": condition.ToLower, ".toUpperCase": condition.ToUpper, ".trim": condition.TrimSpace, ".strip": condition.TrimSpace,
			".indexOf": condition.IndexOf, ".equalsIgnoreCase": condition.EqualFold, "Math.abs": condition.Abs, "Math.min": condition.Min,
			"Math.max": condition.Max, "Double.isNaN": condition.IsNaN, "String.valueOf": condition.ToText,
		},
	}
}

// Pure reports whether a method leaves its receiver as it is.
func Pure(method string) bool {
	for _, p := range []string{"get", "is", "has", "contains", "starts", "ends", "equals", "size", "length", "to", "index", "last", "hash", "compare",
		"matches", "charAt", "substring", "trim", "strip", "replace", "split", "format", "value", "name", "ordinal", "stream", "entrySet",
		"keySet", "values", "peek", "error", "warn", "info", "debug", "trace", "log", "describe", "as", "intValue", "longValue"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// Grow says what a list, or a text that is built, holds behind a call of one of its methods.
func Grow(method string, list, args []*expr.Expr) []*expr.Expr {
	if (method == "append" || method == "add") && len(args) == 1 {
		return append(list[:len(list):len(list)], args[0])
	}
	return nil
}
