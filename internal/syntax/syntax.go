// Package syntax is the one package that knows tree-sitter. It parses a text and returns the whole tree as a flat array, made by
// one call into C, so that walking it costs no more than walking a slice.
//
// Times, node counts and ranges are bounded. The walk in C is iterative: no nesting is too deep for it.
package syntax

/*
#cgo CFLAGS: -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
#include "flatten.h"
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // links tree-sitter's C library
)

// The faults of parsing.
var (
	ErrTimeout  = errors.New("parsing took too long")
	ErrTooMany  = errors.New("the syntax tree is too large")
	ErrTooLarge = errors.New("the text is too large to parse")
	ErrGrammar  = errors.New("the grammar does not fit this version of tree-sitter")
)

// Symbol is a kind of node of a grammar. Nodes of the same name and namedness have the same symbol.
type Symbol uint16

// NoSymbol is no symbol of any grammar.
const NoSymbol Symbol = 0

// ErrorSymbol is the symbol of what could not be parsed.
const ErrorSymbol Symbol = math.MaxUint16

// Field names a child by its part in its parent; 0 is none.
type Field uint16

// Grammar is a language of tree-sitter with its names. It is safe for concurrent use.
type Grammar struct {
	lang   *C.TSLanguage
	names  []string
	public []Symbol // for each symbol the first of the same name and namedness
	named  map[string]Symbol
	tokens map[string]Symbol
	fields map[string]Field
}

// useLibc sets the allocator once, before the first parse.
var useLibc = sync.OnceFunc(func() { C.wf_use_libc() })

// NewGrammar reads the names of a grammar, which is what Language of the grammar's Go module returns.
func NewGrammar(lang unsafe.Pointer) (*Grammar, error) {
	if lang == nil {
		return nil, ErrGrammar
	}
	useLibc()
	g := &Grammar{lang: (*C.TSLanguage)(lang), named: map[string]Symbol{}, tokens: map[string]Symbol{}, fields: map[string]Field{}}
	parser := C.ts_parser_new()
	defer C.ts_parser_delete(parser)
	if !C.ts_parser_set_language(parser, g.lang) {
		return nil, fmt.Errorf("%w (its ABI is %d)", ErrGrammar, uint32(C.ts_language_abi_version(g.lang)))
	}
	for i := range uint16(C.ts_language_symbol_count(g.lang)) {
		name := C.GoString(C.ts_language_symbol_name(g.lang, C.uint16_t(i)))
		g.names = append(g.names, name)
		names := g.tokens
		if C.ts_language_symbol_type(g.lang, C.uint16_t(i)) == 0 {
			names = g.named
		}
		if _, ok := names[name]; !ok {
			names[name] = Symbol(i)
		}
		g.public = append(g.public, names[name])
	}
	for i := uint16(1); i <= uint16(C.ts_language_field_count(g.lang)); i++ {
		g.fields[C.GoString(C.ts_language_field_name_for_id(g.lang, C.uint16_t(i)))] = Field(i)
	}
	return g, nil
}

// Symbol is the symbol of a named node, NoSymbol if the grammar has none of that name.
func (g *Grammar) Symbol(name string) Symbol { return g.named[name] }

// Token is the symbol of an anonymous node such as "+".
func (g *Grammar) Token(name string) Symbol { return g.tokens[name] }

// Field is the field of a name, 0 if the grammar has none.
func (g *Grammar) Field(name string) Field { return g.fields[name] }

// Name is the name of a symbol.
func (g *Grammar) Name(s Symbol) string {
	switch {
	case s == ErrorSymbol:
		return "ERROR"
	case int(s) < len(g.names):
		return g.names[s]
	}
	return ""
}

// Range is a part of a text: byte offsets, End exclusive.
type Range struct{ Start, End uint32 }

// Options bound a parse.
type Options struct {
	Timeout  time.Duration // 0: 10 s
	MaxNodes int           // 0: 5 million
	// Include are the parts of the text that are parsed, in order and without overlap, each of whole lines; the rest counts as if
	// it were not there. Offsets and rows stay those of the whole text. None: all of it.
	Include []Range
}

// Parser parses one text at a time and reuses its memory. It must not be used by two goroutines at once.
type Parser struct {
	parser *C.TSParser
	arena  *C.wf_arena
	tree   Tree
}

// NewParser returns a parser. Its C memory is freed when it is garbage.
func NewParser() *Parser {
	useLibc()
	p := &Parser{parser: C.ts_parser_new(), arena: (*C.wf_arena)(C.calloc(1, C.size_t(unsafe.Sizeof(C.wf_arena{}))))}
	runtime.AddCleanup(p, func(c [2]unsafe.Pointer) {
		C.ts_parser_delete((*C.TSParser)(c[0]))
		arena := (*C.wf_arena)(c[1])
		C.free(unsafe.Pointer(arena.nodes))
		C.free(c[1])
	}, [2]unsafe.Pointer{unsafe.Pointer(p.parser), unsafe.Pointer(p.arena)})
	return p
}

// Parse returns the tree of a text. The tree is valid until the next Parse of the same parser.
func (p *Parser) Parse(g *Grammar, src []byte, o Options) (*Tree, error) {
	return p.parse(g, src, o, true)
}

func (p *Parser) parse(g *Grammar, src []byte, o Options, flatten bool) (*Tree, error) {
	if uint64(len(src)) > math.MaxUint32/2 {
		return nil, ErrTooLarge
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.MaxNodes <= 0 {
		o.MaxNodes = 5_000_000
	}
	ranges := rangeWords(src, o.Include)
	var first *C.uint32_t
	if len(ranges) > 0 {
		first = (*C.uint32_t)(unsafe.Pointer(&ranges[0]))
	}
	text := src
	if len(text) == 0 {
		text = []byte{0}
	}
	status := C.wf_parse(p.parser, g.lang, (*C.char)(unsafe.Pointer(&text[0])), C.uint32_t(len(src)), first, C.uint32_t(len(ranges)/4),
		C.uint64_t(o.Timeout.Microseconds()), C.uint32_t(min(o.MaxNodes, math.MaxInt32)), C.bool(flatten), p.arena)
	runtime.KeepAlive(p)
	switch status {
	case C.WF_OK, C.WF_TOO_MANY:
	case C.WF_TIMEOUT:
		return nil, ErrTimeout
	case C.WF_RANGES:
		return nil, errors.New("parse: the included ranges overlap or are out of order")
	case C.WF_LANGUAGE:
		return nil, ErrGrammar
	default:
		return nil, errors.New("parse: out of memory")
	}
	p.tree = Tree{Grammar: g, Source: src}
	if n := int(p.arena.count); n > 0 {
		p.tree.Nodes = unsafe.Slice((*Node)(unsafe.Pointer(p.arena.nodes)), n)
	}
	for i := range p.tree.Nodes {
		if s := p.tree.Nodes[i].Symbol; int(s) < len(g.public) {
			p.tree.Nodes[i].Symbol = g.public[s]
		}
	}
	if status == C.WF_TOO_MANY {
		return &p.tree, ErrTooMany
	}
	return &p.tree, nil
}

// rangeWords gives each range with the rows of its ends, as C takes them.
func rangeWords(src []byte, include []Range) []uint32 {
	out := make([]uint32, 0, 4*len(include))
	row, at := uint32(0), uint32(0)
	count := func(to uint32) uint32 {
		for ; at < to && int(at) < len(src); at++ {
			if src[at] == '\n' {
				row++
			}
		}
		return row
	}
	for _, r := range include {
		start := count(r.Start)
		out = append(out, r.Start, r.End, start, count(r.End))
	}
	return out
}
