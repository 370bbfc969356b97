package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// Policy is a sequence of pauses: First, then twice as long each time up to Max, each shortened by chance to no less than
// Least of it, so that peers which failed together do not come back together.
type Policy struct {
	First time.Duration // pause after the first failure
	Max   time.Duration // longest pause
	Least float64       // share of a pause that chance leaves, 0 to 1; 1 means no chance
}

// Registration is the policy for registering at the bootstrap server, with SGLang's figures.
func Registration() Policy { return Policy{First: time.Second, Max: 30 * time.Second, Least: 0.75} }

// Session is the policy for peers: short at first, since most outages are a restart or a blip.
func Session() Policy {
	return Policy{First: 100 * time.Millisecond, Max: 30 * time.Second, Least: 0.75}
}

// Pause is how long to wait after that many failures in a row; none for 0.
func (p Policy) Pause(failures int) time.Duration {
	if failures <= 0 {
		return 0
	}
	d := p.Max
	// Beyond 32 doublings of a nanosecond any useful Max is reached; a larger shift could overflow.
	if shift := failures - 1; shift < 32 && p.First < p.Max>>shift {
		d = p.First << shift
	}
	return time.Duration(float64(d) * (p.Least + (1-p.Least)*rand.Float64()))
}

// Retry calls work until it succeeds, at most the given number of times, with the policy's pauses between. It returns nil, or a
// *GaveUpError with the last failure, or the error of ctx.
func Retry(ctx context.Context, attempts int, p Policy, work func(context.Context) error) error {
	var last error
	for n := 1; n <= attempts; n++ {
		if last = work(ctx); last == nil {
			return nil
		}
		if n == attempts {
			break
		}
		if err := sleep(ctx, p.Pause(n)); err != nil {
			return err
		}
	}
	return &GaveUpError{Attempts: attempts, Last: last}
}

// sleep waits for d or for the end of ctx, whose error it returns.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
