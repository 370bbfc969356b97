package prefill

import (
	"fmt"
	"sync"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/plan"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// session is one connection from another rank: a decode rank, or the previous rank of the ring.
type session struct {
	e     *Engine
	conn  *wire.Conn
	hello *wire.Hello
	queue *queue

	// Of the reader, which sets it before any job can exist.
	pairing *plan.Pairing
	dcp     dcp.Place

	once sync.Once
	done chan struct{} // closed when the session has ended
}

func newSession(e *Engine, conn *wire.Conn, hello *wire.Hello) *session {
	return &session{e: e, conn: conn, hello: hello, queue: newQueue(), done: make(chan struct{})}
}

// name says who the peer is, for messages.
func (s *session) name() string {
	return fmt.Sprintf("%s rank %d at %s", s.hello.Session, s.hello.Rank, s.conn.Peer())
}

// run serves the connection until it ends.
func (s *session) run() {
	var sender sync.WaitGroup
	sender.Go(s.send)
	err := s.read()
	s.e.cfg.Log.Info("session ended", "peer", s.name(), "why", err)
	s.close(err)
	sender.Wait()
}

// close ends the session: its jobs are dropped, and the rooms that use it fail.
func (s *session) close(err error) {
	s.once.Do(func() {
		_ = s.conn.Close()
		close(s.done)
		reason := &SessionError{Peer: s.name(), Cause: err}
		s.e.failPeer(s, reason)
		s.queue.close(reason)
	})
}

// send does the jobs, one at a time.
func (s *session) send() {
	for {
		j, ok := s.queue.pop()
		if !ok {
			return
		}
		if err := j.run(); err != nil {
			s.close(err)
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
			return &wire.UnexpectedError{Got: h.Type, When: "it may only receive data"}
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

// take acts on one control frame. An error ends the session.
func (s *session) take(h wire.Header, body []byte) error {
	if s.hello.Role == wire.RolePrefill && h.Type != wire.TypeConsensus && h.Type != wire.TypePing {
		return &wire.UnexpectedError{Got: h.Type, When: "it belongs to this engine's ring"}
	}
	switch h.Type {
	case wire.TypePing:
		return s.conn.Send(&wire.Pong{}, 0)
	case wire.TypeRegister:
		return s.register(body)
	case wire.TypeInfo:
		m, err := wire.ParseInfo(body)
		if err != nil {
			return err
		}
		if s.pairing == nil {
			return ErrNotRegistered
		}
		s.e.inform(s, h.Room, m)
		return nil
	case wire.TypeAbort:
		m, err := wire.ParseAbort(body)
		if err != nil {
			return err
		}
		s.e.aborted(s, h.Room, m.Attempt)
		return nil
	case wire.TypeConsensus:
		return s.consensus(body)
	}
	return &wire.UnexpectedError{Got: h.Type, When: "this side was waiting for rooms"}
}

// register pairs the peer's layout with this rank's. Where they do not pair the peer is told why, and the session ends.
func (s *session) register(body []byte) error {
	if s.pairing != nil {
		return ErrRegisteredTwice
	}
	m, err := wire.ParseRegister(body)
	if err == nil {
		s.pairing, err = plan.Pair(s.e.pool, m.Pool, plan.Options{
			Rule: s.e.cfg.Rule, Mode: s.e.cfg.Mode, Stages: s.e.cfg.Sizes.PP, DstDCP: m.DCP,
		})
	}
	if err != nil {
		s.e.cfg.Log.Error("layout refused", "peer", s.name(), "err", err)
		_ = s.conn.Send(&wire.Refused{Reason: err.Error()}, 0) // the session ends anyway
		return err
	}
	s.dcp = m.DCP
	return s.conn.Send(&wire.Registered{Sender: uint32(s.e.cfg.sender())}, 0)
}

// consensus takes a ballot of the previous rank.
func (s *session) consensus(body []byte) error {
	if s.hello.Role != wire.RolePrefill {
		return &wire.UnexpectedError{Got: wire.TypeConsensus, When: "only prefill ranks may send ballots"}
	}
	m, err := wire.ParseBallot(body)
	if err != nil {
		return err
	}
	s.e.ring.member.Receive(m.Message)
	return nil
}

// tell queues a message about a room, behind the jobs that are queued, or in front of them.
func (s *session) tell(id room.ID, m wire.Message, first bool) {
	s.queue.push(job{run: func() error { return s.conn.Send(m, id) }, drop: func(error) {}}, first)
}
