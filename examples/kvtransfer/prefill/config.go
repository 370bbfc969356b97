package prefill

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// Defaults of a configuration. Times are SGLang's.
const (
	DefaultChunk = 8192    // tokens
	DefaultFrame = 1 << 20 // bytes of data that go out before a job looks whether its room has failed
)

// Chunk is a piece of work for the model: tokens From..To-1 of a request, whose pages lie in Lease.
type Chunk struct {
	Room     room.ID
	Lease    *lease.Lease
	From, To int
	Last     bool // states and metadata are due, too
	Tokens   int  // of the whole request
}

// Compute fills the pages of a chunk. It may be called for several requests at once; an error fails the room.
type Compute func(context.Context, Chunk) error

// Config describes one prefill rank. Zero values take the defaults named.
type Config struct {
	Model    layout.Model
	Stage    layout.Stage // the layers of this rank's pipeline stage; zero takes the whole model
	Capacity layout.Capacity
	Memory   memory.Kind

	Sizes                  ranks.Sizes // of the engine; zero sizes are 1
	TPRank, CPRank, PPRank int
	AllCP                  bool // all context-parallel ranks send their share of pages; else rank 0 sends all
	DPSize, DPRank         int  // data-parallel engines behind one bootstrap server
	FollowRoom             bool // the room's number decides its data-parallel rank

	// Rule and Mode are for pairing with a decode rank's layout, as in plan.Options. The default is strict.
	Rule slice.Rule
	Mode slice.Mode

	Listen    string // address; default "127.0.0.1:0"
	Advertise string // host that decode ranks dial; default is where it listens
	Bootstrap string // address of the bootstrap server; empty: do not register, which needs an engine of one rank
	HTTPPort  int    // of the rank's control server, for the registration
	Dtype     string // of the KV cache, for the registration; default "auto"
	// Register is the policy of registering; default backoff.Registration.
	Register backoff.Policy

	ChunkTokens int           // default DefaultChunk, rounded down to whole pages
	FrameBytes  int           // default DefaultFrame; at most wire.MaxData less its table
	FrameTime   time.Duration // one frame's longest time; default wire.FrameTime
	Stay        time.Duration // longest stay of a room in each state; default room.DefaultStay
	Rooms       int           // at once; default room.DefaultMax
	Workers     int           // chunks computed at once; default 1

	Compute Compute // default: the pages hold already what they should
	Log     *slog.Logger
	// Wrap, if set, wraps every connection, to inject faults.
	Wrap func(net.Conn) net.Conn
}

// complete fills in defaults and checks what nobody else checks.
func (c *Config) complete() error {
	var err error
	if c.Model, err = c.Model.Complete(); err != nil {
		return err
	}
	for _, n := range []*int{&c.Sizes.TP, &c.Sizes.CP, &c.Sizes.PP, &c.DPSize, &c.Workers} {
		*n = max(1, *n)
	}
	if c.Stage == (layout.Stage{}) {
		c.Stage = c.Model.Whole()
	}
	for _, r := range []struct {
		name       string
		rank, size int
	}{
		{"TP", c.TPRank, c.Sizes.TP}, {"CP", c.CPRank, c.Sizes.CP}, {"PP", c.PPRank, c.Sizes.PP}, {"DP", c.DPRank, c.DPSize},
	} {
		if r.rank < 0 || r.rank >= r.size {
			return &PlaceError{Axis: r.name, Rank: r.rank, Size: r.size}
		}
	}
	if c.ring() > 1 && c.Bootstrap == "" {
		return ErrNoBootstrap
	}
	if err := c.switches(); err != nil {
		return err
	}
	orInt := func(v *int, def int) {
		if *v <= 0 {
			*v = def
		}
	}
	orInt(&c.ChunkTokens, DefaultChunk)
	c.ChunkTokens = max(c.Model.PageSize, c.ChunkTokens/c.Model.PageSize*c.Model.PageSize)
	orInt(&c.FrameBytes, DefaultFrame)
	c.FrameBytes = min(c.FrameBytes, wire.MaxPayload)
	if c.FrameTime <= 0 {
		c.FrameTime = wire.FrameTime
	}
	if c.Stay <= 0 {
		c.Stay = room.DefaultStay
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if c.Dtype == "" {
		c.Dtype = "auto"
	}
	if c.Register == (backoff.Policy{}) {
		c.Register = backoff.Registration()
	}
	if c.Compute == nil {
		c.Compute = func(context.Context, Chunk) error { return nil }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Wrap == nil {
		c.Wrap = func(n net.Conn) net.Conn { return n }
	}
	return nil
}

// switches fills in and checks the two ways of pairing.
func (c *Config) switches() error {
	switch c.Rule {
	case "":
		c.Rule = slice.New
	case slice.New, slice.Old:
	default:
		return &SwitchError{Name: "rule", Value: string(c.Rule), A: string(slice.New), B: string(slice.Old)}
	}
	switch c.Mode {
	case "":
		c.Mode = slice.Strict
	case slice.Strict, slice.Compatible:
	default:
		return &SwitchError{Name: "mode", Value: string(c.Mode), A: string(slice.Strict), B: string(slice.Compatible)}
	}
	return nil
}

// ring is how many ranks must agree before a room starts: all of the engine.
func (c *Config) ring() int { return c.Sizes.TP * c.Sizes.CP * c.Sizes.PP }

// sender is this rank's number in its engine.
func (c *Config) sender() int { return ranks.Sender(c.Sizes, c.TPRank, c.CPRank, c.PPRank) }

// idle tells whether this rank never sends: a context-parallel one while rank 0 sends all.
func (c *Config) idle() bool { return c.CPRank > 0 && !c.AllCP }
