package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// missing skips where something that only tests need is not installed; in CI that is a failure, since .ci/run installs it.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing; .ci/run installs it", what)
	}
	t.Skipf("%s is missing (.ci/run installs it)", what)
}

// browser is a tab of a headless browser with what it complained about and asked for.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	requests   []string
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		missing(t, "chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 900))
	ctx, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancelAllocator)
	ctx, cancelTab := chromedp.NewContext(ctx)
	t.Cleanup(cancelTab)
	if err := chromedp.Do(ctx); err != nil { // starts it; a limit of time here would end the browser
		t.Fatal(err)
	}
	ctx, cancelTime := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancelTime)
	b := &browser{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, cdplog.Enable, cdp.Empty{})
	return b
}

// call sends a command of the protocol.
func call[P, R any](b *browser, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// screen sets how wide the page is shown, on a phone or not.
func (b *browser) screen(width int64, phone bool) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: phone})
}

// scheme sets whether the reader likes it light or dark.
func (b *browser) scheme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

func (b *browser) event(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, fmt.Sprintf("%+v", e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, fmt.Sprintf("console.%s", e.Type))
	case *cdplog.EventEntryAdded:
		b.complaints = append(b.complaints, e.Entry.Text+" "+e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		b.complaints = append(b.complaints, "dialog: "+e.Message)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "data:") {
			b.requests = append(b.requests, e.Request.URL)
		}
	}
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open goes to a page and waits for it.
func (b *browser) open(address string) {
	b.t.Helper()
	b.mu.Lock()
	b.requests = nil
	b.mu.Unlock()
	b.do(chromedp.Navigate(address), chromedp.WaitReady("main"))
}

// eval is the value of an expression in the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// until waits for an expression to be true.
func (b *browser) until(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if eval[bool](b, "Boolean("+expression+")") {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("never true: %s\n%s", expression, eval[string](b, "document.body.innerText.slice(0, 800)"))
		}
	}
}

// quiet fails if the browser complained, and forgets what it said.
func (b *browser) quiet(what string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.complaints {
		b.t.Errorf("%s: the browser says: %s", what, c)
	}
	b.complaints = nil
}

// shows fails unless the page's text holds all of these.
func (b *browser) shows(texts ...string) {
	b.t.Helper()
	got := strings.Join(strings.Fields(eval[string](b, "document.querySelector('main').innerText")), " ")
	for _, want := range texts {
		if !strings.Contains(got, want) {
			b.t.Errorf("the page does not show %q:\n%.1500s", want, got)
		}
	}
}

// TestBrowser tries the site as people do. All of it shares one browser, which takes longer to start than to use.
func TestBrowser(t *testing.T) {
	b := newBrowser(t)
	for _, c := range []struct {
		name string
		try  func(*testing.T, *browser)
	}{
		{"paste to page", pasteToPage}, {"without scripts", withoutScript}, {"every page", everyPage}, {"accessible", accessible},
		{"origins by keyboard", originsByKeyboard}, {"hostile texts", hostileTexts}, {"screenshots", screenshots},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			b.screen(1280, false)
			b.scheme("light")
			c.try(t, b)
		})
	}
}

const traceback = `Traceback (most recent call last):
  File "/srv/app/run.py", line 3, in <module>
    transfer(m, dst, stages)
  File "/srv/app/kv.py", line 22, in transfer
    return manager.slice(dst, stages, 3, 2)
  File "/srv/app/kv.py", line 14, in slice
    raise ValueError(
` + report + "\n"

// A person pastes a traceback, sees the answer while it is in the box, goes on to the page by keyboard, and it is filled with the values.
func pasteToPage(t *testing.T, b *browser) {
	h := kv(t).serve(Options{})
	b.open(h.URL + "/")
	b.until("document.activeElement.id === 'report'")
	b.do(chromedp.SendKeys("#report", traceback))
	b.until("document.querySelector('#answer .answer.found')")
	b.shows("found kv.py:14 in Manager.slice", "window > len(stages) 9 > 8", "15 is one too many", "where window = 15 - 6 = 9")
	if !eval[bool](b, "document.activeElement.id === 'report'") {
		t.Error("the answer took the focus")
	}
	// By keyboard alone: from the box through the form to the answer's link.
	for range 12 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if eval[bool](b, "document.activeElement.matches('#answer a.place')") {
			break
		}
	}
	outline := eval[string](b, "getComputedStyle(document.activeElement).outlineStyle")
	if outline == "none" {
		t.Error("where the keyboard is cannot be seen")
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until("location.pathname.startsWith('/errors/') && document.querySelector('#report')")
	b.shows("Your report", "unexpected length 15; expected 8", "15 is one too many: len(dst) is accepted from 6 to 14", "Why it fired", "one of", "window < 0 9 < 0")
	if got := eval[string](b, "[...document.querySelectorAll('.code .raise > .n')].map(e => e.textContent).filter(s => /^\\d+$/.test(s)).join(' ')"); !strings.HasPrefix(got, "14 15 16 17") {
		t.Errorf("lines marked as the raise: %q", got)
	}
	b.quiet("paste to page")
}

func withoutScript(t *testing.T, b *browser) {
	h := kv(t).serve(Options{})
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open(h.URL + "/")
	b.do(chromedp.SendKeys("#report", report), chromedp.Click("button[type=submit]"), chromedp.WaitVisible(".answer.found a.place"))
	b.do(chromedp.Click(".answer.found a.place"), chromedp.WaitVisible("section.report"))
	b.quiet("without scripts")
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
}

// views are the pages of a site, with a name.
func views(t *testing.T, h *httptest.Server) map[string]string {
	id := find(t, h, report).Observations[0].Candidates[0].Error
	return map[string]string{
		"home":       "/",
		"answer":     "/?q=" + url.QueryEscape(traceback),
		"tie":        "/?q=" + url.QueryEscape(twins),
		"refused":    "/?q=" + url.QueryEscape("the moon is made of green cheese"),
		"error":      "/errors/" + id,
		"report":     "/errors/" + id + "?m=" + url.QueryEscape(report),
		"repository": "/repos/owner/kv",
		"coverage":   "/coverage/owner/kv",
		"api":        "/api",
		"full page":  "/full",
	}
}

// site serves the small program, and at /full a page with every part, rendered as the server does.
func fullSite(t *testing.T) *httptest.Server {
	t.Helper()
	var srv *Server
	full := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		html(w)
		if err := srv.web.Error(w, everything()); err != nil {
			t.Error(err)
		}
	})
	p := kv(t)
	p.write(map[string]string{"a/one.py": "def f(x):\n    raise IndexError(f'one {x} of the folders')\n", "b/two.py": "def f(x):\n    raise IndexError(f'two {x} of the folders')\n"})
	p.index()
	srv, err := New(p.service(serviceOptions()), Options{Mounts: map[string]http.Handler{"GET /full": full}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	t.Cleanup(h.Close)
	return h
}

// Every page: nothing to complain about, three requests at most, a hundred kilobytes at most, no sideways scrolling on a phone, and
// other colours in the dark.
func everyPage(t *testing.T, b *browser) {
	h := fullSite(t)
	for name, path := range views(t, h) {
		b.screen(1280, false)
		b.open(h.URL + path)
		b.quiet(name)
		b.mu.Lock()
		if n := len(b.requests); n > 3 {
			t.Errorf("%s: %d requests: %v", name, n, b.requests)
		}
		b.mu.Unlock()
		if size := eval[int](b, "performance.getEntries().filter(e => e.decodedBodySize).reduce((n, e) => n + e.decodedBodySize, 0)"); size > 100<<10 || size == 0 {
			t.Errorf("%s weighs %d bytes", name, size)
		}
		b.screen(390, true)
		if over := eval[int](b, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
			t.Errorf("%s: on a phone the page is %d pixels too wide: %s", name, over,
				eval[string](b, "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest('.scroll, pre')).map(e => e.tagName + '.' + e.className).slice(0, 5).join(' ')"))
		}
		b.screen(1280, false)
		light := eval[string](b, "getComputedStyle(document.documentElement).backgroundColor")
		b.scheme("dark")
		if dark := eval[string](b, "getComputedStyle(document.documentElement).backgroundColor"); dark == light {
			t.Errorf("%s: the background is %s in the dark as well", name, dark)
		}
		b.scheme("light")
	}
}

// axe-core, a checker for accessibility, finds nothing wrong, in the light and in the dark.
func accessible(t *testing.T, b *browser) {
	script, err := os.ReadFile(filepath.Join("..", "..", ".cache", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		missing(t, "axe-core in .cache")
	}
	h := fullSite(t)
	for name, path := range views(t, h) {
		for _, scheme := range []string{"light", "dark"} {
			b.scheme(scheme)
			b.open(h.URL + path)
			eval[any](b, string(script)+"; 0")
			rules := "" // in the dark only the colours are others
			if scheme == "dark" {
				rules = "{runOnly: ['color-contrast']}"
			}
			found := eval[[]string](b, `axe.run(`+rules+`).then(r => r.violations.flatMap(v => v.nodes.slice(0, 4).map(n => v.id + ": " + n.html.slice(0, 200) + " " + n.any.concat(n.all, n.none).map(c => c.message).join("; "))))`)
			for _, f := range found {
				t.Errorf("%s, %s: %s", name, scheme, f)
			}
		}
	}
}

// What evidence a sentence rests on shows on hover and by keyboard.
func originsByKeyboard(t *testing.T, b *browser) {
	h := fullSite(t)
	b.open(h.URL + "/full")
	visible := "getComputedStyle(document.querySelector('#meaning .ev .tip')).display !== 'none'"
	if eval[bool](b, visible) {
		t.Error("evidence is in the way before it is asked for")
	}
	b.do(chromedp.Focus("#meaning .ev a"))
	b.until(visible)
	b.do(chromedp.Blur("#meaning .ev a"))
	b.quiet("origins")
}

// Screenshots for docs/, when they are asked for: WHEREFORE_SCREENSHOTS names the folder.
func screenshots(t *testing.T, b *browser) {
	dir := os.Getenv("WHEREFORE_SCREENSHOTS")
	if dir == "" {
		t.Skip("WHEREFORE_SCREENSHOTS names no folder")
	}
	h := fullSite(t)
	for name, path := range views(t, h) {
		for _, scheme := range []string{"light", "dark"} {
			for device, width := range map[string]int64{"wide": 1280, "phone": 390} {
				b.screen(width, device == "phone")
				b.scheme(scheme)
				b.open(h.URL + path)
				picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				file := strings.ReplaceAll(name, " ", "-") + "-" + scheme + "-" + device + ".png"
				if err := os.WriteFile(filepath.Join(dir, file), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
