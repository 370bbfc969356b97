package server

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// payloads are texts that would do something in a page that does not escape them. Each sets pwned, asks for what the page does not need, or
// opens a dialog.
func payloads() []string {
	return []string{
		`<script>window.pwned=1</script>`,
		`"><script>window.pwned=1</script>`,
		`'><img src=x onerror=window.pwned=1>`,
		`<img src=x onerror="window.pwned=1">`,
		`<svg onload=window.pwned=1>`,
		`<svg><script>window.pwned=1</script></svg>`,
		`</title><script>window.pwned=1</script>`,
		`</textarea><script>window.pwned=1</script>`,
		`</style><script>window.pwned=1</script>`,
		`</code></pre><iframe src="javascript:window.pwned=1"></iframe>`,
		`" autofocus onfocus=window.pwned=1 x="`,
		`' style='background:url(//evil.example/x)`,
		`javascript:window.pwned=1`,
		`JaVaScRiPt:window.pwned=1//`,
		`data:text/html,<script>window.pwned=1</script>`,
		`https://evil.example/" onmouseover="window.pwned=1`,
		`<base href="https://evil.example/">`,
		`<meta http-equiv=refresh content="0;url=https://evil.example/">`,
		`<link rel=stylesheet href=https://evil.example/x.css>`,
		`<form action=https://evil.example><button>`,
		`<details open ontoggle=window.pwned=1>`,
		`<math><mtext></mtext><mglyph><style></math><img src=x onerror=window.pwned=1>`,
		`<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">`,
		`<!--><script>window.pwned=1</script>-->`,
		`]]><script>window.pwned=1</script>`,
		"`<img src=x onerror=window.pwned=1>`",
		"${window.pwned=1}`-window.pwned=1-`",
		`{{.}}{{template "layout"}}`,
		"\u003cscript\u003ewindow.pwned=1\u003c/script\u003e",
		"+ADw-script+AD4-window.pwned=1+ADw-/script+AD4-",
		"\u202e<script>window.pwned=1</script>\u2066",
		"\x00<scr\x00ipt>window.pwned=1</script>",
		`&lt;script&gt;window.pwned=1&lt;/script&gt;`,
		`%3Cscript%3Ewindow.pwned=1%3C/script%3E`,
	}
}

// intruders are what a page holds that our templates do not write, and payloads that ran.
const intruders = `[...document.querySelectorAll("script:not([src^='/static/site.']), img, iframe, object, embed, base, math, meta[http-equiv], link[rel=stylesheet]:not([href^='/static/site.']), [style], form:not([action^='/']):not(.filter), a[href^='javascript' i], a[href^='data' i]")].map(e => e.outerHTML.slice(0, 200)).concat(
	[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => /^on/i.test(a.name) || a.name === "href" && e.tagName === "LINK" && new URL(a.value, location).host === "evil.example")).map(e => e.outerHTML.slice(0, 200)), window.pwned ? ["a payload ran"] : [])`

func (b *browser) unharmed(what string) {
	b.t.Helper()
	for _, found := range eval[[]string](b, intruders) {
		b.t.Errorf("%s: %s", what, found)
	}
	b.quiet(what)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.requests {
		if u, err := url.Parse(r); err != nil || u.Hostname() != "127.0.0.1" {
			b.t.Errorf("%s: asked for %s", what, r)
		}
	}
}

// hostileTexts plants payloads into everything that a page shows, and into what a reader sends.
func hostileTexts(t *testing.T, b *browser) {
	var current string
	var srv *Server
	full := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		html(w)
		if err := srv.web.Error(w, planted(func(s string) string { return current + s })); err != nil {
			t.Error(err)
		}
	})
	p := newPlace(t, map[string]string{"kv.py": slice, "hostile.py": hostileSource(), `<img src=x onerror=window.pwned=1>/a"b.py`: "def f(x):\n    raise ValueError(f'from a path that {x} wrote')\n"})
	srv, err := New(p.service(serviceOptions()), Options{Mounts: map[string]http.Handler{"GET /full": full}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	defer h.Close()
	for _, current = range payloads() {
		b.open(h.URL + "/full")
		b.unharmed("page with " + current)
	}
	for _, path := range []string{"/repos/owner/kv", "/coverage/owner/kv", "/feed/owner/kv.atom"} {
		if strings.HasSuffix(path, ".atom") {
			if _, body := request(t, "GET", h.URL+path, ""); strings.Contains(body, "<script>") {
				t.Errorf("%s holds markup of the repository", path)
			}
			continue
		}
		b.open(h.URL + path)
		b.unharmed(path)
	}
	for _, e := range strings.Split(eval[string](b, `fetch("/api/errors?limit=100").then(r => r.json()).then(l => l.errors.map(e => e.id).join(" "))`), " ") {
		b.open(h.URL + "/errors/" + e)
		b.unharmed("/errors/" + e)
	}
	all := strings.Join(payloads(), "\n")
	for _, q := range []string{all, "ValueError: " + all, report + all} {
		for _, path := range []string{"/?q=", "/find?message=", "/repos/owner/kv?q=", "/repos/owner/kv?path=", "/repos/owner/kv?type=", "/nothing/"} {
			b.open(h.URL + path + url.QueryEscape(q))
			b.complain() // a page that is not found is one in the log as well
			b.unharmed(path)
		}
	}
	b.open(h.URL + "/")
	b.do(chromedp.SetValue("#report", report+" "+payloads()[3]), chromedp.SendKeys("#report", "."))
	b.until("document.querySelector('#answer .answer')")
	b.unharmed("live answer")
}

// complain forgets that the browser noted the status of a page.
func (b *browser) complain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	kept := b.complaints[:0]
	for _, c := range b.complaints {
		if !strings.Contains(c, "status of 404") && !strings.Contains(c, "status of 400") {
			kept = append(kept, c)
		}
	}
	b.complaints = kept
}

// hostileSource is a program whose messages, names, comments and documentation are payloads.
func hostileSource() string {
	var s strings.Builder
	for i, p := range payloads() {
		p = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "{", "{{", "}", "}}", "\x00", "").Replace(p)
		s.WriteString("def f" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "(x):\n    \"\"\"" + strings.ReplaceAll(p, `"`, `\"`) + "\"\"\"\n    # " + p + "\n    if x == '" + p + "':\n        raise ValueError(f'" + p + " holds {x} in text')\n\n\n")
	}
	return s.String()
}
