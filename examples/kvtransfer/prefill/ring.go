package prefill

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/consensus"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// dialTime bounds a connection attempt to another rank.
const dialTime = 2 * time.Second

// ring is this rank's place among the ranks of its engine: the consensus, and the connection to the next rank. The connection
// from the previous one is a session like any other.
type ring struct {
	e      *Engine
	member consensus.Member
	down   *backoff.Tracker

	mu   sync.Mutex
	conn *wire.Conn // nil while there is none
}

func newRing(e *Engine) *ring {
	r := &ring{e: e, down: backoff.NewTracker(backoff.Session(), nil)}
	r.member.Index, r.member.Size = e.cfg.sender(), e.cfg.ring()
	r.member.Vote, r.member.Act, r.member.Send, r.member.Open = e.vote, e.act, r.send, e.open
	return r
}

// open tells whether this rank has rooms.
func (e *Engine) open() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.requests) > 0
}

// vote is what this rank says about its rooms.
func (e *Engine) vote() consensus.Ballot {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b consensus.Ballot
	for id, r := range e.requests {
		state, _ := e.rooms.State(id)
		r.mu.Lock()
		drained := r.drained
		r.mu.Unlock()
		switch {
		case state == room.WaitingForInput && !r.start.isSet():
			b.Ready = append(b.Ready, id)
		case state == room.Failed:
			b.Failed = append(b.Failed, id)
		}
		if state.Terminal() && drained {
			b.Done = append(b.Done, id)
		}
	}
	return b
}

// act carries out what all ranks agree on. Rooms that this rank does not have are left alone: whoever has them says so again in
// the next round.
func (e *Engine) act(b consensus.Ballot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range b.Failed {
		if e.requests[id] != nil {
			e.rooms.Fail(id, ErrElsewhere)
		}
	}
	for _, id := range b.Ready {
		if r := e.requests[id]; r != nil {
			r.start.set()
		}
	}
	for _, id := range b.Done {
		if r := e.requests[id]; r != nil {
			r.conclude.set()
		}
	}
}

// send passes a message to the next rank, connecting to it first where need be.
func (r *ring) send(m consensus.Message) error {
	conn, err := r.link()
	if err != nil {
		return err
	}
	if err = conn.Send(&wire.Ballot{Message: m}, 0); err != nil {
		r.lose(conn)
	}
	return err
}

// link returns the connection to the next rank. While that cannot be had it fails fast, by the pauses of a tracker.
func (r *ring) link() (*wire.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != nil {
		return r.conn, nil
	}
	next := r.next()
	if err := r.down.Allow(nextRank); err != nil {
		return nil, err
	}
	conn, err := r.dial(next)
	if err != nil {
		r.down.Fail(nextRank, err)
		return nil, err
	}
	r.down.Clear(nextRank)
	r.conn = conn
	// The next rank says nothing here, so reading only notices the end of the connection.
	r.e.wg.Go(func() {
		for {
			if _, err := conn.Next(); err != nil {
				r.lose(conn)
				return
			}
		}
	})
	return conn, nil
}

// nextRank is the tracker's name for the next rank, of which there is one.
const nextRank = "next"

// next is the place of the rank behind this one. The last one's next is the first.
func (r *ring) next() bootstrap.RankKey {
	s := r.e.cfg.Sizes
	n := (r.member.Index + 1) % r.member.Size
	return bootstrap.RankKey{DP: r.e.cfg.DPRank, TP: n / (s.PP * s.CP), PP: n / s.CP % s.PP, CP: n % s.CP}
}

// dial connects to a rank of the engine, wherever the bootstrap server says it is now. The error is a *RingError.
func (r *ring) dial(k bootstrap.RankKey) (*wire.Conn, error) {
	ctx, cancel := context.WithTimeout(r.e.ctx, dialTime)
	defer cancel()
	info, err := r.e.client.Rank(ctx, r.e.cfg.Bootstrap, k)
	if err != nil {
		return nil, &RingError{Next: nextRank, Cause: err}
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", info.Addr())
	if err != nil {
		return nil, &RingError{Next: info.Addr(), Cause: err}
	}
	conn, _, err := wire.Handshake(r.e.cfg.Wrap(c), r.e.hello(), min(dialTime, r.e.cfg.FrameTime))
	if err != nil {
		return nil, &RingError{Next: info.Addr(), Cause: err}
	}
	return conn, nil
}

// lose drops a connection that broke.
func (r *ring) lose(conn *wire.Conn) {
	_ = conn.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn == conn {
		r.conn = nil
	}
}

// close ends the connection for good.
func (r *ring) close() {
	r.mu.Lock()
	conn := r.conn
	r.mu.Unlock()
	if conn != nil {
		r.lose(conn)
	}
}
