// Package kotlin reads Kotlin. Its stack traces are those of the virtual machine, which package java reads.
package kotlin

import (
	"strings"

	grammar "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Language returns the language. It panics if the grammar does not fit the tree-sitter that it is built with, which tests find.
func Language() *lang.Language {
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		panic(err)
	}
	return &lang.Language{
		Name:         "Kotlin",
		Family:       "JVM",
		Version:      3,
		Extensions:   []string{".kt", ".kts"},
		NewExtractor: func() lang.Extractor { return extractor(g) },
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "null", True: "true", False: "false", Len: "%.size",
			Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=", TypeTest: "% is %", Cond: "if (%) % else %", QuoteChar: '"'},
		ImplicitMembers: true,
		Rules:           rules(),
		Modules:         java.Modules,
		Imported:        java.Imported,
		Scope:           java.Scope,
		Constructors:    []string{constructor},
		Render:          render,
		Bases:           bases,
		Faults:          java.Faults(),
		CheckCode:       func(condition, call string) string { return "if (" + condition + ") {\n    " + call + "\n}" },
		HandlerCode: func(typ, call string) string {
			if typ == "" {
				return ""
			}
			return "try {\n    " + call + "\n} catch (e: " + typ + ") {\n    System.err.println(e.message)\n}"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte(code), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// constructor is what the facts call constructors and the blocks that run with them.
const constructor = "<init>"

// render is the message of an exception of the library: what is named message, otherwise as in java.
func render(typ string, args []*expr.Expr) *expr.Expr {
	for _, a := range args {
		if a.Is(expr.Keyword) && (a.Text == "message" || a.Text == "detailMessage") {
			return a.Arg(0)
		}
	}
	if len(args) > 0 && args[0].Is(expr.Keyword) {
		args = args[:0]
	}
	if len(args) > 0 && typ == "NotImplementedError" {
		return args[0]
	}
	return java.Render(typ, args)
}

// bases are the types that a type of the library extends, nearest first.
func bases(name string) []string {
	switch name {
	case "NumberFormatException":
		return []string{"IllegalArgumentException", "RuntimeException", "Exception", "Throwable"}
	case "CancellationException":
		return []string{"IllegalStateException", "RuntimeException", "Exception", "Throwable"}
	case "FileNotFoundException", "EOFException":
		return []string{"IOException", "Exception", "Throwable"}
	case "IllegalArgumentException", "IllegalStateException", "UnsupportedOperationException", "IndexOutOfBoundsException", "NullPointerException",
		"ClassCastException", "NoSuchElementException", "ArithmeticException", "ConcurrentModificationException":
		return []string{"RuntimeException", "Exception", "Throwable"}
	case "RuntimeException", "IOException":
		return []string{"Exception", "Throwable"}
	case "AssertionError", "NotImplementedError":
		return []string{"Error", "Throwable"}
	case "Exception", "Error":
		return []string{"Throwable"}
	}
	return nil
}

func rules() condition.Rules {
	return condition.Rules{
		Static:   true,
		Integers: condition.Wrapping,
		Types: map[string][]condition.Kind{"String": {condition.Text}, "Int": {condition.Whole}, "Long": {condition.Whole},
			"Short": {condition.Whole}, "Byte": {condition.Whole}, "Double": {condition.Number}, "Float": {condition.Number}, "Boolean": {condition.Boolean}},
		Calls: map[string]condition.Call{
			".startsWith": condition.HasPrefix, ".endsWith": condition.HasSuffix, ".contains": condition.Contains,
			".lowercase": condition.ToLower, ".uppercase": condition.ToUpper, ".trim": condition.TrimSpace, ".indexOf": condition.IndexOf,
			"abs": condition.Abs, "minOf": condition.Min, "maxOf": condition.Max, "min": condition.Min, "max": condition.Max,
			".isNaN": condition.IsNaN, ".toString": condition.ToText,
		},
	}
}

// pure reports whether a method leaves its receiver as it is.
func pure(method string) bool {
	for _, p := range []string{"map", "filter", "first", "last", "any", "all", "none", "find", "join", "take", "drop", "count", "sum", "associate",
		"group", "sorted", "plus", "minus", "lowercase", "uppercase", "let", "also", "zip", "distinct", "single", "element", "or", "min", "max"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return java.Pure(method)
}

// grow says what a list, or a text that is built, holds behind a call of one of its methods.
func grow(method string, list, args []*expr.Expr) []*expr.Expr {
	if method == "appendLine" && len(args) < 2 {
		return append(append(list[:len(list):len(list)], args...), expr.Str("\n"))
	}
	return java.Grow(method, list, args)
}
