// Package rust reads Rust source and the reports of Rust programs.
//
// A site is where an error value is built and given back, and where a macro or method of the standard library panics. What an error
// prints is read from the attributes of thiserror, snafu and displaydoc, or from an implementation of Display, variant by variant.
package rust

import (
	"strings"

	grammar "github.com/tree-sitter/tree-sitter-rust/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Language returns the language. It panics if the grammar does not fit the tree-sitter that it is built with, which tests find.
func Language() *lang.Language {
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		panic(err)
	}
	return &lang.Language{
		Name:         "Rust",
		Version:      3,
		Extensions:   []string{".rs"},
		NewExtractor: func() lang.Extractor { return lower.Extractor(dialect(g)) },
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "None", True: "true", False: "false", Len: "%.len()",
			In: "%.contains(&%)", NotIn: "!%.contains(&%)", Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=",
			TypeTest: "matches!(%, %)", Cond: "if % { % } else { % }", QuoteChar: '"', IntegerDivision: true},
		Rules:       rules(),
		Modules:     modules,
		Imported:    imported,
		Render:      render,
		Traces:      Traces(),
		Environment: lang.Environment{Calls: []string{"std.env.var", "env.var"}},
		Faults:      faults(),
		CheckCode: func(condition, call string) string {
			return "if " + condition + " {\n    " + call + ";\n}"
		},
		HandlerCode: func(typ, call string) string {
			if typ == "" || typ == "panic" {
				return ""
			}
			return "if let Err(error) = " + call + " {\n    eprintln!(\"{error}\");\n}"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte("fn f() {\n"+code+"\n}"), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// render is the text of an error of a type that the repository does not define: the one text that it is made with.
func render(_ string, args []*expr.Expr) *expr.Expr {
	var text *expr.Expr
	for _, a := range args {
		if a.Is(expr.Keyword) {
			a = a.Arg(0)
		}
		if !flow.Textual(a) {
			continue
		}
		if text != nil {
			return nil
		}
		text = a
	}
	return text
}

func rules() condition.Rules {
	whole, number := []condition.Kind{condition.Whole}, []condition.Kind{condition.Number}
	types := map[string][]condition.Kind{"&str": {condition.Text}, "String": {condition.Text}, "bool": {condition.Boolean},
		"f32": number, "f64": number}
	for _, t := range strings.Fields("u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize") {
		types[t] = whole
	}
	return condition.Rules{
		Static:   true,
		Integers: condition.Wrapping,
		Types:    types,
		Calls: map[string]condition.Call{
			".starts_with": condition.HasPrefix, ".ends_with": condition.HasSuffix, ".contains": condition.Contains,
			".to_lowercase": condition.ToLower, ".to_uppercase": condition.ToUpper, ".trim": condition.TrimSpace,
			".to_ascii_lowercase": condition.ToLower, ".eq_ignore_ascii_case": condition.EqualFold, ".abs": condition.Abs,
			".is_nan": condition.IsNaN, ".to_string": condition.ToText,
		},
	}
}

// pure reports whether a method leaves its receiver as it is.
func pure(method string) bool {
	for _, p := range []string{"get", "is_", "has", "contains", "starts_with", "ends_with", "eq", "len", "to_", "as_", "into", "iter", "chars",
		"bytes", "first", "last", "clone", "cmp", "partial_cmp", "unwrap", "expect", "ok", "err", "map", "and_then", "or_else", "find", "position",
		"trim", "split", "strip", "parse", "display", "borrow", "deref", "min", "max", "abs", "count", "path", "name", "kind", "checked_",
		"saturating_", "wrapping_", "context", "with_context", "filter", "fmt", "load", "exists", "join", "parent", "file_name", "extension"} {
		if strings.HasPrefix(method, p) && method != "get_mut" && method != "get_or_insert_with" {
			return true
		}
	}
	return false
}
