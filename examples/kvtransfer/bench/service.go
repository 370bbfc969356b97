package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/cluster"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// service is a prefill rank and a decode rank of which only the transfer is measured: nothing is computed, nothing compared.
type service struct {
	c     *cluster.Cluster
	rooms room.ID
}

// start runs the service. The pools hold as many requests as are under way at once.
func start(c benchCase) (*service, error) {
	m, err := c.model.Complete()
	if err != nil {
		return nil, err
	}
	needs := lease.NeedsOf(&m, c.tokens)
	capacity := layout.Capacity{
		Pages: int64(needs.Pages * c.atOnce), WindowPages: int64(needs.WindowPages * c.atOnce), Slots: int64(c.atOnce),
	}
	run, err := cluster.Start(cluster.Spec{
		Model: c.model, PrefillCap: capacity, DecodeCap: capacity, Memory: memory.Mapped,
		Prefill: func(p *prefill.Config) {
			p.Compute = func(context.Context, prefill.Chunk) error { return nil }
		},
		Decode: func(d *decode.Config) {
			d.Connections = c.connections
			d.Before = func(decode.Request, *lease.Lease) {}
		},
	})
	if err != nil {
		return nil, err
	}
	for _, p := range run.Prefill {
		p.Memory().Fill(1) // so that the system has given the memory
	}
	return &service{c: run, rooms: 1}, nil
}

// move sends requests until size bytes have gone, and returns the bytes a second.
func (s *service) move(c benchCase, size int64) (float64, error) {
	rank := s.c.Decode[0]
	before := rank.Stats().Received
	var moved atomic.Int64
	var wg sync.WaitGroup
	errs := make(chan error, c.atOnce)
	began := time.Now()
	for i := range c.atOnce {
		first := s.rooms + room.ID(i)
		wg.Go(func() {
			for id := first; moved.Load() < size; id += room.ID(c.atOnce) {
				if err := s.request(id, c.tokens); err != nil {
					errs <- err
					return
				}
				moved.Store(rank.Stats().Received - before)
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(began)
	s.rooms += 1 << 20
	select {
	case err := <-errs:
		return 0, err
	default:
	}
	return float64(rank.Stats().Received-before) / elapsed.Seconds(), nil
}

// request runs one request.
func (s *service) request(id room.ID, tokens int) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	list, err := s.c.Submit(decode.Request{Room: id, Tokens: tokens})
	if err != nil {
		return err
	}
	for _, t := range list {
		if werr := t.Wait(ctx); werr != nil && err == nil {
			err = werr
		}
		t.Release()
		<-t.Gone()
	}
	return err
}
