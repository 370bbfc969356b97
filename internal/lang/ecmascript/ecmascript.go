// Package ecmascript reads JavaScript, TypeScript and TSX: one extractor for the three grammars, which agree in the names of their
// nodes.
//
// A file is read in two steps. The scan is one pass over the flat syntax tree: functions with their calls, classes, imports,
// constants, and the nodes that can raise. Only the functions that hold such a node, or that make texts for others, are lowered to
// flow statements in full; package flow then fills conditions, definitions and messages. A function inside another one is lowered
// with it, as a closure that knows where it was made.
//
// A site is every throw statement, and every error that is made without being thrown on the spot, since it is handed on: to a
// callback, to reject, to an emitter, or returned. If a later throw of the same local variable raises it, the throw is the site and
// says where the error was made, which is the line that V8 prints first.
package ecmascript

import (
	"runtime"
	"unsafe"

	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// version is that of the extractor; see [lang.Language].
const version = 8

// JavaScript returns the language of .js files, with the trace forms of all three.
func JavaScript() *lang.Language {
	l := language("JavaScript", javascript.Language(), ".js", ".jsx", ".mjs", ".cjs")
	l.Interpreters = []string{"node", "nodejs", "deno", "bun"}
	l.Traces = traces()
	return l
}

// TypeScript returns the language of .ts files.
func TypeScript() *lang.Language {
	return language("TypeScript", typescript.LanguageTypescript(), ".ts", ".mts", ".cts")
}

// TSX returns the language of .tsx files.
func TSX() *lang.Language {
	return language("TSX", typescript.LanguageTSX(), ".tsx")
}

func language(name string, grammar unsafe.Pointer, extensions ...string) *lang.Language {
	return &lang.Language{
		Name: name, Family: "ECMAScript", Version: version, Extensions: extensions, Spelling: spelling(),
		NewExtractor: func() lang.Extractor { return newExtractor(name, grammar) },
		Rules:        rules(), Faults: faults(), Environment: lang.Environment{Tables: []string{"process.env", "import.meta.env"}},
		Modules: modules, Imported: imported, Render: render, Bases: bases,
		CheckCode: func(condition, call string) string { return "if (" + condition + ") {\n  " + call + ";\n}" },
		HandlerCode: func(_, call string) string {
			return "try {\n  " + call + ";\n} catch (e) {\n  console.error(e.message);\n}"
		},
		Parses: func(code string) bool { return parses(grammar, code) },
	}
}

// newExtractor returns an extractor with a parser of its own.
func newExtractor(name string, grammar unsafe.Pointer) lang.Extractor {
	d, err := newDialect(grammar)
	x := &extractor{dialect: d, parser: syntax.NewParser(), jsx: name != "TypeScript"}
	return func(src []byte, o lang.Options) *raise.Facts {
		if err != nil {
			return &raise.Facts{Language: name, Problems: []raise.Problem{{Line: 1, Reason: "the grammar does not fit"}}}
		}
		f := x.extract(src, o)
		f.Language = name
		return f
	}
}

// extractor reads one file at a time.
type extractor struct {
	dialect *dialect
	parser  *syntax.Parser
	jsx     bool
	whole   bool   // skims nothing; for tests
	compact []byte // what is parsed of a file, reused
}

func (x *extractor) extract(src []byte, o lang.Options) *raise.Facts {
	f := newFile(string(src))
	tree, fault := x.parse(f, src, o)
	if fault != nil {
		f.facts.Problems = append(f.facts.Problems, raise.Problem{Line: 1, Reason: fault.Error()})
	}
	if tree != nil && len(tree.Nodes) > 0 {
		f.tree = newTree(f.src, tree, x.dialect)
		f.read()
		handlers(f.facts, f.src)
	}
	runtime.KeepAlive(x) // whose parser owns the nodes' memory
	return f.facts
}

// parse parses what can hold sites, and the whole file where it cannot be told.
func (x *extractor) parse(f *file, src []byte, o lang.Options) (*syntax.Tree, error) {
	options := syntax.Options{Timeout: o.Timeout, MaxNodes: o.MaxNodes}
	if s := x.skim(f.src); s != nil {
		if parts := s.include(); parts != nil {
			x.compact = parts.join(x.compact[:0], src)
			tree, err := x.parser.Parse(x.dialect.grammar, x.compact, options)
			if err == nil && len(tree.Nodes) > 0 && !tree.Is(0, syntax.HasError) {
				parts.spread(tree.Nodes)
				f.skimmer, f.elided = s, s.bodies()
				return tree, nil
			}
		}
	}
	return x.parser.Parse(x.dialect.grammar, src, options)
}

func (x *extractor) skim(src string) *skimmer {
	if x.whole {
		return nil
	}
	s := skim(src, x.jsx)
	if s != nil {
		s.settle()
	}
	return s
}

// read fills the facts from the tree.
func (f *file) read() {
	f.findErrorClasses()
	f.scan()
	f.facts.Doc = f.fileDoc()
	for i := range f.facts.Functions {
		fn := &f.facts.Functions[i]
		fn.Exported = fn.Exported || fn.Owner == "" && f.exports[fn.Name]
	}
	f.classify()
	f.types()
	f.sites()
	f.expectations()
}

// parses reports whether code is well-formed.
func parses(grammar unsafe.Pointer, code string) bool {
	d, err := newDialect(grammar)
	if err != nil {
		return false
	}
	parser := syntax.NewParser()
	defer runtime.KeepAlive(parser)
	tree, err := parser.Parse(d.grammar, []byte(code), syntax.Options{})
	return err == nil && len(tree.Nodes) > 0 && !tree.Is(0, syntax.HasError)
}
