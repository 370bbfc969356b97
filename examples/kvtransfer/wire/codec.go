package wire

import "encoding/binary"

// Message is the body of a control frame.
type Message interface {
	// Type is the type of its frame.
	Type() Type
	// append adds the encoded message to b.
	append(b []byte) []byte
}

// decoder reads the fields of a message. The first fault sticks; after it every field reads as zero.
type decoder struct {
	of   Type
	rest []byte
	err  error
}

// take returns the next n bytes, or nil with a *TruncatedError on record.
func (d *decoder) take(field string, n int) []byte {
	if d.err != nil {
		return nil
	}
	if n > len(d.rest) {
		d.err = &TruncatedError{Message: d.of, Field: field, Need: n, Have: len(d.rest)}
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) u8(field string) uint8 {
	if b := d.take(field, 1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) u32(field string) uint32 {
	if b := d.take(field, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) u64(field string) uint64 {
	if b := d.take(field, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// bool reads one byte that must be 0 or 1.
func (d *decoder) bool(field string) bool {
	v := d.u8(field)
	if v > 1 {
		d.refuse(field, int64(v))
	}
	return v == 1
}

// text reads a length and that many bytes, at most max of them.
func (d *decoder) text(field string, max int) string {
	n := d.u32(field)
	if uint64(n) > uint64(max) {
		d.refuse(field, int64(n))
		return ""
	}
	return string(d.take(field, int(n)))
}

// count reads the length of a list whose elements take size bytes each. It holds it against the bytes that are left, so that
// a list is never allocated for elements that cannot be there.
func (d *decoder) count(field string, size int) int {
	n := d.u32(field)
	if d.err == nil && uint64(n)*uint64(size) > uint64(len(d.rest)) {
		d.err = &TruncatedError{Message: d.of, Field: field, Need: int(n) * size, Have: len(d.rest)}
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}

// refuse records a value that the field cannot have.
func (d *decoder) refuse(field string, v int64) {
	if d.err == nil {
		d.err = &ValueError{Message: d.of, Field: field, Value: v}
	}
}

// end returns the first fault, or a *TrailingError where bytes are left.
func (d *decoder) end() error {
	if d.err == nil && len(d.rest) > 0 {
		d.err = &TrailingError{Message: d.of, Bytes: len(d.rest)}
	}
	return d.err
}

// appendText adds a length and the bytes of s, cut to max.
func appendText(b []byte, s string, max int) []byte {
	s = s[:min(len(s), max)]
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// appendBool adds 0 or 1.
func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}
