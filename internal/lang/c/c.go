// Package c reads C and C++.
//
// Both are read with one set of rules: a header can belong to either, and a C++ file may be C throughout. Macros are read for what
// they expand to, one level deep; all branches of conditional compilation are read.
package c

import (
	"path"
	"slices"
	"strings"

	grammarC "github.com/tree-sitter/tree-sitter-c/bindings/go"
	grammarCPP "github.com/tree-sitter/tree-sitter-cpp/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// version is raised with every change of what the extractor says.
const version = 2

// C returns the language C. Headers are its files; one that is written in C++ is read as that. It panics if the grammars do not fit
// the tree-sitter that they are built with, which tests find.
func C() *lang.Language {
	plain, plus := grammars()
	l := language("C", plain)
	l.Extensions = []string{".c", ".h"}
	l.NewExtractor = func() lang.Extractor {
		asC, asCPP := blanking(lower.Extractor(dialect(plain, "C"))), blanking(lower.Extractor(dialect(plus, "C")))
		return func(src []byte, o lang.Options) *raise.Facts {
			if isCPP(src) {
				return asCPP(src, o)
			}
			return asC(src, o)
		}
	}
	l.Traces, l.Faults = Traces(), Faults()
	return l
}

// CPP returns the language C++. It panics as C does.
func CPP() *lang.Language {
	_, plus := grammars()
	l := language("C++", plus)
	l.Spelling.Len, l.Spelling.Null = "%.size()", "nullptr"
	l.Extensions = []string{".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".ixx", ".cppm", ".cu", ".cuh"}
	l.NewExtractor = func() lang.Extractor { return blanking(lower.Extractor(dialect(plus, "C++"))) }
	l.Faults = Faults()
	return l
}

func grammars() (plain, plus *syntax.Grammar) {
	plain, err := syntax.NewGrammar(grammarC.Language())
	if err != nil {
		panic(err)
	}
	plus, err = syntax.NewGrammar(grammarCPP.Language())
	if err != nil {
		panic(err)
	}
	return plain, plus
}

// language is what both languages share.
func language(name string, g *syntax.Grammar) *lang.Language {
	return &lang.Language{
		Name:    name,
		Family:  "C",
		Version: version,
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "NULL", True: "true", False: "false", Len: "strlen(%)",
			Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=", Cond: "% ? % : %", New: "", QuoteChar: '"', IntegerDivision: true},
		ImplicitMembers: true,
		FileLocal:       true,
		Rules:           rules(),
		Modules:         func(p string, _ *raise.Facts) []string { return []string{p, path.Base(p)} },
		Imported:        func(_ string, imp raise.Import) []string { return []string{imp.Module} },
		Scope:           func(string, *raise.Facts) string { return "" },
		Constructors:    []string{"<init>"},
		Render:          Render,
		Bases:           bases,
		CheckCode:       func(condition, call string) string { return "if (" + condition + ") {\n    " + call + ";\n}" },
		HandlerCode:     handler,
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte("void f() {\n"+code+"\n}"), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// handler is code that catches an exception; there is none for the errors of C, which have no type.
func handler(typ, call string) string {
	if typ == "" || typ == strings.ToUpper(typ) || !ErrorType(lastName(typ)) {
		return ""
	}
	return "try {\n    " + call + ";\n} catch (const " + typ + "& e) {\n    std::cerr << e.what() << '\\n';\n}"
}

// isCPP reports whether a header is written in C++: it holds a line that is none of C.
func isCPP(src []byte) bool {
	text := string(src)
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if line := strings.TrimLeft(text[at:end], " \t"); line != "" && strings.IndexByte("ntcpuv#", line[0]) >= 0 && plusLine(line) && !guarded(text, at) {
			return true
		}
		at = end + 1
	}
	for _, word := range []string{"std::", "static_cast<", "nullptr", " noexcept", "operator("} {
		if i := strings.Index(text, word); i >= 0 && !guarded(text, i) {
			return true
		}
	}
	return false
}

// plusLine reports whether a line begins as none of C does.
func plusLine(line string) bool {
	for _, word := range []string{"namespace ", "template<", "template <", "class ", "public:", "private:", "protected:", "using ", "constexpr ", "virtual ", "#include <string>", "#include <vector>"} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// guarded reports whether a place of a text stands in a comment, or below "#ifdef __cplusplus".
func guarded(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	if line = strings.TrimLeft(line, " \t"); strings.HasPrefix(line, "*") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") {
		return true
	}
	if strings.LastIndex(text[:at], "/*") > strings.LastIndex(text[:at], "*/") {
		return true
	}
	opened, closed := strings.LastIndex(text[:at], "__cplusplus"), strings.LastIndex(text[:at], "#endif")
	return opened > closed
}

// Render is what an exception of the standard library, or of a library that is not here, says: its first text.
func Render(typeName string, args []*expr.Expr) *expr.Expr {
	switch typeName {
	case "bad_alloc", "bad_cast", "bad_typeid", "exception", "bad_weak_ptr", "bad_function_call", "bad_any_cast", "bad_variant_access":
		if len(args) == 0 {
			return expr.Str(map[bool]string{true: typeName, false: "std::" + typeName}[strings.HasPrefix(typeName, "bad_a") && typeName != "bad_alloc"])
		}
	case "system_error", "filesystem_error":
		// The text, a colon, and the words of the system for the code.
		if i := slices.IndexFunc(args, textual); i >= 0 {
			return interp(args[i], expr.Str(": "), hole(expr.Ident("error")))
		}
	}
	if i := slices.IndexFunc(args, textual); i >= 0 {
		return args[i]
	}
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// bases are the types that an exception of the standard library extends.
func bases(name string) []string {
	name = lastName(name)
	base := map[string]string{"logic_error": "exception", "runtime_error": "exception", "bad_alloc": "exception", "bad_cast": "exception",
		"invalid_argument": "logic_error", "domain_error": "logic_error", "length_error": "logic_error", "out_of_range": "logic_error",
		"future_error": "logic_error", "range_error": "runtime_error", "overflow_error": "runtime_error", "underflow_error": "runtime_error",
		"system_error": "runtime_error", "regex_error": "runtime_error", "filesystem_error": "system_error", "bad_array_new_length": "bad_alloc",
		"format_error": "runtime_error"}
	var out []string
	for b := base[name]; b != ""; b = base[b] {
		out = append(out, b)
	}
	return out
}

// ErrorType reports whether a type is an error by its name.
func ErrorType(name string) bool {
	if len(name) > 2 && name == strings.ToUpper(name) {
		return false // a macro or a code
	}
	l := strings.TrimSuffix(strings.ToLower(name), "_t")
	for _, end := range []string{"exception", "error", "failure", "fault"} {
		if strings.HasSuffix(l, end) {
			return true
		}
	}
	return len(bases(name)) > 0
}

func rules() condition.Rules {
	whole, text := []condition.Kind{condition.Whole}, []condition.Kind{condition.Text}
	return condition.Rules{
		Truth:       condition.Truth{Known: true, Zero: true},
		Static:      true,
		Integers:    condition.Wrapping,
		CountsBytes: true,
		Types:       map[string][]condition.Kind{"int": whole, "size_t": whole, "string": text},
		Calls: map[string]condition.Call{"abs": condition.Abs, "std.abs": condition.Abs, "std.min": condition.Min, "std.max": condition.Max, "std.isnan": condition.IsNaN,
			"isnan": condition.IsNaN, ".starts_with": condition.HasPrefix, ".ends_with": condition.HasSuffix, ".contains": condition.Contains},
	}
}

// Pure reports whether a method leaves its receiver as it is.
func Pure(method string) bool {
	for _, p := range []string{"get", "is", "has", "contains", "starts", "ends", "size", "length", "to", "find", "count", "at", "front", "back", "begin", "end",
		"empty", "c_str", "data", "str", "substr", "what", "name", "value", "what", "code", "ok", "good", "fail", "eof", "capacity", "compare"} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// Grow says what a text that is written to a stream, or built, holds behind a call.
func Grow(method string, list, args []*expr.Expr) []*expr.Expr {
	if method == "append" && len(args) > 0 {
		return append(list[:len(list):len(list)], args...)
	}
	return nil
}
