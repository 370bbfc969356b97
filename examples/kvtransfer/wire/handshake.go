package wire

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"time"
)

// Role is what a side of a connection is.
type Role uint8

// The roles.
const (
	RolePrefill Role = iota + 1 // owns pages and writes them
	RoleDecode                  // asks for pages and receives them
)

// MaxName bounds names of sessions, in bytes.
const MaxName = 128

// Hello is the first frame of either side.
type Hello struct {
	Role Role
	// Session names this life of the rank: a rank that restarts has a new one.
	Session string
	Rank    uint32 // its number in its engine
}

// Type is TypeHello.
func (*Hello) Type() Type { return TypeHello }

func (m *Hello) append(b []byte) []byte {
	b = append(b, byte(m.Role))
	b = appendText(b, m.Session, MaxName)
	return binary.LittleEndian.AppendUint32(b, m.Rank)
}

// ParseHello reads the body of a HELLO frame.
func ParseHello(body []byte) (*Hello, error) {
	d := &decoder{of: TypeHello, rest: body}
	m := &Hello{Role: Role(d.u8("role")), Session: d.text("session", MaxName), Rank: d.u32("rank")}
	if m.Role != RolePrefill && m.Role != RoleDecode {
		d.refuse("role", int64(m.Role))
	}
	return m, d.end()
}

// preface returns the bytes that either side begins with, before its version.
func preface() [4]byte { return [4]byte{'k', 'v', 't', 'r'} }

// Handshake exchanges prefaces and HELLO frames and returns the connection ready for use. Each side sends first and reads then,
// so it does not matter who dialled. It takes at most frameTime, which then bounds every frame; 0 takes FrameTime. Where it
// fails the connection is closed. Errors are *PrefaceError, *VersionError and those of reading and writing.
func Handshake(c net.Conn, own Hello, frameTime time.Duration) (*Conn, *Hello, error) {
	w := newConn(c, frameTime)
	theirs, err := w.greet(own)
	if err != nil {
		_ = c.Close()
		return nil, nil, err
	}
	return w, theirs, nil
}

// greet does the work of Handshake.
func (c *Conn) greet(own Hello) (*Hello, error) {
	c.deadline()
	_ = c.conn.SetWriteDeadline(time.Now().Add(c.frame))
	magic := preface()
	first := append([]byte(nil), magic[:]...)
	first = binary.LittleEndian.AppendUint16(first, Version)
	first = append(first, 0, 0)
	if _, err := c.conn.Write(first); err != nil {
		return nil, c.lost(sending, err)
	}
	var got [8]byte
	if n, err := io.ReadFull(c.conn, got[:]); err != nil {
		// A peer that says something else and hangs up is better known by what it said.
		if n > 0 && !bytes.HasPrefix(magic[:], got[:min(n, 4)]) {
			return nil, &PrefaceError{Got: got[:n]}
		}
		return nil, c.lost(receiving, err)
	}
	if [4]byte(got[:4]) != magic || got[6] != 0 || got[7] != 0 {
		return nil, &PrefaceError{Got: got[:]}
	}
	if v := binary.LittleEndian.Uint16(got[4:]); v != Version {
		return nil, &VersionError{Ours: Version, Theirs: v}
	}
	if err := c.Send(&own, 0); err != nil {
		return nil, err
	}
	return c.readHello()
}

// readHello reads the peer's first frame.
func (c *Conn) readHello() (*Hello, error) {
	if err := c.fill(c.head[:]); err != nil {
		return nil, err
	}
	h, err := parseHeader(&c.head)
	if err != nil {
		return nil, err
	}
	if h.Type != TypeHello {
		return nil, &UnexpectedError{Got: h.Type, When: "its HELLO was awaited"}
	}
	body, err := c.Body(h)
	if err != nil {
		return nil, err
	}
	return ParseHello(body)
}
