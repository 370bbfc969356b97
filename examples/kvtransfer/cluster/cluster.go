// Package cluster runs a whole service in one process: a bootstrap server, the ranks of a prefill engine and those of a decode
// engine, over loopback. Tests, the soak and the measurements use it.
//
// Prefill ranks play the model with package synth, so every byte that arrives can be checked; decode ranks paint over what requests
// give back, so that a stray byte shows.
package cluster

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/synth"
)

// Spec says what to run. Zero sizes are 1.
type Spec struct {
	Model                 layout.Model
	PP                    int  // pipeline stages of prefill
	PrefillTP, DecodeTP   int  // tensor-parallel ranks
	CP                    int  // context-parallel prefill ranks
	AllCP                 bool // all of which send
	DCP                   int  // context-parallel decode ranks
	DecodePP              int  // pipeline stages of decode: 1, or PP
	PrefillCap, DecodeCap layout.Capacity
	Memory                memory.Kind

	// Prefill and Decode, if set, change a rank's configuration before it starts.
	Prefill func(*prefill.Config)
	Decode  func(*decode.Config)
}

// Cluster is a running service.
type Cluster struct {
	Boot    string // address of the bootstrap server
	Prefill []*prefill.Engine
	Decode  []*decode.Engine
	Checks  []*synth.Checker // one for each decode rank
	Server  *bootstrap.Server

	http   *http.Server
	spec   Spec
	serves sync.WaitGroup
	order  sync.Mutex // held while a request goes to all ranks: see decode.Engine.Submit
}

// Start runs a service. The errors are those of prefill.New and decode.New.
func Start(s Spec) (*Cluster, error) {
	for _, n := range []*int{&s.PP, &s.PrefillTP, &s.DecodeTP, &s.CP, &s.DCP, &s.DecodePP} {
		*n = max(1, *n)
	}
	c := &Cluster{spec: s, Server: bootstrap.NewServer(nil)}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// start does the work of Start.
func (c *Cluster) start() error {
	if err := c.serve("127.0.0.1:0"); err != nil {
		return err
	}
	s := &c.spec
	for tp := range s.PrefillTP {
		for cp := range s.CP {
			for pp := range s.PP {
				if err := c.AddPrefill(tp, cp, pp); err != nil {
					return err
				}
			}
		}
	}
	for tp := range max(s.DecodeTP, s.DCP) {
		for pp := range s.DecodePP {
			if err := c.AddDecode(tp, pp); err != nil {
				return err
			}
		}
	}
	return nil
}

// serve runs the bootstrap server.
func (c *Cluster) serve(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	c.Boot = l.Addr().String()
	c.http = &http.Server{Handler: c.Server, ReadHeaderTimeout: 5 * time.Second}
	c.serves.Go(func() { _ = c.http.Serve(l) }) // it returns when the server is closed
	return nil
}

// AddPrefill starts one more prefill rank, in place of an earlier one if there was one at its place.
func (c *Cluster) AddPrefill(tp, cp, pp int) error {
	s := &c.spec
	stage, err := layout.Cut(s.Model, s.PP, pp)
	if err != nil {
		return err
	}
	// The filler needs the engine's memory and the engine the filler. Nothing is computed before both are there.
	var fill *synth.Filler
	cfg := prefill.Config{
		Model: s.Model, Stage: stage, Capacity: s.PrefillCap, Memory: s.Memory,
		Sizes: ranks.Sizes{TP: s.PrefillTP, CP: s.CP, PP: s.PP}, TPRank: tp, CPRank: cp, PPRank: pp, AllCP: s.AllCP,
		Bootstrap: c.Boot,
		Register:  backoff.Policy{First: 10 * time.Millisecond, Max: 100 * time.Millisecond, Least: 1},
		Compute: func(_ context.Context, k prefill.Chunk) error {
			return fill.Chunk(k.Room, k.Lease, k.From, k.To, k.Tokens)
		},
	}
	if s.Prefill != nil {
		s.Prefill(&cfg)
	}
	e, err := prefill.New(cfg)
	if err != nil {
		return err
	}
	fill = synth.NewFiller(e.Model(), e.Pool(), e.Memory())
	c.Prefill = append(c.Prefill, e)
	return nil
}

// AddDecode starts one more decode rank.
func (c *Cluster) AddDecode(tp, pp int) error {
	s := &c.spec
	stage, err := layout.Cut(s.Model, s.DecodePP, pp)
	if err != nil {
		return err
	}
	at := dcp.Place{Size: s.DCP}
	if s.DCP > 1 {
		at.Rank = tp
	}
	var check *synth.Checker
	cfg := decode.Config{
		Model: s.Model, Stage: stage, Capacity: s.DecodeCap, Memory: s.Memory,
		Sizes: ranks.Sizes{TP: max(s.DecodeTP, s.DCP), CP: 1, PP: s.DecodePP}, TPRank: tp, PPRank: pp, DCP: at,
		Lookup: 20 * time.Millisecond, Tries: 250,
		Before: func(r decode.Request, l *lease.Lease) {
			_ = check.Scrub(l, r.Tokens) // it fails for state that no lease could have been made for
		},
	}
	if s.Decode != nil {
		s.Decode(&cfg)
	}
	e, err := decode.New(cfg)
	if err != nil {
		return err
	}
	e.Memory().Fill(synth.Canary)
	check = synth.NewChecker(e.Model(), e.Pool(), e.Memory(), at)
	c.Decode, c.Checks = append(c.Decode, e), append(c.Checks, check)
	return nil
}

// Submit gives a request to all ranks. Transfers are in the order of decode ranks; after an error there are none.
func (c *Cluster) Submit(r decode.Request) ([]*decode.Transfer, error) {
	if r.Bootstrap == "" {
		r.Bootstrap = c.Boot
	}
	c.order.Lock()
	defer c.order.Unlock()
	for i, p := range c.Prefill {
		if err := p.Submit(prefill.Request{Room: r.Room, Tokens: r.Tokens}); err != nil {
			for _, had := range c.Prefill[:i] {
				had.Abort(r.Room)
			}
			return nil, err
		}
	}
	var out []*decode.Transfer
	for _, d := range c.Decode {
		t, err := d.Submit(r)
		if err != nil {
			for _, had := range out {
				had.Release()
			}
			c.Abort(r.Room)
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Abort fails a room on all prefill ranks.
func (c *Cluster) Abort(id room.ID) {
	for _, p := range c.Prefill {
		p.Abort(id)
	}
}

// Run gives a request to all ranks, waits, checks every byte on every decode rank, and releases. It returns how many bytes were
// checked. An error is the transfer's, or a *synth.WrongByteError.
func (c *Cluster) Run(ctx context.Context, r decode.Request) (int64, error) {
	transfers, err := c.Submit(r)
	if err != nil {
		return 0, err
	}
	var sum int64
	for i, t := range transfers {
		terr := t.Wait(ctx)
		if terr == nil {
			n, cerr := c.Checks[i].Request(r.Room, t.Lease(), t.Prefix(), r.Tokens)
			sum, terr = sum+n, cerr
		}
		if terr != nil && err == nil {
			err = terr
		}
		t.Release()
	}
	if err != nil {
		c.Abort(r.Room) // whatever rank has not heard of it yet
	}
	for _, t := range transfers {
		<-t.Gone()
	}
	return sum, err
}

// Clean tells whether the pools of all decode ranks hold nothing but canary, as they must when no request is open.
func (c *Cluster) Clean() error {
	for _, k := range c.Checks {
		if err := k.Clean(); err != nil {
			return err
		}
	}
	return nil
}

// StopBoot stops the bootstrap server.
func (c *Cluster) StopBoot() error { return c.http.Close() }

// Close stops everything and returns when it has ended.
func (c *Cluster) Close() error {
	var errs []error
	for _, d := range c.Decode {
		errs = append(errs, d.Close())
	}
	for _, p := range c.Prefill {
		errs = append(errs, p.Close())
	}
	if c.http != nil {
		errs = append(errs, c.http.Close())
	}
	c.serves.Wait()
	return errors.Join(errs...)
}
