package wire

import "io"

// readEach fills the buffers one after the other and returns how many bytes it read.
func readEach(r io.Reader, buffers [][]byte) (int64, error) {
	var total int64
	for _, b := range buffers {
		n, err := io.ReadFull(r, b)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
