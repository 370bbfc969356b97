package server

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// ask sends a request and returns the answer with its body.
func request(t *testing.T, method, url, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// find answers a report through the API.
func find(t *testing.T, h *httptest.Server, text string) *api.Answer {
	t.Helper()
	resp, body := request(t, "POST", h.URL+"/api/find", text, "Content-Type", "text/plain")
	if resp.StatusCode != 200 {
		t.Fatalf("find: %s\n%s", resp.Status, body)
	}
	var a api.Answer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

func TestAnswers(t *testing.T) {
	h := kv(t).serve(Options{CORS: []string{"https://friend.example"}})
	id := find(t, h, report).Observations[0].Candidates[0].Error
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
		has                      string // in the body or in "Name: value" of a header
	}{
		{"home", "GET", "/", "", nil, 200, "owner/kv"},
		{"home with an answer", "GET", "/?q=port+0+is+not+between+1+and+65535", "", nil, 200, "kv.py:27"},
		{"a link that a ticket holds", "GET", "/find?message=port+0+is+not+between+1+and+65535", "", nil, 303, "Location: /errors/"},
		{"a report that is not found", "GET", "/find?message=the+moon+is+made+of+cheese", "", nil, 200, "not found"},
		{"a form", "POST", "/find", "message=port+0+is+not+between+1+and+65535", []string{"Content-Type", "application/x-www-form-urlencoded"}, 200, "kv.py:27"},
		{"a fragment", "POST", "/find?fragment=1", "message=port+0+is+not+between+1+and+65535", []string{"Content-Type", "application/x-www-form-urlencoded"}, 200, `<section class="answer found">`},
		{"page", "GET", "/errors/" + id, "", nil, 200, "raised here"},
		{"page by the beginning of its id", "GET", "/errors/" + id[:8], "", nil, 302, "Location: /errors/" + id},
		{"page with a report", "GET", "/errors/" + id + "?m=" + strings.ReplaceAll(strings.ReplaceAll(report, "+", "%2B"), " ", "+"), "", nil, 200, "15 is one too many"},
		{"page with another report", "GET", "/errors/" + id + "?m=the+moon", "", nil, 200, "is not of this error"},
		{"page as JSON", "GET", "/errors/" + id + ".json", "", nil, 200, `"id":"` + id},
		{"page as Markdown", "GET", "/errors/" + id + ".md", "", nil, 200, "# `unexpected length"},
		{"page in another form", "GET", "/errors/" + id + ".exe", "", nil, 404, "unknown page"},
		{"no such error", "GET", "/errors/0000000000000000", "", nil, 404, "unknown error"},
		{"no id", "GET", "/errors/xyz", "", nil, 400, "not an error"},
		{"no such revision", "GET", "/errors/" + id + "?rev=v9", "", nil, 404, "unknown revision"},
		{"repository", "GET", "/repos/owner/kv", "", nil, 200, "3 errors"},
		{"repository, filtered", "GET", "/repos/owner/kv?q=PORT+between", "", nil, 200, "1 error<"},
		{"repository, far page", "GET", "/repos/owner/kv?page=999999", "", nil, 200, "No error fits"},
		{"repository, unknown order", "GET", "/repos/owner/kv?sort=moon", "", nil, 400, "unknown order"},
		{"no such repository", "GET", "/repos/owner/none", "", nil, 404, "known: owner/kv"},
		{"coverage", "GET", "/coverage/owner/kv", "", nil, 200, "100.0 %"},
		{"compare", "GET", "/compare/owner/kv", "", nil, 200, "3 as before"},
		{"API: compare", "GET", "/api/compare?repo=owner/kv", "", nil, 200, `"unchanged":3`},
		{"API: compare nothing", "GET", "/api/compare", "", nil, 422, "application/problem+json"},
		{"API: compare, no such revision", "GET", "/api/compare?repo=owner/kv&from=v9", "", nil, 404, "known: folder"},
		{"feed", "GET", "/feed/owner/kv.atom", "", nil, 200, "<title>New errors of owner/kv</title>"},
		{"site map", "GET", "/sitemap.xml", "", nil, 200, "/sitemaps/1.xml"},
		{"part of the site map", "GET", "/sitemaps/1.xml", "", nil, 200, "/errors/" + id},
		{"robots", "GET", "/robots.txt", "", nil, 200, "Sitemap: http://"},
		{"for agents", "GET", "/llms.txt", "", nil, 200, "owner/kv"},
		{"API page", "GET", "/api", "", nil, 200, "/api/find"},
		{"description", "GET", "/openapi.json", "", nil, 200, `"openapi":"3.1.0"`},
		{"healthy", "GET", "/healthz", "", nil, 200, "ok"},
		{"ready", "GET", "/readyz", "", nil, 200, "ready"},
		{"measures", "GET", "/metrics", "", nil, 200, "wherefore_http_requests_total"},
		{"no page", "GET", "/no/page", "", nil, 404, "Not found"},
		{"API: page", "GET", "/api/errors/" + id, "", nil, 200, `"template":"unexpected length {len(dst)}`},
		{"API: no such error", "GET", "/api/errors/0000000000000000", "", nil, 404, "Content-Type: application/problem+json"},
		{"API: no id", "GET", "/api/errors/-", "", nil, 400, "16 hex digits"},
		{"API: list", "GET", "/api/errors?limit=1", "", nil, 200, `"total":3,"next":"1.`},
		{"API: list, bad limit", "GET", "/api/errors?limit=100000", "", nil, 422, "application/problem+json"},
		{"API: list, bad cursor", "GET", "/api/errors?cursor=moon", "", nil, 400, "no cursor"},
		{"API: repositories", "GET", "/api/repos", "", nil, 200, `"name":"owner/kv"`},
		{"API: coverage", "GET", "/api/repos/owner%2Fkv/coverage", "", nil, 200, `"repo":"owner/kv"`},
		{"API: coverage with self-test", "GET", "/api/repos/owner%2Fkv/coverage?self_test=true", "", nil, 200, `"self_test":{"templates":3`},
		{"API: find, text", "POST", "/api/find", report, []string{"Content-Type", "text/plain"}, 200, `"decision":"found"`},
		{"API: find, as curl sends", "POST", "/api/find", report, []string{"Content-Type", "application/x-www-form-urlencoded"}, 200, `"decision":"found"`},
		{"API: find, JSON", "POST", "/api/find", `{"id": 7, "text": "port 0 is not between 1 and 65535", "repo": "owner/kv"}`, []string{"Content-Type", "application/json"}, 200, `"id":7`},
		{"API: find, no JSON", "POST", "/api/find", `{"text": `, []string{"Content-Type", "application/json"}, 400, "no JSON object"},
		{"API: find, nothing", "POST", "/api/find", "  ", []string{"Content-Type", "text/plain"}, 400, "empty"},
		{"API: find, a picture", "POST", "/api/find", "x", []string{"Content-Type", "image/png"}, 415, "text/plain"},
		{"API: find, unknown repository", "POST", "/api/find?repo=none", report, []string{"Content-Type", "text/plain"}, 404, "known: owner/kv"},
		{"API: find by GET", "GET", "/api/find", "", nil, 405, "Allow: POST"},
		{"no page, another method", "POST", "/no/page", "", nil, 404, "Not found"},
		{"API: another method", "DELETE", "/api/errors/" + id, "", nil, 405, "Allow: GET, HEAD"},
		{"another origin, a friend", "GET", "/api/repos", "", []string{"Origin", "https://friend.example"}, 200, "Access-Control-Allow-Origin: https://friend.example"},
		{"another origin, asked before", "OPTIONS", "/api/find", "", []string{"Origin", "https://friend.example", "Access-Control-Request-Method", "POST"}, 204, "Access-Control-Allow-Methods: GET, HEAD, POST"},
		{"head", "HEAD", "/errors/" + id, "", nil, 200, "Content-Type: text/html; charset=utf-8"},
	} {
		resp, body := request(t, c.method, h.URL+c.path, c.body, c.header...)
		var all strings.Builder
		if err := resp.Header.Write(&all); err != nil {
			t.Fatal(err)
		}
		all.WriteString(body)
		if resp.StatusCode != c.status || !strings.Contains(all.String(), c.has) {
			t.Errorf("%s: %s %s: %s, want %d with %q in\n%.600s", c.name, c.method, c.path, resp.Status, c.status, c.has, all.String())
		}
		if !strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") || strings.Contains(resp.Header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: policy %q", c.name, resp.Header.Get("Content-Security-Policy"))
		}
	}
	if resp, _ := request(t, "GET", h.URL+"/api/repos", "", "Origin", "https://stranger.example"); resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("a stranger's page may read the API")
	}
}

func TestConditionalAndCompressed(t *testing.T) {
	h := kv(t).serve(Options{})
	id := find(t, h, report).Observations[0].Candidates[0].Error
	path := h.URL + "/errors/" + id
	resp, plain := request(t, "GET", path, "")
	if tag := resp.Header.Get("ETag"); tag == "" || resp.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("ETag %q, Cache-Control %q", tag, resp.Header.Get("Cache-Control"))
	}
	if again, body := request(t, "GET", path, "", "If-None-Match", `"x", W/`+resp.Header.Get("ETag")); again.StatusCode != 304 || body != "" {
		t.Errorf("known already: %s, %d bytes", again.Status, len(body))
	}
	if again, _ := request(t, "GET", path, "", "If-None-Match", `"x"`); again.StatusCode != 200 {
		t.Errorf("not known: %s", again.Status)
	}
	for encoding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		resp, packed := request(t, "GET", path, "", "Accept-Encoding", "br, "+encoding+";q=0.5")
		r, err := open(strings.NewReader(packed))
		if err != nil || resp.Header.Get("Content-Encoding") != encoding || !strings.Contains(resp.Header.Get("Vary"), "Accept-Encoding") {
			t.Fatalf("%s: %v, %v", encoding, resp.Header, err)
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != plain {
			t.Errorf("%s: unpacks to another page (%v)", encoding, err)
		}
	}
	if resp, body := request(t, "GET", path, "", "Accept-Encoding", "gzip;q=0, identity"); resp.Header.Get("Content-Encoding") != "" || body != plain {
		t.Error("compressed although the client refuses that")
	}
	for _, private := range []string{"/errors/" + id + "?m=x", "/?q=port+0", "/find?message=nothing"} {
		if resp, _ := request(t, "GET", h.URL+private, ""); resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Cache-Control %q", private, resp.Header.Get("Cache-Control"))
		}
	}
	_, home := request(t, "GET", h.URL+"/", "")
	asset := "/static/" + strings.Split(strings.Split(home, "/static/")[1], `"`)[0]
	if resp, _ := request(t, "GET", h.URL+asset, ""); !strings.Contains(resp.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s: Cache-Control %q", asset, resp.Header.Get("Cache-Control"))
	}
}

func TestTokens(t *testing.T) {
	var log bytes.Buffer
	h := kv(t).serve(Options{ReadToken: "read-secret", WriteToken: "write-secret", Log: slog.New(slog.NewTextHandler(&log, nil)),
		Mounts: map[string]http.Handler{"/write": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !MayWrite(r.Context()) {
				w.WriteHeader(http.StatusForbidden)
			}
		})}})
	for _, c := range []struct {
		method, path, token string
		status              int
	}{
		{"GET", "/", "", 401}, {"GET", "/", "Bearer read-secret", 200}, {"GET", "/", "bearer read-secret", 200}, {"GET", "/", "Bearer write-secret", 200},
		{"GET", "/", "Bearer read-secre", 401}, {"GET", "/", "Bearer ", 401}, {"GET", "/", "Basic eDpyZWFkLXNlY3JldA==", 200}, {"GET", "/", "Basic eDp5", 401},
		{"GET", "/healthz", "", 200}, {"GET", "/metrics", "", 401}, {"POST", "/write", "Bearer read-secret", 403}, {"POST", "/write", "Bearer write-secret", 200}, {"POST", "/write", "", 401},
	} {
		if resp, _ := request(t, c.method, h.URL+c.path, "", "Authorization", c.token); resp.StatusCode != c.status {
			t.Errorf("%s %s with %q: %s, want %d", c.method, c.path, c.token, resp.Status, c.status)
		}
	}
	if resp, _ := request(t, "GET", h.URL+"/", "", "Authorization", "Bearer read-secret"); !strings.HasPrefix(resp.Header.Get("Cache-Control"), "private") {
		t.Errorf("what needs a token may be kept by others: %q", resp.Header.Get("Cache-Control"))
	}
	request(t, "GET", h.URL+"/find?message=secret-report", "", "Authorization", "Bearer read-secret")
	if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "path=/find") {
		t.Errorf("the log holds a token or a report, or no request:\n%s", log.String())
	}
}
