package prefill

import (
	"context"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// peer is one decode rank's part in a room.
type peer struct {
	s      *session
	info   *wire.Info
	prefix int         // tokens that the decode rank has already
	share  pages.Range // of the pages behind the prefix, what this rank sends

	sent int      // tokens up to which everything is queued; of the leading goroutine
	sum  wire.Sum // of what was sent; of the session's sender
}

// inform takes an INFO: for a room that is open, that nobody has submitted yet, or that has ended already.
func (e *Engine) inform(s *session, id room.ID, info *wire.Info) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r, ok := e.requests[id]; ok {
		r.attach(s, info)
		return
	}
	var why error
	if end, ok := e.past.get(id); ok {
		why = end.over(id)
	} else if !e.early.add(id, s, info) {
		why = ErrTooManyEarly
	}
	if why != nil {
		s.tell(id, e.refusal(info, why), false)
	}
}

// refusal is the status of a room that failed, or of an INFO that cannot be served.
func (e *Engine) refusal(info *wire.Info, why error) *wire.Status {
	return &wire.Status{Attempt: info.Attempt, State: room.Failed, Sender: uint32(e.cfg.sender()), Reason: why.Error()}
}

// attach makes a decode rank a party to the room. What is wrong with the INFO fails the room, since decode ranks of one request say
// the same; but a decode rank too many is turned away alone: the room belongs to others.
func (r *request) attach(s *session, info *wire.Info) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.need == 0 {
		r.need = info.Required
	}
	p := &peer{s: s, info: info}
	err := p.plan(r)
	switch {
	case r.ctx.Err() != nil:
		// It ended before this rank heard of it.
		s.tell(r.id, r.e.refusal(info, context.Cause(r.ctx)), false)
		return
	case r.knows(s) || len(r.peers) == int(r.need):
		s.tell(r.id, r.e.refusal(info, &SurplusError{Room: r.id, Required: r.need}), false)
		return
	case info.Required != r.need:
		err = &RequiredError{First: r.need, Then: info.Required}
	}
	r.peers = append(r.peers, p)
	if err != nil {
		r.e.rooms.Fail(r.id, err)
	}
	if len(r.peers) == int(r.need) {
		r.infos.set()
	}
}

// knows tells whether a session is a party already. The caller holds the mutex.
func (r *request) knows(s *session) bool {
	for _, p := range r.peers {
		if p.s == s {
			return true
		}
	}
	return false
}

// plan holds an INFO to the request and works out what this rank sends of it.
func (p *peer) plan(r *request) error {
	if p.info.Dummy {
		return nil
	}
	cfg := &r.e.cfg
	page := cfg.Model.PageSize * max(1, p.s.dcp.Size)
	if p.info.Prefix > uint64(r.tokens) || p.info.Prefix%uint64(page) != 0 {
		return &PrefixError{Prefix: p.info.Prefix, Page: page, Tokens: r.tokens}
	}
	p.prefix = int(p.info.Prefix)
	p.sent = p.prefix
	want := pages.Count(r.tokens-p.prefix, cfg.Model.PageSize)
	if got := len(p.info.Pages); got != want && p.s.dcp.Size <= 1 {
		return &PageListError{Want: want, Got: got}
	}
	// Decode may have lists more: those of a draft model that another stage runs. They come last.
	if want, got := len(r.e.pool.State), len(p.info.State); got < want {
		return &StateListError{Want: want, Got: got}
	}
	p.share = pages.Range{From: 0, To: want}
	if cfg.AllCP {
		p.share = pages.Share(want, cfg.Sizes.CP, cfg.CPRank)
	}
	return nil
}

// aborted takes a decode rank's abort: the room fails, and the rank learns when nothing more will come. The answer goes in front
// of what is queued; a job of the room that is under way ends at its next frame, and only then is the next one taken.
func (e *Engine) aborted(s *session, id room.ID, attempt uint32) {
	reason := &PeerAbortError{Peer: s.name()}
	e.mu.Lock()
	r, open := e.requests[id]
	if !open {
		// Nobody has submitted it. Whoever does is to find it failed.
		e.early.remove(func(of room.ID, i earlyInfo) bool { return of == id && i.s == s })
		if _, over := e.past.get(id); !over {
			e.past.add(id, ending{err: &room.TransferError{Room: id, Reason: reason}, abort: reason})
		}
	}
	e.mu.Unlock()
	if open && r.party(s, attempt) {
		e.rooms.Fail(id, reason)
	}
	s.tell(id, &wire.AbortAck{Attempt: attempt, Sender: uint32(e.cfg.sender())}, true)
}

// party tells whether a session takes part in the room with that attempt.
func (r *request) party(s *session, attempt uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.peers {
		if p.s == s && p.info.Attempt == attempt {
			return true
		}
	}
	return false
}

// failPeer fails the rooms that a session takes part in.
func (e *Engine) failPeer(s *session, reason error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, r := range e.requests {
		r.mu.Lock()
		if r.knows(s) && !r.drained {
			e.rooms.Fail(id, reason)
		}
		r.mu.Unlock()
	}
}
