package room

import (
	"context"
	"sync"
	"time"
)

// Defaults of a table.
const (
	DefaultMax  = 1 << 16           // rooms at once
	DefaultStay = 300 * time.Second // longest stay in a state that waits for a peer; SGLang's default
)

// Options set a table up. The zero value takes the defaults.
type Options struct {
	Max int // rooms at once; 0 takes DefaultMax
	// Stay is the longest stay in each state; a state that is not named takes DefaultStay.
	Stay map[State]time.Duration
	Now  func() time.Time // for tests; nil takes time.Now
}

// Table is the rooms of one side. It is safe for concurrent use.
type Table struct {
	max  int
	stay [Success + 1]time.Duration
	now  func() time.Time

	mu    sync.Mutex
	rooms map[ID]*entry
}

// entry is one open room. The table's mutex guards its fields.
type entry struct {
	state  State
	since  time.Time // when state was reached
	reason error     // why it failed; nil otherwise
	ctx    context.Context
	end    context.CancelCauseFunc // of ctx, called when state first becomes terminal
}

// NewTable returns an empty table.
func NewTable(o Options) *Table {
	t := &Table{max: o.Max, now: o.Now, rooms: make(map[ID]*entry)}
	if t.max <= 0 {
		t.max = DefaultMax
	}
	if t.now == nil {
		t.now = time.Now
	}
	for s := Bootstrapping; s < Success; s++ {
		t.stay[s] = DefaultStay
		if d, ok := o.Stay[s]; ok {
			t.stay[s] = d
		}
	}
	return t
}

// Open makes a room in state Bootstrapping. The context ends when the room does; its cause is the reason of a failure, or
// ErrSucceeded. The error is ErrNoRoom, a *DuplicateError or a *FullError.
func (t *Table) Open(id ID) (context.Context, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id == 0 {
		return nil, ErrNoRoom
	}
	if e, ok := t.rooms[id]; ok {
		return nil, &DuplicateError{Room: id, State: e.state}
	}
	if len(t.rooms) >= t.max {
		return nil, &FullError{Room: id, Max: t.max}
	}
	ctx, end := context.WithCancelCause(context.Background())
	t.rooms[id] = &entry{state: Bootstrapping, since: t.now(), ctx: ctx, end: end}
	return ctx, nil
}

// Advance tells a room to be in state s, by the rules of [Next], and returns the state it is in then. A room that is not open
// is left alone: false. To fail a room use [Table.Fail], which records why.
func (t *Table) Advance(id ID, s State) (State, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.rooms[id]
	if !ok {
		return Failed, false
	}
	t.set(e, Next(e.state, s))
	return e.state, true
}

// Fail fails a room for a reason. It tells whether this call did it: false where the room is not open or had failed before, so
// that whoever sees true is the one to tell the peers. A success can still fail, when what arrived proves wrong.
func (t *Table) Fail(id ID, reason error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.rooms[id]
	if !ok || e.state == Failed {
		return false
	}
	e.reason = reason
	t.set(e, Failed)
	return true
}

// set moves e to s and wakes who waits for an end. The caller holds the mutex.
func (t *Table) set(e *entry, s State) {
	if e.state == s {
		return
	}
	switch {
	case s == Success:
		e.end(ErrSucceeded)
	case s == Failed:
		e.end(e.reason) // without effect where the room had succeeded
	}
	e.state, e.since = s, t.now()
}

// State returns the state of a room; false where it is not open.
func (t *Table) State(id ID) (State, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.rooms[id]; ok {
		return e.state, true
	}
	return Failed, false
}

// Wait blocks until the room has come to an end, and returns nil for a success or a *TransferError. It does not close the room.
// Other errors are an *UnknownError and that of ctx.
func (t *Table) Wait(ctx context.Context, id ID) error {
	t.mu.Lock()
	e, ok := t.rooms[id]
	t.mu.Unlock()
	if !ok {
		return &UnknownError{Room: id}
	}
	select {
	case <-e.ctx.Done():
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return e.outcome(id)
}

// Close forgets a room and returns how it ended: nil for a success, else a *TransferError with the first reason. A room that
// has not ended is closed as aborted. The record is handed out once: a second call returns an *UnknownError.
func (t *Table) Close(id ID) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.rooms[id]
	if !ok {
		return &UnknownError{Room: id}
	}
	delete(t.rooms, id)
	if !e.state.Terminal() {
		e.reason = ErrAborted
		t.set(e, Failed)
	}
	return e.outcome(id)
}

// outcome is the room's end as an error.
func (e *entry) outcome(id ID) error {
	if e.state == Success {
		return nil
	}
	return &TransferError{Room: id, Reason: e.reason}
}

// Expire fails every room that outstayed its state and returns their ids, in no order. The reason is a *TimeoutError.
func (t *Table) Expire() []ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	var late []ID
	now := t.now()
	for id, e := range t.rooms {
		if stay := t.stay[e.state]; !e.state.Terminal() && now.Sub(e.since) >= stay {
			e.reason = &TimeoutError{Room: id, State: e.state, After: stay}
			t.set(e, Failed)
			late = append(late, id)
		}
	}
	return late
}

// Counts is how many open rooms are in each state, indexed by State.
func (t *Table) Counts() [Success + 1]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var n [Success + 1]int
	for _, e := range t.rooms {
		n[e.state]++
	}
	return n
}

// IDs lists the open rooms in a state, in no order.
func (t *Table) IDs(s State) []ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	var ids []ID
	for id, e := range t.rooms {
		if e.state == s {
			ids = append(ids, id)
		}
	}
	return ids
}
