package decode

import (
	"context"
	"sync"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// maxTokens bounds a request; no context is that long.
const maxTokens = 1 << 28

// Request is what the router asks of a decode rank.
type Request struct {
	Room      room.ID `json:"room"`
	Bootstrap string  `json:"bootstrap"` // address of the prefill engine's bootstrap server
	Tokens    int     `json:"tokens"`    // of the prompt
	// Prefix is how many leading tokens are here already. It is cut down to whole pages, and to the beginning of the attention
	// window, which is always sent.
	Prefix   int  `json:"prefix,omitempty"`
	DPRank   *int `json:"dp_rank,omitempty"` // the prefill engine that has the room, where the router knows
	Checksum bool `json:"checksum,omitempty"`
}

// Transfer is one open request. A goroutine leads it from Submit to the end.
type Transfer struct {
	e       *Engine
	req     Request
	ctx     context.Context // ends with the room
	attempt uint32          // tells it apart from earlier requests of the same room

	ticket *lease.Ticket // a place in the queue for pages

	// Settled before the first party exists.
	lease  *lease.Lease
	prefix int
	grant  grant

	decided  chan struct{} // closed when the outcome is known
	err      error         // the outcome; settled when decided is closed
	released chan struct{} // closed by Release
	once     sync.Once
	gone     chan struct{} // closed when the pages are given back and the room is closed

	mu      sync.Mutex
	parties map[*session]*party
	waiting int           // parties with data that have not reported yet
	replied chan struct{} // closed when waiting becomes 0
}

// Submit takes a request; the engine leads it from there. The ranks of one decode engine must get requests in the same order: each
// leases pages to them in that order, and if two ranks began with different requests, either could wait for pages that the
// other's holds, until both time out. Errors: *TokensError, *lease.CapacityError, ErrClosed, and those of
// room.Table.Open.
func (e *Engine) Submit(req Request) (*Transfer, error) {
	if req.Tokens < 1 || req.Tokens > maxTokens || req.Prefix < 0 || req.Prefix > req.Tokens {
		return nil, &TokensError{Tokens: req.Tokens, Prefix: req.Prefix, Max: maxTokens}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() != nil {
		return nil, ErrClosed
	}
	ctx, err := e.rooms.Open(req.Room)
	if err != nil {
		return nil, err
	}
	t := &Transfer{
		e: e, req: req, ctx: ctx, attempt: e.attempts.Add(1), prefix: e.prefix(req),
		decided: make(chan struct{}), released: make(chan struct{}), gone: make(chan struct{}),
		parties: make(map[*session]*party), replied: make(chan struct{}),
	}
	// Asked for here and not by the goroutine, so that the order is that of the calls.
	if t.ticket, err = e.alloc.Ask(e.needs(req.Tokens)); err != nil {
		_ = e.rooms.Close(req.Room)
		return nil, err
	}
	e.requests[req.Room] = t
	e.wg.Go(t.lead)
	return t, nil
}

// Abort fails a room that is open. It tells whether there was one that had not failed.
func (e *Engine) Abort(id room.ID) bool { return e.rooms.Fail(id, room.ErrAborted) }

// State returns the state of a room that is open.
func (e *Engine) State(id room.ID) (room.State, bool) { return e.rooms.State(id) }

// Request is what the transfer is for.
func (t *Transfer) Request() Request { return t.req }

// Lease is where the bytes lie. It may be read between a success and Release.
func (t *Transfer) Lease() *lease.Lease { return t.lease }

// Prefix is how many leading tokens were not asked for.
func (t *Transfer) Prefix() int { return t.prefix }

// Wait blocks until the outcome is known: nil where all bytes are there and checked, else a *room.TransferError. The error of ctx
// leaves the transfer as it is. The pages of a failed transfer may still be in use when Wait returns.
func (t *Transfer) Wait(ctx context.Context) error {
	select {
	case <-t.decided:
		return t.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Abort fails the transfer, unless it has ended.
func (t *Transfer) Abort() { t.e.Abort(t.req.Room) }

// Release says that the bytes are not needed any more, and so the room neither. A transfer that has no outcome yet is aborted. It
// does not wait; see Gone.
func (t *Transfer) Release() {
	t.once.Do(func() { close(t.released) })
	select {
	case <-t.decided:
	default:
		t.Abort()
	}
}

// Gone is closed when nothing is left of the transfer: the pages are given back, and the room may be opened again.
func (t *Transfer) Gone() <-chan struct{} { return t.gone }

// lead takes the transfer from its beginning to its end.
func (t *Transfer) lead() {
	e, id := t.e, t.req.Room
	if err := t.receive(); err != nil {
		e.rooms.Fail(id, err)
	}
	e.rooms.Advance(id, room.Success) // a failure sticks
	t.err = e.rooms.Wait(context.Background(), id)
	close(t.decided)
	if t.err != nil {
		e.cfg.Log.Warn("room failed", "room", uint64(id), "err", t.err)
		t.withdraw()
	} else {
		select {
		case <-t.released:
		case <-e.ctx.Done():
		}
	}
	e.mu.Lock()
	delete(e.requests, id)
	e.mu.Unlock()
	if t.lease != nil {
		e.cfg.Before(t.req, t.lease)
		e.alloc.Give(t.lease)
	}
	_ = e.rooms.Close(id) // the outcome is known
	close(t.gone)
}

// receive does the work of the transfer up to its success.
func (t *Transfer) receive() (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Room: t.req.Room, Value: v}
		}
	}()
	if t.lease, err = t.ticket.Wait(t.ctx); err != nil {
		return err
	}
	if t.grant, err = t.grants(); err != nil {
		return err
	}
	// What an earlier request left in the slot must not pass for an answer.
	t.e.mem.SetTag(t.e.pool, t.lease.Slot, 0)
	parties, required, err := t.find()
	if err != nil {
		return err
	}
	t.e.rooms.Advance(t.req.Room, room.WaitingForInput)
	if err := t.inform(parties, required); err != nil {
		return err
	}
	select {
	case <-t.replied:
		return t.commit()
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
}

// needs is what a request needs of this rank's pool: with context parallelism pages for every Size-th token.
func (e *Engine) needs(tokens int) lease.Needs {
	n := lease.NeedsOf(&e.cfg.Model, tokens)
	if e.cfg.DCP.Size > 1 {
		n.Pages = pages.Count(e.share(tokens), e.cfg.Model.PageSize)
	}
	return n
}

// share is how many of the first tokens positions are this rank's.
func (e *Engine) share(tokens int) int {
	return max(0, (tokens-e.cfg.DCP.Rank+e.cfg.DCP.Size-1)/e.cfg.DCP.Size)
}

// prefix cuts a request's prefix down to what can be left out: whole pages on every rank, before the attention window.
func (e *Engine) prefix(req Request) int {
	n := req.Prefix
	if lease.HasWindow(&e.cfg.Model) {
		n = min(n, max(0, req.Tokens-e.cfg.Model.Window))
	}
	whole := e.cfg.Model.PageSize * e.cfg.DCP.Size
	return n / whole * whole
}

// sent is the pages of the lease that are asked for.
func (t *Transfer) sent() []int32 {
	return t.lease.Pages[t.prefix/t.e.cfg.Model.PageSize/t.e.cfg.DCP.Size:]
}

// states is the items of every state list of the pool.
func (t *Transfer) states() ([][]int32, error) {
	out := make([][]int32, len(t.e.pool.State))
	for i, c := range t.e.pool.State {
		var err error
		if out[i], err = t.lease.Indices(&t.e.cfg.Model, c.Type, t.req.Tokens); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// grants is what the prefill ranks may write for the room.
func (t *Transfer) grants() (grant, error) {
	states, err := t.states()
	if err != nil {
		return nil, err
	}
	g := grant{runs(t.sent())}
	for _, items := range states {
		g = append(g, runs(items))
	}
	return append(g, runs([]int32{t.lease.Slot})), nil
}
