package wire

import "hash/crc32"

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
