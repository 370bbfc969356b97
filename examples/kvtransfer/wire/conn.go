package wire

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// FrameTime is how long one frame may take, by default: SGLang's timeout for sends to a decode rank.
const FrameTime = 30 * time.Second

// skipLen is the size of the buffer that unwanted bytes are read into.
const skipLen = 64 << 10

// Conn is one connection between two ranks, after [Handshake]. One goroutine reads; any may write.
type Conn struct {
	conn  net.Conn
	raw   syscall.RawConn // nil where the connection is no socket
	frame time.Duration   // one frame's longest time
	read  atomic.Int64    // bytes read so far

	// Of the reading goroutine.
	head   [headerLen]byte
	body   []byte // table or message of the current frame
	copies []Copy
	skip   []byte
	reader scatterer

	// Of the writers.
	mu      sync.Mutex
	out     []byte // header and table, or header and message
	buffers [][]byte
}

// newConn wraps c. A frameTime of 0 takes FrameTime.
func newConn(c net.Conn, frameTime time.Duration) *Conn {
	if frameTime <= 0 {
		frameTime = FrameTime
	}
	w := &Conn{conn: c, frame: frameTime}
	if s, ok := c.(syscall.Conn); ok {
		// Without a raw connection reads go buffer by buffer: slower, not different.
		w.raw, _ = s.SyscallConn()
	}
	return w
}

// Peer is the address of the other side.
func (c *Conn) Peer() string { return c.conn.RemoteAddr().String() }

// Read is how many bytes have come in so far. A peer that sends bytes is alive, whatever they are.
func (c *Conn) Read() int64 { return c.read.Load() }

// Close closes the connection and so ends reads and writes that are under way.
func (c *Conn) Close() error { return c.conn.Close() }

// Next waits for the next frame, without limit, and returns its checked header. What follows must be taken with Body or with Table
// and then Into or Skip, before Next is called again.
func (c *Conn) Next() (Header, error) {
	_ = c.conn.SetReadDeadline(time.Time{}) // fails only on a closed connection, and then the read does, too
	n, err := c.conn.Read(c.head[:])
	c.read.Add(int64(n))
	if n == 0 && err != nil {
		if errors.Is(err, io.EOF) {
			return Header{}, ErrClosed
		}
		return Header{}, c.lost(receiving, err)
	}
	if n < headerLen {
		if err := c.fill(c.head[n:]); err != nil {
			return Header{}, err
		}
	}
	return parseHeader(&c.head)
}

// Body reads the body of a control frame and checks its sum. It stays valid until the next frame.
func (c *Conn) Body(h Header) ([]byte, error) {
	b := c.space(int(h.Length))
	if err := c.fill(b); err != nil {
		return nil, err
	}
	return checkBody(&c.head, h, b)
}

// Table reads the table of a data frame. It stays valid until the next frame.
func (c *Conn) Table(h Header) ([]Copy, error) {
	b := c.space(int(h.Count) * entryLen)
	if err := c.fill(b); err != nil {
		return nil, err
	}
	copies, err := parseTable(b, h, c.copies)
	if err == nil {
		c.copies = copies
	}
	return copies, err
}

// space returns n bytes of the body buffer. A large message must not keep its memory for the rest of a connection.
func (c *Conn) space(n int) []byte {
	if n > cap(c.body) || (cap(c.body) > maxControl && n <= maxControl) {
		c.body = make([]byte, n)
	}
	return c.body[:n]
}

// Into reads the bytes of a data frame straight into the buffers, in order. Where it fails the buffers hold what had come. The
// slices of buffers are shortened on the way.
func (c *Conn) Into(buffers [][]byte) error {
	c.deadline()
	if err := c.reader.read(c, buffers); err != nil {
		return c.lost(receiving, err)
	}
	return nil
}

// Skip reads n bytes of a frame and forgets them.
func (c *Conn) Skip(n int64) error {
	if c.skip == nil {
		c.skip = make([]byte, skipLen)
	}
	for n > 0 {
		b := c.skip[:min(n, skipLen)]
		if err := c.fill(b); err != nil {
			return err
		}
		n -= int64(len(b))
	}
	return nil
}

// fill reads all of b, within the time of a frame.
func (c *Conn) fill(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	c.deadline()
	n, err := io.ReadFull(c.conn, b)
	c.read.Add(int64(n))
	if err != nil {
		return c.lost(receiving, err)
	}
	return nil
}

// deadline gives the read that follows the time of a frame.
func (c *Conn) deadline() { _ = c.conn.SetReadDeadline(time.Now().Add(c.frame)) }

// What a connection was doing when it broke.
const (
	sending   = "sending"
	receiving = "receiving"
)

// lost says what a transport's error means.
func (c *Conn) lost(doing string, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &StallError{Doing: doing, Peer: c.Peer(), After: c.frame}
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // in the middle of a frame every end is unexpected
	}
	return &LostError{Doing: doing, Peer: c.Peer(), Cause: err}
}

// Send writes a control frame. After an error other than a *TooLargeError the connection is of no more use.
func (c *Conn) Send(m Message, id room.ID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = m.append(append(c.out[:0], make([]byte, headerLen)...))
	size := len(c.out) - headerLen + sumLen
	if limit := m.Type().limit(); uint64(size) > uint64(limit) {
		return &TooLargeError{Message: m.Type(), Bytes: size, Max: limit}
	}
	Header{Length: uint32(size), Type: m.Type(), Room: id}.append(c.out[:0])
	c.out = binary.LittleEndian.AppendUint32(c.out, crc32.Checksum(c.out, crc32.MakeTable(crc32.Castagnoli)))
	_ = c.conn.SetWriteDeadline(time.Now().Add(c.frame))
	_, err := c.conn.Write(c.out)
	if cap(c.out) > maxControl {
		c.out = nil
	}
	if err != nil {
		return c.lost(sending, err)
	}
	return nil
}

// SendData writes a data frame: the bytes of src, which the copies describe one by one, are handed to the kernel where they lie.
// The lengths must agree, and be within MaxCopies and MaxData. After an error the connection is of no more use.
func (c *Conn) SendData(t Type, id room.ID, copies []Copy, src [][]byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := Header{Type: t, Count: uint16(len(copies)), Length: uint32(len(copies) * entryLen), Room: id}
	for _, cp := range copies {
		h.Length += cp.Length
	}
	c.out = h.append(c.out[:0])
	for _, cp := range copies {
		c.out = cp.append(c.out)
	}
	c.buffers = append(append(c.buffers[:0], c.out), src...)
	_ = c.conn.SetWriteDeadline(time.Now().Add(c.frame))
	vector := net.Buffers(c.buffers)
	_, err := vector.WriteTo(c.conn)
	clear(c.buffers) // the pool's memory must not be held by a connection at rest
	if err != nil {
		return c.lost(sending, err)
	}
	return nil
}
