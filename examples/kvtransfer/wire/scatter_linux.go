package wire

import (
	"io"

	"golang.org/x/sys/unix"
)

// Bounds of one scattered read. More would be built anew for every call, since the kernel rarely has more bytes at hand.
const (
	scatterBuffers = 128
	scatterBytes   = 4 << 20
)

// scatterer reads from a socket into many buffers with few calls. It keeps what a call needs, so that calls allocate little.
type scatterer struct {
	buffers [][]byte // what is still to be filled; the first may be partly so
	window  [][]byte
	n       int
	err     error
	try     func(fd uintptr) bool
}

// read fills the buffers from c. The slices of buffers are consumed.
func (s *scatterer) read(c *Conn, buffers [][]byte) error {
	if c.raw == nil {
		return c.readEach(buffers)
	}
	if s.try == nil {
		s.try = s.attempt
	}
	s.buffers = buffers
	for len(s.buffers) > 0 {
		s.aim()
		err := c.raw.Read(s.try)
		if err == nil {
			err = s.err
		}
		if err == nil && s.n == 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		c.read.Add(int64(s.n))
		s.advance(s.n)
	}
	clear(s.window)
	return nil
}

// aim chooses the buffers of the next call.
func (s *scatterer) aim() {
	s.window = s.window[:0]
	size := 0
	for _, b := range s.buffers {
		if len(s.window) == scatterBuffers || size >= scatterBytes {
			break
		}
		s.window = append(s.window, b)
		size += len(b)
	}
}

// attempt makes one call; false asks the poller to wait until the socket has bytes.
func (s *scatterer) attempt(fd uintptr) bool {
	for {
		s.n, s.err = unix.Readv(int(fd), s.window)
		if s.err != unix.EINTR {
			return s.err != unix.EAGAIN
		}
	}
}

// advance takes n bytes off the front of what is to be filled.
func (s *scatterer) advance(n int) {
	for n > 0 {
		if first := s.buffers[0]; n < len(first) {
			s.buffers[0] = first[n:]
			return
		}
		n -= len(s.buffers[0])
		s.buffers = s.buffers[1:]
	}
}
