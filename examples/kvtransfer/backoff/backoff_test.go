package backoff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"
)

func TestPausesDoubleUpToTheCap(t *testing.T) {
	p := Policy{First: time.Second, Max: 30 * time.Second, Least: 1}
	for n, want := range map[int]time.Duration{0: 0, 1: 1, 2: 2, 3: 4, 4: 8, 5: 16, 6: 30, 7: 30, 33: 30, math.MaxInt: 30} {
		if got := p.Pause(n); got != want*time.Second {
			t.Errorf("after %d failures %v, want %v", n, got, want*time.Second)
		}
	}
}

func TestChanceStaysInItsRange(t *testing.T) {
	p := Registration()
	for range 1000 {
		if d := p.Pause(2); d < 1500*time.Millisecond || d > 2*time.Second {
			t.Fatalf("pause %v is outside 0.75..1.0 of 2s", d)
		}
	}
}

func TestRetry(t *testing.T) {
	p := Policy{First: time.Nanosecond, Max: time.Nanosecond, Least: 1}
	calls := 0
	err := Retry(context.Background(), 5, p, func(context.Context) error {
		if calls++; calls < 3 {
			return errors.New("refused")
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
	last := errors.New("refused for good")
	calls = 0
	err = Retry(context.Background(), 5, p, func(context.Context) error { calls++; return last })
	var gave *GaveUpError
	if !errors.As(err, &gave) || gave.Attempts != 5 || calls != 5 || !errors.Is(err, last) {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestRetryStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	err := Retry(ctx, 5, Policy{First: time.Hour, Max: time.Hour, Least: 1}, func(context.Context) error {
		cancel()
		return errors.New("refused")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestTrackerExpiresAndDoubles(t *testing.T) {
	now := time.Unix(0, 0)
	tr := NewTracker(Policy{First: time.Second, Max: 8 * time.Second, Least: 1}, func() time.Time { return now })
	cause := errors.New("connection refused")
	if err := tr.Allow("a"); err != nil {
		t.Fatal(err)
	}
	tr.Fail("a", cause)
	tr.Fail("a", cause) // the same outage
	var down *DownError
	if err := tr.Allow("a"); !errors.As(err, &down) || down.Failures != 1 || down.RetryIn != time.Second || !errors.Is(err, cause) {
		t.Fatalf("%v", err)
	}
	if err := tr.Allow("b"); err != nil {
		t.Errorf("another peer is held back: %v", err)
	}
	now = now.Add(time.Second)
	if err := tr.Allow("a"); err != nil {
		t.Fatalf("the pause has ended: %v", err)
	}
	tr.Fail("a", cause)
	if err := tr.Allow("a"); !errors.As(err, &down) || down.Failures != 2 || down.RetryIn != 2*time.Second {
		t.Fatalf("%v", err)
	}
	tr.Clear("a")
	if err := tr.Allow("a"); err != nil || tr.Len() != 0 {
		t.Errorf("after success: %v, %d entries", err, tr.Len())
	}
}

func TestTrackerIsBounded(t *testing.T) {
	now := time.Unix(0, 0)
	tr := NewTracker(Policy{First: time.Second, Max: time.Second, Least: 1}, func() time.Time { return now })
	for i := range maxPeers + 10 {
		now = now.Add(time.Microsecond)
		tr.Fail(fmt.Sprint(i), nil)
	}
	if tr.Len() != maxPeers {
		t.Errorf("%d entries", tr.Len())
	}
	if tr.Allow("0") != nil || tr.Allow(fmt.Sprint(maxPeers+9)) == nil {
		t.Error("the oldest should have gone, the newest stayed")
	}
}
