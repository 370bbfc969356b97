package syntax

import "bytes"

// rowBlock is how many bytes of a text one entry of its rowIndex covers: a count of line ends in it takes about 20 ns.
const rowBlock = 512

// rowIndex holds, for each block of a text, the number of line ends before it. So rows are found at a small and fixed cost, for
// less than a hundredth of the text's size, also where the text is nothing but lines.
type rowIndex []uint32

// indexRows makes the index of a text in the parser's buffer.
func (p *Parser) indexRows(src []byte) rowIndex {
	rows, row := p.rows[:0], uint32(0)
	for at := 0; at < len(src); at += rowBlock {
		rows = append(rows, row)
		row += uint32(bytes.Count(src[at:min(at+rowBlock, len(src))], []byte{'\n'}))
	}
	p.rows = rows
	return rows
}

// at is the 0-based row of a byte of src, which the index is of; behind the end, that of the end.
func (r rowIndex) at(src []byte, offset uint32) uint32 {
	if len(r) == 0 {
		return 0
	}
	block := min(int(offset)/rowBlock, len(r)-1)
	return r[block] + uint32(bytes.Count(src[block*rowBlock:min(int(offset), len(src))], []byte{'\n'}))
}
