package decode

import (
	"log/slog"
	"net"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// Defaults of a configuration: SGLang's figures.
const (
	DefaultHeartbeat = 5 * time.Second
	MinHeartbeat     = 2 * time.Second // what a service should allow; tests may be quicker
	DefaultMisses    = 2
	DefaultAck       = 30 * time.Second
)

// Config describes one decode rank. Zero values take the defaults named.
type Config struct {
	Model    layout.Model
	Stage    layout.Stage // zero takes the whole model
	Capacity layout.Capacity
	Memory   memory.Kind

	Sizes          ranks.Sizes // of the engine; zero sizes are 1
	TPRank, PPRank int
	DCP            dcp.Place // in decode context parallelism; zero is none
	Dtype          string    // of the KV cache; must be prefill's. Default "auto"

	Connections int           // to each prefill rank; rooms are spread over them. Default 1
	FrameTime   time.Duration // one frame's longest time; default wire.FrameTime
	Stay        time.Duration // longest stay of a room in each state; default room.DefaultStay
	Rooms       int           // at once; default room.DefaultMax

	// Heartbeat is how often a prefill rank is asked whether it is there, and Misses after how many unanswered times it is given
	// up. Defaults DefaultHeartbeat and DefaultMisses.
	Heartbeat time.Duration
	Misses    int
	// AckTime is how long a failed room waits for a prefill rank to acknowledge the abort before it disconnects that rank.
	// Default DefaultAck.
	AckTime time.Duration
	// EarlyRelease gives the pages of a failed room back at once. Bytes that are on their way then land in whatever request
	// has the pages next. SGLang does so by default.
	EarlyRelease bool

	// Lookup is the pace of asking an incomplete prefill engine for its shape, Tries how often that is done. Defaults
	// bootstrap.LookupInterval and bootstrap.LookupTries.
	Lookup time.Duration
	Tries  int
	// Retry is the policy for prefill ranks that fail; default backoff.Session.
	Retry backoff.Policy

	// Before is called before a lease is given back, with what it was for. It may still use the pages.
	Before func(Request, *lease.Lease)
	Log    *slog.Logger
	// Wrap, if set, wraps every connection, to inject faults.
	Wrap func(net.Conn) net.Conn
}

// complete fills in defaults and checks what nobody else checks.
func (c *Config) complete() error {
	var err error
	if c.Model, err = c.Model.Complete(); err != nil {
		return err
	}
	for _, n := range []*int{&c.Sizes.TP, &c.Sizes.CP, &c.Sizes.PP, &c.DCP.Size, &c.Connections} {
		*n = max(1, *n)
	}
	if c.Stage == (layout.Stage{}) {
		c.Stage = c.Model.Whole()
	}
	for _, r := range []struct {
		name       string
		rank, size int
	}{{"TP", c.TPRank, c.Sizes.TP}, {"PP", c.PPRank, c.Sizes.PP}, {"DCP", c.DCP.Rank, c.DCP.Size}} {
		if r.rank < 0 || r.rank >= r.size {
			return &PlaceError{Axis: r.name, Rank: r.rank, Size: r.size}
		}
	}
	c.times()
	if c.Misses < 1 {
		c.Misses = DefaultMisses
	}
	if c.Dtype == "" {
		c.Dtype = "auto"
	}
	if c.Retry == (backoff.Policy{}) {
		c.Retry = backoff.Session()
	}
	if c.Before == nil {
		c.Before = func(Request, *lease.Lease) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Wrap == nil {
		c.Wrap = func(n net.Conn) net.Conn { return n }
	}
	return nil
}

// times fills in the defaults of durations.
func (c *Config) times() {
	for _, d := range []struct {
		v   *time.Duration
		def time.Duration
	}{
		{&c.FrameTime, wire.FrameTime}, {&c.Stay, room.DefaultStay}, {&c.Heartbeat, DefaultHeartbeat},
		{&c.AckTime, DefaultAck}, {&c.Lookup, bootstrap.LookupInterval},
	} {
		if *d.v <= 0 {
			*d.v = d.def
		}
	}
}
