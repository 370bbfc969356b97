package decode

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// sessionKey names a connection: a prefill rank's address, and which of several connections to it.
type sessionKey struct {
	addr string
	lane int
}

// dialled is a session in the making. The fields are settled when ready is closed; one of them is nil then.
type dialled struct {
	ready chan struct{}
	s     *session
	err   error
}

// session is one connection to a prefill rank that has taken this rank's layout.
type session struct {
	e      *Engine
	key    sessionKey
	server string // bootstrap address by which it was found
	conn   *wire.Conn

	once sync.Once
	over chan struct{} // closed when close has been called
	done chan struct{} // closed when the reader has ended: after it nothing writes to the pool
	err  error         // why it ended; settled when over is closed

	places [][]byte // of the reader: where the bytes of a frame go
}

// connect returns the connection for a key, making it first where need be. Requests that want the same one share the attempt. A rank
// that failed lately is not tried: *backoff.DownError. Other errors are a *ConnectError, a *RefusedError, or that of ctx.
func (e *Engine) connect(ctx context.Context, server string, key sessionKey) (*session, error) {
	e.mu.Lock()
	d, ok := e.sessions[key]
	if !ok {
		if err := e.down.Allow(key.addr); err != nil {
			e.mu.Unlock()
			return nil, err
		}
		if e.ctx.Err() != nil {
			e.mu.Unlock()
			return nil, ErrClosed
		}
		d = &dialled{ready: make(chan struct{})}
		e.sessions[key] = d
		e.wg.Go(func() { e.dial(server, key, d) })
	}
	e.mu.Unlock()
	select {
	case <-d.ready:
		return d.s, d.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// dial settles d, and then serves the session until it ends. It belongs to all who wait for it, and so has a context of its own.
func (e *Engine) dial(server string, key sessionKey, d *dialled) {
	s := &session{e: e, key: key, server: server, over: make(chan struct{}), done: make(chan struct{})}
	err := s.open()
	if err != nil {
		e.down.Fail(key.addr, err)
		e.directory.Forget(server) // the rank may have moved
		e.mu.Lock()
		delete(e.sessions, key)
		e.mu.Unlock()
		d.err = err
		close(d.ready)
		return
	}
	e.down.Clear(key.addr)
	d.s = s
	close(d.ready)
	s.run()
}

// open connects and registers.
func (s *session) open() error {
	limit := min(s.e.cfg.FrameTime, 10*time.Second)
	ctx, cancel := context.WithTimeout(s.e.ctx, limit)
	defer cancel()
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", s.key.addr)
	if err != nil {
		return &ConnectError{Peer: s.key.addr, Cause: err}
	}
	c = s.e.cfg.Wrap(c)
	// The handshake and the registration end with the context: by closing the connection under them.
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	s.conn, err = s.greet(c)
	if !stop() && err == nil {
		err = &ConnectError{Peer: s.key.addr, Cause: context.Cause(ctx)}
	}
	if err != nil {
		_ = c.Close()
	}
	return err
}

// greet shakes hands and registers this rank's layout.
func (s *session) greet(c net.Conn) (*wire.Conn, error) {
	conn, _, err := wire.Handshake(c, wire.Hello{Role: wire.RoleDecode, Session: s.e.session, Rank: s.e.rank()}, s.e.cfg.FrameTime)
	if err != nil {
		return nil, &ConnectError{Peer: s.key.addr, Cause: err}
	}
	if err := conn.Send(&wire.Register{Pool: s.e.pool, DCP: s.e.cfg.DCP}, 0); err != nil {
		return nil, &ConnectError{Peer: s.key.addr, Cause: err}
	}
	return conn, s.registered(conn)
}

// rank is this rank's number in its engine.
func (e *Engine) rank() uint32 { return uint32(e.cfg.PPRank*e.cfg.Sizes.TP + e.cfg.TPRank) }

// registered reads the answer to the registration.
func (s *session) registered(conn *wire.Conn) error {
	h, err := conn.Next()
	if err != nil {
		return &ConnectError{Peer: s.key.addr, Cause: err}
	}
	if h.Type != wire.TypeRegistered && h.Type != wire.TypeRefused {
		return &ConnectError{Peer: s.key.addr, Cause: &wire.UnexpectedError{Got: h.Type, When: "this side's layout awaited an answer"}}
	}
	body, err := conn.Body(h)
	if err != nil {
		return &ConnectError{Peer: s.key.addr, Cause: err}
	}
	if h.Type == wire.TypeRefused {
		m, err := wire.ParseRefused(body)
		if err != nil {
			return &ConnectError{Peer: s.key.addr, Cause: err}
		}
		return &RefusedError{Peer: s.key.addr, Reason: m.Reason}
	}
	if _, err := wire.ParseRegistered(body); err != nil {
		return &ConnectError{Peer: s.key.addr, Cause: err}
	}
	return nil
}

// run serves the connection until it ends.
func (s *session) run() {
	var beat sync.WaitGroup
	beat.Go(s.heartbeat)
	err := s.read()
	s.close(err)
	close(s.done)
	s.e.cfg.Log.Info("session ended", "peer", s.key.addr, "why", s.err)
	beat.Wait()
}

// close ends the session and fails the rooms that still await something from it. Bytes may land in the pool until done is closed.
func (s *session) close(err error) {
	s.once.Do(func() {
		s.err = err
		_ = s.conn.Close()
		e := s.e
		e.mu.Lock()
		delete(e.sessions, s.key)
		var affected []*Transfer
		for _, t := range e.requests {
			affected = append(affected, t)
		}
		e.mu.Unlock()
		close(s.over)
		if !errors.Is(err, ErrClosed) {
			e.down.Fail(s.key.addr, err)
			e.directory.Forget(s.server)
		}
		for _, t := range affected {
			t.lost(s, err)
		}
	})
}

// heartbeat asks the peer whether it is there, and gives it up when it stays silent. Whatever comes counts as an answer: on a busy
// connection the answer itself may be far behind.
func (s *session) heartbeat() {
	tick := time.NewTicker(s.e.cfg.Heartbeat)
	defer tick.Stop()
	misses, seen := 0, int64(-1)
	for {
		select {
		case <-s.over:
			return
		case <-tick.C:
		}
		if now := s.conn.Read(); now != seen {
			misses, seen = 0, now
		} else if misses++; misses >= s.e.cfg.Misses {
			s.close(&HeartbeatError{Misses: misses, Interval: s.e.cfg.Heartbeat})
			return
		}
		if err := s.conn.Send(&wire.Ping{}, 0); err != nil {
			s.close(err)
			return
		}
	}
}

// read takes frames until one breaks the rules or the connection ends.
func (s *session) read() error {
	for {
		h, err := s.conn.Next()
		if err != nil {
			return err
		}
		if h.Type.Data() {
			if err := s.data(h); err != nil {
				return err
			}
			continue
		}
		body, err := s.conn.Body(h)
		if err != nil {
			return err
		}
		if err := s.take(h, body); err != nil {
			return err
		}
	}
}

// take acts on one control frame. Frames about rooms that are gone are late, and mean nothing any more.
func (s *session) take(h wire.Header, body []byte) error {
	switch h.Type {
	case wire.TypePong:
		return nil
	case wire.TypePing:
		return s.conn.Send(&wire.Pong{}, 0)
	case wire.TypeStatus:
		m, err := wire.ParseStatus(body)
		if err != nil {
			return err
		}
		if t := s.e.find(h.Room); t != nil {
			t.report(s, m)
		}
		return nil
	case wire.TypeAbortAck:
		m, err := wire.ParseAbortAck(body)
		if err != nil {
			return err
		}
		if t := s.e.find(h.Room); t != nil {
			t.acknowledged(s, m.Attempt)
		}
		return nil
	}
	return &wire.UnexpectedError{Got: h.Type, When: "this side was waiting for rooms"}
}
