package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A writer that is killed at any moment leaves the former or the new state, whole, for readers and for the next writer.
func TestKilledWhileSaving(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	for range 12 {
		cmd, lines, _ := child(t, "save", path, nil)
		told := 0
		read := make(chan struct{})
		go func() {
			defer close(read)
			timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			for lines.Scan() {
				told, _ = strconv.Atoi(lines.Text())
				if told == 0 {
					t.Error(lines.Text())
				}
			}
		}()
		time.Sleep(time.Duration(rand.IntN(120)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-read
		_ = cmd.Wait() // it was killed
		examine(t, path, told)
	}
}

// examine reads what a killed writer left that told of the state it saved last; 0 if it told of none.
func examine(t *testing.T, path string, told int) {
	t.Helper()
	r, err := OpenRead(t.Context(), path)
	if errors.Is(err, ErrNone) && told == 0 {
		return
	}
	if err != nil {
		t.Fatalf("after state %d: %v", told, err)
	}
	defer r.Close()
	n, err := state(t.Context(), r)
	if errors.Is(err, ErrUnknown) && told == 0 {
		return
	}
	if err != nil || told > 0 && n != told && n != told+1 {
		t.Errorf("after state %d: state %d, %v", told, n, err)
	}
	w := opened(t, path)
	defer w.Close()
	mustState(t, w, n)
	var said string
	if err := w.db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&said); err != nil || said != "ok" {
		t.Errorf("integrity: %s, %v", said, err)
	}
}

// A writer that is killed before its first table is there leaves no catalog, which is not a damaged one.
func TestKilledBeforeTheFirstTable(t *testing.T) {
	for _, begin := range []string{"", "PRAGMA journal_mode=WAL"} {
		path := filepath.Join(t.TempDir(), "catalog.db")
		c := &Catalog{path: path}
		if err := c.connect(url.Values{}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.db.ExecContext(t.Context(), begin+";SELECT 1"); err != nil {
			t.Fatal(err)
		}
		c.Close()
		if _, err := OpenRead(t.Context(), path); !errors.Is(err, ErrNone) {
			t.Errorf("%q: %v", begin, err)
		}
		mustSave(t, opened(t, path), "head", 1)
	}
}

// Readers go on, each with a whole state, while a writer writes.
func TestReadersWhileWriting(t *testing.T) {
	w := made(t)
	mustSave(t, w, "head", 1)
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 3 {
		r := read(t, w.Path())
		readers.Go(func() {
			for last := 0; ctx.Err() == nil; {
				before, err := r.Generation(t.Context())
				n, fault := state(t.Context(), r)
				after, err2 := r.Generation(t.Context())
				switch {
				case err != nil || err2 != nil:
					t.Errorf("%v, %v", err, err2)
				case before == after && (fault != nil || n < last):
					t.Errorf("state %d after %d: %v", n, last, fault)
				case before == after:
					last = n
				}
			}
		})
	}
	for n := 2; n <= 60; n++ {
		mustSave(t, w, "head", n)
	}
	cancel()
	readers.Wait()
}

// A second writer waits; when it gives up, it says who holds the catalog. A holder that is killed holds nothing.
func TestSecondWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	first, lines, in := child(t, "hold", path, nil)
	if !lines.Scan() || lines.Text() != "held" {
		t.Fatal(lines.Text())
	}
	who := fmt.Sprintf("process %d on ", first.Process.Pid)
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	defer cancel()
	told := ""
	_, err := OpenWrite(ctx, path, func(holder string) { told += holder })
	if !errors.Is(err, ErrHeld) || !strings.HasPrefix(err.Error(), "catalog is being written by another process: "+who) || strings.Count(told, who) != 1 {
		t.Errorf("%v; told %q", err, told)
	}
	read(t, path) // a reader does not wait
	time.AfterFunc(50*time.Millisecond, func() { in.Close() })
	opened(t, path).Close()
	if err := first.Wait(); err != nil {
		t.Error(err)
	}

	killed, lines, _ := child(t, "hold", path, nil)
	if !lines.Scan() {
		t.Fatal("it holds nothing")
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	opened(t, path)
}
