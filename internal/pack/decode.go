package pack

import (
	"errors"
	"fmt"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// ErrEncoding is returned for bytes that are not a record, or of another version of the encoding.
var ErrEncoding = errors.New("a stored record is damaged or of another version")

// Decoder reads what an Encoder wrote. After the first fault it returns zero values; [Decoder.Err] says what it was.
type Decoder struct {
	data    string
	at      int
	strings []string
	err     error
}

// NewDecoder reads the string table. The strings that it returns share data's memory.
func NewDecoder(data []byte) *Decoder {
	d := &Decoder{data: string(data)}
	if len(d.data) == 0 || d.data[0] != encodingVersion {
		d.err = ErrEncoding
		return d
	}
	d.at = 1
	n := d.length()
	d.strings = make([]string, 1, n+1)
	for range n {
		size := d.Num()
		if d.err != nil || size > len(d.data)-d.at {
			d.fail()
			return d
		}
		d.strings = append(d.strings, d.data[d.at:d.at+size])
		d.at += size
	}
	return d
}

// Err is the first fault, nil if there was none.
func (d *Decoder) Err() error { return d.err }

// More reports whether there is more to read: what a later version wrote behind the rest.
func (d *Decoder) More() bool { return d.err == nil && d.at < len(d.data) }

func (d *Decoder) fail() {
	if d.err == nil {
		d.err = fmt.Errorf("%w: at byte %d of %d", ErrEncoding, d.at, len(d.data))
	}
}

// Num reads a number.
func (d *Decoder) Num() int {
	if d.err != nil {
		return 0
	}
	// The fast path: nearly all numbers fit into one byte.
	if d.at < len(d.data) && d.data[d.at] < 0x80 {
		d.at++
		return int(d.data[d.at-1])
	}
	var n uint64
	for shift := 0; shift < 35 && d.at < len(d.data); shift += 7 {
		b := d.data[d.at]
		d.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int(n)
		}
	}
	d.fail()
	return 0
}

// Index reads a number that may be -1.
func (d *Decoder) Index() int { return d.Num() - 1 }

// Bool reads a truth value.
func (d *Decoder) Bool() bool { return d.Num() == 1 }

// length reads the length of a list; each element takes at least one byte, which bounds it.
func (d *Decoder) length() int {
	n := d.Num()
	if n > len(d.data)-d.at {
		d.fail()
		return 0
	}
	return n
}

// Str reads a string.
func (d *Decoder) Str() string {
	n := d.Num()
	if n >= len(d.strings) {
		d.fail()
		return ""
	}
	return d.strings[n]
}

// ReadList reads a list with one for each element.
func ReadList[T any](d *Decoder, one func(*T)) []T {
	n := d.length()
	if n == 0 || d.err != nil {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		one(&out[i])
	}
	return out
}

// Strs reads a list of strings.
func (d *Decoder) Strs() []string { return ReadList(d, func(s *string) { *s = d.Str() }) }

// Exprs reads a list of expressions.
func (d *Decoder) Exprs() []*expr.Expr { return ReadList(d, func(x **expr.Expr) { *x = d.Expr() }) }

// Expr reads an expression.
func (d *Decoder) Expr() *expr.Expr { return d.exprIn("", 0) }

// maxExprDepth bounds decoding of damaged data; real expressions are bounded by expr.Depth plus what definitions add.
const maxExprDepth = 20 * expr.Depth

func (d *Decoder) exprIn(outer string, depth int) *expr.Expr {
	op := d.Num()
	if op == 0 || d.err != nil {
		return nil
	}
	if d.at >= len(d.data) || depth > maxExprDepth {
		d.fail()
		return nil
	}
	x := &expr.Expr{Op: expr.Op(op - 1)}
	flags := d.data[d.at]
	d.at++
	if flags&flagText != 0 {
		x.Text = d.Str()
	}
	switch {
	case flags&flagInside != 0:
		start, size := d.Num(), d.Num()
		if start+size > len(outer) {
			d.fail()
			return nil
		}
		x.Src = outer[start : start+size]
	case flags&flagSrc != 0:
		x.Src = d.Str()
	}
	if flags&flagTextSrc != 0 {
		x.Text = x.Src
	}
	x.Args = ReadList(d, func(a **expr.Expr) { *a = d.exprIn(x.Src, depth+1) })
	return x
}
