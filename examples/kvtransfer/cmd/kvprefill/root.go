package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/control"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/process"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/synth"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// flags are those of the command line.
type flags struct {
	pool          process.Pool
	cfg           prefill.Config
	rule, mode    string
	control, logs string
}

// run runs the command line and returns the exit status.
func run(args []string, out, errOut io.Writer) int {
	var f flags
	root := &cobra.Command{
		Use:   "kvprefill --model FILE --bootstrap ADDR",
		Short: "Run one rank of a prefill engine",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.serve(cmd) },
	}
	f.define(root)
	return process.Run(root, args, os.Stdin, out, errOut)
}

// define adds the flags.
func (f *flags) define(cmd *cobra.Command) {
	fs, c := cmd.Flags(), &f.cfg
	f.pool.Define(fs)
	fs.IntVar(&f.pool.Sizes.CP, "cp", 1, "context-parallel size of the engine")
	fs.IntVar(&c.CPRank, "cp-rank", 0, "context-parallel rank")
	fs.BoolVar(&c.AllCP, "all-cp", false, "every context-parallel rank sends its share of the pages, not rank 0 all of them")
	fs.IntVar(&c.DPSize, "dp", 1, "data-parallel engines behind the bootstrap server")
	fs.IntVar(&c.DPRank, "dp-rank", 0, "data-parallel rank")
	fs.BoolVar(&c.FollowRoom, "follow-room", false, "a room's number decides its data-parallel rank")
	fs.StringVar(&c.Bootstrap, "bootstrap", "", "address of the bootstrap server")
	fs.StringVar(&c.Listen, "listen", "127.0.0.1:0", "address for decode ranks; port 0 takes any")
	fs.StringVar(&c.Advertise, "advertise", "", "host that decode ranks dial; default: that of --listen")
	fs.StringVar(&f.control, "control", "127.0.0.1:0", "address of the control server; port 0 takes any")
	fs.StringVar(&c.Dtype, "dtype", "auto", "type of the KV cache; decode must name the same")
	fs.StringVar(&f.rule, "rule", string(slice.New), "rule for compressed lists: new or old")
	fs.StringVar(&f.mode, "mode", string(slice.Strict), "strict, or compatible: pair layouts as SGLang does")
	fs.IntVar(&c.ChunkTokens, "chunk-tokens", prefill.DefaultChunk, "tokens computed and sent at once")
	fs.IntVar(&c.Workers, "workers", 1, "chunks computed at the same time")
	fs.IntVar(&c.Rooms, "rooms", room.DefaultMax, "rooms at once")
	fs.DurationVar(&c.Stay, "stay", room.DefaultStay, "longest stay of a room in one state")
	fs.DurationVar(&c.FrameTime, "frame-time", wire.FrameTime, "longest time of one frame")
	fs.StringVar(&f.logs, "log", "warn", "what to log to standard error: debug, info, warn or error")
}

// serve runs the rank until the context ends.
func (f *flags) serve(cmd *cobra.Command) error {
	var fill *synth.Filler // it needs the engine, and the engine it; nothing is computed before both are there
	var inject fault.Injector
	if err := f.configure(cmd); err != nil {
		return err
	}
	f.cfg.Wrap = inject.Wrap
	f.cfg.Compute = func(_ context.Context, k prefill.Chunk) error {
		return fill.Chunk(k.Room, k.Lease, k.From, k.To, k.Tokens)
	}
	h, err := process.Listen(f.control)
	if err != nil {
		return err
	}
	defer h.Close()
	f.cfg.HTTPPort = h.Port()
	e, err := prefill.New(f.cfg)
	if err != nil {
		return err
	}
	defer e.Close()
	fill = synth.NewFiller(e.Model(), e.Pool(), e.Memory())
	h.Serve(control.Prefill(e, &inject))
	fmt.Fprintf(cmd.OutOrStdout(), "kvprefill ready: data %s, control %s, pool of %d MB for layers %d to %d\n",
		e.Addr(), h.Addr(), e.Memory().Bytes()>>20, f.cfg.Stage.Start, f.cfg.Stage.End-1)
	<-cmd.Context().Done()
	return nil
}

// configure turns the flags into a configuration.
func (f *flags) configure(cmd *cobra.Command) (err error) {
	c := &f.cfg
	if c.Model, c.Stage, err = f.pool.Describe(); err != nil {
		return err
	}
	if c.Log, err = process.Logger(cmd.ErrOrStderr(), f.logs); err != nil {
		return err
	}
	c.Capacity, c.Sizes, c.TPRank, c.PPRank = f.pool.Capacity, f.pool.Sizes, f.pool.TPRank, f.pool.PPRank
	c.Memory, c.Rule, c.Mode = memory.Mapped, slice.Rule(f.rule), slice.Mode(f.mode)
	return nil
}
