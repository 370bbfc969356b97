package cluster

import (
	"context"
	"net"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// patience is how long a test waits for what must happen. Only a failing test waits that long.
const patience = time.Minute

// latent is a small model: 64 bytes a token, 1 KB a page, 4 layers.
func latent() layout.Model {
	return layout.Model{Family: layout.MLA, Layers: 4, HeadDim: 24, RopeDim: 8, PageSize: 16}
}

// few is a pool in which one request of 40 pages leaves no place for another.
func few() layout.Capacity { return layout.Capacity{Pages: 40, Slots: 4} }

// start runs a cluster for a test that looks for what is left behind. The cluster may be changed until the test ends.
func start(t *testing.T, s Spec) *Cluster {
	t.Helper()
	if s.PrefillCap == (layout.Capacity{}) {
		s.PrefillCap, s.DecodeCap = few(), few()
	}
	leftBehind(t)
	c, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return c
}

// leftBehind fails the test if it ends with more goroutines or descriptors than it began with. Call it before anything else that
// cleans up.
func leftBehind(t *testing.T) {
	t.Helper()
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close() // the first socket of a process opens descriptors of the runtime, which stay
	}
	goroutines, files := runtime.NumGoroutine(), descriptors()
	t.Cleanup(func() {
		until := time.Now().Add(patience)
		for runtime.NumGoroutine() > goroutines || descriptors() > files {
			if time.Now().After(until) {
				stacks := make([]byte, 1<<20)
				t.Errorf("%d goroutines and %d descriptors at first, %d and %d at the end:\n%s", goroutines, files,
					runtime.NumGoroutine(), descriptors(), stacks[:runtime.Stack(stacks, true)])
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// descriptors counts open files; 0 where the system does not say.
func descriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// bounded is a context that ends when a test has waited too long.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// eventually polls until what becomes true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// works runs requests until one succeeds, as a router does that tries again, and expects the pools to be clean then.
func works(t *testing.T, c *Cluster, id room.ID) {
	t.Helper()
	var err error
	for until := time.Now().Add(patience); time.Now().Before(until); id++ {
		if _, err = c.Run(bounded(t), decode.Request{Room: id, Tokens: 300, Checksum: true}); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		t.Errorf("the service does not come back: %v", err)
	}
	if err := c.Clean(); err != nil {
		t.Error(err)
	}
}

// rogue is a prefill rank that does what a test tells it to: it takes one registration and hands out the connection.
type rogue struct {
	l     net.Listener
	conns chan *wire.Conn
	raw   chan net.Conn
}

// newRogue starts one as the only rank of an engine at the bootstrap server.
func newRogue(t *testing.T, boot string, page int) *rogue {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &rogue{l: l, conns: make(chan *wire.Conn, 16), raw: make(chan net.Conn, 16)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.welcome(c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
		for len(r.conns) > 0 {
			(<-r.conns).Close()
		}
	})
	r.register(t, boot, page)
	return r
}

// register tells the bootstrap server about the rogue.
func (r *rogue) register(t *testing.T, boot string, page int) {
	t.Helper()
	host, port, _ := net.SplitHostPort(r.l.Addr().String())
	n, _ := strconv.Atoi(port)
	client := bootstrap.NewClient(backoff.Registration())
	defer client.Close()
	if err := client.Register(bounded(t), boot, bootstrap.Registration{
		AttnTPSize: 1, AttnCPSize: 1, AttnDPSize: 1, PPSize: 1, RankIP: host, RankPort: n, PageSize: page, KVCacheDtype: "auto",
	}); err != nil {
		t.Fatal(err)
	}
}

// welcome takes a registration whatever it says.
func (r *rogue) welcome(c net.Conn) {
	conn, _, err := wire.Handshake(c, wire.Hello{Role: wire.RolePrefill, Session: "rogue"}, patience)
	if err != nil {
		return
	}
	h, err := conn.Next()
	if err == nil {
		_, err = conn.Body(h)
	}
	if err == nil {
		err = conn.Send(&wire.Registered{}, 0)
	}
	if err != nil {
		conn.Close()
		return
	}
	r.raw <- c
	r.conns <- conn
}

// await reads frames until one of the type comes, and returns its room and body.
func await(t *testing.T, c *wire.Conn, typ wire.Type) (room.ID, []byte) {
	t.Helper()
	for {
		h, err := c.Next()
		if err != nil {
			t.Fatalf("waiting for %s: %v", typ, err)
		}
		body, err := c.Body(h)
		if err != nil {
			t.Fatal(err)
		}
		if h.Type == typ {
			return h.Room, append([]byte(nil), body...)
		}
	}
}

// info reads the next INFO.
func info(t *testing.T, c *wire.Conn) (room.ID, *wire.Info) {
	t.Helper()
	id, body := await(t, c, wire.TypeInfo)
	m, err := wire.ParseInfo(body)
	if err != nil {
		t.Fatal(err)
	}
	return id, m
}

// quick makes a decode rank's waits short enough to be waited for in a test.
func quick(c *decode.Config) {
	c.Retry = backoff.Policy{First: 5 * time.Millisecond, Max: 20 * time.Millisecond, Least: 1}
}

// alone is a cluster without prefill ranks, for rogues.
func alone(t *testing.T, change func(*decode.Config)) *Cluster {
	t.Helper()
	leftBehind(t)
	c := &Cluster{Server: bootstrap.NewServer(nil)}
	c.spec = Spec{Model: latent(), DecodeCap: few(), DCP: 1, DecodeTP: 1, DecodePP: 1, Decode: func(cfg *decode.Config) {
		quick(cfg)
		if change != nil {
			change(cfg)
		}
	}}
	if err := c.serve("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if err := c.AddDecode(0, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// chunks makes a prefill rank work in small steps.
func chunks(c *prefill.Config) { c.ChunkTokens, c.FrameBytes = 64, 10_000 }
