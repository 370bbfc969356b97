package export

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A reader who pastes a report into the home page of the files, below the path where a host serves them, gets to the page of the error.
// Nothing that is not there is asked for.
func TestPasteInBrowser(t *testing.T) {
	dir := t.TempDir()
	open(t).exportTo(dir, Options{Base: "/site"})
	web := httptest.NewServer(http.StripPrefix("/site", http.FileServer(http.Dir(dir))))
	t.Cleanup(web.Close)
	ctx, complaints := tab(t)
	paste := `(() => { const box = document.getElementById('report'); box.focus()
		box.value = 'Traceback (most recent call last):\nValueError: no room for 9 pages, 8 are free\n'
		box.dispatchEvent(new Event('input', { bubbles: true })) })()`
	if err := chromedp.Do(ctx, chromedp.Navigate(web.URL+"/site/"), chromedp.WaitReady("#report")); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any](paste)); err != nil {
		t.Fatal(err)
	}
	// The scripts of the page wait for the end of typing; what they show then has to stay.
	time.Sleep(time.Second)
	if err := chromedp.Do(ctx, chromedp.WaitReady("#answer a"), chromedp.Click("#answer a"), chromedp.WaitReady("pre")); err != nil {
		t.Fatalf("%v; the browser says %q", err, complaints())
	}
	where, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.pathname + ' ' + document.querySelector('main').innerText"))
	if err != nil || !strings.HasPrefix(where, "/site/errors/") || !strings.Contains(where, "pool.py") {
		t.Errorf("the paste leads to %.300s, %v", where, err)
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the browser says %q", c)
	}
}

// tab opens a headless browser; complaints are what its console said.
func tab(t *testing.T) (ctx context.Context, complaints func() []string) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("chromium is missing; .ci/run installs it")
		}
		t.Skip("chromium is missing")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.UserDataDir(t.TempDir()))
	ctx, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancelAllocator)
	ctx, cancelTab := chromedp.NewContext(ctx)
	t.Cleanup(cancelTab)
	if err := chromedp.Do(ctx); err != nil { // starts it; a limit of time here would end the browser
		t.Fatal(err)
	}
	ctx, cancelTime := context.WithTimeout(ctx, 30*time.Second)
	t.Cleanup(cancelTime)
	var mu sync.Mutex
	var said []string
	err = chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			said = append(said, e.ExceptionDetails.Text)
		case *cdplog.EventEntryAdded:
			said = append(said, e.Entry.Text+" "+e.Entry.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, cdplog.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return said
	}
}
