package decode

import (
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// lost fails the transfer where a session that ended still owed it something.
func (t *Transfer) lost(s *session, cause error) {
	t.mu.Lock()
	p := t.parties[s]
	owes := p != nil && !p.over
	t.mu.Unlock()
	if owes {
		t.e.rooms.Fail(t.req.Room, &LostError{Peer: s.key.addr, Cause: cause})
	}
}

// acknowledged takes a party's answer to an abort. Only the answer to this transfer's own abort counts.
func (t *Transfer) acknowledged(s *session, attempt uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.parties[s]; p != nil && p.aborting && attempt == t.attempt {
		t.settle(p)
	}
}

// withdraw ends a failed transfer with every party that may still write for it. When it returns no byte of the transfer will reach
// the pool any more: each party has reported or acknowledged the abort, or its connection has ended, by itself or because the
// answer took too long. With EarlyRelease it does not wait.
func (t *Transfer) withdraw() {
	open := t.unsettled()
	for _, p := range open {
		if err := p.s.conn.Send(&wire.Abort{Attempt: t.attempt}, t.req.Room); err != nil {
			p.s.close(err)
		}
	}
	if t.e.cfg.EarlyRelease {
		return
	}
	limit := time.NewTimer(t.e.cfg.AckTime)
	defer limit.Stop()
	for _, p := range open {
		select {
		case <-p.settled:
		case <-p.s.done:
		case <-limit.C:
			t.cutOff(open)
		}
	}
}

// cutOff disconnects the parties that have not answered, and returns when their connections have ended.
func (t *Transfer) cutOff(open []*party) {
	for _, p := range open {
		select {
		case <-p.settled:
		default:
			p.s.close(&AckError{Room: t.req.Room, After: t.e.cfg.AckTime})
			<-p.s.done
		}
	}
}

// unsettled lists the parties that may still write, and marks them as being told to stop.
func (t *Transfer) unsettled() []*party {
	t.mu.Lock()
	defer t.mu.Unlock()
	var open []*party
	for _, p := range t.parties {
		if !p.over {
			p.aborting = true
			open = append(open, p)
		}
	}
	return open
}
