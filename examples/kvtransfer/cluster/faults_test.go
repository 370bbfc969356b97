package cluster

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// A decode rank from before 2026-06-30 registers lists of another length. With the layouts compared it is turned away by their names;
// without, by the lengths, in the words that SGLang users know. Either way every request fails at once and says why.
func TestWrongListLength(t *testing.T) {
	for mode, want := range map[slice.Mode]string{
		slice.Strict: `prefill and decode lay the model out differently, in `,
		slice.Compatible: "Unexpected compressed-MLA dst_kv_ptrs length 15; expected either 8 (kv_data) or swa_L + 6 (state_data) " +
			"given compression_ratios (c4=3, c128=2, total=8).",
	} {
		t.Run(string(mode), func(t *testing.T) {
			c := start(t, Spec{
				Model: v4(), PP: 2, PrefillCap: caps(v4()), DecodeCap: caps(v4()),
				Prefill: func(p *prefill.Config) { p.Mode = mode },
				Decode: func(d *decode.Config) {
					d.Model.Form = layout.Old
					quick(d)
				},
			})
			for id := room.ID(1); id < 4; id++ { // later ones too, though the rank is left alone for a while
				_, err := c.Run(bounded(t), decode.Request{Room: id, Tokens: 300})
				var refused *decode.RefusedError
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
					t.Errorf("room %d: %v", id, err)
				}
			}
			for _, p := range c.Prefill {
				eventually(t, "the rooms are gone from prefill", func() bool { return len(p.Stats().Rooms) == 0 })
			}
		})
	}
}

// An INFO whose lists do not fit the request fails the room, on the side that knows, with the figures.
func TestInfoThatDoesNotFit(t *testing.T) {
	c := start(t, Spec{Model: latent(), Decode: func(d *decode.Config) { d.Capacity.Pages = 400 }})
	for name, k := range map[string]struct {
		there, here decode.Request // what prefill and decode are told
		want        string
	}{
		"fewer pages": {decode.Request{Tokens: 100}, decode.Request{Tokens: 80}, "decode sent 5 destination pages for a request that needs 7"},
		"more pages":  {decode.Request{Tokens: 100}, decode.Request{Tokens: 160}, "decode sent 10 destination pages for a request that needs 7"},
		"prefix behind the end": {decode.Request{Tokens: 100}, decode.Request{Tokens: 160, Prefix: 160},
			"decode says it has 160 tokens already, which is no multiple of 16 up to the request's 100"},
	} {
		id := room.ID(len(name))
		tr, err := c.Decode[0].Submit(decode.Request{Room: id, Bootstrap: c.Boot, Tokens: k.here.Tokens, Prefix: k.here.Prefix})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Prefill[0].Submit(prefill.Request{Room: id, Tokens: k.there.Tokens}); err != nil {
			t.Fatal(err)
		}
		var failed *decode.PrefillError
		if err := tr.Wait(bounded(t)); !errors.As(err, &failed) || failed.Reason != k.want {
			t.Errorf("%s: %v", name, err)
		}
		<-tr.Gone()
	}
	works(t, c, 100)
}

// A prefill rank restarts in the middle of requests: those fail, and later ones find it at its new address.
func TestPrefillRestarts(t *testing.T) {
	c := start(t, Spec{Model: latent(), PP: 2, Prefill: chunks, Decode: quick})
	works(t, c, 1)
	var wg sync.WaitGroup
	for id := room.ID(100); id < 120; id++ {
		wg.Go(func() { _, _ = c.Run(bounded(t), decode.Request{Room: id, Tokens: 640}) })
	}
	if err := c.Prefill[1].Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	c.Prefill = c.Prefill[:1]
	if err := c.AddPrefill(0, 0, 1); err != nil {
		t.Fatal(err)
	}
	works(t, c, 1000)
}

// A decode rank restarts in the middle of requests.
func TestDecodeRestarts(t *testing.T) {
	c := start(t, Spec{Model: latent(), PP: 2, Prefill: chunks})
	works(t, c, 1)
	var wg sync.WaitGroup
	for id := room.ID(100); id < 120; id++ {
		wg.Go(func() { _, _ = c.Run(bounded(t), decode.Request{Room: id, Tokens: 640}) })
	}
	eventually(t, "requests are under way", func() bool { return len(c.Decode[0].Stats().Rooms) > 0 })
	if err := c.Decode[0].Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	c.Decode, c.Checks = nil, nil
	if err := c.AddDecode(0, 0); err != nil {
		t.Fatal(err)
	}
	works(t, c, 1000)
	for i, p := range c.Prefill {
		eventually(t, "the old decode rank is forgotten", func() bool { return len(p.Stats().Rooms) == 0 })
		if free := p.Stats().Free; free.Pages != 40 {
			t.Errorf("stage %d has %d pages free", i, free.Pages)
		}
	}
}

// The connection breaks, stalls for longer than a frame may take, or corrupts a byte, somewhere in the middle of a request. The request
// fails, the next one works. A stall that ends in time only delays.
func TestConnectionFaults(t *testing.T) {
	for name, k := range map[string]struct {
		fault fault.Fault
		want  func(error) bool
	}{
		"cut":   {fault.Fault{Kind: fault.Cut, After: 50_000}, func(err error) bool { return errors.As(err, new(*decode.LostError)) }},
		"stall": {fault.Fault{Kind: fault.Stall, After: 50_000}, func(err error) bool { return errors.As(err, new(*wire.StallError)) }},
		"flip":  {fault.Fault{Kind: fault.Flip, After: 50_000}, func(err error) bool { return errors.As(err, new(*decode.ChecksumError)) }},
		"short": {fault.Fault{Kind: fault.Stall, After: 50_000, For: 10 * time.Millisecond}, func(err error) bool { return err == nil }},
		"slow":  {fault.Fault{Kind: fault.Slow, After: 50_000, For: 20 * time.Millisecond}, func(err error) bool { return err == nil }},
	} {
		t.Run(name, func(t *testing.T) {
			var inject fault.Injector
			c := start(t, Spec{
				Model: latent(),
				Prefill: func(p *prefill.Config) {
					chunks(p)
					p.Wrap, p.FrameBytes = inject.Wrap, 100_000
				},
				Decode: func(d *decode.Config) {
					quick(d)
					if name == "stall" {
						d.FrameTime = 300 * time.Millisecond
					}
				},
			})
			armed := inject.Arm(k.fault)
			_, err := c.Run(bounded(t), decode.Request{Room: 1, Tokens: 640, Checksum: true})
			if !k.want(err) {
				t.Errorf("%v", err)
			}
			<-armed.Hit()
			armed.Lift()
			works(t, c, 2)
		})
	}
}

// A decode rank that reads slowly holds up its own connection; when a frame does not get through in its time, prefill drops it and
// goes on serving others.
func TestSlowReader(t *testing.T) {
	c := start(t, Spec{
		// Sockets hold some megabytes. The request must be larger for its sender to notice.
		Model:      layout.Model{Family: layout.MLA, Layers: 4, HeadDim: 24 << 10, RopeDim: 8 << 10, PageSize: 1},
		PrefillCap: layout.Capacity{Pages: 200, Slots: 4}, DecodeCap: layout.Capacity{Pages: 200, Slots: 4},
		Prefill: func(p *prefill.Config) { p.FrameTime = 300 * time.Millisecond },
		Decode:  quick,
	})
	client, err := net.Dial("tcp", c.Prefill[0].Addr())
	if err != nil {
		t.Fatal(err)
	}
	// A decode rank of the same layout that asks for pages and then reads nothing.
	slow, _, err := wire.Handshake(client, wire.Hello{Role: wire.RoleDecode, Session: "slow"}, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := slow.Send(&wire.Register{Pool: c.Decode[0].Pool()}, 0); err != nil {
		t.Fatal(err)
	}
	await(t, slow, wire.TypeRegistered)
	pages := make([]uint32, 150)
	for i := range pages {
		pages[i] = uint32(i)
	}
	if err := slow.Send(&wire.Info{Required: 1, Pages: pages, Aux: 0}, 7); err != nil {
		t.Fatal(err)
	}
	if err := c.Prefill[0].Submit(prefill.Request{Room: 7, Tokens: 150}); err != nil {
		t.Fatal(err)
	}
	var stall *wire.StallError
	if err := c.Prefill[0].Wait(bounded(t), 7); !errors.As(err, &stall) || stall.Doing != "sending" {
		t.Errorf("%v", err)
	}
	if _, err := c.Run(bounded(t), decode.Request{Room: 8, Tokens: 20}); err != nil {
		t.Errorf("another decode rank: %v", err)
	}
}

// One room, two requests. The second is refused on either side and the first is none the worse; a second decode rank that uses a
// room which is complete without it is turned away alone.
func TestDuplicateRoom(t *testing.T) {
	hold := make(chan struct{})
	c := start(t, Spec{Model: latent(), Prefill: func(p *prefill.Config) {
		fill := p.Compute
		p.Compute = func(ctx context.Context, k prefill.Chunk) error {
			<-hold
			return fill(ctx, k)
		}
	}})
	first, err := c.Submit(decode.Request{Room: 3, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	var dup *room.DuplicateError
	if err := c.Prefill[0].Submit(prefill.Request{Room: 3, Tokens: 50}); !errors.As(err, &dup) || dup.Room != 3 {
		t.Errorf("prefill: %v", err)
	}
	if _, err := c.Decode[0].Submit(decode.Request{Room: 3, Bootstrap: c.Boot, Tokens: 50}); !errors.As(err, &dup) {
		t.Errorf("decode: %v", err)
	}
	eventually(t, "the room has started", func() bool { s, _ := c.Prefill[0].State(3); return s == room.Transferring })
	if err := c.AddDecode(0, 0); err != nil {
		t.Fatal(err)
	}
	other, err := c.Decode[1].Submit(decode.Request{Room: 3, Bootstrap: c.Boot, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	var failed *decode.PrefillError
	if err := other.Wait(bounded(t)); !errors.As(err, &failed) || !strings.Contains(failed.Reason, "is the room in use twice?") {
		t.Errorf("the other decode rank: %v", err)
	}
	<-other.Gone()
	close(hold)
	if err := first[0].Wait(bounded(t)); err != nil {
		t.Errorf("the first request: %v", err)
	}
	if _, err := c.Checks[0].Request(3, first[0].Lease(), 0, 100); err != nil {
		t.Error(err)
	}
	first[0].Release()
	<-first[0].Gone()
}

// Ranks register late: requests wait for them, and give up when they do not come.
func TestHalfRegistered(t *testing.T) {
	c := start(t, Spec{Model: latent(), PP: 2, Decode: quick})
	late := &Cluster{Server: bootstrap.NewServer(nil), spec: c.spec}
	late.spec.Decode = func(d *decode.Config) {
		quick(d)
		d.Lookup, d.Tries = 5*time.Millisecond, 20
	}
	if err := late.serve("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := late.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := errors.Join(late.AddDecode(0, 0), late.AddPrefill(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the first rank is there", func() bool { return late.Server.Workers() == 1 })
	_, err := late.Run(bounded(t), decode.Request{Room: 1, Tokens: 100})
	var lookup *bootstrap.LookupError
	if !errors.As(err, &lookup) || !strings.Contains(err.Error(), "Prefill server not fully registered yet (1 workers registered).") {
		t.Errorf("half an engine: %v", err)
	}
	if err := late.AddPrefill(0, 0, 0); err != nil {
		t.Fatal(err)
	}
	works(t, late, 2)
}

// A stage dies while requests wait for each other's stages. They end, by the lost connection, and not by the timeout, which is far
// away; on the stages that live their rooms end as well.
func TestDeadStage(t *testing.T) {
	hold := make(chan struct{})
	c := start(t, Spec{Model: latent(), PP: 4, Decode: quick, Prefill: func(p *prefill.Config) {
		fill := p.Compute
		p.Compute = func(ctx context.Context, k prefill.Chunk) error {
			select {
			case <-hold:
				return fill(ctx, k)
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}})
	defer close(hold)
	tr, err := c.Submit(decode.Request{Room: 1, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "all stages have started", func() bool {
		for _, p := range c.Prefill {
			if s, _ := p.State(1); s != room.Transferring {
				return false
			}
		}
		return true
	})
	if err := c.Prefill[2].Close(); err != nil {
		t.Error(err)
	}
	var lost *decode.LostError
	var failed *decode.PrefillError
	if err := tr[0].Wait(bounded(t)); !errors.As(err, &lost) && !errors.As(err, &failed) {
		t.Errorf("decode: %v", err)
	}
	<-tr[0].Gone()
	for i, p := range c.Prefill {
		if s, _ := p.State(1); i != 2 && s != room.Failed {
			t.Errorf("stage %d: %v", i, s)
		}
	}
	// While the stage is gone requests fail quickly, since nobody listens there.
	_, err = c.Decode[0].Submit(decode.Request{Room: 2, Bootstrap: c.Boot, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the next request has failed", func() bool { _, open := c.Decode[0].State(2); return !open })
}

// A rank that accepts connections and then says nothing is given up: in the handshake after the time of a frame, later by heartbeats.
func TestSilentPeer(t *testing.T) {
	c := alone(t, func(d *decode.Config) { d.Heartbeat, d.FrameTime = 10*time.Millisecond, patience })
	r := newRogue(t, c.Boot, 16)
	tr, err := c.Decode[0].Submit(decode.Request{Room: 1, Bootstrap: c.Boot, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	var beat *decode.HeartbeatError
	if err := tr.Wait(bounded(t)); !errors.As(err, &beat) || beat.Misses != 2 {
		t.Errorf("%v", err)
	}
	<-tr.Gone()
	(<-r.conns).Close()

	mute, err := net.Listen("tcp", "127.0.0.1:0") // connections are made by the system, nobody accepts them
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	d := alone(t, func(d *decode.Config) { d.FrameTime = 100 * time.Millisecond })
	(&rogue{l: mute}).register(t, d.Boot, 16)
	tr, err = d.Decode[0].Submit(decode.Request{Room: 1, Bootstrap: d.Boot, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	var connect *decode.ConnectError
	if err := tr.Wait(bounded(t)); !errors.As(err, &connect) {
		t.Errorf("%v", err)
	}
	<-tr.Gone()
}

// A peer that failed is left alone for a while, and tried again then: no failure is for ever.
func TestBackOffExpires(t *testing.T) {
	c := alone(t, func(d *decode.Config) {
		d.Retry = backoff.Policy{First: 300 * time.Millisecond, Max: time.Second, Least: 1}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	r := &rogue{l: l, conns: make(chan *wire.Conn, 16), raw: make(chan net.Conn, 16)}
	r.register(t, c.Boot, 16)
	l.Close()
	fails := func(id room.ID) error {
		tr, err := c.Decode[0].Submit(decode.Request{Room: id, Bootstrap: c.Boot, Tokens: 16})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { tr.Release(); <-tr.Gone() }()
		return tr.Wait(bounded(t))
	}
	var connect *decode.ConnectError
	var down *backoff.DownError
	if err := fails(1); !errors.As(err, &connect) || errors.As(err, &down) {
		t.Errorf("first: %v", err)
	}
	if err := fails(2); !errors.As(err, &down) || down.Peer != addr || down.Failures != 1 || !errors.As(err, &connect) {
		t.Errorf("second: %v", err)
	}
	id := room.ID(3)
	eventually(t, "the peer is tried again", func() bool { id++; return !errors.As(fails(id), &down) })
}

// Whoever asks a prefill rank for a room gets an answer at every moment: while it is open, while it ends, and after.
func TestWaitWhileRoomsEnd(t *testing.T) {
	c := start(t, Spec{Model: latent()})
	for id := room.ID(1); id <= 100; id++ {
		if _, err := c.Run(bounded(t), decode.Request{Room: id, Tokens: 16}); err != nil {
			t.Fatal(err)
		}
		if err := c.Prefill[0].Wait(bounded(t), id); err != nil {
			t.Fatalf("room %d: %v", id, err)
		}
		if s, ok := c.Prefill[0].State(id); !ok || s != room.Success {
			t.Fatalf("room %d is in state %s, %t", id, s, ok)
		}
	}
}
