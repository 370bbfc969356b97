package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/cluster"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// benchCase is one thing to measure.
type benchCase struct {
	name        string
	model       layout.Model
	tokens      int // of each request
	atOnce      int // requests under way
	connections int
}

// cases are the rows of the page.
func cases() []benchCase {
	ratios := []int{0, 0}
	for len(ratios) < 61 {
		ratios = append(ratios, 4, 128)
	}
	v4 := layout.Model{Family: layout.Compressed, Ratios: ratios[:61]}
	mla := layout.Model{Family: layout.MLA, Layers: 61}
	return []benchCase{
		{"compressed, 61 layers, 8,192 tokens", v4, 8192, 3, 1},
		{"latent (MLA), 61 layers, 1,024 tokens", mla, 1024, 3, 1},
		{"latent (MLA), 61 layers, 1,024 tokens", mla, 1024, 4, 2},
	}
}

// row is what came of a case: bytes a second, by round.
type row struct {
	benchCase
	plain, iperf, service []float64
}

// measure measures a case in rounds, and what it is held to in the same rounds. The first round warms up and does not count.
func measure(c benchCase, rounds int, size int64) (r row, err error) {
	r.benchCase = c
	s, err := start(c)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.c.Close()) }()
	for i := range rounds + 1 {
		p, err1 := plain(c.connections, size)
		v, err2 := s.move(c, size)
		f, err3 := iperf(c.connections, size)
		if err := errors.Join(err1, err2, err3); err != nil {
			return r, err
		}
		if i > 0 {
			r.plain, r.service, r.iperf = append(r.plain, p), append(r.service, v), append(r.iperf, f)
		}
	}
	return r, nil
}

// crowded is what came of many rooms at once.
type crowded struct {
	rooms   int // open at the same time, on either side
	elapsed time.Duration
	beyond  uint64 // bytes of memory beside the pools, of both ranks together, at most
}

// atOnce is how many rooms a crowd has.
const atOnce = 1000

// crowd opens rooms on both sides before any may finish, then lets them go.
func crowd() (out crowded, err error) {
	c, err := cluster.Start(cluster.Spec{
		Model: layout.Model{Family: layout.MLA, Layers: 8, PageSize: 16}, PP: 2, Memory: memory.Mapped,
		PrefillCap: layout.Capacity{Pages: atOnce / 2, Slots: atOnce / 8}, // they take turns on the pages, and hold their rooms the while
		DecodeCap:  layout.Capacity{Pages: 3 * atOnce, Slots: atOnce},
		Decode:     func(d *decode.Config) { d.Connections = 4 },
	})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	began := time.Now()
	list := make([]*decode.Transfer, 0, atOnce)
	for id := range room.ID(atOnce) {
		t, err := c.Submit(decode.Request{Room: id + 1, Tokens: 40})
		if err != nil {
			return out, err
		}
		list = append(list, t[0])
	}
	for _, n := range c.Decode[0].Stats().Rooms {
		out.rooms += n
	}
	stop := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { out.beyond = most(stop) })
	var failed error
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, t := range list {
		if err := t.Wait(ctx); err != nil && failed == nil {
			failed = err
		}
	}
	out.elapsed = time.Since(began)
	close(stop)
	watch.Wait()
	for _, t := range list {
		t.Release()
		<-t.Gone()
	}
	return out, failed
}

// most is the most memory that the Go runtime held until stop; the pools are not its own.
func most(stop <-chan struct{}) uint64 {
	var top uint64
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		top = max(top, m.Sys-m.HeapReleased)
		select {
		case <-stop:
			return top
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// median of values, which it sorts.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// ratio is the median of the ratios of rounds.
func ratio(a, b []float64) float64 {
	var r []float64
	for i := range a {
		r = append(r, a[i]/b[i])
	}
	return median(r)
}
