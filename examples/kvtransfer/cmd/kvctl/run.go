package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/router"
)

// serviceFlags says where the ranks are.
func serviceFlags(cmd *cobra.Command, s *router.Service) {
	fs := cmd.Flags()
	fs.StringSliceVar(&s.Prefill, "prefill", nil, "control addresses of all prefill ranks")
	fs.StringSliceVar(&s.Decode, "decode", nil, "control addresses of all decode ranks")
	fs.StringVar(&s.Bootstrap, "bootstrap", "", "address of the prefill engine's bootstrap server")
}

// runCommand is kvctl run.
func runCommand() *cobra.Command {
	var s router.Service
	var l router.Load
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "run --prefill ADDR,… --decode ADDR,… --bootstrap ADDR [flags]",
		Short: "Send requests of random lengths through a service, and say what came of them",
		Long: `Send requests of random lengths through a service. Decode ranks compare every byte with what it should be; in the end they are asked
whether memory that no request holds still holds its canary.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLoad(cmd, s, l, asJSON) },
	}
	serviceFlags(cmd, &s)
	fs := cmd.Flags()
	fs.IntVar(&l.Requests, "requests", 100, "how many")
	fs.IntVar(&l.Parallel, "parallel", 16, "how many at once")
	fs.IntVar(&l.MinTokens, "min-tokens", 1, "length of the shortest prompt")
	fs.IntVar(&l.MaxTokens, "max-tokens", 4096, "length of the longest prompt")
	fs.IntVar(&l.Prefix, "prefix", 30, "percent of the requests of which decode has a part already")
	fs.BoolVar(&l.Checksum, "checksum", false, "have both sides add the bytes up, too")
	fs.Uint64Var(&l.Seed, "seed", 0, "of lengths, prefixes and rooms; 0 takes another one every time")
	fs.DurationVar(&l.Patience, "patience", 5*time.Minute, "longest wait for one request")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// runLoad makes a load.
func runLoad(cmd *cobra.Command, s router.Service, l router.Load, asJSON bool) error {
	if l.Seed == 0 {
		l.Seed = rand.Uint64()
	}
	r, err := router.New(s)
	if err != nil {
		return err
	}
	defer r.Close()
	sum, err := r.Run(cmd.Context(), l)
	if err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(cmd.OutOrStdout()).Encode(sum)
	} else {
		printSummary(cmd.OutOrStdout(), sum)
	}
	if err != nil {
		return err
	}
	if sum.Failed > 0 {
		return &LoadFailedError{Failed: sum.Failed, Requests: sum.Requests, First: sum.Errors[0]}
	}
	if err := r.Clean(cmd.Context(), 10*time.Second); err != nil {
		return &DirtyError{Cause: err}
	}
	if !asJSON {
		fmt.Fprintln(cmd.OutOrStdout(), "memory that no request holds still holds its canary, every byte of it")
	}
	return nil
}

// printSummary prints what came of a load.
func printSummary(w io.Writer, s *router.Summary) {
	seconds := s.Elapsed.Seconds()
	fmt.Fprintf(w, "%d of %d requests arrived, and every byte is right\n", s.Arrived, s.Requests)
	fmt.Fprintf(w, "%.2f GB in %.1f s: %.2f GB/s with making and comparing them; latency %s in the median, %s for 99 %%\n",
		float64(s.Bytes)/1e9, seconds, float64(s.Bytes)/1e9/seconds, s.Median.Round(time.Millisecond), s.P99.Round(time.Millisecond))
}

// requestCommand is kvctl request.
func requestCommand() *cobra.Command {
	var s router.Service
	var q decode.Request
	var id uint64
	var patience time.Duration
	cmd := &cobra.Command{
		Use:   "request --room N --tokens N --prefill ADDR,… --decode ADDR,… --bootstrap ADDR",
		Short: "Send one request through a service and wait for its end",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := router.New(s)
			if err != nil {
				return err
			}
			defer r.Close()
			q.Room = room.ID(id)
			n, err := r.Request(cmd.Context(), q, patience)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d bytes arrived, and every one is right\n", n)
			return nil
		},
	}
	serviceFlags(cmd, &s)
	fs := cmd.Flags()
	fs.Uint64Var(&id, "room", 1, "the request's room; not 0, and not in use")
	fs.IntVar(&q.Tokens, "tokens", 1000, "length of the prompt")
	fs.IntVar(&q.Prefix, "prefix", 0, "leading tokens that decode has already")
	fs.BoolVar(&q.Checksum, "checksum", false, "have both sides add the bytes up, too")
	fs.DurationVar(&patience, "patience", 5*time.Minute, "longest wait")
	return cmd
}
