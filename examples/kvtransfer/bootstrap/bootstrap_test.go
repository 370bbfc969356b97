package bootstrap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// registration is rank (tp, pp) of an engine of 2 x 2.
func registration(tp, pp int) Registration {
	return Registration{
		AttnTPSize: 2, AttnTPRank: tp, AttnCPSize: 1, AttnDPSize: 1, PPSize: 2, PPRank: pp, SystemDPSize: 1,
		RankIP: "0.0.0.0", RankPort: 7000 + 10*pp + tp, PageSize: 256, KVCacheDtype: "fp8",
	}
}

// request makes one call on h and returns status and body.
func request(h http.Handler, method, path string, payload any) (int, string) {
	text, _ := payload.(string)
	if _, raw := payload.(string); !raw && payload != nil {
		b, _ := json.Marshal(payload)
		text = string(b)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(text)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

const (
	askShape = "/route?prefill_dp_rank=-1&prefill_cp_rank=-1&target_tp_rank=-1&target_pp_rank=-1"
	askRank  = "/route?prefill_dp_rank=0&prefill_cp_rank=0&target_tp_rank=%d&target_pp_rank=%d"
)

// The routes in the order in which an engine comes up, each with the status and body that SGLang's clients expect.
func TestRoutes(t *testing.T) {
	s := NewServer(nil)
	partial := func(n int) string {
		return fmt.Sprintf("Prefill server not fully registered yet (%d workers registered).", n)
	}
	shape := `{"attn_tp_size":2,"attn_cp_size":1,"dp_size":1,"pp_size":2,"page_size":256,"kv_cache_dtype":"fp8",` +
		`"follow_bootstrap_room":false,"enable_dsa_cache_layer_split":false}`
	other := registration(1, 1)
	other.PageSize = 128
	for i, c := range []struct {
		method, path string
		payload      any
		status       int
		body         string // exact where it ends in no "…"
	}{
		{"GET", "/health", nil, 200, "OK"},
		{"GET", askShape, nil, 503, partial(0)},
		{"PUT", "/route", registration(0, 0), 200, "OK"},
		{"PUT", "/route", registration(0, 0), 200, "OK"}, // again: still one worker
		{"PUT", "/route", registration(0, 0), 200, "OK"},
		{"PUT", "/route", registration(0, 0), 200, "OK"},
		{"GET", askShape, nil, 503, partial(1)},
		{"GET", fmt.Sprintf(askRank, 0, 0), nil, 503, partial(1)},
		{"PUT", "/route", registration(1, 0), 200, "OK"},
		{"PUT", "/route", registration(0, 1), 200, "OK"},
		{"PUT", "/route", other, 409, "rank describes an engine of …"},
		{"GET", askShape, nil, 503, partial(3)},
		{"PUT", "/route", registration(1, 1), 200, "OK"},
		{"GET", askShape, nil, 200, shape},
		{"GET", fmt.Sprintf(askRank, 1, 1), nil, 200, `{"rank_ip":"127.0.0.1","rank_port":7011}`},
		{"GET", fmt.Sprintf(askRank, 2, 0), nil, 404, "Bootstrap info not found for dp_rank=0 cp_rank=0 tp_rank=2 pp_rank=0"},
		{"GET", "/route", nil, 400, "Missing inputs for bootstrap server."},
		{"GET", "/route?prefill_dp_rank=0&prefill_cp_rank=0&target_tp_rank=x&target_pp_rank=0", nil, 400,
			"Missing inputs for bootstrap server."},
		{"DELETE", "/route", nil, 405, "Method Not Allowed"},
		{"GET", "/register_dp_rank", nil, 405, "Method Not Allowed"},
		{"PUT", "/route", "{", 400, "payload sent to bootstrap route /route cannot be read: …"},
		{"PUT", "/route", `{"attn_tp_size": 0}`, 400, "registration has attn_tp_size=0, outside 1 to 4096"},
		{"GET", "/elsewhere", nil, 404, "404 page not found"},
		{"POST", "/register_dp_rank", RoomRank{BootstrapRoom: 1 << 63, DPRank: 3}, 200, "OK"},
		{"POST", "/query_dp_ranks", RoomList{BootstrapRooms: []room.ID{1 << 63, 5}}, 200, `{"9223372036854775808":3}`},
		{"POST", "/query_dp_ranks", "[]", 400, "payload sent to bootstrap route /query_dp_ranks cannot be read: …"},
	} {
		status, body := request(s, c.method, c.path, c.payload)
		prefix, cut := strings.CutSuffix(c.body, "…")
		if status != c.status || (!cut && body != c.body) || (cut && !strings.HasPrefix(body, prefix)) {
			t.Errorf("%d: %s %s: %d %q, want %d %q", i, c.method, c.path, status, body, c.status, c.body)
		}
	}
	if s.Workers() != 4 {
		t.Errorf("%d workers", s.Workers())
	}
}

func TestRegistrationsOutOfRange(t *testing.T) {
	for field, change := range map[string]func(*Registration){
		"attn_tp_rank=2":   func(r *Registration) { r.AttnTPRank = 2 },
		"pp_rank=-1":       func(r *Registration) { r.PPRank = -1 },
		"attn_cp_size=0":   func(r *Registration) { r.AttnCPSize = 0 },
		"system_dp_rank=1": func(r *Registration) { r.SystemDPRank = 1 },
		"rank_port=0":      func(r *Registration) { r.RankPort = 0 },
		"rank_port=65536":  func(r *Registration) { r.RankPort = 65536 },
		"page_size=0":      func(r *Registration) { r.PageSize = 0 },
		"rank_count=":      func(r *Registration) { r.AttnTPSize, r.PPSize = 4096, 4096 },
		`rank_ip=""`:       func(r *Registration) { r.RankIP = "" },
		`rank_ip="a/b"`:    func(r *Registration) { r.RankIP = "a/b" },
	} {
		s, r := NewServer(nil), registration(0, 0)
		change(&r)
		if status, body := request(s, "PUT", "/route", r); status != 400 || !strings.Contains(body, field) {
			t.Errorf("%s: %d %s", field, status, body)
		}
		if s.Workers() != 0 {
			t.Errorf("%s was filed", field)
		}
	}
}

func TestNotedRanksExpire(t *testing.T) {
	now := time.Unix(0, 0)
	s := NewServer(func() time.Time { return now })
	request(s, "POST", "/register_dp_rank", RoomRank{BootstrapRoom: 1, DPRank: 2})
	now = now.Add(roomsLast - time.Second)
	if _, body := request(s, "POST", "/query_dp_ranks", RoomList{BootstrapRooms: []room.ID{1}}); body != `{"1":2}` {
		t.Errorf("within the time: %s", body)
	}
	now = now.Add(time.Second)
	if _, body := request(s, "POST", "/query_dp_ranks", RoomList{BootstrapRooms: []room.ID{1}}); body != `{}` {
		t.Errorf("after the time: %s", body)
	}
	request(s, "POST", "/register_dp_rank", RoomRank{BootstrapRoom: 2, DPRank: 2})
	if n := len(s.registry.rooms); n != 1 {
		t.Errorf("%d rooms are kept, the old one should be gone", n)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	s := NewServer(nil)
	big := bytes.Repeat([]byte(" "), maxRegistration+1)
	if status, _ := request(s, "PUT", "/route", string(big)+"{}"); status != 400 {
		t.Errorf("oversized registration: %d", status)
	}
}

// FuzzPutRoute: no body makes the server fall over or file a rank outside its own shape.
func FuzzPutRoute(f *testing.F) {
	good, _ := json.Marshal(registration(1, 1))
	f.Add(good)
	f.Add([]byte(`{"attn_tp_size":-1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := NewServer(nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("PUT", "/route", bytes.NewReader(text)))
		if (w.Code == 200) != (s.Workers() == 1) {
			t.Fatalf("status %d with %d workers", w.Code, s.Workers())
		}
		if s.registry.shape != nil && s.registry.shape.Ranks() > maxRanks {
			t.Fatalf("an engine of %d ranks was taken", s.registry.shape.Ranks())
		}
	})
}

// serve runs h on loopback and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

func fast() backoff.Policy {
	return backoff.Policy{First: time.Millisecond, Max: time.Millisecond, Least: 1}
}

func TestClient(t *testing.T) {
	ctx := context.Background()
	addr := serve(t, NewServer(nil))
	c := NewClient(fast())
	defer c.Close()
	var st *StatusError
	if _, err := c.Info(ctx, addr); !errors.As(err, &st) || st.Status != 503 {
		t.Errorf("before anybody registered: %v", err)
	}
	for tp := range 2 {
		for pp := range 2 {
			if err := c.Register(ctx, addr, registration(tp, pp)); err != nil {
				t.Fatal(err)
			}
		}
	}
	info, err := c.Info(ctx, addr)
	if err != nil || info.Ranks() != 4 || info.PageSize != 256 {
		t.Errorf("info %+v, %v", info, err)
	}
	rank, err := c.Rank(ctx, addr, RankKey{TP: 1, PP: 0})
	if err != nil || rank.Addr() != "127.0.0.1:7001" {
		t.Errorf("rank %+v, %v", rank, err)
	}
	if _, err := c.Rank(ctx, addr, RankKey{TP: 9}); !errors.As(err, &st) || st.Status != 404 {
		t.Errorf("rank 9: %v", err)
	}
	if err := c.NoteRank(ctx, addr, RoomRank{BootstrapRoom: 8, DPRank: 1}); err != nil {
		t.Error(err)
	}
	if found, err := c.QueryRanks(ctx, addr, []room.ID{8, 9}); err != nil || len(found) != 1 || found[8] != 1 {
		t.Errorf("query %v, %v", found, err)
	}
	if err := c.Health(ctx, addr); err != nil {
		t.Error(err)
	}
}

func TestRegisterGivesUpAfterFiveTries(t *testing.T) {
	var mu sync.Mutex
	tries := 0
	addr := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		tries++
		http.Error(w, "not today", http.StatusInternalServerError)
	}))
	c := NewClient(fast())
	defer c.Close()
	err := c.Register(context.Background(), addr, registration(0, 0))
	var gave *backoff.GaveUpError
	var st *StatusError
	if !errors.As(err, &gave) || !errors.As(err, &st) || st.Status != 500 || st.Text != "not today" {
		t.Errorf("%v", err)
	}
	if mu.Lock(); tries != 5 {
		t.Errorf("%d tries", tries)
	}
	mu.Unlock()
}

// engine is a server that becomes complete after some questions, and counts them.
type engine struct {
	mu       sync.Mutex
	asked    int
	complete int // the question from which on the answer is complete
}

func (e *engine) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	e.asked++
	ready := e.asked >= e.complete
	e.mu.Unlock()
	if !ready {
		http.Error(w, (&NotRegisteredError{Workers: 1}).Error(), http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, `{"attn_tp_size":1,"attn_cp_size":1,"dp_size":4,"pp_size":1,"page_size":64}`)
}

func (e *engine) questions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked
}

// Many requests wait for one half-registered engine: it is asked by one of them at a time, and all get the answer.
func TestLookupIsSharedAndWaits(t *testing.T) {
	e := &engine{complete: 4}
	addr := serve(t, e)
	c := NewClient(fast())
	defer c.Close()
	d := NewDirectory(c, time.Millisecond, 0)
	defer d.Close()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if info, err := d.Info(context.Background(), addr); err != nil || info.DPSize != 4 {
				t.Errorf("%+v, %v", info, err)
			}
		})
	}
	wg.Wait()
	if n := e.questions(); n != 4 {
		t.Errorf("the engine was asked %d times", n)
	}
	d.Forget(addr)
	if _, err := d.Info(context.Background(), addr); err != nil || e.questions() != 5 {
		t.Errorf("after Forget: %v, asked %d times", err, e.questions())
	}
}

func TestLookupFailsAllWaitersAndStartsAnew(t *testing.T) {
	e := &engine{complete: 1000}
	addr := serve(t, e)
	c := NewClient(fast())
	defer c.Close()
	d := NewDirectory(c, time.Millisecond, 3)
	defer d.Close()
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			_, err := d.Info(context.Background(), addr)
			var lookup *LookupError
			var st *StatusError
			if !errors.As(err, &lookup) || lookup.Server != addr || !errors.As(err, &st) || st.Status != 503 {
				t.Errorf("%v", err)
			}
		})
	}
	wg.Wait()
	e.mu.Lock()
	e.complete = 0
	e.mu.Unlock()
	if _, err := d.Info(context.Background(), addr); err != nil {
		t.Errorf("a failed lookup was kept: %v", err)
	}
}

func TestCloseEndsLookups(t *testing.T) {
	c := NewClient(fast())
	defer c.Close()
	d := NewDirectory(c, time.Hour, 15)
	got := make(chan error, 1)
	go func() {
		_, err := d.Info(context.Background(), "127.0.0.1:1")
		got <- err
	}()
	for {
		d.mu.Lock()
		n := len(d.servers)
		d.mu.Unlock()
		if n == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	d.Close()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestDPRank(t *testing.T) {
	ctx := context.Background()
	srv := NewServer(nil)
	addr := serve(t, srv)
	c := NewClient(fast())
	defer c.Close()
	d := NewDirectory(c, time.Millisecond, 1)
	defer d.Close()
	if n, err := d.DPRank(ctx, addr, ServerInfo{DPSize: 1}, 77); n != 0 || err != nil {
		t.Errorf("one rank: %d, %v", n, err)
	}
	if n, err := d.DPRank(ctx, addr, ServerInfo{DPSize: 4, FollowBootstrapRoom: true}, 1<<63+3); n != 3 || err != nil {
		t.Errorf("by room: %d, %v", n, err)
	}
	if _, err := d.DPRank(ctx, addr, ServerInfo{DPSize: 4}, 77); !errors.Is(err, ErrNoPrefillRank) {
		t.Errorf("not announced: %v", err)
	}
	if err := c.NoteRank(ctx, addr, RoomRank{BootstrapRoom: 77, DPRank: 2}); err != nil {
		t.Fatal(err)
	}
	if n, err := d.DPRank(ctx, addr, ServerInfo{DPSize: 4}, 77); n != 2 || err != nil {
		t.Errorf("announced: %d, %v", n, err)
	}
}
