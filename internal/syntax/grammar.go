package syntax

/*
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // links tree-sitter's C library
)

// ErrGrammar says that a grammar was not made for this version of tree-sitter. It is a fault of the build.
var ErrGrammar = errors.New("the grammar does not fit this version of tree-sitter")

// Symbol is a kind of node of a grammar. Nodes of the same name and namedness have the same symbol, also where the grammar has several
// (an alias is a symbol of its own there), so that comparing symbols is enough.
type Symbol uint16

// NoSymbol is no symbol of any grammar.
const NoSymbol Symbol = 0

// ErrorSymbol is the symbol of what could not be parsed, in every grammar. Its name is "ERROR".
const ErrorSymbol Symbol = math.MaxUint16

const errorName = "ERROR"

// Field is the part that a child has in its parent, such as the name of a function; 0 is none.
type Field uint16

// Grammar is a language of tree-sitter with its names. It is safe for concurrent use.
type Grammar struct {
	shim   *C.wf_grammar
	names  []string
	named  map[string]Symbol
	tokens map[string]Symbol
	fields map[string]Field
}

// useAllocator makes tree-sitter allocate through the shim, once for the process: the C library has one allocator for all.
var useAllocator = sync.OnceFunc(useShimAllocator)

func useShimAllocator() { C.wf_count_memory() }

// NewGrammar reads a grammar, which is what Language of the grammar's Go module returns. It fails with ErrGrammar only. Make it once:
// it takes some tens of microseconds.
func NewGrammar(language unsafe.Pointer) (*Grammar, error) {
	if language == nil {
		return nil, ErrGrammar
	}
	useAllocator()
	lang := (*C.TSLanguage)(language)
	parser := C.ts_parser_new()
	fits := C.ts_parser_set_language(parser, lang)
	C.ts_parser_delete(parser)
	if !fits {
		return nil, fmt.Errorf("%w (its ABI is %d)", ErrGrammar, uint32(C.ts_language_abi_version(lang)))
	}
	g := &Grammar{shim: C.wf_grammar_new(lang), named: map[string]Symbol{errorName: ErrorSymbol}, tokens: map[string]Symbol{}, fields: map[string]Field{}}
	if g.shim == nil {
		return nil, ErrMemory
	}
	runtime.AddCleanup(g, func(shim *C.wf_grammar) { C.free(unsafe.Pointer(shim)) }, g.shim)
	g.readSymbols(lang)
	for i := C.TSFieldId(1); i <= C.TSFieldId(C.ts_language_field_count(lang)); i++ {
		g.fields[C.GoString(C.ts_language_field_name_for_id(lang, i))] = Field(i)
	}
	return g, nil
}

// readSymbols gives each symbol the first one of its name and namedness. Hidden symbols and supertypes are never those of a node.
func (g *Grammar) readSymbols(lang *C.TSLanguage) {
	symbols := unsafe.Slice(g.shim.symbols, g.shim.symbol_count)
	for i := range symbols {
		name := C.GoString(C.ts_language_symbol_name(lang, C.TSSymbol(i)))
		g.names = append(g.names, name)
		symbols[i].canonical = C.uint16_t(i)
		var known map[string]Symbol
		switch C.ts_language_symbol_type(lang, C.TSSymbol(i)) {
		case C.TSSymbolTypeRegular:
			known = g.named
			symbols[i].flags = C.WF_NAMED
		case C.TSSymbolTypeAnonymous:
			known = g.tokens
		default:
			continue
		}
		if first, ok := known[name]; ok {
			symbols[i].canonical = C.uint16_t(first)
		} else {
			known[name] = Symbol(i)
		}
	}
}

// Symbol is the symbol of the named nodes of a name, NoSymbol if the grammar has none.
func (g *Grammar) Symbol(name string) Symbol { return g.named[name] }

// Token is the symbol of the anonymous nodes of a name, which is their text: "+", "if". NoSymbol if the grammar has none.
func (g *Grammar) Token(name string) Symbol { return g.tokens[name] }

// Field is the field of a name, 0 if the grammar has none.
func (g *Grammar) Field(name string) Field { return g.fields[name] }

// Name is the name of a symbol, "" of none of the grammar's.
func (g *Grammar) Name(s Symbol) string {
	switch {
	case s == ErrorSymbol:
		return errorName
	case int(s) < len(g.names):
		return g.names[s]
	}
	return ""
}
