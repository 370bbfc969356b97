package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/synth"
)

// The soak: requests of all lengths at once, some aborted, while connections stall, break, trickle and corrupt, and ranks restart.
// The environment variable SOAK says how long, the constant soakSeed what is drawn.
const (
	soakTime    = 5 * time.Second
	soakSeed    = 20260822
	soakWorkers = 12
)

// Times of the soak. Whatever happens, a request must end within the longest that its timeouts allow: it may wait its stay in each of
// two states, then for the acknowledgement, then for a frame that is cut off.
const (
	soakStay  = 2 * time.Second
	soakFrame = 500 * time.Millisecond
	soakAck   = time.Second
	soakLimit = 2*soakStay + soakAck + soakFrame
)

// soak is one run.
type soak struct {
	t    *testing.T
	seed uint64
	stop chan struct{}

	mu sync.RWMutex // held for writing while a rank is replaced
	c  *Cluster

	sends, answers fault.Injector // of the prefill ranks and of the decode rank
	rooms          atomic.Uint64
	good, failed   atomic.Int64
	faults         [5]atomic.Int64 // that happened, by fault.Kind; then restarts
}

func TestSoak(t *testing.T) {
	s := &soak{t: t, seed: soakSeed, stop: make(chan struct{})}
	long := soakTime
	if v := os.Getenv("SOAK"); v != "" {
		var err error
		if long, err = time.ParseDuration(v); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		long = 2 * time.Second
	}
	s.c = start(t, Spec{
		Model: latent(), PP: 2, PrefillCap: layout.Capacity{Pages: 120, Slots: 8}, DecodeCap: layout.Capacity{Pages: 160, Slots: 10},
		Prefill: func(p *prefill.Config) {
			p.ChunkTokens, p.FrameBytes, p.Workers = 128, 20_000, 4
			p.Wrap, p.Stay, p.FrameTime = s.sends.Wrap, soakStay, soakFrame
		},
		Decode: func(d *decode.Config) {
			d.Wrap, d.Stay, d.FrameTime, d.AckTime = s.answers.Wrap, soakStay, soakFrame, soakAck
			d.Heartbeat, d.Connections = 300*time.Millisecond, 2
			d.Retry = backoff.Policy{First: 5 * time.Millisecond, Max: 100 * time.Millisecond, Least: 0.5}
		},
	})
	var wg sync.WaitGroup
	for n := range uint64(soakWorkers) {
		wg.Go(func() { s.work(rand.New(rand.NewPCG(s.seed, n))) })
	}
	wg.Go(func() { s.chaos(rand.New(rand.NewPCG(s.seed, 1000))) })
	time.Sleep(long)
	close(s.stop)
	wg.Wait()
	s.report(long)
	for _, i := range []*fault.Injector{&s.sends, &s.answers} {
		i.Arm(fault.Fault{}).Lift()
	}
	works(t, s.c, room.ID(s.rooms.Add(1000)))
	for i, p := range s.c.Prefill {
		eventually(t, "all rooms of the prefill rank are gone", func() bool { return len(p.Stats().Rooms) == 0 })
		if free := p.Stats().Free; free.Pages != 120 || free.Slots != 8 {
			t.Errorf("prefill rank %d has %+v free", i, free)
		}
	}
	if free := s.c.Decode[0].Stats().Free; free.Pages != 160 || free.Slots != 10 {
		t.Errorf("the decode rank has %+v free", free)
	}
}

// report says what happened, and that enough did.
func (s *soak) report(long time.Duration) {
	s.t.Logf("%s, seed %d: %d requests succeeded and %d failed; %d stalls, %d cuts, %d slow, %d flips, %d restarts", long, s.seed,
		s.good.Load(), s.failed.Load(), s.faults[0].Load(), s.faults[1].Load(), s.faults[2].Load(), s.faults[3].Load(), s.faults[4].Load())
	if s.good.Load() == 0 || s.failed.Load() == 0 {
		s.t.Error("a soak in which nothing succeeds, or nothing fails, shows nothing")
	}
}

// stopped tells whether the time is up.
func (s *soak) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// work makes requests until the time is up.
func (s *soak) work(rng *rand.Rand) {
	for !s.stopped() {
		r := decode.Request{Room: room.ID(s.rooms.Add(1)), Tokens: 1 + rng.IntN(700), Checksum: true}
		r.Prefix = rng.IntN(r.Tokens + 1)
		var after time.Duration
		if rng.IntN(5) == 0 {
			after = time.Duration(rng.IntN(20)) * time.Millisecond
		}
		s.request(r, after, rng.IntN(2) == 0)
	}
}

// request runs one request and aborts it after a while, if after is not 0, on prefill or on decode. A request that fails is as good
// as one that succeeds; one with a wrong byte, or without an end, is not.
func (s *soak) request(r decode.Request, after time.Duration, onPrefill bool) {
	ctx, cancel := context.WithTimeout(context.Background(), soakLimit+patience)
	defer cancel()
	s.mu.RLock()
	abort := s.c.Decode[0].Abort
	if onPrefill {
		abort = s.c.Prefill[int(r.Room)%2].Abort
	}
	s.mu.RUnlock()
	if after > 0 {
		time.AfterFunc(after, func() { abort(r.Room) })
	}
	began := time.Now()
	err := s.run(ctx, r)
	var wrong *synth.WrongByteError
	switch {
	case err == nil:
		s.good.Add(1)
	case errors.As(err, &wrong):
		s.t.Errorf("%+v was delivered with a %v", r, wrong)
	case errors.Is(err, context.DeadlineExceeded):
		s.t.Errorf("%+v hangs since %s", r, time.Since(began))
	default:
		s.failed.Add(1)
	}
}

// run is Cluster.Run on whatever ranks there are now.
func (s *soak) run(ctx context.Context, r decode.Request) error {
	s.mu.RLock()
	transfers, err := s.c.Submit(r)
	s.mu.RUnlock()
	if err != nil {
		return err
	}
	t := transfers[0]
	err = t.Wait(ctx)
	if err == nil {
		_, err = s.c.Checks[0].Request(r.Room, t.Lease(), t.Prefix(), r.Tokens)
	}
	t.Release()
	select {
	case <-t.Gone():
	case <-ctx.Done():
		err = errors.Join(err, ctx.Err())
	}
	if err != nil { // as a router does: ranks that have not heard of it need not wait
		s.mu.RLock()
		s.c.Abort(r.Room)
		s.mu.RUnlock()
	}
	return err
}

// chaos draws faults until the time is up.
func (s *soak) chaos(rng *rand.Rand) {
	for !s.stopped() {
		time.Sleep(time.Duration(5+rng.IntN(60)) * time.Millisecond)
		switch n := rng.IntN(40); {
		case n == 0:
			s.restart(rng.IntN(2))
			s.faults[4].Add(1)
		case n < 3:
			s.garbage(rng)
		default:
			s.fault(rng)
		}
	}
}

// fault arms one on either side and waits a little for it to happen.
func (s *soak) fault(rng *rand.Rand) {
	f := fault.Fault{Kind: fault.Kind(rng.IntN(4)), After: int64(rng.IntN(60_000))}
	f.For = time.Duration(1+rng.IntN(100)) * time.Millisecond
	if rng.IntN(5) == 0 { // longer than a frame may take, often enough
		f.For *= 10
	}
	inject := &s.sends
	if rng.IntN(4) == 0 {
		inject, f.After = &s.answers, f.After/50 // what decode sends is short
	}
	armed := inject.Arm(f)
	select {
	case <-armed.Hit():
		s.faults[f.Kind].Add(1)
	case <-time.After(200 * time.Millisecond):
		armed.Lift()
	}
}

// restart replaces a prefill rank.
func (s *soak) restart(stage int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.c.Prefill[stage].Close(); err != nil {
		s.t.Error(err)
	}
	if err := s.c.AddPrefill(0, 0, stage); err != nil {
		s.t.Error(err)
		return
	}
	last := len(s.c.Prefill) - 1
	s.c.Prefill[stage] = s.c.Prefill[last]
	s.c.Prefill = s.c.Prefill[:last]
}

// garbage connects to a prefill rank and sends it something else.
func (s *soak) garbage(rng *rand.Rand) {
	s.mu.RLock()
	addr := s.c.Prefill[rng.IntN(2)].Addr()
	s.mu.RUnlock()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer conn.Close()
	junk := make([]byte, 1+rng.IntN(100))
	for i := range junk {
		junk[i] = byte(rng.Uint32())
	}
	_, _ = conn.Write(append([]byte("kvtr\x01\x00\x00\x00"), junk...))
}
