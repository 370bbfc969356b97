package control

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/cluster"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// patience is how long a test waits for what must happen. Only a failing test waits that long.
const patience = time.Minute

// pair is a service of two ranks with their control servers. Prefill computes when hold is closed.
type pair struct {
	c               *cluster.Cluster
	prefill, decode string // control addresses
	hold            chan struct{}
}

func start(t *testing.T) *pair {
	t.Helper()
	p := &pair{hold: make(chan struct{})}
	capacity := layout.Capacity{Pages: 40, Slots: 4}
	c, err := cluster.Start(cluster.Spec{
		Model:      layout.Model{Family: layout.MLA, Layers: 2, HeadDim: 24, RopeDim: 8, PageSize: 16},
		PrefillCap: capacity, DecodeCap: capacity,
		Prefill: func(cfg *prefill.Config) {
			fill := cfg.Compute
			cfg.Compute = func(ctx context.Context, k prefill.Chunk) error {
				select {
				case <-p.hold:
					return fill(ctx, k)
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := NewDecode(c.Decode[0], c.Checks[0], &fault.Injector{})
	ps, ds := httptest.NewServer(Prefill(c.Prefill[0], &fault.Injector{})), httptest.NewServer(d)
	p.c, p.prefill, p.decode = c, strings.TrimPrefix(ps.URL, "http://"), strings.TrimPrefix(ds.URL, "http://")
	t.Cleanup(func() {
		ps.Close()
		ds.Close()
		d.Close()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// A request goes through, from its submission to the memory that is clean again; while it is open nobody may look at the memory, and
// its room is refused to others.
func TestRequest(t *testing.T) {
	p := start(t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := NewClient(2)
	defer c.Close()
	q := decode.Request{Room: 7, Tokens: 100, Bootstrap: p.c.Boot}
	if err := errors.Join(c.Submit(ctx, p.prefill, prefill.Request{Room: 7, Tokens: 100}), c.Submit(ctx, p.decode, q)); err != nil {
		t.Fatal(err)
	}
	if o, err := c.Room(ctx, p.decode, 7, time.Millisecond); err != nil || o.State.Terminal() {
		t.Errorf("while prefill computes: %+v, %v", o, err)
	}
	for name, call := range map[string]func() error{
		"409: room 7 is in use":   func() error { return c.Submit(ctx, p.decode, q) },
		"409: rooms are open":     func() error { return c.Clean(ctx, p.decode) },
		"404: room 8 is not open": func() error { return c.Abort(ctx, p.decode, 8) },
	} {
		status, text, _ := strings.Cut(name, ": ")
		var refused *StatusError
		if err := call(); !errors.As(err, &refused) || !strings.Contains(err.Error(), "status "+status+": "+text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	close(p.hold)
	o, err := c.Room(ctx, p.decode, 7, patience)
	if err != nil || o.State != room.Success || o.Bytes == 0 {
		t.Errorf("decode: %+v, %v", o, err)
	}
	if o, err := c.Room(ctx, p.prefill, 7, patience); err != nil || o.State != room.Success {
		t.Errorf("prefill: %+v, %v", o, err)
	}
	if err := c.Clean(ctx, p.decode); err != nil {
		t.Error(err)
	}
}

// An abort ends a room on both sides, which say so.
func TestAbort(t *testing.T) {
	p := start(t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := NewClient(2)
	defer c.Close()
	err := errors.Join(c.Submit(ctx, p.prefill, prefill.Request{Room: 7, Tokens: 100}),
		c.Submit(ctx, p.decode, decode.Request{Room: 7, Tokens: 100, Bootstrap: p.c.Boot}), c.Abort(ctx, p.prefill, 7))
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{p.prefill, p.decode} {
		if o, err := c.Room(ctx, addr, 7, patience); err != nil || o.State != room.Failed || !strings.Contains(o.Error, "aborted") {
			t.Errorf("%s: %+v, %v", addr, o, err)
		}
	}
}

// A server that was closed refuses what would use the memory, which may be gone.
func TestClosed(t *testing.T) {
	p := start(t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := NewClient(2)
	defer c.Close()
	d := NewDecode(p.c.Decode[0], p.c.Checks[0], &fault.Injector{})
	server := httptest.NewServer(d)
	defer server.Close()
	addr := strings.TrimPrefix(server.URL, "http://")
	if err := c.Submit(ctx, addr, decode.Request{Room: 7, Tokens: 100, Bootstrap: p.c.Boot}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if o, err := c.Room(ctx, addr, 7, patience); err != nil || o.State != room.Failed {
		t.Errorf("the room that was open: %+v, %v", o, err)
	}
	err := c.Submit(ctx, addr, decode.Request{Room: 8, Tokens: 100, Bootstrap: p.c.Boot})
	if err == nil || !strings.Contains(err.Error(), "status 503: decode rank shuts down") {
		t.Errorf("submit: %v", err)
	}
	if err := c.Clean(ctx, addr); err == nil {
		t.Error("the memory is looked at")
	}
}

// What is no request is refused with a reason.
func TestBadRequests(t *testing.T) {
	p := start(t)
	for _, k := range []struct {
		method, url, body string
		status            int
		want              string
	}{
		{"POST", p.decode + "/requests", "{", 400, "control server cannot read the body for /requests"},
		{"POST", p.prefill + "/requests", `{"room": 1}`, 400, "request of 0 tokens cannot be prefilled"},
		{"POST", p.prefill + "/requests", `{"room": 0, "tokens": 3}`, 400, "room 0 cannot be used"},
		{"GET", p.prefill + "/rooms/seven", "", 400, `"seven" is no number of a room`},
		{"GET", p.decode + "/rooms/7", "", 404, "room 7 is not open"},
		{"POST", p.decode + "/faults", `{"kind": "bend"}`, 400, `no fault is called "bend"`},
		{"POST", p.decode + "/faults", `{"kind": "stall", "for": "long"}`, 400, `cannot wait "long"`},
		{"PUT", p.decode + "/requests", "", 405, "Method Not Allowed"},
		{"GET", p.prefill + "/clean", "", 404, "not found"},
	} {
		q, err := http.NewRequest(k.method, "http://"+k.url, strings.NewReader(k.body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != k.status || !strings.Contains(string(text), k.want) {
			t.Errorf("%s %s %s: %d %s", k.method, k.url, k.body, res.StatusCode, text)
		}
	}
}
