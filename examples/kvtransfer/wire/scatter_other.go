//go:build !linux

package wire

// scatterer reads buffer by buffer where the system has no scattered read that this package uses.
type scatterer struct{}

// read fills the buffers from c.
func (s *scatterer) read(c *Conn, buffers [][]byte) error { return c.readEach(buffers) }
