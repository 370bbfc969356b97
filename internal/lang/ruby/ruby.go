// Package ruby reads Ruby and the reports of Ruby programs.
package ruby

import (
	"strings"

	grammar "github.com/tree-sitter/tree-sitter-ruby/bindings/go"

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
		Name:         "Ruby",
		Version:      2,
		Extensions:   []string{".rb", ".rake", ".gemspec", ".ru"},
		Filenames:    []string{"Rakefile", "Gemfile"},
		Interpreters: []string{"ruby", "jruby"},
		NewExtractor: func() lang.Extractor { return lower.Extractor(dialect(g)) },
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "nil", True: "true", False: "false", Len: "%.size", In: "% in %",
			Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=", TypeTest: "%.is_a?(%)", Cond: "% ? % : %", QuoteChar: '"', IntegerDivision: true},
		Rules: rules(),
		// Constants are the whole program's, looked up from the inside out.
		Scope:           func(string, *raise.Facts) string { return "." },
		ImplicitMembers: true,
		Modules:         func(string, *raise.Facts) []string { return nil },
		Imported:        func(string, raise.Import) []string { return nil },
		Constructors:    []string{"initialize"},
		Render:          render,
		Bases:           bases,
		Environment:     lang.Environment{Calls: []string{"ENV.fetch"}, Tables: []string{"ENV"}},
		Faults:          faults(),
		Traces:          Traces(),
		CheckCode:       func(condition, call string) string { return call + " if " + condition },
		HandlerCode: func(typ, call string) string {
			if typ == "" {
				typ = "StandardError"
			}
			return "begin\n  " + call + "\nrescue " + typ + " => e\n  warn e.message\nend"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte(code), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// render is the message of an exception of the library: its first argument. Without one it prints the name of its class, which is no
// text.
func render(_ string, args []*expr.Expr) *expr.Expr {
	if len(args) == 0 || args[0].Is(expr.Keyword) {
		return nil
	}
	return args[0]
}

// bases are the types that a type of the library extends, nearest first.
func bases(name string) []string {
	switch name {
	case "KeyError", "StopIteration":
		return []string{"IndexError", "StandardError"}
	case "NoMethodError":
		return []string{"NameError", "StandardError"}
	case "FrozenError":
		return []string{"RuntimeError", "StandardError"}
	case "FloatDomainError":
		return []string{"RangeError", "StandardError"}
	case "ZeroDivisionError", "ArgumentError", "TypeError", "RuntimeError", "IOError", "NameError", "IndexError", "RangeError", "SystemCallError", "RegexpError":
		return []string{"StandardError"}
	case "NotImplementedError", "LoadError", "SyntaxError":
		return []string{"ScriptError"}
	}
	return nil
}

// errorType reports whether a type is an error by its name.
func errorType(name string) bool {
	name = name[strings.LastIndexAny(name, ".:")+1:]
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Failure") || name == "Interrupt" || name == "SystemExit"
}

func rules() condition.Rules {
	return condition.Rules{
		Calls: map[string]condition.Call{
			".start_with?": condition.HasPrefix, ".end_with?": condition.HasSuffix, ".include?": condition.Contains, ".downcase": condition.ToLower,
			".upcase": condition.ToUpper, ".strip": condition.TrimSpace, ".abs": condition.Abs, ".nan?": condition.IsNaN,
		},
	}
}

// pure reports whether a method leaves its receiver as it is.
func pure(method string) bool {
	if strings.HasSuffix(method, "!") || strings.HasSuffix(method, "=") {
		return false
	}
	for _, p := range []string{"delete", "push", "pop", "shift", "unshift", "clear", "replace", "concat", "insert", "append", "prepend", "write", "read", "gets",
		"close", "open", "store", "update", "save", "destroy", "next"} {
		if method == p {
			return false
		}
	}
	return true
}

// grow says what a text or list that is built holds behind a call of one of its methods.
func grow(method string, list, args []*expr.Expr) []*expr.Expr {
	if (method == "<<" || method == "push" || method == "concat" || method == "append") && len(args) == 1 {
		return append(list[:len(list):len(list)], args[0])
	}
	return nil
}
