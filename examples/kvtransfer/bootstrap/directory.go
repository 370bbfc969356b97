package bootstrap

import (
	"context"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Pace of lookups, SGLang's figures: the shape of an engine that is not there yet is asked for once a second, 15 times.
const (
	LookupInterval = time.Second
	LookupTries    = 15
)

// Directory is what a decode rank knows about prefill engines: answers of their bootstrap servers, kept until [Directory.Forget].
// Requests for the same engine share one lookup and its failure. It is safe for concurrent use.
type Directory struct {
	client *Client
	pace   backoff.Policy
	tries  int

	ctx     context.Context // ends with Close
	stop    context.CancelFunc
	lookups sync.WaitGroup

	mu      sync.Mutex
	servers map[string]*server
}

// server is what is known of one engine. The directory's mutex guards ranks; info and err are settled when ready is closed.
type server struct {
	ready chan struct{}
	info  ServerInfo
	err   error
	ranks map[RankKey]*rank
}

// rank is what is known of one rank; info and err are settled when ready is closed.
type rank struct {
	ready chan struct{}
	info  RankInfo
	err   error
}

// NewDirectory returns an empty directory. Zero interval and tries take LookupInterval and LookupTries.
func NewDirectory(c *Client, interval time.Duration, tries int) *Directory {
	if interval <= 0 {
		interval = LookupInterval
	}
	if tries <= 0 {
		tries = LookupTries
	}
	ctx, stop := context.WithCancel(context.Background())
	return &Directory{
		client: c, pace: backoff.Policy{First: interval, Max: interval, Least: 1}, tries: tries,
		ctx: ctx, stop: stop, servers: make(map[string]*server),
	}
}

// Close ends the lookups under way, failing who waits for them, and returns when they have ended.
func (d *Directory) Close() {
	d.mu.Lock() // no lookup may begin between the two
	d.stop()
	d.mu.Unlock()
	d.lookups.Wait()
}

// Info returns the shape of the engine whose bootstrap server is at addr, waiting for it to become complete. The error is a
// *LookupError, the same one for all who waited, or that of ctx. A failure is not kept: the next call begins anew.
func (d *Directory) Info(ctx context.Context, addr string) (ServerInfo, error) {
	d.mu.Lock()
	s, ok := d.servers[addr]
	if !ok && d.ctx.Err() != nil {
		d.mu.Unlock()
		return ServerInfo{}, &LookupError{Server: addr, Cause: context.Cause(d.ctx)}
	}
	if !ok {
		s = &server{ready: make(chan struct{}), ranks: make(map[RankKey]*rank)}
		d.servers[addr] = s
		// The lookup belongs to all who wait, so it must not end with the first of them. It is bounded by its tries.
		d.lookups.Go(func() { d.lookUp(addr, s) })
	}
	d.mu.Unlock()
	select {
	case <-s.ready:
		return s.info, s.err
	case <-ctx.Done():
		return ServerInfo{}, context.Cause(ctx)
	}
}

// lookUp settles s.
func (d *Directory) lookUp(addr string, s *server) {
	defer close(s.ready)
	err := backoff.Retry(d.ctx, d.tries, d.pace, func(ctx context.Context) (err error) {
		s.info, err = d.client.Info(ctx, addr)
		return err
	})
	if err == nil {
		return
	}
	s.err = &LookupError{Server: addr, Cause: err}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.servers[addr] == s {
		delete(d.servers, addr)
	}
}

// Rank returns the address of one rank of the engine whose bootstrap server is at addr. A thousand requests that begin at the same time
// share one question. Errors are those of Client.Rank, which are not kept, and that of ctx.
func (d *Directory) Rank(ctx context.Context, addr string, k RankKey) (RankInfo, error) {
	d.mu.Lock()
	s := d.servers[addr]
	if s == nil || d.ctx.Err() != nil { // forgotten since Info answered, or closing: nobody to share with
		d.mu.Unlock()
		return d.client.Rank(ctx, addr, k)
	}
	r, ok := s.ranks[k]
	if !ok {
		r = &rank{ready: make(chan struct{})}
		s.ranks[k] = r
		d.lookups.Go(func() { d.ask(addr, s, k, r) })
	}
	d.mu.Unlock()
	select {
	case <-r.ready:
		return r.info, r.err
	case <-ctx.Done():
		return RankInfo{}, context.Cause(ctx)
	}
}

// ask settles r.
func (d *Directory) ask(addr string, s *server, k RankKey, r *rank) {
	defer close(r.ready)
	if r.info, r.err = d.client.Rank(d.ctx, addr, k); r.err != nil {
		d.mu.Lock()
		delete(s.ranks, k)
		d.mu.Unlock()
	}
}

// DPRank finds the data-parallel rank that a room belongs to: the only one, the one that the room's number implies, or the
// one that prefill has told the server. The error is ErrNoPrefillRank while prefill has not.
func (d *Directory) DPRank(ctx context.Context, addr string, info ServerInfo, id room.ID) (int, error) {
	switch {
	case info.DPSize == 1:
		return 0, nil
	case info.FollowBootstrapRoom:
		return int(uint64(id) % uint64(info.DPSize)), nil
	}
	found, err := d.client.QueryRanks(ctx, addr, []room.ID{id})
	if err != nil {
		return 0, err
	}
	if n, ok := found[id]; ok {
		return n, nil
	}
	return 0, ErrNoPrefillRank
}

// Forget drops what is known of an engine, so that the next request asks again: after a lost connection, when ranks may have
// come back elsewhere. A lookup under way goes on for those who wait for it.
func (d *Directory) Forget(addr string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.servers, addr)
}
