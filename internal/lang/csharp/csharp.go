// Package csharp reads C# and the stack traces of .NET.
package csharp

import (
	"path"
	"strings"

	grammar "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"

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
		Name:         "C#",
		Version:      6,
		Extensions:   []string{".cs"},
		NewExtractor: func() lang.Extractor { return lower.Extractor(dialect(g)) },
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "null", True: "true", False: "false", Len: "%.Length",
			Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=", TypeTest: "% is %", Cond: "% ? % : %", New: "new ", QuoteChar: '"'},
		ImplicitMembers: true,
		Rules:           rules(),
		Modules:         modules,
		Imported:        func(_ string, imp raise.Import) []string { return []string{imp.Module} },
		Scope:           func(_ string, f *raise.Facts) string { return f.Module },
		Constructors:    []string{constructor},
		Render:          render,
		Bases:           bases,
		Environment:     lang.Environment{Calls: []string{"Environment.GetEnvironmentVariable"}},
		Faults:          faults(),
		Traces:          Traces(),
		CheckCode:       func(condition, call string) string { return "if (" + condition + ")\n{\n    " + call + ";\n}" },
		HandlerCode: func(typ, call string) string {
			if typ == "" {
				return ""
			}
			return "try\n{\n    " + call + ";\n}\ncatch (" + typ + " e)\n{\n    Console.Error.WriteLine(e.Message);\n}"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte(code), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// constructor is what the facts call constructors.
const constructor = "<init>"

// modules names what a file declares: its namespace.
func modules(p string, f *raise.Facts) []string {
	if f.Module != "" {
		return []string{f.Module}
	}
	return []string{strings.ReplaceAll(path.Dir(p), "/", ".")}
}

// errorType reports whether a type is an error by its name.
func errorType(name string) bool {
	return strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Fault")
}

func rules() condition.Rules {
	return condition.Rules{
		Static:   true,
		Integers: condition.Wrapping,
		Types: map[string][]condition.Kind{"string": {condition.Text}, "int": {condition.Whole}, "long": {condition.Whole},
			"short": {condition.Whole}, "byte": {condition.Whole}, "uint": {condition.Whole}, "ulong": {condition.Whole},
			"double": {condition.Number}, "float": {condition.Number}, "decimal": {condition.Number}, "bool": {condition.Boolean}},
		Calls: map[string]condition.Call{
			".StartsWith": condition.HasPrefix, ".EndsWith": condition.HasSuffix, ".Contains": condition.Contains,
			".ToLower": condition.ToLower, ".ToUpper": condition.ToUpper, ".ToLowerInvariant": condition.ToLower,
			".ToUpperInvariant": condition.ToUpper, ".Trim": condition.TrimSpace, ".IndexOf": condition.IndexOf,
			"Math.Abs": condition.Abs, "Math.Min": condition.Min, "Math.Max": condition.Max, "double.IsNaN": condition.IsNaN,
		},
	}
}

// pure reports whether a method leaves its receiver as it is.
func pure(method string) bool {
	for _, p := range []string{"Get", "Is", "Has", "Contains", "StartsWith", "EndsWith", "Equals", "To", "Index", "Last", "Compare", "Try",
		"Substring", "Trim", "Replace", "Split", "Format", "Select", "Where", "Any", "All", "First", "Single", "Count", "Sum", "Max", "Min",
		"OfType", "Cast", "Join", "Log", "Describe", "As", "Peek", "Exists"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// grow says what a text that is built holds behind a call of one of its methods.
func grow(method string, list, args []*expr.Expr) []*expr.Expr {
	switch {
	case (method == "Append" || method == "Add") && len(args) == 1:
		return append(list[:len(list):len(list)], args[0])
	case method == "AppendLine" && len(args) < 2:
		return append(append(list[:len(list):len(list)], args...), expr.Str("\n"))
	}
	return nil
}

// bases are the types that a type of the library extends, nearest first.
func bases(name string) []string {
	switch name {
	case "ArgumentNullException", "ArgumentOutOfRangeException":
		return []string{"ArgumentException", "Exception"}
	case "ObjectDisposedException":
		return []string{"InvalidOperationException", "Exception"}
	case "FileNotFoundException", "DirectoryNotFoundException", "EndOfStreamException":
		return []string{"IOException", "Exception"}
	case "TaskCanceledException":
		return []string{"OperationCanceledException", "Exception"}
	case "DivideByZeroException", "OverflowException":
		return []string{"ArithmeticException", "Exception"}
	case "Exception":
		return nil
	}
	if strings.HasSuffix(name, "Exception") {
		return []string{"Exception"}
	}
	return nil
}
