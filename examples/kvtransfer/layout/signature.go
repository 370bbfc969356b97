package layout

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// Field is one named fact of a layout.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Signature is what two peers must agree on before any byte moves, in fixed order: sizes of the model, then one field per section of every
// list with its layers and item geometry. It covers the whole model on one rank, so that stages and ranks of one engine
// share it. Capacities are no part of it.
type Signature []Field

// String prints a field per line.
func (s Signature) String() string {
	var b strings.Builder
	for _, f := range s {
		fmt.Fprintf(&b, "%s=%s\n", f.Name, f.Value)
	}
	return b.String()
}

// Digest is the digest of the printed signature.
func (s Signature) Digest() Digest { return sha256.Sum256([]byte(s.String())) }

// Difference is a field that two signatures do not agree on. A side that lacks the field has an empty value.
type Difference struct {
	Name   string `json:"name"`
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
}

// Diff lists what two signatures do not agree on: fields of ours in our order, then those that only theirs has. Of several fields of one
// name, as a peer may send, the last counts.
func (s Signature) Diff(other Signature) []Difference {
	theirs := other.byName()
	var out []Difference
	for _, f := range s {
		if v, ok := theirs[f.Name]; !ok || v != f.Value {
			out = append(out, Difference{f.Name, f.Value, v})
		}
	}
	ours := s.byName()
	for _, f := range other {
		if _, ok := ours[f.Name]; !ok {
			out = append(out, Difference{f.Name, "", f.Value})
		}
	}
	return out
}

// byName indexes the fields.
func (s Signature) byName() map[string]string {
	out := make(map[string]string, len(s))
	for _, f := range s {
		out[f.Name] = f.Value
	}
	return out
}

// signature describes a complete model.
func (m *Model) signature() Signature {
	n := strconv.Itoa
	s := Signature{
		{"family", string(m.Family)}, {"form", string(m.Form)}, {"page_size", n(m.PageSize)}, {"layers", n(m.Layers)},
		{"next_n", n(m.NextN)}, {"draft", strconv.FormatBool(m.Draft)}, {"kv_heads", n(m.KVHeads)},
		{"window", n(m.Window)}, {"window_page", n(m.WindowPage)}, {"ring_stride", n(m.RingStride)},
		{"unified", strconv.FormatBool(m.Unified)}, {"ratios", ints(m.Ratios)},
	}
	for i, l := range m.lists(m.span(m.Whole()), 1) {
		for j, sec := range l.sections {
			name := fmt.Sprintf("list %d %s section %d", i, l.prefix, j)
			s = append(s, Field{name, fmt.Sprintf("%s rows=%d row=%d item=%d layers=%s",
				sec.kind, sec.shape.rows, sec.shape.rowLen, sec.shape.item, ints(sec.layers))})
		}
	}
	for _, f := range m.auxList() {
		s = append(s, Field{"aux " + f.name, strconv.FormatInt(f.item, 10)})
	}
	return s
}

// ints prints numbers with commas, runs of the same step shortened no further: lists of layers are short.
func ints(list []int) string {
	var b []byte
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return string(b)
}
