package prefill

import (
	"context"
	"errors"
	"sync"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// maxTokens bounds a request; no context is that long.
const maxTokens = 1 << 28

// Request is what the router asks of a prefill rank. Every rank of the engine gets the same one.
type Request struct {
	Room   room.ID `json:"room"`
	Tokens int     `json:"tokens"` // of the prompt
}

// request is one open room. A goroutine leads it from Submit to the end.
type request struct {
	e      *Engine
	id     room.ID
	tokens int
	ctx    context.Context // ends with the room
	lease  *lease.Lease    // of the leading goroutine, and of jobs until they are done

	infos    signal // all decode ranks have sent their INFO
	start    signal // all ranks of the engine agree that the room may start
	conclude signal // all ranks of the engine have finished it
	jobs     sync.WaitGroup

	mu      sync.Mutex
	peers   []*peer
	need    uint32 // how many peers there will be; 0 before the first
	drained bool   // nothing of the room is under way here any more
}

// signal is an event that happens once.
type signal struct {
	once sync.Once
	ch   chan struct{}
}

func newSignal() signal { return signal{ch: make(chan struct{})} }

func (s *signal) set() { s.once.Do(func() { close(s.ch) }) }

// isSet tells whether it has happened.
func (s *signal) isSet() bool {
	select {
	case <-s.ch:
		return true
	default:
		return false
	}
}

// Submit takes a request and returns; the engine leads it from there. Errors: *TokensError, *RouteError, ErrClosed,
// *lease.CapacityError, and those of room.Table.Open.
func (e *Engine) Submit(req Request) error {
	if err := e.checkRequest(req); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() != nil {
		return ErrClosed
	}
	ctx, err := e.rooms.Open(req.Room)
	if err != nil {
		return err
	}
	r := &request{
		e: e, id: req.Room, tokens: req.Tokens, ctx: ctx, infos: newSignal(), start: newSignal(), conclude: newSignal(),
	}
	e.requests[r.id] = r
	context.AfterFunc(ctx, r.tellFailed)
	if end, ok := e.past.get(r.id); ok && end.abort != nil {
		e.rooms.Fail(r.id, end.abort) // a decode rank took the room back before it came here
	}
	e.past.forget(r.id)
	if e.cfg.idle() {
		r.infos.set() // nobody will ask this rank for anything
	}
	for _, i := range e.early.take(r.id) {
		r.attach(i.s, i.info)
	}
	e.wg.Go(r.lead)
	return nil
}

// checkRequest refuses what can never be served.
func (e *Engine) checkRequest(req Request) error {
	if req.Tokens < 1 || req.Tokens > maxTokens {
		return &TokensError{Tokens: req.Tokens, Max: maxTokens}
	}
	if dp := uint64(e.cfg.DPSize); e.cfg.FollowRoom && uint64(req.Room)%dp != uint64(e.cfg.DPRank) {
		return &RouteError{Room: req.Room, Here: e.cfg.DPRank, Belongs: int(uint64(req.Room) % dp)}
	}
	return e.alloc.Possible(lease.NeedsOf(&e.cfg.Model, req.Tokens))
}

// Abort fails a room that is open. It tells whether there was one.
func (e *Engine) Abort(id room.ID) bool { return e.rooms.Fail(id, room.ErrAborted) }

// Wait blocks until a room has come to an end, and returns nil for a success or a *room.TransferError; for a room that is not open an
// *room.UnknownError, unless it ended lately: then how it ended.
func (e *Engine) Wait(ctx context.Context, id room.ID) error {
	err := e.rooms.Wait(ctx, id)
	if _, over := err.(*room.UnknownError); !over {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if end, ok := e.past.get(id); ok {
		return end.err
	}
	return err
}

// State returns the state of a room that is open or ended lately.
func (e *Engine) State(id room.ID) (room.State, bool) {
	if s, ok := e.rooms.State(id); ok {
		return s, true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	end, ok := e.past.get(id)
	if !ok || end.err != nil {
		return room.Failed, ok
	}
	return room.Success, true
}

// lead takes the room from its opening to its end.
func (r *request) lead() {
	e := r.e
	err := r.serve()
	if err != nil {
		e.rooms.Fail(r.id, err)
	}
	r.jobs.Wait()
	// From here on nothing reads the pages, whatever became of the room.
	if r.lease != nil {
		e.alloc.Give(r.lease)
	}
	e.rooms.Advance(r.id, room.Success) // a failure sticks
	r.mu.Lock()
	r.drained = true
	r.mu.Unlock()
	r.linger()
	e.forget(r)
}

// linger keeps an ended room until the other ranks have ended theirs, so that what one of them says about it meets a room that
// remembers. Ranks that are gone say nothing, hence the time limit.
func (r *request) linger() {
	ctx, cancel := context.WithTimeout(r.e.ctx, r.e.cfg.Stay)
	defer cancel()
	select {
	case <-r.conclude.ch:
	case <-ctx.Done():
	}
}

// forget closes the room and notes how it ended, in one step for who asks: the room is open, or past.
func (e *Engine) forget(r *request) {
	e.mu.Lock()
	err := e.rooms.Close(r.id)
	delete(e.requests, r.id)
	e.past.add(r.id, ending{err: err})
	e.mu.Unlock()
	if err != nil {
		e.cfg.Log.Warn("room failed", "room", uint64(r.id), "err", err)
	}
}

// serve does the work of the room up to the last job in the queues. An error fails the room.
func (r *request) serve() (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Room: r.id, Value: v}
		}
	}()
	if err := r.announce(); err != nil {
		return err
	}
	if err := r.await(&r.infos); err != nil {
		return err
	}
	r.e.rooms.Advance(r.id, room.WaitingForInput)
	if err := r.await(&r.start); err != nil {
		return err
	}
	r.e.rooms.Advance(r.id, room.Transferring)
	return r.transfer()
}

// announce tells the bootstrap server which data-parallel rank has the room, where nothing else does.
func (r *request) announce() error {
	cfg := &r.e.cfg
	if cfg.DPSize == 1 || cfg.FollowRoom || cfg.Bootstrap == "" {
		return nil
	}
	return r.e.client.NoteRank(r.ctx, cfg.Bootstrap, bootstrap.RoomRank{BootstrapRoom: r.id, DPRank: cfg.DPRank})
}

// await blocks until s is set or the room ends.
func (r *request) await(s *signal) error {
	select {
	case <-s.ch:
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// tellFailed runs at the end of the room. Where that is a failure it tells every decode rank that nothing more will come, and why.
// It goes in front of what is queued, which is not wanted any more, but behind the frame that may be on its way. Ranks that come
// later are told when they do.
func (r *request) tellFailed() {
	reason := context.Cause(r.ctx)
	if errors.Is(reason, room.ErrSucceeded) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.peers {
		p.s.tell(r.id, r.e.refusal(p.info, reason), true)
	}
}
