package prefill

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// maxSessions bounds connections of all kinds; more are closed at once.
const maxSessions = 4096

// registerEvery is how often a rank registers again, which costs nothing and brings it back after a restart of the server.
const registerEvery = 30 * time.Second

// Engine is one running prefill rank. It is safe for concurrent use.
type Engine struct {
	cfg     Config
	pool    *layout.Pool
	mem     *memory.Memory
	alloc   *lease.Allocator
	rooms   *room.Table
	session string // names this life of the rank
	client  *bootstrap.Client
	ring    *ring
	workers chan struct{} // one token per chunk that may be computed at once

	listener net.Listener
	ctx      context.Context // ends with Close
	stop     context.CancelFunc
	wg       sync.WaitGroup // every goroutine of the engine

	sent atomic.Int64 // bytes of data frames, without headers and tables

	mu       sync.Mutex
	requests map[room.ID]*request
	early    *early
	past     *past
	sessions map[*session]struct{}
}

// New starts a rank: it listens, and registers at the bootstrap server if one is configured. Errors are those of layout.Build,
// *memory.MapError, and those of this package.
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
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		_ = mem.Close()
		return nil, &ListenError{Addr: cfg.Listen, Cause: err}
	}
	e := &Engine{
		cfg: cfg, pool: pool, mem: mem, listener: listener,
		alloc:   lease.NewAllocator(cfg.Capacity),
		rooms:   room.NewTable(room.Options{Max: cfg.Rooms, Stay: stays(cfg.Stay)}),
		session: "prefill-" + rand.Text()[:12],
		client:  bootstrap.NewClient(cfg.Register),
		workers: make(chan struct{}, cfg.Workers),

		requests: make(map[room.ID]*request),
		early:    newEarly(cfg.Stay),
		past:     newPast(),
		sessions: make(map[*session]struct{}),
	}
	e.ctx, e.stop = context.WithCancel(context.Background())
	e.ring = newRing(e)
	e.wg.Go(e.accept)
	e.wg.Go(e.sweep)
	e.wg.Go(func() { e.ring.member.Run(e.ctx) })
	if cfg.Bootstrap != "" {
		e.wg.Go(e.register)
	}
	return e, nil
}

// stays gives every waiting state the same longest stay.
func stays(d time.Duration) map[room.State]time.Duration {
	return map[room.State]time.Duration{room.Bootstrapping: d, room.WaitingForInput: d, room.Transferring: d}
}

// Close fails the rooms that are open, ends all connections, and returns when every goroutine has ended and the memory is given
// back.
func (e *Engine) Close() error {
	e.stop()
	_ = e.listener.Close()
	e.mu.Lock()
	for id := range e.requests {
		e.rooms.Fail(id, ErrClosed)
	}
	sessions := make([]*session, 0, len(e.sessions))
	for s := range e.sessions {
		sessions = append(sessions, s)
	}
	e.mu.Unlock()
	for _, s := range sessions {
		s.close(ErrClosed)
	}
	e.ring.close()
	e.wg.Wait()
	e.client.Close()
	return e.mem.Close()
}

// Addr is where the rank listens.
func (e *Engine) Addr() string { return e.listener.Addr().String() }

// Pool is the rank's layout.
func (e *Engine) Pool() *layout.Pool { return e.pool }

// Memory is the bytes of the pool. Only leased parts may be written, by who holds the lease.
func (e *Engine) Memory() *memory.Memory { return e.mem }

// Model is the model as completed.
func (e *Engine) Model() *layout.Model { return &e.cfg.Model }

// Stats is what a rank tells about itself.
type Stats struct {
	Rooms    map[room.State]int `json:"rooms"` // open rooms by state
	Sessions int                `json:"sessions"`
	Sent     int64              `json:"sent_bytes"`
	Pool     int64              `json:"pool_bytes"`
	Free     lease.Needs        `json:"free"`
}

// Stats returns the figures of this moment.
func (e *Engine) Stats() Stats {
	s := Stats{Rooms: make(map[room.State]int), Sent: e.sent.Load(), Pool: e.mem.Bytes(), Free: e.alloc.Left()}
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

// register keeps the rank registered until the engine closes.
func (e *Engine) register() {
	for {
		if err := e.client.Register(e.ctx, e.cfg.Bootstrap, e.registration()); err != nil && e.ctx.Err() == nil {
			e.cfg.Log.Error("registration failed", "server", e.cfg.Bootstrap, "err", err)
		}
		select {
		case <-e.ctx.Done():
			return
		case <-time.After(registerEvery):
		}
	}
}

// registration is what the bootstrap server is told.
func (e *Engine) registration() bootstrap.Registration {
	host, port, _ := net.SplitHostPort(e.Addr()) // a listener's address always splits
	if e.cfg.Advertise != "" {
		host = e.cfg.Advertise
	}
	number, _ := strconv.Atoi(port)
	r := bootstrap.Registration{
		AttnTPSize: e.cfg.Sizes.TP, AttnTPRank: e.cfg.TPRank, AttnCPSize: e.cfg.Sizes.CP, AttnCPRank: e.cfg.CPRank,
		AttnDPSize: 1, PPSize: e.cfg.Sizes.PP, PPRank: e.cfg.PPRank,
		SystemDPSize: e.cfg.DPSize, SystemDPRank: e.cfg.DPRank,
		RankIP: host, RankPort: number, PageSize: e.cfg.Model.PageSize, KVCacheDtype: e.cfg.Dtype,
		EnableDSACacheLayerSplit: e.cfg.AllCP, PrefillHTTPPort: e.cfg.HTTPPort,
	}
	if e.cfg.FollowRoom {
		r.LoadBalanceMethod = bootstrap.FollowRoom
	}
	return r
}

// accept takes connections until the listener closes.
func (e *Engine) accept() {
	for {
		c, err := e.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// Out of descriptors, most likely. Others will be closed; spinning would not help them.
			e.cfg.Log.Error("accept failed", "err", err)
			time.Sleep(10 * time.Millisecond)
			continue
		}
		e.wg.Go(func() { e.greet(e.cfg.Wrap(c)) })
	}
}

// greet shakes hands and serves the connection as what the peer says it is.
func (e *Engine) greet(c net.Conn) {
	stop := context.AfterFunc(e.ctx, func() { _ = c.Close() })
	conn, hello, err := wire.Handshake(c, e.hello(), e.cfg.FrameTime)
	if !stop() && err == nil {
		_ = conn.Close()
		return
	}
	if err != nil {
		e.cfg.Log.Warn("handshake failed", "peer", c.RemoteAddr(), "err", err)
		return
	}
	s := newSession(e, conn, hello)
	if !e.admit(s) {
		_ = conn.Close()
		return
	}
	defer e.dismiss(s)
	s.run()
}

// hello is this rank's first frame.
func (e *Engine) hello() wire.Hello {
	return wire.Hello{Role: wire.RolePrefill, Session: e.session, Rank: uint32(e.cfg.sender())}
}

// admit files a session; false where there are too many or the engine is closing.
func (e *Engine) admit(s *session) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.sessions) >= maxSessions || e.ctx.Err() != nil {
		return false
	}
	e.sessions[s] = struct{}{}
	return true
}

// dismiss forgets a session that has ended, with the INFOs it left for rooms that nobody has submitted.
func (e *Engine) dismiss(s *session) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, s)
	e.early.drop(s)
}

// sweep fails rooms that wait too long, until the engine closes.
func (e *Engine) sweep() {
	tick := time.NewTicker(max(min(e.cfg.Stay/10, time.Second), time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-e.ctx.Done():
			return
		case now := <-tick.C:
			e.rooms.Expire()
			e.mu.Lock()
			e.early.expire(now)
			e.past.expire(now, e.cfg.Stay)
			e.mu.Unlock()
		}
	}
}
