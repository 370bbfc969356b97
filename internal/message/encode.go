package message

import (
	"encoding/binary"
	"errors"
	"strings"
)

// The encoding of a template, for the catalog and the index of messages: the number of pieces, then each piece. Expressions are
// left out. A piece begins with one byte: 0 for a literal (length, bytes), otherwise the bits below with the hole's kind above
// them, then what the bits announce: expression, format, width, and the values with their number.
const (
	bitHole   = 1 << iota
	bitText   // has an expression
	bitFormat // has a format
	bitWidth
	bitValues
	kindShift = iota
)

// ErrEncoding is returned for bytes that are no encoded template.
var ErrEncoding = errors.New("stored template is damaged")

// Append appends the template's encoding to dst. Holes lose their Expr.
func (t Template) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(t.Pieces)))
	for _, p := range t.Pieces {
		if p.Hole == nil {
			dst = appendString(append(dst, 0), p.Text)
			continue
		}
		dst = p.Hole.append(dst)
	}
	return dst
}

// append appends the encoding of a hole.
func (h *Hole) append(dst []byte) []byte {
	head := uint64(bitHole) | uint64(h.Kind)<<kindShift | mark(bitText, h.Text != "") | mark(bitFormat, h.Format != "") |
		mark(bitWidth, h.Width > 0) | mark(bitValues, h.Values != nil)
	dst = binary.AppendUvarint(dst, head)
	if h.Text != "" {
		dst = appendString(dst, h.Text)
	}
	if h.Format != "" {
		dst = appendString(dst, h.Format)
	}
	if h.Width > 0 {
		dst = binary.AppendUvarint(dst, uint64(h.Width))
	}
	if h.Values != nil {
		dst = binary.AppendUvarint(dst, uint64(len(h.Values)))
		for _, v := range h.Values {
			dst = appendString(dst, v)
		}
	}
	return dst
}

// mark is the bit if something is there.
func mark(bit uint64, there bool) uint64 {
	if there {
		return bit
	}
	return 0
}

// appendString appends a length and the bytes.
func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// Consume reads the template at the start of data into t and returns what follows it. The template's strings share data's memory;
// t's own pieces and holes are used again, so that a loop over many templates with one t allocates next to nothing, and what an
// earlier call put into t is overwritten. Errors are [ErrEncoding].
func (t *Template) Consume(data string) (rest string, err error) {
	r := reader{data: data}
	n := r.num()
	if n > len(r.data) {
		return data, ErrEncoding
	}
	old := t.Pieces[:cap(t.Pieces)]
	t.Pieces = t.Pieces[:0]
	for i := range n {
		var hole *Hole
		if i < len(old) {
			hole = old[i].Hole
		}
		t.Pieces = append(t.Pieces, r.piece(hole))
		if r.bad {
			t.Pieces = t.Pieces[:0]
			return data, ErrEncoding
		}
	}
	return r.data, nil
}

// Decode reads one whole template that [Template.Append] wrote.
func Decode(data []byte) (Template, error) {
	var t Template
	rest, err := t.Consume(string(data))
	if err == nil && rest != "" {
		err = ErrEncoding
	}
	if err != nil {
		return Template{}, err
	}
	return t, nil
}

// reader takes encoded values off data; bad is set by the first that is not whole.
type reader struct {
	data string
	bad  bool
}

// num takes a number off; nearly all fit into one byte.
func (r *reader) num() int {
	if len(r.data) > 0 && r.data[0] < 0x80 {
		n := int(r.data[0])
		r.data = r.data[1:]
		return n
	}
	var n uint64
	for i := 0; i < len(r.data) && i < 5; i++ {
		c := r.data[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.data = r.data[i+1:]
			return int(n)
		}
	}
	r.bad = true
	return 0
}

// str takes a string off, which shares the memory of the data.
func (r *reader) str() string {
	n := r.num()
	if n > len(r.data) {
		r.bad = true
		return ""
	}
	s := r.data[:n]
	r.data = r.data[n:]
	return s
}

// piece reads one piece; a hole is put into old if that is not nil.
func (r *reader) piece(old *Hole) Piece {
	head := r.num()
	if head&bitHole == 0 {
		text := r.str()
		r.bad = r.bad || head != 0
		return Piece{Text: text}
	}
	if old == nil {
		old = &Hole{}
	}
	*old = Hole{Kind: Kind(head >> kindShift), Values: old.Values[:0]}
	r.bad = r.bad || head>>kindShift > int(JSON)
	if head&bitText != 0 {
		old.Text = r.str()
	}
	if head&bitFormat != 0 {
		old.Format = r.str()
	}
	if head&bitWidth != 0 {
		old.Width = r.num()
	}
	if head&bitValues == 0 {
		old.Values = nil
		return Piece{Hole: old}
	}
	n := r.num()
	r.bad = r.bad || n > len(r.data)
	if old.Values == nil {
		old.Values = []string{}
	}
	for i := 0; i < n && !r.bad; i++ {
		old.Values = append(old.Values, r.str())
	}
	return Piece{Hole: old}
}

// Clone returns a copy that shares no memory with t but its expressions.
func (t Template) Clone() Template {
	out := Template{Pieces: make([]Piece, len(t.Pieces))}
	for i, p := range t.Pieces {
		out.Pieces[i].Text = strings.Clone(p.Text)
		if h := p.Hole; h != nil {
			c := &Hole{Expr: h.Expr, Text: strings.Clone(h.Text), Format: strings.Clone(h.Format), Kind: h.Kind, Width: h.Width}
			if h.Values != nil {
				c.Values = make([]string, len(h.Values))
				for j, v := range h.Values {
					c.Values[j] = strings.Clone(v)
				}
			}
			out.Pieces[i].Hole = c
		}
	}
	return out
}
