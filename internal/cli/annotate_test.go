package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// indexed makes a catalog of a small program and names it to the commands.
func indexed(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	src := `class Store:
    def put(self, key, size):
        if size > self.limit:
            raise ValueError(f"refusing entry {key!r}: {size} bytes exceed the limit of {self.limit}")
        if self.closed:
            raise RuntimeError("the store was closed while entries were waiting")

    def check(self, size):
        if size < 0:
            raise ValueError("the size of an entry cannot be negative")
        return size

    def grow(self, size):
        if size < 0:
            raise ValueError("the size of an entry cannot be negative")
`
	if err := os.WriteFile(filepath.Join(dir, "store.py"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WHEREFORE_CATALOG", filepath.Join(t.TempDir(), "catalog.db"))
	var out bytes.Buffer
	if status := Main([]string{"index", "-q", dir}, strings.NewReader(""), &out, &out); status != exitDone {
		t.Fatalf("index: status %d\n%s", status, out.String())
	}
}

var arrow = regexp.MustCompile(`  ← [0-9a-f]{16} store\.py:[0-9]+`)

const closed = "RuntimeError: the store was closed while entries were waiting"

func TestAnnotateLines(t *testing.T) {
	indexed(t)
	for _, c := range []struct{ line, site string }{
		{closed, "store.py:6"},
		{"2026-01-02 03:04:05,678 ERROR app.store: " + closed, "store.py:6"},
		{"2026-01-02T03:04:05Z stderr F [worker-3] the store was closed while entries were waiting", "store.py:6"},
		{"\x1b[31mERROR\x1b[0m " + closed, "store.py:6"},
		{`{"level":"error","msg":"request failed","error":"refusing entry 'a\"b': 15 bytes exceed the limit of 8"}`, "store.py:4"},
		{`time=2026-01-02T03:04:05Z level=ERROR msg="refusing entry 'k': 15 bytes exceed the limit of 8" id=7`, "store.py:4"},
		{"put failed: refusing entry 'k': 15 bytes exceed the limit of 8", "store.py:4"},
		{"INFO the store was opened while nothing was waiting", ""},
		{"GET /entries/15 200", ""},
		{"", ""},
		{"the store was \x00\xff\xfe closed", ""},
	} {
		var out, summary bytes.Buffer
		if status := Main([]string{"annotate"}, strings.NewReader(c.line+"\n"), &out, &summary); status != exitDone {
			t.Fatalf("%q: status %d\n%s", c.line, status, summary.String())
		}
		added := arrow.FindString(out.String())
		if out.String() != c.line+added+"\n" || !strings.HasSuffix(added, c.site) || (added == "") != (c.site == "") {
			t.Errorf("%q: got %q, want site %q", c.line, out.String(), c.site)
		}
	}
}

// Where two sites print a text, the frames above it decide.
func TestAnnotateStack(t *testing.T) {
	indexed(t)
	message := "ValueError: the size of an entry cannot be negative\n"
	stack := "Traceback (most recent call last):\n  File \"/srv/store.py\", line 15, in grow\n    raise ValueError(\"the size\")\n"
	var out, summary bytes.Buffer
	if status := Main([]string{"annotate"}, strings.NewReader(message+stack+message+message), &out, &summary); status != exitDone {
		t.Fatalf("status %d\n%s", status, summary.String())
	}
	if added := arrow.FindAllString(out.String(), -1); len(added) != 1 || !strings.HasSuffix(added[0], "store.py:15") {
		t.Errorf("got %s", out.String())
	}
}

// What is not annotated passes through byte by byte: ends of lines, binary data, lines of any length, a last line without an end.
func TestAnnotateCopies(t *testing.T) {
	indexed(t)
	junk := make([]byte, 300_000)
	for i := range junk {
		junk[i] = byte(i * i >> 3)
	}
	long := strings.Repeat("x", 3*maxLogLine)
	in := "a\r\n\n" + long + "\n" + closed + "\r\n" + long[:maxLogLine-1] + "\r" + long + "\r\n" + closed + strings.Repeat(" ", 2*maxLogLine) + "\n" + string(junk) + "\nend"
	var out, summary bytes.Buffer
	if status := Main([]string{"annotate"}, strings.NewReader(in), &out, &summary); status != exitDone {
		t.Fatalf("status %d\n%s", status, summary.String())
	}
	if n := len(arrow.FindAllString(out.String(), -1)); n != 2 {
		t.Errorf("%d lines annotated, want 2", n)
	}
	if got := arrow.ReplaceAllString(out.String(), ""); got != in {
		t.Errorf("the copy differs: %d bytes, want %d", len(got), len(in))
	}
}

func TestAnnotateJSON(t *testing.T) {
	indexed(t)
	in := "2026-01-02 03:04:05 ok\n2026-01-02 03:04:06 ERROR refusing entry 'k': 15 bytes exceed the limit of 8\n"
	var out, summary bytes.Buffer
	Main([]string{"annotate", "--json", "--only-errors"}, strings.NewReader(in), &out, &summary)
	var got annotated
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %q", err, out.String())
	}
	if got.Line != 2 || got.Site == nil || got.Site.Line != 4 || len(got.Site.Bindings) != 3 || got.Site.Bindings[1].Value != "15" {
		t.Errorf("got %s", out.String())
	}
}

func TestAnnotateSummary(t *testing.T) {
	indexed(t)
	in := "2026-01-02 03:04:05 ERROR " + closed + "\nok\n2026-01-02 03:04:06 ERROR " + closed + "\nrefusing entry 'k': 15 bytes exceed the limit of 8\n"
	var out, summary bytes.Buffer
	Main([]string{"annotate", "--only-errors"}, strings.NewReader(in), &out, &summary)
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want 3:\n%s", n, out.String())
	}
	for _, want := range []string{"4 lines, 3 with a known error", "     2 × ", "store.py:6  the store was closed", "first line 1 (2026-01-02 03:04:05), last line 3 (2026-01-02 03:04:06)", "     1 × ", "line 4\n"} {
		if !strings.Contains(summary.String(), want) {
			t.Errorf("no %q in\n%s", want, summary.String())
		}
	}
	if strings.Index(summary.String(), "2 × ") > strings.Index(summary.String(), "1 × ") {
		t.Errorf("not by frequency:\n%s", summary.String())
	}
}

// On a pipe each line comes out before the next one is waited for.
func TestAnnotateSlowPipe(t *testing.T) {
	indexed(t)
	in, feed := io.Pipe()
	read, out := io.Pipe()
	done := make(chan int)
	go func() {
		done <- Main([]string{"annotate", "-q"}, in, out, io.Discard)
		out.Close()
	}()
	lines := bufio.NewScanner(read)
	for i := range 3 {
		fmt.Fprintf(feed, "line %d\n", i)
		if !lines.Scan() || lines.Text() != fmt.Sprintf("line %d", i) {
			t.Fatalf("line %d: %q", i, lines.Text())
		}
	}
	feed.Close()
	if status := <-done; status != exitDone {
		t.Errorf("status %d", status)
	}
}

// failing takes some bytes and then refuses, as a pipe does whose reader is gone.
type failing struct{ left int }

var errClosed = errors.New("pipe is closed")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errClosed
	}
	return len(p), nil
}

// endless is a log without an end.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

func TestAnnotateClosedPipe(t *testing.T) {
	indexed(t)
	var log bytes.Buffer
	if status := Main([]string{"annotate"}, &endless{text: "some line\n"}, &failing{1 << 20}, &log); status != exitFault || !strings.Contains(log.String(), "pipe is closed") {
		t.Errorf("status %d, %s", status, log.String())
	}
}

// The memory that a long stream takes is that of its last lines.
func TestAnnotateMemory(t *testing.T) {
	indexed(t)
	var before, after runtime.MemStats
	stream := func(size int64) {
		in := io.LimitReader(&endless{text: strings.Repeat("2026-01-02 03:04:05 INFO all is well\n", 50) + "2026-01-02 03:04:06 ERROR " + closed + "\n"}, size)
		if status := Main([]string{"annotate", "-q"}, in, io.Discard, io.Discard); status != exitDone {
			t.Errorf("status %d", status)
		}
		runtime.GC()
	}
	stream(1 << 20)
	runtime.ReadMemStats(&before)
	stream(16 << 20)
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes more after 16 MB", grown)
	}
}

// An interrupt ends a command that waits for input, with its summary.
func TestAnnotateInterrupt(t *testing.T) {
	indexed(t)
	in, feed := io.Pipe()
	var out, summary bytes.Buffer
	done := make(chan int)
	go func() { done <- Main([]string{"annotate"}, in, &out, &summary) }()
	fmt.Fprintln(feed, closed)
	fmt.Fprintln(feed, "more") // taken once the first line is done
	self, err := os.FindProcess(os.Getpid())
	if err != nil || self.Signal(os.Interrupt) != nil {
		t.Skip("this system has no interrupts")
	}
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("an interrupt does not end it")
	}
	if !strings.Contains(summary.String(), "with a known error") {
		t.Errorf("no summary: %q", summary.String())
	}
}
