package pages

// RingRows is the rows of a request's ring that hold the last window positions of a sequence, in the order of the positions:
// position p is row p mod stride of the slot.
func RingRows(slot, stride, tokens, window int) []int32 {
	first := max(0, tokens-window)
	rows := make([]int32, 0, tokens-first)
	for p := first; p < tokens; p++ {
		rows = append(rows, int32(slot*stride+p%stride))
	}
	return rows
}

// block is how many positions a 128:1 compressor takes in before it puts out a row.
const block = 128

// C128State is the item of 128:1 state that a request needs: none at the end of a block, since the compressor has put out all; else the
// request's slot where one running row is kept (online), or the page of the ring that the last position lies on. The ring
// is in positions. tokens is the whole prompt, whatever of it was prefilled here. A ring that is not whole blocks is a *RingError.
func C128State(slot, tokens, ring int, online bool) ([]int32, error) {
	switch {
	case tokens%block == 0:
		return nil, nil
	case online:
		return []int32{int32(slot)}, nil
	case ring <= 0 || ring%block != 0:
		return nil, &RingError{ring}
	}
	return []int32{int32(slot*(ring/block) + (tokens-1)%ring/block)}, nil
}
