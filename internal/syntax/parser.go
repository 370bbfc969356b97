package syntax

/*
#cgo CFLAGS: -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
#include "shim.h"
*/
import "C"

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"
)

// What ends a parse early. A tree comes with ErrTooMany and ErrTooDeep only.
var (
	ErrTooMany  = errors.New("the syntax tree has too many nodes")       // the tree holds the first of them
	ErrTooDeep  = errors.New("the source is nested too deep")            // what is too deep is cut off the tree (Cut)
	ErrScanner  = errors.New("the source is nested too deep to be read") // the grammar's scanner cannot keep count
	ErrTimeout  = errors.New("parsing took too long")
	ErrCanceled = errors.New("parsing was canceled")
	ErrMemory   = errors.New("parsing took too much memory")
	ErrTooLarge = errors.New("the source is too large to be parsed")
	ErrRanges   = errors.New("the parts of the source to be parsed are not whole lines in order")
)

// Range is a part of a text: byte offsets, End exclusive.
type Range struct{ Start, End uint32 }

// Options bound a parse. The zero value means the defaults.
type Options struct {
	Timeout   time.Duration // of the whole call; 0: 10 s. It is kept to within about a hundredth of a second.
	MaxNodes  int           // of the tree; 0: 5 million. A node takes 28 bytes.
	MaxDepth  int           // of the tree, whose root has depth 1; 0: 4,000. It bounds what recursive readers of the tree need.
	MaxMemory int64         // bytes that tree-sitter may hold, without the nodes of the flat tree; 0: 512 MiB.
	// Include are the parts of the text that are parsed: whole lines, in order, without overlap. The rest counts as if it were not
	// there; offsets and rows stay those of the whole text. nil: all of it; empty but not nil: nothing.
	Include []Range
	Stop    *Stop // ends the parse from elsewhere; may be nil
}

const (
	defaultTimeout   = 10 * time.Second
	defaultMaxNodes  = 5_000_000
	defaultMaxDepth  = 4_000
	defaultMaxMemory = 512 << 20
	maxSource        = math.MaxInt32 // positions are 32 bits in tree-sitter
)

// Stop ends the parses that were given it, from any goroutine: `context.AfterFunc(ctx, stop.Stop)`. The zero value is ready for use.
type Stop struct{ flag uint32 }

// Stop ends the parses with ErrCanceled, also those that begin later.
func (s *Stop) Stop() { atomic.StoreUint32(&s.flag, 1) }

// Parser parses one text at a time and reuses its buffers; it holds no memory of C's. One goroutine at a time may use it.
// The zero value is ready for use.
type Parser struct {
	tree  Tree
	nodes []Node
	rows  []uint32
	never Stop // stands in where the caller gave none
	out   C.wf_result
}

// NewParser returns a parser.
func NewParser() *Parser { return &Parser{} }

// Parse returns the syntax tree of a text. Text that is not well-formed has a tree, too, with nodes that are marked Error and Missing.
// Bytes that are not UTF-8 are errors of one byte each; NUL is a character like others.
//
// The tree is valid until the next Parse of the same parser, which writes over its nodes. It refers to src, which must not change as
// long as the tree is in use. With ErrTooMany and ErrTooDeep comes the part of the tree that is within the limits, with all other
// errors none.
func (p *Parser) Parse(g *Grammar, src []byte, o Options) (*Tree, error) {
	if len(src) > maxSource {
		return nil, ErrTooLarge
	}
	rows := p.indexRows(src)
	ranges, err := includedRanges(src, rows, o.Include)
	if err != nil {
		return nil, err
	}
	room := slices.Grow(p.nodes[:0], 1)
	room = room[:cap(room)]
	err = fault(p.call(g, src, ranges, o.limits(), o.Stop, room))
	if err != nil && err != ErrTooMany && err != ErrTooDeep {
		return nil, err
	}
	p.tree = Tree{Grammar: g, Nodes: p.take(room), Source: src, rows: rows}
	return &p.tree, err
}

// Check parses a text and drops the tree: what parsing alone costs. Its errors are those of Parse without ErrTooMany and ErrTooDeep.
// It ends the use of the parser's last tree, as Parse does.
func (p *Parser) Check(g *Grammar, src []byte, o Options) error {
	if len(src) > maxSource {
		return ErrTooLarge
	}
	ranges, err := includedRanges(src, p.indexRows(src), o.Include)
	if err != nil {
		return err
	}
	limits := o.limits()
	limits.nodes = 0
	return fault(p.call(g, src, ranges, limits, o.Stop, make([]Node, 1)))
}

// call is the call into C. Addresses stand in it as they do because cgo looks at all that a pointer leads to, but for that of a field
// or an element at the field or slice alone.
func (p *Parser) call(g *Grammar, src []byte, ranges []C.TSRange, limits C.wf_limits, stop *Stop, room []Node) C.int {
	text := src
	if len(text) == 0 {
		text = []byte{0}
	}
	if stop == nil {
		stop = &p.never
	}
	status := C.wf_parse(g.shim, (*C.char)(unsafe.Pointer(&text[0])), C.uint32_t(len(src)), unsafe.SliceData(ranges), C.uint32_t(len(ranges)),
		(*C.uint32_t)(unsafe.Pointer(&stop.flag)), limits, (*C.wf_node)(unsafe.Pointer(&room[0])),
		C.uint32_t(min(len(room), math.MaxInt32)), &p.out)
	runtime.KeepAlive(g)
	return status
}

// keptNodes is how many nodes a parser keeps room for between calls (7 MB), so that one large file does not hold memory for good.
const keptNodes = 1 << 18

// take returns the nodes of the call, which are in the parser's buffer or, where that was too small, in memory of C's.
func (p *Parser) take(room []Node) []Node {
	count := int(p.out.count)
	if p.out.nodes == nil {
		return room[:count]
	}
	nodes := make([]Node, count, min(count+count/4, max(count, keptNodes)))
	copy(nodes, unsafe.Slice((*Node)(unsafe.Pointer(p.out.nodes)), count))
	C.free(unsafe.Pointer(p.out.nodes))
	p.out.nodes = nil
	if p.nodes = nil; count <= keptNodes {
		p.nodes = nodes
	}
	return nodes
}

func (o *Options) limits() C.wf_limits {
	l := C.wf_limits{
		timeout_ns: C.uint64_t(defaultTimeout), memory: defaultMaxMemory, nodes: defaultMaxNodes, depth: defaultMaxDepth,
	}
	if o.Timeout > 0 {
		l.timeout_ns = C.uint64_t(o.Timeout)
	}
	if o.MaxMemory > 0 {
		l.memory = C.uint64_t(o.MaxMemory)
	}
	if o.MaxNodes > 0 {
		l.nodes = C.uint32_t(min(o.MaxNodes, math.MaxInt32))
	}
	if o.MaxDepth > 0 {
		l.depth = C.uint32_t(min(o.MaxDepth, math.MaxInt32))
	}
	return l
}

func fault(status C.int) error {
	switch status {
	case C.WF_OK:
		return nil
	case C.WF_TOO_MANY:
		return ErrTooMany
	case C.WF_CUT_SHORT:
		return ErrTooDeep
	case C.WF_TIMEOUT:
		return ErrTimeout
	case C.WF_CANCELED:
		return ErrCanceled
	case C.WF_MEMORY:
		return ErrMemory
	case C.WF_SCANNER:
		return ErrScanner
	case C.WF_RANGES:
		return ErrRanges
	}
	return ErrGrammar
}

// includedRanges gives the parts of a text as C takes them. Parts that touch become one: tree-sitter looks through all of them for
// every token.
func includedRanges(src []byte, rows rowIndex, include []Range) ([]C.TSRange, error) {
	if include == nil {
		return nil, nil
	}
	point := func(at uint32) C.TSPoint { return C.TSPoint{row: C.uint32_t(rows.at(src, at))} }
	out := []C.TSRange{{}}
	for _, r := range include {
		last := &out[len(out)-1]
		if C.uint32_t(r.Start) < last.end_byte || r.End < r.Start || int(r.End) > len(src) {
			return nil, ErrRanges
		}
		switch {
		case r.Start == r.End:
		case !lineStart(src, r.Start) || !lineStart(src, r.End) && int(r.End) != len(src):
			return nil, ErrRanges
		case C.uint32_t(r.Start) == last.end_byte:
			last.end_byte, last.end_point = C.uint32_t(r.End), point(r.End)
		default:
			out = append(out, C.TSRange{start_byte: C.uint32_t(r.Start), end_byte: C.uint32_t(r.End), start_point: point(r.Start), end_point: point(r.End)})
		}
	}
	// A part at the end may end in the midst of a line.
	last := &out[len(out)-1]
	last.end_point.column = last.end_byte - C.uint32_t(bytes.LastIndexByte(src[:last.end_byte], '\n')+1)
	if len(out) > 1 && out[0].end_byte == 0 {
		out = out[1:]
	}
	return out, nil
}

// lineStart reports whether a line begins at a byte of src.
func lineStart(src []byte, at uint32) bool { return at == 0 || src[at-1] == '\n' }
