package wire

import (
	"encoding/binary"
	"hash/crc32"
)

// sumLen is the length of the sum at the end of a control frame.
const sumLen = 4

// checkBody holds the body of a control frame to the sum at its end and returns what is before it. The sum covers the header as
// well: a message about the wrong room is as wrong as a wrong message. The error is a *FrameSumError.
func checkBody(head *[headerLen]byte, h Header, body []byte) ([]byte, error) {
	n := len(body) - sumLen
	if n < 0 {
		return nil, &TruncatedError{Message: h.Type, Field: "sum", Need: sumLen, Have: len(body)}
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	got := crc32.Update(crc32.Checksum(head[:], table), table, body[:n])
	if want := binary.LittleEndian.Uint32(body[n:]); got != want {
		return nil, &FrameSumError{Type: h.Type, Want: want, Got: got}
	}
	return body[:n], nil
}

// Sum is the running checksum of what a room's data frames put where: CRC-32C over every copy's table entry and bytes. Entries are
// part of it because bytes in the wrong place are as wrong as wrong bytes. How copies are divided into frames makes no difference
// as long as the copies are the same.
type Sum uint32

// Add continues the sum with one copy.
func (s *Sum) Add(c Copy, data []byte) {
	var entry [entryLen]byte
	// MakeTable returns the package's own table for this polynomial, with the instruction that the processor has for it.
	table := crc32.MakeTable(crc32.Castagnoli)
	v := crc32.Update(uint32(*s), table, c.append(entry[:0]))
	*s = Sum(crc32.Update(v, table, data))
}
