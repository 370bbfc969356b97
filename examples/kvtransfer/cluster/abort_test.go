package cluster

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/synth"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// A request is aborted while a frame of it is half way in, and another one gets its pages. With early release the rest of the frame
// lands in the other one's pages, after these were complete and checked: silent corruption. Without it the other one does not get
// the pages before the frame is through.
func TestAbortInMidWrite(t *testing.T) {
	for name, early := range map[string]bool{"early release": true, "deferred release": false} {
		t.Run(name, func(t *testing.T) {
			var inject fault.Injector
			c := start(t, Spec{
				// Mapped memory is out of the race detector's sight: the race is what this test is about.
				Model: latent(), Memory: memory.Mapped,
				Prefill: func(p *prefill.Config) {
					p.Wrap, p.Workers = inject.Wrap, 4
					p.Capacity.Pages = 80 // both requests at once; only decode is short of pages
				},
				Decode: func(d *decode.Config) { d.EarlyRelease, d.Connections = early, 2 },
			})
			ctx := bounded(t)
			stall := inject.Arm(fault.Fault{Kind: fault.Stall, After: 20_000}) // in the pages of the only frame
			defer stall.Lift()
			victim, err := c.Submit(decode.Request{Room: 2, Tokens: 640})
			if err != nil {
				t.Fatal(err)
			}
			<-stall.Hit()
			// Region 0 comes first, and nobody but the prefill rank writes there.
			first := c.Decode[0].Memory().Region(0)[:1024]
			eventually(t, "the first part of the frame is in the pool", func() bool {
				return bytes.Count(first, []byte{synth.Canary}) < len(first)/2
			})
			c.Decode[0].Abort(2)
			if err := victim[0].Wait(ctx); !errors.Is(err, room.ErrAborted) {
				t.Fatalf("the aborted one: %v", err)
			}
			// Room 3 goes over the other connection, which does not stall.
			next, err := c.Submit(decode.Request{Room: 3, Tokens: 640})
			if err != nil {
				t.Fatal(err)
			}
			if early {
				if err := next[0].Wait(ctx); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Checks[0].Request(3, next[0].Lease(), 0, 640); err != nil {
					t.Fatalf("before the rest of the frame comes: %v", err)
				}
				stall.Lift()
				var wrong *synth.WrongByteError
				eventually(t, "the pages are corrupted", func() bool {
					_, err := c.Checks[0].Request(3, next[0].Lease(), 0, 640)
					return errors.As(err, &wrong)
				})
			} else {
				if free := c.Decode[0].Stats().Free; free.Pages != 0 {
					t.Errorf("%d pages are free while their writer is on its way", free.Pages)
				}
				stall.Lift()
				if err := next[0].Wait(ctx); err != nil {
					t.Fatal(err)
				}
				<-victim[0].Gone()
				if _, err := c.Checks[0].Request(3, next[0].Lease(), 0, 640); err != nil {
					t.Errorf("after all: %v", err)
				}
			}
			next[0].Release()
			<-next[0].Gone()
			<-victim[0].Gone()
			eventually(t, "the stalled frame is through", func() bool { return c.Prefill[0].Stats().Rooms[room.Failed] == 0 })
			if !early {
				works(t, c, 100)
			}
		})
	}
}

// Pages of an aborted room stay until the prefill rank acknowledges, and only the answer to this very abort counts.
func TestLateAcknowledgement(t *testing.T) {
	c := alone(t, nil)
	r := newRogue(t, c.Boot, 16)
	tr, err := c.Decode[0].Submit(decode.Request{Room: 9, Bootstrap: c.Boot, Tokens: 640})
	if err != nil {
		t.Fatal(err)
	}
	conn := <-r.conns
	defer conn.Close()
	_, m := info(t, conn)
	tr.Abort()
	_, body := await(t, conn, wire.TypeAbort)
	abort, err := wire.ParseAbort(body)
	if err != nil || abort.Attempt != m.Attempt {
		t.Fatalf("abort %+v of info %+v, %v", abort, m, err)
	}
	held := func(when string) {
		t.Helper()
		if free := c.Decode[0].Stats().Free; free.Pages != 0 {
			t.Errorf("%s: %d pages are free", when, free.Pages)
		}
		if _, err := c.Decode[0].Submit(decode.Request{Room: 9, Bootstrap: c.Boot, Tokens: 16}); !errors.As(err, new(*room.DuplicateError)) {
			t.Errorf("%s: the room opens again: %v", when, err)
		}
	}
	held("before any answer")
	// An answer to an earlier abort, a pong to see that it has been taken.
	for _, msg := range []wire.Message{&wire.AbortAck{Attempt: m.Attempt - 1}, &wire.Ping{}} {
		if err := conn.Send(msg, 9); err != nil {
			t.Fatal(err)
		}
	}
	await(t, conn, wire.TypePong)
	held("after a stale answer")
	if err := conn.Send(&wire.AbortAck{Attempt: m.Attempt}, 9); err != nil {
		t.Fatal(err)
	}
	<-tr.Gone()
	if free := c.Decode[0].Stats().Free; free.Pages != 40 {
		t.Errorf("after the answer %d pages are free", free.Pages)
	}
	// One answer more, to nobody.
	if err := conn.Send(&wire.AbortAck{Attempt: m.Attempt}, 9); err != nil {
		t.Fatal(err)
	}
	if err := conn.Send(&wire.Ping{}, 0); err != nil {
		t.Fatal(err)
	}
	await(t, conn, wire.TypePong)
}

// A prefill rank that does not answer an abort is cut off, and only then are the pages given back.
func TestNoAcknowledgement(t *testing.T) {
	c := alone(t, func(d *decode.Config) { d.AckTime = 50 * time.Millisecond })
	r := newRogue(t, c.Boot, 16)
	tr, err := c.Decode[0].Submit(decode.Request{Room: 9, Bootstrap: c.Boot, Tokens: 640})
	if err != nil {
		t.Fatal(err)
	}
	conn := <-r.conns
	defer conn.Close()
	_, m := info(t, conn)
	tr.Abort()
	await(t, conn, wire.TypeAbort)
	<-tr.Gone()
	if _, err := conn.Next(); err == nil {
		t.Error("the connection is still in use")
	}
	// Whatever the rank writes now goes nowhere.
	_ = conn.SendData(wire.TypePages, 9, []wire.Copy{{Length: 1024, Offset: uint64(m.Pages[0]) * 1024}}, [][]byte{make([]byte, 1024)})
	if err := c.Clean(); err != nil {
		t.Error(err)
	}
}

// An abort that overtakes its request: the decode side gives up before the router has told prefill. The request fails when it comes.
func TestAbortBeforeTheRequest(t *testing.T) {
	c := start(t, Spec{Model: latent(), PP: 2})
	tr, err := c.Decode[0].Submit(decode.Request{Room: 5, Bootstrap: c.Boot, Tokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the decode rank has sent its lists", func() bool {
		s, _ := c.Decode[0].State(5)
		return s == room.WaitingForInput && c.Prefill[0].Stats().Sessions > 0 && c.Prefill[1].Stats().Sessions > 0
	})
	tr.Abort()
	<-tr.Gone() // both stages have acknowledged
	for i, p := range c.Prefill {
		if err := p.Submit(prefill.Request{Room: 5, Tokens: 100}); err != nil {
			t.Fatal(err)
		}
		var aborted *prefill.PeerAbortError
		if err := p.Wait(bounded(t), 5); !errors.As(err, &aborted) && !errors.Is(err, prefill.ErrElsewhere) {
			t.Errorf("stage %d: %v", i, err)
		}
	}
	works(t, c, 6)
}

// Prefill's own abort reaches decode, and every stage.
func TestAbortOnPrefill(t *testing.T) {
	c := start(t, Spec{Model: latent(), PP: 4})
	tr, err := c.Submit(decode.Request{Room: 5, Tokens: 640})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Prefill[2].Abort(5) {
		t.Log("the transfer was faster than the abort")
	}
	err = tr[0].Wait(bounded(t))
	var failed *decode.PrefillError
	if err != nil && !errors.As(err, &failed) {
		t.Errorf("decode: %v", err)
	}
	tr[0].Release()
	<-tr[0].Gone()
	for i, p := range c.Prefill {
		if e := p.Wait(bounded(t), 5); (e == nil) != (err == nil) && i == 2 {
			t.Errorf("stage %d: %v, decode: %v", i, e, err)
		}
	}
	works(t, c, 6)
}
