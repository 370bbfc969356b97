// Package php reads PHP and the reports of PHP programs.
package php

import (
	"path"
	"strings"

	grammar "github.com/tree-sitter/tree-sitter-php/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Language returns the language. It panics if the grammar does not fit the tree-sitter that it is built with, which tests find.
func Language() *lang.Language {
	g, err := syntax.NewGrammar(grammar.LanguagePHP())
	if err != nil {
		panic(err)
	}
	return &lang.Language{
		Name:         "PHP",
		Version:      3,
		Extensions:   []string{".php", ".phtml", ".inc"},
		Interpreters: []string{"php"},
		NewExtractor: func() lang.Extractor { return lower.Extractor(dialect(g)) },
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "null", True: "true", False: "false", Len: "count(%)", In: "in_array(%, %)",
			NotIn: "!in_array(%, %)", Is: "===", IsNot: "!==", Equal: "==", NotEqual: "!=", TypeTest: "% instanceof %", Cond: "% ? % : %",
			New: "new ", Member: "->", QuoteChar: '\''},
		Rules:        rules(),
		Modules:      modules,
		Imported:     func(_ string, imp raise.Import) []string { return []string{imp.Module} },
		Scope:        func(_ string, f *raise.Facts) string { return f.Module },
		Constructors: []string{"__construct"},
		Render:       render,
		Bases:        bases,
		Environment:  lang.Environment{Calls: []string{"getenv", "env"}, Tables: []string{"$_ENV", "$_SERVER"}},
		Faults:       faults(),
		Catalogue:    &lang.Catalogue{Of: catalogue},
		Traces:       Traces(),
		CheckCode:    func(condition, call string) string { return "if (" + condition + ") {\n    " + call + ";\n}" },
		HandlerCode: func(typ, call string) string {
			if typ == "" {
				return ""
			}
			return "try {\n    " + call + ";\n} catch (" + typ + " $e) {\n    error_log($e->getMessage());\n}"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte("<?php\n"+code), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// modules names what a file declares: its namespace.
func modules(p string, f *raise.Facts) []string {
	if f.Module != "" {
		return []string{f.Module}
	}
	return []string{strings.ReplaceAll(path.Dir(p), "/", ".")}
}

// catalogue is the name and the locale of a file that returns texts under keys: lang/de/cart.php.
func catalogue(p string) (name, locale string, ok bool) {
	parts := strings.Split(p, "/")
	for i := len(parts) - 3; i >= 0; i-- {
		if parts[i] == "lang" || parts[i] == "locale" || parts[i] == "translations" || parts[i] == "languages" {
			rest := strings.Join(parts[i+2:], "/")
			return strings.TrimSuffix(rest, path.Ext(rest)), strings.ReplaceAll(parts[i+1], "_", "-"), true
		}
	}
	return "", "", false
}

// render is the message of an exception of the library: its first argument.
func render(_ string, args []*expr.Expr) *expr.Expr {
	for i, a := range args {
		switch {
		case a.Is(expr.Keyword) && a.Text == "message":
			return a.Arg(0)
		case i == 0 && !a.Is(expr.Keyword):
			return a
		}
	}
	return nil
}

// bases are the types that a type of the library extends, nearest first.
func bases(name string) []string {
	switch name {
	case "InvalidArgumentException", "DomainException", "LengthException", "OutOfRangeException", "BadFunctionCallException":
		return []string{"LogicException", "Exception"}
	case "BadMethodCallException":
		return []string{"BadFunctionCallException", "LogicException", "Exception"}
	case "OutOfBoundsException", "RangeException", "OverflowException", "UnderflowException", "UnexpectedValueException":
		return []string{"RuntimeException", "Exception"}
	case "ErrorException", "JsonException", "LogicException", "RuntimeException":
		return []string{"Exception"}
	case "TypeError", "ValueError", "ArithmeticError", "AssertionError", "UnhandledMatchError":
		return []string{"Error"}
	case "ArgumentCountError":
		return []string{"TypeError", "Error"}
	case "DivisionByZeroError":
		return []string{"ArithmeticError", "Error"}
	}
	return nil
}

// errorType reports whether a type is an error by its name.
func errorType(name string) bool {
	name = name[strings.LastIndexAny(name, `\.`)+1:]
	return strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error") || name == "Throwable" || strings.HasSuffix(name, "Failure")
}

func rules() condition.Rules {
	return condition.Rules{
		Types: map[string][]condition.Kind{"string": {condition.Text}, "int": {condition.Whole}, "float": {condition.Number}, "bool": {condition.Boolean}},
		Calls: map[string]condition.Call{
			"str_starts_with": condition.HasPrefix, "str_ends_with": condition.HasSuffix, "str_contains": condition.Contains,
			"strtolower": condition.ToLower, "strtoupper": condition.ToUpper, "trim": condition.TrimSpace, "abs": condition.Abs, "min": condition.Min,
			"max": condition.Max, "is_nan": condition.IsNaN,
		},
	}
}

// pure reports whether a method leaves its receiver as it is.
func pure(method string) bool {
	for _, p := range []string{"get", "is", "has", "contains", "starts", "ends", "equals", "to", "count", "format", "find", "exists", "all", "first",
		"last", "keys", "values", "error", "warning", "info", "debug", "log", "critical"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}
