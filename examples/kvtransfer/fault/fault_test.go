package fault

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// through writes b in pieces on a wrapped connection and returns what arrives at the other end.
func through(t *testing.T, i *Injector, pieces ...[]byte) ([]byte, error) {
	t.Helper()
	a, b := net.Pipe()
	w := i.Wrap(a)
	var wg sync.WaitGroup
	var got []byte
	wg.Go(func() { got, _ = io.ReadAll(b) })
	var err error
	for _, p := range pieces {
		if _, err = w.Write(p); err != nil {
			break
		}
	}
	w.Close()
	wg.Wait()
	b.Close()
	return got, err
}

func TestPassesUnchanged(t *testing.T) {
	var i Injector
	got, err := through(t, &i, []byte("hello"), []byte(" world"))
	if err != nil || string(got) != "hello world" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestKinds(t *testing.T) {
	pieces := [][]byte{bytes.Repeat([]byte{1}, 100), bytes.Repeat([]byte{2}, 100)}
	whole := bytes.Join(pieces, nil)
	for _, c := range []struct {
		fault Fault
		want  []byte
		fails bool
	}{
		{Fault{Kind: Cut, After: 130}, whole[:130], true},
		{Fault{Kind: Cut, After: 0}, nil, true},
		{Fault{Kind: Stall, After: 50, For: time.Millisecond}, whole, false},
		{Fault{Kind: Slow, After: 50, For: time.Millisecond}, whole, false},
		{Fault{Kind: Cut, After: 200}, whole, false}, // never reached
	} {
		var i Injector
		a := i.Arm(c.fault)
		got, err := through(t, &i, pieces...)
		if !bytes.Equal(got, c.want) || (err != nil) != c.fails {
			t.Errorf("%s after %d: %d bytes arrived, %v", c.fault.Kind, c.fault.After, len(got), err)
		}
		select {
		case <-a.Hit():
		default:
			if c.fault.After < 200 {
				t.Errorf("%s after %d did not happen", c.fault.Kind, c.fault.After)
			}
		}
	}
	var i Injector
	i.Arm(Fault{Kind: Flip, After: 150})
	got, err := through(t, &i, pieces...)
	for n := range got {
		if (got[n] != whole[n]) != (n == 150) {
			t.Errorf("byte %d is %x", n, got[n])
		}
	}
	if err != nil || len(got) != len(whole) {
		t.Errorf("flip: %d bytes, %v", len(got), err)
	}
}

// A stall without a time lasts until it is lifted, or the connection closed.
func TestLift(t *testing.T) {
	for _, how := range []string{"lift", "close"} {
		var i Injector
		stall := i.Arm(Fault{Kind: Stall, After: 1})
		a, b := net.Pipe()
		w := i.Wrap(a)
		wrote := make(chan error, 1)
		go func() { _, err := w.Write([]byte("abc")); wrote <- err }()
		one := make([]byte, 3)
		if n, _ := b.Read(one); n != 1 {
			t.Errorf("%d bytes before the mark", n)
		}
		<-stall.Hit()
		if how == "close" {
			w.Close()
			if err := <-wrote; err == nil {
				t.Error("writing on a closed connection succeeded")
			}
			continue
		}
		stall.Lift()
		if n, _ := b.Read(one); n != 2 {
			t.Errorf("%d bytes after the lift", n)
		}
		if err := <-wrote; err != nil {
			t.Error(err)
		}
		w.Close()
	}
}

// A fault that was taken back never happens.
func TestTakenBack(t *testing.T) {
	var i Injector
	i.Arm(Fault{Kind: Cut, After: 3}).Lift()
	if got, err := through(t, &i, []byte("hello")); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}
