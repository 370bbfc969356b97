package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/plan"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// planFlags are the flags of kvplan plan as given.
type planFlags struct {
	prefill, decode    sideFlags
	stages             int
	rule, mode         string
	srcPages, dstPages string
	dcp                dcp.Place
	prefix, offset     int
	tokens, copies     int
	json               bool
}

// planCommand is kvplan plan.
func planCommand() *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan --model FILE | --ratios LIST [flags]",
		Short: "Print the copies that move pages of a request from a prefill to a decode process, or why there are none",
		Long: `Print how the lists of a prefill process and a decode process pair, and the copies that move pages of a request. If they cannot be
paired, print why, and which lengths of decode's list would be accepted.

Flags without prefix describe prefill; those with --decode- decode, which by default runs the same model and holds all its layers.`,
		Example: `  kvplan plan --ratios 0,4,128,4 --stage 1:3 --src-pages 3,4,9 --dst-pages 7,8,2
  kvplan plan --ratios 0,4,128,4 --stage 1:3 --decode-form old
  kvplan plan --model mha.json --tp 2 --decode-tp 4 --decode-tp-rank 1 --src-pages 1 --dst-pages 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.prefill.define(cmd, "", "prefill")
	f.decode.define(cmd, "decode-", "decode")
	fs := cmd.Flags()
	fs.IntVar(&f.stages, "stages", 0, "pipeline stages of prefill; default: 1 if prefill holds all layers, else 2")
	fs.StringVar(&f.rule, "rule", string(slice.New), "rule for compressed lists: new or old")
	fs.StringVar(&f.mode, "mode", string(slice.Strict), "strict, or compatible: pair as SGLang does")
	fs.StringVar(&f.srcPages, "src-pages", "", "prefill's pages, such as 3,4,9-20")
	fs.StringVar(&f.dstPages, "dst-pages", "", "decode's pages")
	fs.IntVar(&f.dcp.Size, "dcp", 1, "decode context-parallel size")
	fs.IntVar(&f.dcp.Rank, "dcp-rank", 0, "decode context-parallel rank")
	fs.IntVar(&f.prefix, "prefix", 0, "with --dcp: tokens that decode has already")
	fs.IntVar(&f.offset, "page-offset", 0, "with --dcp: pages behind the prefix that went before")
	fs.IntVar(&f.tokens, "tokens", -1, "with --dcp: tokens of these pages; default: all")
	fs.IntVar(&f.copies, "copies", 20, "how many copies to print; -1 for all")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// run pairs, plans and prints.
func (f *planFlags) run(cmd *cobra.Command) error {
	src, dst, err := f.pools()
	if err != nil {
		return err
	}
	opt, chunk, err := f.options(src)
	if err != nil {
		return err
	}
	pairing, err := plan.Pair(src, dst, opt)
	var pl *plan.Plan
	if err == nil {
		pl, err = pairing.Chunk(chunk)
	}
	if f.json {
		if err := printJSON(cmd, planAnswer(src, dst, pairing, pl, f.copies, err)); err != nil {
			return err
		}
	}
	if err != nil {
		if !f.json {
			printRefusal(cmd.ErrOrStderr(), src, dst, opt, err)
			return errFailed
		}
		return fail(cmd, err)
	}
	if !f.json {
		printPlan(cmd.OutOrStdout(), src, dst, pairing, pl, f.copies)
	}
	return nil
}

// pools lays both sides out.
func (f *planFlags) pools() (src, dst *layout.Pool, err error) {
	src, base, err := f.prefill.pool(nil)
	if err != nil {
		return nil, nil, err
	}
	dst, _, err = f.decode.pool(base)
	return src, dst, err
}

// options reads what both sides share.
func (f *planFlags) options(src *layout.Pool) (opt plan.Options, c plan.Chunk, err error) {
	if opt.Rule, err = readRule(f.rule); err != nil {
		return opt, c, &FlagError{"rule", f.rule, err}
	}
	if opt.Mode, err = readMode(f.mode); err != nil {
		return opt, c, &FlagError{"mode", f.mode, err}
	}
	if c.Src, err = readPages(f.srcPages); err != nil {
		return opt, c, &FlagError{"src-pages", f.srcPages, err}
	}
	if c.Dst, err = readPages(f.dstPages); err != nil {
		return opt, c, &FlagError{"dst-pages", f.dstPages, err}
	}
	if opt.Stages = f.stages; opt.Stages < 0 {
		return opt, c, &FlagError{"stages", fmt.Sprint(f.stages), &WantError{"a number from 1 on"}}
	}
	if opt.Stages == 0 && src.Stage.End-src.Stage.Start < src.Layers {
		opt.Stages = 2
	}
	opt.DstDCP = f.dcp
	c.Prefix, c.Offset, c.Tokens = f.prefix, f.offset, f.tokens
	if c.Tokens < 0 {
		c.Tokens = len(c.Src) * src.PageSize
	}
	return opt, c, nil
}

// asSGLang is what SGLang would have made of a pair that was refused for its layouts: the error that it raises, if any.
func asSGLang(src, dst *layout.Pool, opt plan.Options, refusal error) error {
	var mixed *plan.LayoutError
	if !errors.As(refusal, &mixed) {
		return nil
	}
	opt.Mode = slice.Compatible
	_, err := plan.Pair(src, dst, opt)
	return err
}
