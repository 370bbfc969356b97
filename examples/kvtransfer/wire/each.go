package wire

import "io"

// readEach fills the buffers one after the other.
func (c *Conn) readEach(buffers [][]byte) error {
	for _, b := range buffers {
		n, err := io.ReadFull(c.conn, b)
		c.read.Add(int64(n))
		if err != nil {
			return err
		}
	}
	return nil
}
