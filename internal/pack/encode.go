// Package pack is the compact encoding of stored records: numbers, strings and expressions.
//
// A record is
//
//	version byte, number of strings, (length, bytes) of each string, then the fields in their order
//
// Numbers are unsigned varints, strings are numbers in the string table (0 is the empty string), lists begin with their length.
// An expression is its operation + 1 (0 for nil), a flag byte, its text, its spelling, its arguments. A spelling that stands inside
// the parent's is stored as offset and length there, which is what keeps nested expressions small.
package pack

import (
	"encoding/binary"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// encodingVersion is raised with every change of the encoding; other versions are not read.
const encodingVersion = 2

// Bits of an expression's flag byte.
const (
	flagText    = 1 << iota // has a text that is not its spelling
	flagTextSrc             // the text is the spelling
	flagSrc                 // has a spelling of its own
	flagInside              // the spelling is a part of the parent's
)

// Encoder writes one record.
type Encoder struct {
	strings map[string]uint64
	table   []byte
	body    []byte
}

// NewEncoder starts a record.
func NewEncoder() *Encoder { return &Encoder{strings: map[string]uint64{"": 0}} }

// Finish returns the record.
func (e *Encoder) Finish() []byte {
	out := make([]byte, 0, len(e.table)+len(e.body)+8)
	out = append(out, encodingVersion)
	out = binary.AppendUvarint(out, uint64(len(e.strings)-1))
	out = append(out, e.table...)
	return append(out, e.body...)
}

// Num writes a number that is not negative.
func (e *Encoder) Num(n int) { e.body = binary.AppendUvarint(e.body, uint64(n)) }

// Index writes a number that may be -1.
func (e *Encoder) Index(n int) { e.Num(n + 1) }

// Bool writes a truth value.
func (e *Encoder) Bool(b bool) {
	if b {
		e.Num(1)
	} else {
		e.Num(0)
	}
}

// Str writes a string.
func (e *Encoder) Str(s string) {
	n, ok := e.strings[s]
	if !ok {
		n = uint64(len(e.strings))
		e.strings[strings.Clone(s)] = n
		e.table = binary.AppendUvarint(e.table, uint64(len(s)))
		e.table = append(e.table, s...)
	}
	e.body = binary.AppendUvarint(e.body, n)
}

// List writes a list with one for each element.
func List[T any](e *Encoder, all []T, one func(*T)) {
	e.Num(len(all))
	for i := range all {
		one(&all[i])
	}
}

// Strs writes a list of strings.
func (e *Encoder) Strs(all []string) { List(e, all, func(s *string) { e.Str(*s) }) }

// Exprs writes a list of expressions.
func (e *Encoder) Exprs(all []*expr.Expr) { List(e, all, func(x **expr.Expr) { e.Expr(*x) }) }

// Expr writes an expression, which may be nil.
func (e *Encoder) Expr(x *expr.Expr) { e.exprIn(x, "", new(int)) }

// exprIn writes x, whose parent is spelled outer; cursor is where in outer the next part is looked for first.
func (e *Encoder) exprIn(x *expr.Expr, outer string, cursor *int) {
	if x == nil {
		e.Num(0)
		return
	}
	e.Num(int(x.Op) + 1)
	var flags byte
	at := -1
	if x.Src != "" {
		flags |= flagSrc
		at = within(outer, x.Src, *cursor)
		if at >= 0 {
			flags |= flagInside
		}
	}
	switch {
	case x.Text == "":
	case x.Text == x.Src:
		flags |= flagTextSrc
	default:
		flags |= flagText
	}
	e.body = append(e.body, flags)
	if flags&flagText != 0 {
		e.Str(x.Text)
	}
	switch {
	case at >= 0:
		e.Num(at)
		e.Num(len(x.Src))
		*cursor = at + len(x.Src)
	case x.Src != "":
		e.Str(x.Src)
	}
	e.Num(len(x.Args))
	inner := 0
	for _, a := range x.Args {
		e.exprIn(a, x.Src, &inner)
	}
}

// within finds part in outer, first from the cursor on; -1 if it is not there.
func within(outer, part string, cursor int) int {
	if len(part) > len(outer) {
		return -1
	}
	if cursor <= len(outer) {
		if i := strings.Index(outer[cursor:], part); i >= 0 {
			return cursor + i
		}
	}
	return strings.Index(outer, part)
}
