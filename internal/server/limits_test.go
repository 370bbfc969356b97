package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/service"
)

func TestLimits(t *testing.T) {
	h := kv(t).serve(Options{MaxBody: 2000, Hosts: []string{"127.0.0.1"}})
	long := strings.Repeat("x", 3000)
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
	}{
		{"large report", "POST", "/api/find", long, []string{"Content-Type", "text/plain"}, 413},
		{"large form", "POST", "/find", "message=" + long, []string{"Content-Type", "application/x-www-form-urlencoded"}, 413},
		{"name of another", "GET", "/", "", []string{"Host", "rebound.example"}, 421},
		{"own name with a port", "GET", "/", "", []string{"Host", "127.0.0.1:7878"}, 200},
		{"out of the static files", "GET", "/static/..%2f..%2fweb.go", "", nil, 404},
		{"out of the static files, escaped", "GET", "/static/%2e%2e/layout.html", "", nil, 404},
		{"a folder of the static files", "GET", "/static/", "", nil, 404},
		{"template", "GET", "/static/layout.html", "", nil, 404},
		{"absolute", "GET", "//etc/passwd", "", nil, 307},
		{"zero byte", "GET", "/repos/owner%2fkv%00", "", nil, 404},
		{"no escape", "GET", "/?q=%zz", "", nil, 200},
		{"long address", "GET", "/errors/" + strings.Repeat("a", 20000), "", nil, 400},
	} {
		resp, body := request(t, c.method, h.URL+c.path, c.body, c.header...)
		if resp.StatusCode != c.status || strings.Contains(body, "root:") {
			t.Errorf("%s: %s, want %d", c.name, resp.Status, c.status)
		}
	}
	// A body that does not say how long it is is cut as well.
	r, err := http.NewRequest("POST", h.URL+"/api/find", io.MultiReader(strings.NewReader(long)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "text/plain")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 413 {
		t.Errorf("large report in pieces: %s", resp.Status)
	}
}

func TestRate(t *testing.T) {
	h := kv(t).serve(Options{Rate: 1, Proxy: true})
	from := func(address string) int {
		resp, _ := request(t, "GET", h.URL+"/robots.txt", "", "X-Forwarded-For", "198.51.100.99, "+address)
		return resp.StatusCode
	}
	refused := 0
	for range 20 {
		if from("203.0.113.1") == 429 {
			refused++
		}
	}
	if refused < 10 || refused == 20 {
		t.Errorf("of 20 requests at once %d were refused", refused)
	}
	if from("203.0.113.2") != 200 {
		t.Error("another client is refused as well")
	}
	for i := range 20 {
		from(fmt.Sprintf("2001:db8:1:2::%x", i+1))
	}
	if from("2001:db8:1:2:ffff::1") != 429 {
		t.Error("a client with many addresses of one network is not limited")
	}
	if resp, _ := request(t, "GET", h.URL+"/healthz", "", "X-Forwarded-For", "203.0.113.1"); resp.StatusCode != 200 {
		t.Error("health is limited")
	}
}

func TestBusy(t *testing.T) {
	hold := make(chan struct{})
	var inside atomic.Int32
	srv, err := New(kv(t).service(service.Options{}), Options{Concurrent: 2, Mounts: map[string]http.Handler{"GET /slow": http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		inside.Add(1)
		<-hold
	})}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	defer h.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { request(t, "GET", h.URL+"/slow", "") })
	}
	for inside.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	if resp, _ := request(t, "GET", h.URL+"/", ""); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("a third request: %s", resp.Status)
	}
	if resp, _ := request(t, "GET", h.URL+"/healthz", ""); resp.StatusCode != 200 {
		t.Errorf("health under load: %s", resp.Status)
	}
	close(hold)
	wg.Wait()
}

func TestFaultsAreContained(t *testing.T) {
	srv, err := New(kv(t).service(service.Options{}), Options{Mounts: map[string]http.Handler{"GET /fault": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("planted") })}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	defer h.Close()
	if resp, body := request(t, "GET", h.URL+"/fault", ""); resp.StatusCode != 500 || strings.Contains(body, "planted") {
		t.Errorf("%s %s", resp.Status, body)
	}
	if resp, body := request(t, "GET", h.URL+"/metrics", ""); !strings.Contains(body, `route="GET /fault",status="500"`) {
		t.Errorf("%s: the fault is not counted", resp.Status)
	}
}

// serving runs a server as the command does, and returns its address and what ends it.
func serving(t *testing.T, srv *Server) (string, func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, l) }()
	return l.Addr().String(), sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
}

// A client that sends its request a byte at a time holds no others up, and is cut off.
func TestSlowClients(t *testing.T) {
	srv, err := New(kv(t).service(service.Options{}), Options{Concurrent: 2})
	if err != nil {
		t.Fatal(err)
	}
	srv.readHeader = 300 * time.Millisecond
	address, end := serving(t, srv)
	defer end()
	var slow []net.Conn
	for range 100 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	if resp, _ := request(t, "GET", "http://"+address+"/", ""); resp.StatusCode != 200 {
		t.Errorf("beside slow clients: %s", resp.Status)
	}
	for _, c := range slow {
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(bufio.NewReader(c)); errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
			t.Fatal("a slow client was not cut off")
		}
	}
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// What is indexed while the server answers is picked up, no request fails, and none is lost when the server ends.
func TestReindexUnderLoad(t *testing.T) {
	p := kv(t)
	s := p.service(service.Options{Poll: 5 * time.Millisecond})
	srv, err := New(s, Options{Concurrent: 8})
	if err != nil {
		t.Fatal(err)
	}
	address, end := serving(t, srv)
	defer end()
	id := ""
	for _, o := range find(t, &httptest.Server{URL: "http://" + address}, report).Observations {
		id = o.Candidates[0].Error
	}
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	var answered atomic.Int64
	for i := range 4 {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				var resp *http.Response
				var body string
				switch (i + n) % 4 {
				case 0:
					resp, body = request(t, "POST", "http://"+address+"/api/find", fmt.Sprintf("port %d is not between 1 and 65535", -n), "Content-Type", "text/plain")
				case 1:
					resp, body = request(t, "GET", "http://"+address+"/errors/"+id+"?rev=&n="+fmt.Sprint(n), "")
				case 2:
					resp, body = request(t, "GET", "http://"+address+"/repos/owner/kv?q=port&n="+fmt.Sprint(n), "")
				case 3:
					resp, body = request(t, "GET", "http://"+address+"/api/errors?limit=2&n="+fmt.Sprint(n), "")
				}
				if resp.StatusCode != 200 || len(body) == 0 {
					t.Errorf("%s while the catalog changes: %.300s", resp.Status, body)
					return
				}
				answered.Add(1)
			}
		})
	}
	for n := range 6 {
		for before := answered.Load(); answered.Load() < before+50 && !t.Failed(); {
			time.Sleep(time.Millisecond)
		}
		p.write(map[string]string{"more.py": fmt.Sprintf("def f(x):\n%s    raise ValueError(f'round %d of the catalog has no {x}')\n", strings.Repeat("    # line\n", n), n)})
		p.index()
		fresh := fmt.Sprintf("round %d of the catalog has no thing", n)
		deadline := time.Now().Add(20 * time.Second)
		for {
			a, err := s.Find(context.Background(), fresh, match.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Observations) > 0 && a.Observations[0].Decision == "found" && a.Observations[0].Candidates[0].Line == n+2 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("round %d was not picked up: %+v", n, a)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	stop()
	wg.Wait()
	if answered.Load() == 0 {
		t.Error("nothing was asked meanwhile")
	}
	t.Logf("%d requests answered while the catalog changed six times", answered.Load())
}

func TestEndLosesNoRequest(t *testing.T) {
	begun, hold := make(chan struct{}), make(chan struct{})
	srv, err := New(kv(t).service(service.Options{}), Options{Mounts: map[string]http.Handler{"GET /slow": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-hold
		fmt.Fprint(w, "finished")
	})}})
	if err != nil {
		t.Fatal(err)
	}
	address, end := serving(t, srv)
	got := make(chan string, 1)
	go func() {
		_, body := request(t, "GET", "http://"+address+"/slow", "")
		got <- body
	}()
	<-begun
	ended := make(chan error, 1)
	go func() { ended <- end() }()
	select {
	case err := <-ended:
		t.Fatalf("the server ended before its request: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(hold)
	if body := <-got; body != "finished" {
		t.Errorf("the request got %q", body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// An error that is gone leads to the one that took its place, or says that it is gone.
func TestGone(t *testing.T) {
	p := kv(t)
	s := p.service(service.Options{})
	srv, err := New(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	defer h.Close()
	port := find(t, h, "port 0 is not between 1 and 65535").Observations[0].Candidates[0].Error
	length := find(t, h, report).Observations[0].Candidates[0].Error
	p.write(map[string]string{"kv.py": "def check(port):\n    if port < 1 or port > 65535:\n        raise ValueError(f\"port {port} is not a number between 1 and 65535\")\n"})
	p.index()
	if err := s.Renew(context.Background()); err != nil {
		t.Fatal(err)
	}
	next := find(t, h, "port 0 is not a number between 1 and 65535").Observations[0].Candidates[0].Error
	for _, path := range []string{"/errors/%s", "/errors/%s.json", "/errors/%s.md", "/api/errors/%s", "/errors/%s?m=port+0"} {
		resp, _ := request(t, "GET", h.URL+fmt.Sprintf(path, port), "")
		if want := fmt.Sprintf(path, next); resp.StatusCode != 307 || resp.Header.Get("Location") != want {
			t.Errorf(path+": %s to %q, want 307 to %q", port, resp.Status, resp.Header.Get("Location"), want)
		}
		resp, body := request(t, "GET", h.URL+fmt.Sprintf(path, length), "")
		if resp.StatusCode != 410 || !strings.Contains(body, "unexpected length") {
			t.Errorf(path+": %s, want 410 with the last known page\n%.300s", length, resp.Status, body)
		}
	}
}
