package decode

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Engine is one running decode rank. It is safe for concurrent use.
type Engine struct {
	cfg       Config
	pool      *layout.Pool
	mem       *memory.Memory
	listing   listing
	alloc     *lease.Allocator
	rooms     *room.Table
	session   string // names this life of the rank
	client    *bootstrap.Client
	directory *bootstrap.Directory
	down      *backoff.Tracker // prefill ranks that failed lately, by address

	ctx  context.Context // ends with Close
	stop context.CancelFunc
	wg   sync.WaitGroup // every goroutine of the engine

	received atomic.Int64  // bytes placed in the pool
	skipped  atomic.Int64  // bytes of data frames that had no place
	attempts atomic.Uint32 // counts requests

	mu       sync.Mutex
	requests map[room.ID]*Transfer
	sessions map[sessionKey]*dialled
}

// New starts a rank. Errors are those of layout.Build, *memory.MapError, and *PlaceError.
func New(cfg Config) (*Engine, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	pool, err := layout.Build(cfg.Model, cfg.Stage, layout.Parallel{TP: cfg.Sizes.TP, TPRank: cfg.TPRank}, cfg.Capacity)
	if err != nil {
		return nil, err
	}
	mem, err := memory.New(pool, cfg.Memory)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		cfg: cfg, pool: pool, mem: mem, listing: newListing(pool),
		alloc: lease.NewAllocator(cfg.Capacity),
		rooms: room.NewTable(room.Options{Max: cfg.Rooms, Stay: map[room.State]time.Duration{
			room.Bootstrapping: cfg.Stay, room.WaitingForInput: cfg.Stay, room.Transferring: cfg.Stay,
		}}),
		session: "decode-" + rand.Text()[:12],
		client:  bootstrap.NewClient(backoff.Registration()),
		down:    backoff.NewTracker(cfg.Retry, nil),

		requests: make(map[room.ID]*Transfer),
		sessions: make(map[sessionKey]*dialled),
	}
	e.directory = bootstrap.NewDirectory(e.client, cfg.Lookup, cfg.Tries)
	e.ctx, e.stop = context.WithCancel(context.Background())
	e.wg.Go(e.sweep)
	return e, nil
}

// Close fails the rooms that are open, ends all connections, and returns when every goroutine has ended and the memory is given
// back. Transfers that were not released must not be used any more.
func (e *Engine) Close() error {
	e.stop()
	e.mu.Lock()
	for id := range e.requests {
		e.rooms.Fail(id, ErrClosed)
	}
	dials := make([]*dialled, 0, len(e.sessions))
	for _, d := range e.sessions {
		dials = append(dials, d)
	}
	e.mu.Unlock()
	for _, d := range dials {
		<-d.ready
		if d.s != nil {
			d.s.close(ErrClosed)
		}
	}
	e.directory.Close()
	e.wg.Wait()
	e.client.Close()
	return e.mem.Close()
}

// Pool is the rank's layout.
func (e *Engine) Pool() *layout.Pool { return e.pool }

// Memory is the bytes of the pool.
func (e *Engine) Memory() *memory.Memory { return e.mem }

// Model is the model as completed.
func (e *Engine) Model() *layout.Model { return &e.cfg.Model }

// Stats is what a rank tells about itself.
type Stats struct {
	Rooms    map[room.State]int `json:"rooms"` // open rooms by state
	Sessions int                `json:"sessions"`
	Received int64              `json:"received_bytes"`
	Skipped  int64              `json:"skipped_bytes"` // came for rooms that wanted them no more
	Down     int                `json:"peers_down"`
	Pool     int64              `json:"pool_bytes"`
	Free     lease.Needs        `json:"free"`
}

// Stats returns the figures of this moment.
func (e *Engine) Stats() Stats {
	s := Stats{
		Rooms: make(map[room.State]int), Received: e.received.Load(), Skipped: e.skipped.Load(), Down: e.down.Len(),
		Pool: e.mem.Bytes(), Free: e.alloc.Left(),
	}
	for state, n := range e.rooms.Counts() {
		if n > 0 {
			s.Rooms[room.State(state)] = n
		}
	}
	e.mu.Lock()
	s.Sessions = len(e.sessions)
	e.mu.Unlock()
	return s
}

// sweep fails rooms that wait too long, until the engine closes.
func (e *Engine) sweep() {
	tick := time.NewTicker(max(min(e.cfg.Stay/10, time.Second), time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
			e.rooms.Expire()
		}
	}
}

// find returns the open request of a room, or nil.
func (e *Engine) find(id room.ID) *Transfer {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.requests[id]
}
