package control

import (
	"context"
	"net/http"
	"sync"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/synth"
)

// maxOutcomes bounds the rooms whose end is remembered.
const maxOutcomes = 1 << 14

// Decode is the control server of a decode rank. It is an http.Handler and safe for concurrent use.
type Decode struct {
	http.Handler
	engine *decode.Engine
	check  *synth.Checker
	wg     sync.WaitGroup

	mu sync.RWMutex // held for reading while a room is open, for writing to look at all of the memory

	list   sync.Mutex // guards the fields below
	rooms  map[room.ID]*record
	order  []room.ID // oldest first
	closed bool
}

// record is a room that was submitted here.
type record struct {
	done    chan struct{} // closed when outcome is settled
	outcome Outcome
}

// NewDecode returns the control server of a decode rank whose memory the checker looks at. The engine's Config.Before must scrub
// with the same checker, and its memory must have been filled with the canary. The injector must be the one that wraps
// the engine's connections.
func NewDecode(e *decode.Engine, check *synth.Checker, inject *fault.Injector) *Decode {
	d := &Decode{engine: e, check: check, rooms: make(map[room.ID]*record)}
	mux := newMux(d, inject)
	mux.HandleFunc("GET /clean", d.clean)
	d.Handler = mux
	return d
}

// Scrub returns a function for decode.Config.Before: it paints over what a request gives back. The checker may be set later,
// before the first request.
func Scrub(check **synth.Checker) func(decode.Request, *lease.Lease) {
	return func(r decode.Request, l *lease.Lease) {
		_ = (*check).Scrub(l, r.Tokens) // it fails for state that no lease could have been made for
	}
}

// Close aborts the rooms that are open and returns when nothing uses the engine's memory any more, nor will: later requests are refused.
// Close the engine after it.
func (d *Decode) Close() {
	d.list.Lock()
	d.closed = true
	for id, r := range d.rooms {
		select {
		case <-r.done:
		default:
			d.engine.Abort(id)
		}
	}
	d.list.Unlock()
	d.wg.Wait()
	d.mu.Lock() // for good
}

func (d *Decode) submit(q *http.Request) error {
	var req decode.Request
	if err := body(q, &req); err != nil {
		return err
	}
	d.list.Lock()
	defer d.list.Unlock()
	if d.closed {
		return decode.ErrClosed
	}
	d.mu.RLock() // until the room is over
	t, err := d.engine.Submit(req)
	if err != nil {
		d.mu.RUnlock()
		return err
	}
	r := &record{done: make(chan struct{})}
	d.keep(req.Room, r)
	d.wg.Go(func() { d.serve(t, r) })
	return nil
}

// keep files a room, in place of one that has been over for long. The caller holds the list's mutex.
func (d *Decode) keep(id room.ID, r *record) {
	if len(d.order) >= maxOutcomes {
		delete(d.rooms, d.order[0])
		d.order = d.order[1:]
	}
	d.rooms[id] = r
	d.order = append(d.order, id)
}

// serve waits for a room, compares what it brought, and gives its pages back.
func (d *Decode) serve(t *decode.Transfer, r *record) {
	defer d.mu.RUnlock()
	req := t.Request()
	err := t.Wait(context.Background()) // it ends with the engine at the latest
	o := Outcome{Room: req.Room, State: room.Success}
	if err == nil {
		o.Bytes, err = d.check.Request(req.Room, t.Lease(), t.Prefix(), req.Tokens)
	}
	if err != nil {
		o.State, o.Error, o.Bytes = room.Failed, err.Error(), 0
	}
	t.Release()
	<-t.Gone()
	r.outcome = o
	close(r.done)
}

func (d *Decode) state(id room.ID) (Outcome, error) {
	d.list.Lock()
	r := d.rooms[id]
	d.list.Unlock()
	if r == nil {
		return Outcome{}, &room.UnknownError{Room: id}
	}
	select {
	case <-r.done:
		return r.outcome, nil
	default:
	}
	s, ok := d.engine.State(id)
	if !ok || s.Terminal() {
		s = room.Transferring // it is being compared, or given back
	}
	return Outcome{Room: id, State: s}, nil
}

func (d *Decode) outcome(ctx context.Context, id room.ID) Outcome {
	d.list.Lock()
	r := d.rooms[id]
	d.list.Unlock()
	if r != nil {
		select {
		case <-r.done:
		case <-ctx.Done():
		}
	}
	o, err := d.state(id)
	if err != nil {
		return Outcome{Room: id, State: room.Failed, Error: err.Error()}
	}
	return o
}

func (d *Decode) abort(id room.ID) bool { return d.engine.Abort(id) }
func (d *Decode) stats() any            { return d.engine.Stats() }

// clean answers GET /clean: 200, 409 while rooms are open, or 400 with the *synth.WrongByteError.
func (d *Decode) clean(w http.ResponseWriter, _ *http.Request) {
	if !d.mu.TryLock() {
		fail(w, ErrBusy)
		return
	}
	defer d.mu.Unlock()
	answer(w, map[string]bool{"clean": true}, d.check.Clean())
}
