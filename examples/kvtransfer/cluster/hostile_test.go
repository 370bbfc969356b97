package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// A prefill rank that writes where it was not told to fails its room, and nothing reaches the pool. One that lies about what
// it has written is found out.
func TestWritesOutsideTheGrant(t *testing.T) {
	const item = 1024 // a page of latent()
	for name, k := range map[string]struct {
		write func(c *wire.Conn, id room.ID, m *wire.Info) error
		want  func(error) bool
	}{
		"a page of nobody": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.SendData(wire.TypePages, id, []wire.Copy{{Length: item, Offset: uint64(m.Pages[6]+1) * item}}, [][]byte{make([]byte, item)})
		}, func(err error) bool { return errors.As(err, new(*decode.GrantError)) }},
		"one byte beyond": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.SendData(wire.TypePages, id, []wire.Copy{{Length: item, Offset: uint64(m.Pages[6])*item + 1}}, [][]byte{make([]byte, item)})
		}, func(err error) bool { return errors.As(err, new(*decode.GrantError)) }},
		"beyond the region": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.SendData(wire.TypePages, id, []wire.Copy{{Length: item, Offset: 1<<64 - item}}, [][]byte{make([]byte, item)})
		}, func(err error) bool { return errors.As(err, new(*decode.GrantError)) }},
		"no region": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.SendData(wire.TypePages, id, []wire.Copy{{Region: 99, Length: item}}, [][]byte{make([]byte, item)})
		}, func(err error) bool { return errors.As(err, new(*decode.GrantError)) }},
		"good copy, then a bad one": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.SendData(wire.TypePages, id, []wire.Copy{{Length: item, Offset: uint64(m.Pages[0]) * item}, {Length: 1, Offset: 1 << 40}},
				[][]byte{make([]byte, item), {0}})
		}, func(err error) bool { return errors.As(err, new(*decode.GrantError)) }},
		"pages in an aux frame": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.SendData(wire.TypeAux, id, []wire.Copy{{Length: item, Offset: uint64(m.Pages[0]) * item}}, [][]byte{make([]byte, item)})
		}, func(err error) bool { return errors.As(err, new(*decode.ListError)) }},
		"success without metadata": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			return c.Send(&wire.Status{Attempt: m.Attempt, State: room.Success}, id)
		}, func(err error) bool { return errors.Is(err, decode.ErrNoMetadata) }},
		"metadata of another room": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			tag := layout.RegionID(4 + 8) // four latents, then the aux fields, of which the tag is the last
			b := binary.LittleEndian.AppendUint64(nil, uint64(id)+1)
			if err := c.SendData(wire.TypeAux, id, []wire.Copy{{Region: tag, Length: 8, Offset: uint64(m.Aux) * 64}}, [][]byte{b}); err != nil {
				return err
			}
			return c.Send(&wire.Status{Attempt: m.Attempt, State: room.Success}, id)
		}, func(err error) bool { var e *decode.MetadataError; return errors.As(err, &e) && e.Found == e.Room+1 }},
		"status of another attempt, then failure": {func(c *wire.Conn, id room.ID, m *wire.Info) error {
			if err := c.Send(&wire.Status{Attempt: m.Attempt + 1, State: room.Success}, id); err != nil {
				return err
			}
			return c.Send(&wire.Status{Attempt: m.Attempt, State: room.Failed, Reason: "out of memory"}, id)
		}, func(err error) bool {
			var e *decode.PrefillError
			return errors.As(err, &e) && e.Reason == "out of memory"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := alone(t, nil)
			r := newRogue(t, c.Boot, 16)
			tr, err := c.Decode[0].Submit(decode.Request{Room: 1, Bootstrap: c.Boot, Tokens: 100})
			if err != nil {
				t.Fatal(err)
			}
			conn := <-r.conns
			id, m := info(t, conn)
			if err := k.write(conn, id, m); err != nil {
				t.Fatal(err)
			}
			if err := tr.Wait(bounded(t)); !k.want(err) {
				t.Errorf("%v", err)
			}
			conn.Close()
			<-tr.Gone()
			if err := c.Clean(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Bytes of random kinds on a connection end that connection, on either side, and nothing else.
func TestGarbage(t *testing.T) {
	c := start(t, Spec{Model: latent(), Decode: quick})
	works(t, c, 1)
	rng := rand.New(rand.NewPCG(3, 4))
	hello := append([]byte("kvtr"), wire.Version, 0, 0, 0)
	for range 60 {
		conn, err := net.Dial("tcp", c.Prefill[0].Addr())
		if err != nil {
			t.Fatal(err)
		}
		junk := make([]byte, rng.IntN(300))
		for i := range junk {
			junk[i] = byte(rng.Uint32())
		}
		if rng.IntN(2) == 0 {
			junk = append(append([]byte(nil), hello...), junk...)
		}
		_, _ = conn.Write(junk)
		_ = conn.(*net.TCPConn).CloseWrite()
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("the rank does not hang up: %v", err)
		}
		conn.Close()
	}
	works(t, c, 100)

	d := alone(t, nil)
	r := newRogue(t, d.Boot, 16)
	for id := room.ID(1); id < 40; id++ {
		tr, err := d.Decode[0].Submit(decode.Request{Room: id, Bootstrap: d.Boot, Tokens: 100})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case conn := <-r.conns:
			raw := <-r.raw
			info(t, conn)
			head := make([]byte, 16+rng.IntN(200))
			for i := range head {
				head[i] = byte(rng.Uint32())
			}
			if rng.IntN(2) == 0 { // a frame that begins well
				copy(head, []byte{byte(len(head) - 16), 0, 0, 0, byte(1 + rng.IntN(14)), 0, byte(rng.IntN(3)), 0})
			}
			_, _ = raw.Write(head)
			conn.Close()
		case <-tr.Gone(): // the peer is left alone for a while
		}
		if tr.Wait(bounded(t)) == nil {
			t.Error("garbage made a success")
		}
		<-tr.Gone()
		if err := d.Clean(); err != nil {
			t.Fatal(err)
		}
	}
}

// A peer may not use frames of the other role, and must register first.
func TestFramesOutOfPlace(t *testing.T) {
	c := start(t, Spec{Model: latent(), Decode: quick})
	for name, k := range map[string]struct {
		role wire.Role
		msg  wire.Message
	}{
		"info before a layout":      {wire.RoleDecode, &wire.Info{Required: 1, Aux: wire.NoAux}},
		"status from decode":        {wire.RoleDecode, &wire.Status{State: room.Success}},
		"ballot from decode":        {wire.RoleDecode, &wire.Ballot{}},
		"layout from a ring member": {wire.RolePrefill, &wire.Register{Pool: c.Decode[0].Pool()}},
	} {
		raw, err := net.Dial("tcp", c.Prefill[0].Addr())
		if err != nil {
			t.Fatal(err)
		}
		conn, _, err := wire.Handshake(raw, wire.Hello{Role: k.role, Session: "odd"}, patience)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Send(k.msg, 1); err != nil {
			t.Fatal(err)
		}
		if h, err := conn.Next(); err == nil {
			t.Errorf("%s is answered with %s", name, h.Type)
		}
		conn.Close()
	}
	works(t, c, 1)
}

// What panics in the work of a room fails the room; the same worker serves the next.
func TestPanicFailsOneRoom(t *testing.T) {
	c := start(t, Spec{Model: latent(), Prefill: func(p *prefill.Config) {
		fill := p.Compute
		p.Compute = func(ctx context.Context, k prefill.Chunk) error {
			switch k.Room {
			case 1:
				panic("kernel launch failed")
			case 2:
				return errors.New("out of memory")
			}
			return fill(ctx, k)
		}
	}})
	for id, want := range map[room.ID]string{
		1: "work on room 1 panicked: kernel launch failed", 2: "tokens 0 to 100 could not be computed: out of memory",
	} {
		_, err := c.Run(bounded(t), decode.Request{Room: id, Tokens: 100})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("room %d: %v", id, err)
		}
		if err := c.Prefill[0].Wait(bounded(t), id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("room %d on prefill: %v", id, err)
		}
	}
	works(t, c, 3)
}

// Nobody comes: rooms end after their stay, on both sides, and say which state they outstayed. On a busy machine a room may outstay an
// earlier state than is wanted, so requests are made until one gets that far; all others must have timed out, too.
func TestTimeouts(t *testing.T) {
	c := start(t, Spec{
		Model:   latent(),
		Prefill: func(p *prefill.Config) { p.Stay = 100 * time.Millisecond },
		Decode:  func(d *decode.Config) { d.Stay = 100 * time.Millisecond; d.Capacity.Pages = 10 },
	})
	if err := c.Prefill[0].Submit(prefill.Request{Room: 1, Tokens: 100}); err != nil {
		t.Fatal(err)
	}
	var late *room.TimeoutError
	if err := c.Prefill[0].Wait(bounded(t), 1); !errors.As(err, &late) || late.State != room.Bootstrapping {
		t.Errorf("no decode rank: %v", err)
	}
	id := room.ID(1)
	alone := func() *decode.Transfer {
		id++
		tr, err := c.Decode[0].Submit(decode.Request{Room: id, Bootstrap: c.Boot, Tokens: 100})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	eventually(t, "a room without a request on prefill outstays its wait for bytes", func() bool {
		tr := alone()
		err := tr.Wait(bounded(t))
		if !errors.As(err, &late) {
			t.Fatalf("no request on prefill: %v", err)
		}
		<-tr.Gone()
		return late.State == room.WaitingForInput
	})
	// A room that holds all pages, and one that waits for them.
	var held *decode.Transfer
	eventually(t, "a room has all pages", func() bool {
		id++
		list, err := c.Submit(decode.Request{Room: id, Tokens: 160})
		if err != nil {
			t.Fatal(err)
		}
		if held = list[0]; held.Wait(bounded(t)) == nil {
			return true
		}
		<-held.Gone()
		return false
	})
	tr := alone()
	if err := tr.Wait(bounded(t)); !errors.As(err, &late) || late.State != room.Bootstrapping {
		t.Errorf("no pages: %v", err)
	}
	held.Release()
	<-held.Gone()
	<-tr.Gone()
}

// A thousand rooms at once on pools that hold a fraction of them.
func TestThousandRooms(t *testing.T) {
	c := start(t, Spec{
		Model: latent(), PP: 2, PrefillCap: layout.Capacity{Pages: 200, Slots: 64}, DecodeCap: layout.Capacity{Pages: 2000, Slots: 1000},
		Decode: func(d *decode.Config) { d.Connections = 4 },
	})
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			r := decode.Request{Room: room.ID(i + 1), Tokens: 1 + i%160, Prefix: i % 50 / 16 * 16, Checksum: i%2 == 0}
			r.Prefix = min(r.Prefix, r.Tokens)
			if _, err := c.Run(bounded(t), r); err != nil {
				t.Errorf("%+v: %v", r, err)
			}
		})
	}
	wg.Wait()
	if err := c.Clean(); err != nil {
		t.Error(err)
	}
}

// childRole names, in the environment of this test binary's own child, what the child is to be.
const childRole = "KVTRANSFER_CHILD"

// TestMain lets the test binary be a prefill rank in a process of its own, which a test can kill.
func TestMain(m *testing.M) {
	if boot := os.Getenv(childRole); boot != "" {
		child(boot)
		return
	}
	os.Exit(m.Run())
}

// child is a prefill rank until it is killed, or its parent is gone. It works slowly, so that a kill meets it at work.
func child(boot string) {
	e, err := prefill.New(prefill.Config{
		Model: latent(), Capacity: few(), Memory: memory.Mapped, Bootstrap: boot, ChunkTokens: 16,
		Compute: func(_ context.Context, k prefill.Chunk) error { time.Sleep(time.Millisecond); return nil },
	})
	if err != nil {
		panic(err)
	}
	for id := room.ID(1); id <= 3; id++ {
		if err := e.Submit(prefill.Request{Room: id, Tokens: 640}); err != nil {
			panic(err)
		}
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // ends with the parent
}

// The process of a prefill rank is killed while it writes.
func TestKillInMidWrite(t *testing.T) {
	c := alone(t, func(d *decode.Config) { d.Capacity = layout.Capacity{Pages: 200, Slots: 8} })
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+c.Boot)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var transfers []*decode.Transfer
	for id := room.ID(1); id <= 3; id++ {
		tr, err := c.Decode[0].Submit(decode.Request{Room: id, Bootstrap: c.Boot, Tokens: 640})
		if err != nil {
			t.Fatal(err)
		}
		transfers = append(transfers, tr)
	}
	eventually(t, "bytes arrive", func() bool { return c.Decode[0].Stats().Received > 0 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	failed := 0
	for _, tr := range transfers {
		if err := tr.Wait(bounded(t)); err != nil {
			failed++
			if !errors.As(err, new(*decode.LostError)) {
				t.Errorf("%v", err)
			}
		}
		tr.Release()
		<-tr.Gone()
	}
	if failed == 0 {
		t.Error("the kill came too late to mean anything")
	}
	if err := c.Clean(); err != nil {
		t.Error(err)
	}
}
