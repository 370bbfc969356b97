//go:build !linux

package wire

// scatterer reads buffer by buffer where the system has no scattered read that this package uses.
type scatterer struct{}

// read fills the buffers from c and returns how many bytes it read.
func (s *scatterer) read(c *Conn, buffers [][]byte) (int64, error) { return readEach(c.conn, buffers) }
