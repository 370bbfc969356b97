package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/control"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/process"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/synth"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// flags are those of the command line.
type flags struct {
	pool          process.Pool
	cfg           decode.Config
	control, logs string
}

// run runs the command line and returns the exit status.
func run(args []string, out, errOut io.Writer) int {
	var f flags
	root := &cobra.Command{
		Use:   "kvdecode --model FILE",
		Short: "Run one rank of a decode engine",
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
	fs.IntVar(&c.DCP.Size, "dcp", 1, "decode context-parallel size; such ranks are tensor-parallel ranks, too")
	fs.IntVar(&c.DCP.Rank, "dcp-rank", 0, "decode context-parallel rank")
	fs.StringVar(&f.control, "control", "127.0.0.1:0", "address of the control server; port 0 takes any")
	fs.StringVar(&c.Dtype, "dtype", "auto", "type of the KV cache; prefill must name the same")
	fs.IntVar(&c.Connections, "connections", 1, "connections to each prefill rank")
	fs.IntVar(&c.Rooms, "rooms", room.DefaultMax, "rooms at once")
	fs.DurationVar(&c.Stay, "stay", room.DefaultStay, "longest stay of a room in one state")
	fs.DurationVar(&c.FrameTime, "frame-time", wire.FrameTime, "longest time of one frame")
	fs.DurationVar(&c.Heartbeat, "heartbeat", decode.DefaultHeartbeat, "how often prefill ranks are asked for a sign of life")
	fs.IntVar(&c.Misses, "misses", decode.DefaultMisses, "unanswered heartbeats after which a prefill rank is given up")
	fs.DurationVar(&c.AckTime, "ack-time", decode.DefaultAck, "longest wait for the acknowledgement of an abort")
	fs.BoolVar(&c.EarlyRelease, "early-release", false,
		"give pages of failed rooms back at once, as SGLang does by default; late bytes then land in other requests")
	fs.StringVar(&f.logs, "log", "warn", "what to log to standard error: debug, info, warn or error")
}

// serve runs the rank until the context ends.
func (f *flags) serve(cmd *cobra.Command) error {
	var check *synth.Checker // it needs the engine, and the engine it; nothing arrives before both are there
	var inject fault.Injector
	if err := f.configure(cmd); err != nil {
		return err
	}
	f.cfg.Wrap, f.cfg.Before = inject.Wrap, control.Scrub(&check)
	h, err := process.Listen(f.control)
	if err != nil {
		return err
	}
	defer h.Close()
	e, err := decode.New(f.cfg)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Memory().Fill(synth.Canary)
	check = synth.NewChecker(e.Model(), e.Pool(), e.Memory(), f.cfg.DCP)
	server := control.NewDecode(e, check, &inject)
	defer server.Close()
	h.Serve(server)
	fmt.Fprintf(cmd.OutOrStdout(), "kvdecode ready: control %s, pool of %d MB\n", h.Addr(), e.Memory().Bytes()>>20)
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
	c.Memory = memory.Mapped
	return nil
}
