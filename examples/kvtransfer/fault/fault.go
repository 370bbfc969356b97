// Package fault breaks connections on purpose: it stalls, cuts, slows or corrupts what one side writes.
//
// An [Injector] wraps the connections of an engine. [Injector.Arm] prepares one fault; the first connection that writes past its mark
// suffers it. Without an armed fault bytes pass unchanged.
package fault

import (
	"net"
	"sync"
	"time"
)

// Kind is what happens.
type Kind int

// The kinds.
const (
	Stall Kind = iota // nothing is written until the fault is lifted, or its time is over
	Cut               // the connection breaks
	Slow              // bytes trickle until the fault is lifted, or its time is over
	Flip              // one bit of one byte is wrong
)

// String names the kind.
func (k Kind) String() string {
	switch k {
	case Stall:
		return "stall"
	case Cut:
		return "cut"
	case Slow:
		return "slow"
	}
	return "flip"
}

// Fault is one of them.
type Fault struct {
	Kind Kind
	// After is how many bytes a connection writes, from now on, before it happens. Connections count by themselves.
	After int64
	// For is how long a Stall or Slow lasts; 0 until it is lifted.
	For time.Duration
}

// trickle is how fast bytes pass while slowed: so many at a time, with such a pause between.
const (
	trickleBytes = 4 << 10
	tricklePause = time.Millisecond
)

// Armed is a fault that waits for its victim or has found it.
type Armed struct {
	Fault
	hit    chan struct{}
	lifted chan struct{}
	once   sync.Once
	start  map[*conn]int64 // what each connection had written when first seen; the injector's mutex guards it
}

// Hit is closed when the fault happens.
func (a *Armed) Hit() <-chan struct{} { return a.hit }

// Lift ends a Stall or Slow, and takes back a fault that has not happened.
func (a *Armed) Lift() { a.once.Do(func() { close(a.lifted) }) }

// Injector wraps connections. Its zero value is ready; it is safe for concurrent use.
type Injector struct {
	mu    sync.Mutex
	armed *Armed
}

// Arm prepares a fault, in place of one that has not happened yet.
func (i *Injector) Arm(f Fault) *Armed {
	a := &Armed{Fault: f, hit: make(chan struct{}), lifted: make(chan struct{}), start: make(map[*conn]int64)}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.armed != nil {
		i.armed.Lift()
	}
	i.armed = a
	return a
}

// Wrap makes a connection one that can suffer.
func (i *Injector) Wrap(c net.Conn) net.Conn {
	return &conn{Conn: c, of: i, closed: make(chan struct{})}
}

// conn is a wrapped connection.
type conn struct {
	net.Conn
	of     *Injector
	wrote  int64 // of the writer
	once   sync.Once
	closed chan struct{}
}

// Close closes the connection and ends what it suffers.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Write passes bytes on, up to the mark of the armed fault, and then lets the fault happen.
func (c *conn) Write(b []byte) (int, error) {
	a, mark := c.of.victim(c, int64(len(b)))
	if a == nil {
		return c.pass(b)
	}
	n, err := c.pass(b[:mark])
	if err != nil {
		return n, err
	}
	close(a.hit)
	more, err := c.suffer(a, b[mark:])
	return n + more, err
}

// pass writes bytes as they are.
func (c *conn) pass(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.wrote += int64(n)
	return n, err
}

// victim returns the armed fault where c reaches its mark within its next n bytes, and how many of these come before the mark.
func (i *Injector) victim(c *conn, n int64) (*Armed, int64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	a := i.armed
	if a == nil {
		return nil, 0
	}
	select {
	case <-a.lifted:
		i.armed = nil
		return nil, 0
	default:
	}
	if _, ok := a.start[c]; !ok {
		a.start[c] = c.wrote
	}
	mark := a.start[c] + a.After - c.wrote
	if mark >= n || mark < 0 {
		return nil, 0
	}
	i.armed = nil
	return a, mark
}

// suffer lets the fault happen to the bytes behind the mark.
func (c *conn) suffer(a *Armed, b []byte) (int, error) {
	switch a.Kind {
	case Cut:
		_ = c.Close()
		return 0, net.ErrClosed
	case Flip:
		bad := append([]byte(nil), b...)
		bad[0] ^= 1 << 4
		return c.pass(bad)
	}
	var over <-chan time.Time
	if a.For > 0 {
		timer := time.NewTimer(a.For)
		defer timer.Stop()
		over = timer.C
	}
	if a.Kind == Slow {
		return c.slowly(a, over, b)
	}
	select {
	case <-over:
	case <-a.lifted:
	case <-c.closed:
		return 0, net.ErrClosed
	}
	return c.pass(b)
}

// slowly writes bytes with pauses until the fault is over.
func (c *conn) slowly(a *Armed, over <-chan time.Time, b []byte) (int, error) {
	done := 0
	for len(b) > 0 {
		n, err := c.pass(b[:min(len(b), trickleBytes)])
		if done += n; err != nil {
			return done, err
		}
		b = b[n:]
		select {
		case <-time.After(tricklePause):
			continue
		case <-over:
		case <-a.lifted:
		case <-c.closed:
			return done, net.ErrClosed
		}
		n, err = c.pass(b)
		return done + n, err
	}
	return done, nil
}
