package router

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of a load.
const (
	maxRequests = 1 << 20
	maxParallel = 1 << 12
	maxTokens   = 1 << 24
)

// Load is a number of requests of random lengths.
type Load struct {
	Requests  int           `json:"requests"`
	Parallel  int           `json:"parallel"`   // under way at once
	MinTokens int           `json:"min_tokens"` // of a prompt
	MaxTokens int           `json:"max_tokens"`
	Prefix    int           `json:"prefix"` // percent of requests of which decode has a part already
	Checksum  bool          `json:"checksum"`
	Seed      uint64        `json:"seed"` // of lengths, prefixes and rooms
	Patience  time.Duration `json:"-"`    // for one request
}

// Summary is what came of a load.
type Summary struct {
	Load
	Arrived int           `json:"arrived"` // requests
	Failed  int           `json:"failed"`
	Bytes   int64         `json:"bytes"` // received and compared
	Elapsed time.Duration `json:"elapsed_ns"`
	Median  time.Duration `json:"median_ns"` // of the requests that arrived
	P99     time.Duration `json:"p99_ns"`
	Errors  []string      `json:"errors,omitempty"` // of the first requests that failed
}

// maxErrors bounds the errors of a summary.
const maxErrors = 5

// Check refuses a load that cannot be made; the error is a *LoadError.
func (l *Load) Check() error {
	for _, f := range []struct {
		name          string
		v, least, max int
	}{
		{"requests", l.Requests, 1, maxRequests}, {"parallel", l.Parallel, 1, maxParallel},
		{"min-tokens", l.MinTokens, 1, maxTokens}, {"max-tokens", l.MaxTokens, l.MinTokens, maxTokens}, {"prefix", l.Prefix, 0, 100},
	} {
		if f.v < f.least || f.v > f.max {
			return &LoadError{Field: f.name, Value: f.v, Min: f.least, Max: f.max}
		}
	}
	return nil
}

// draw makes the requests of a load.
func (l *Load) draw() []decode.Request {
	rng := rand.New(rand.NewPCG(l.Seed, 1))
	out := make([]decode.Request, l.Requests)
	for i := range out {
		q := decode.Request{
			Room:   room.ID(rng.Uint64()>>1 | 1), // 0 is no room; SGLang's rooms are below 2^63
			Tokens: l.MinTokens + rng.IntN(l.MaxTokens-l.MinTokens+1), Checksum: l.Checksum,
		}
		if rng.IntN(100) < l.Prefix {
			q.Prefix = rng.IntN(q.Tokens + 1)
		}
		out[i] = q
	}
	return out
}

// Run sends a load through the service. It returns when every request has come to an end; an error is a *LoadError.
func (r *Router) Run(ctx context.Context, l Load) (*Summary, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		times []time.Duration
	)
	s := &Summary{Load: l}
	places := make(chan struct{}, l.Parallel)
	began := time.Now()
	for _, q := range l.draw() {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			start := time.Now()
			n, err := r.Request(ctx, q, l.Patience)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				if s.Failed++; len(s.Errors) < maxErrors {
					s.Errors = append(s.Errors, err.Error())
				}
				return
			}
			s.Arrived++
			s.Bytes += n
			times = append(times, time.Since(start))
		})
	}
	wg.Wait()
	s.Elapsed = time.Since(began)
	if len(times) > 0 {
		slices.Sort(times)
		s.Median, s.P99 = times[len(times)/2], times[(len(times)-1)*99/100]
	}
	return s, nil
}
