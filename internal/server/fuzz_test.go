package server

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/service"
)

// handler is a whole server without a network.
func handler(t testing.TB) http.Handler {
	t.Helper()
	p := newPlace(t, map[string]string{"kv.py": slice})
	srv, err := New(p.service(service.Options{}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return srv.Handler()
}

// answers fails for an answer that blames the server.
func answers(t *testing.T, h http.Handler, r *http.Request) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code >= 500 {
		t.Fatalf("%s %s: %d %s", r.Method, r.URL, w.Code, w.Body)
	}
}

// FuzzFind: any report in any form is answered.
func FuzzFind(f *testing.F) {
	f.Add("text/plain", []byte(report))
	f.Add("text/plain; charset=utf-16", []byte(traceback))
	f.Add("application/json", []byte(`{"id":{"a":[1]},"text":"port 0 is not between 1 and 65535","limit":-1}`))
	f.Add("application/x-www-form-urlencoded", []byte("message=a%00;b&repo=owner/kv"))
	f.Add("multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=message\r\n\r\nport 0\r\n--x--"))
	h := handler(f)
	f.Fuzz(func(t *testing.T, media string, body []byte) {
		for _, path := range []string{"/api/find", "/find", "/find?fragment=1"} {
			r := httptest.NewRequest("POST", path, bytes.NewReader(body))
			r.Header.Set("Content-Type", media)
			answers(t, h, r)
		}
	})
}

// FuzzAddresses: any address with any query is answered, on every route.
func FuzzAddresses(f *testing.F) {
	f.Add("owner/kv", "q=a;b&sort=size&page=-1&path=../..&rev=x&files=all&cursor=1.x&limit=5&m=x&from=a&to=b")
	f.Add("b1a24f80b96e69ab", "rev=folder&m="+url.QueryEscape(report))
	f.Add("..%2f..\x00", "%zz=1&&&=")
	h := handler(f)
	f.Fuzz(func(t *testing.T, name, query string) {
		for _, route := range []string{"/", "/find", "/errors/", "/repos/", "/coverage/", "/compare/", "/feed/", "/sitemaps/", "/static/", "/api/errors", "/api/errors/", "/api/repos/", "/api/compare", "/healthz"} {
			r := httptest.NewRequest("GET", "/", nil)
			r.URL.Path, r.URL.RawQuery = route+name, query
			if route[len(route)-1] != '/' {
				r.URL.Path = route
			}
			answers(t, h, r)
		}
	})
}
