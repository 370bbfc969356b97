package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// sliceFlags are the flags of kvplan slice as given.
type sliceFlags struct {
	ratios, stage, typ, rule, mode string
	src, dst, layers               int
	json                           bool
}

// sliceCommand is kvplan slice.
func sliceCommand() *cobra.Command {
	var f sliceFlags
	cmd := &cobra.Command{
		Use:   "slice --stage START:END --src N --dst N [flags]",
		Short: "Print which entries of decode's list match a prefill stage's list",
		Long: `Print which entries of decode's list match a prefill stage's list, on one line in the order of prefill's entries, or the error that
SGLang raises.

For --type mha the keys' entries come first, then the values'. In compatible mode, the default, the answer is what SGLang computes; if it is
shorter or longer than prefill's list, a note says so. In strict mode that is an error.`,
		Example: `  kvplan slice --ratios 0,4,128,4 --stage 1:3 --type kv --src 3 --dst 5
  kvplan slice --ratios 0,4,128,4 --stage 1:3 --type swa --src 4 --dst 9 --json
  kvplan slice --type mha --stage 2:4 --src 4 --dst 8`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"stage", "src", "dst"} {
				if !cmd.Flags().Changed(name) {
					return &MissingError{name, "without it there is nothing to cut"}
				}
			}
			q, err := f.query()
			if err != nil {
				return err
			}
			return answer(cmd, q, f.json)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.ratios, "ratios", "", "compression ratio of every layer of the full model: 0, 4 or 128, separated by commas; needed for kv, swa, swa-ring and c128")
	fs.StringVar(&f.stage, "stage", "", "layers of the prefill stage: the first, and the one behind the last; START: leaves the end unset")
	fs.StringVar(&f.typ, "type", "kv", "what the list holds: kv, swa, swa-ring, c128 or dsa of a compressed model, mla (no ratios), mha")
	fs.IntVar(&f.src, "src", 0, "entries of prefill's list")
	fs.IntVar(&f.dst, "dst", 0, "entries of decode's list")
	fs.IntVar(&f.layers, "layers", 0, "layers of the full model without draft layers, if known; strict mode needs it for mha with draft layers")
	fs.StringVar(&f.rule, "rule", string(slice.New), "rule for compressed lists: new (since 2026-06-30) or old")
	fs.StringVar(&f.mode, "mode", string(slice.Compatible), "compatible (as SGLang) or strict (refuse what fails late or silently)")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// query reads the flags. Errors are wrong usage.
func (f *sliceFlags) query() (slice.Query, error) {
	q := slice.Query{Type: layout.StateType(f.typ), Src: f.src, Dst: f.dst, Layers: f.layers}
	var err error
	if q.Ratios, err = readRatios(f.ratios); err != nil {
		return q, &FlagError{"ratios", f.ratios, err}
	}
	if q.Stage, err = readStage(f.stage); err != nil {
		return q, &FlagError{"stage", f.stage, err}
	}
	if q.Rule, err = readRule(f.rule); err != nil {
		return q, &FlagError{"rule", f.rule, err}
	}
	if q.Mode, err = readMode(f.mode); err != nil {
		return q, &FlagError{"mode", f.mode, err}
	}
	for name, n := range map[string]int{"src": f.src, "dst": f.dst, "layers": f.layers} {
		if n < 0 || n > maxEntries {
			return q, &FlagError{name, fmt.Sprint(n), &WantError{fmt.Sprintf("a number from 0 to %d", maxEntries)}}
		}
	}
	return q, f.family(&q)
}

// family finds the rule's family: the plain rules have types of their own and do not look at ratios.
func (f *sliceFlags) family(q *slice.Query) error {
	switch f.typ {
	case "mha":
		q.Family, q.Type = layout.MHA, layout.KVData
	case "mla":
		q.Family, q.Type = layout.MLA, layout.KVData
	case "kv", "swa", "swa-ring", "c128":
		if q.Ratios == nil {
			return &MissingError{"ratios", "lists of type " + f.typ + " are cut by compression ratios"}
		}
		q.Family = layout.Compressed
	case "dsa":
		if q.Family = layout.Compressed; q.Ratios == nil {
			q.Family = layout.MLA
		}
	default:
		return &FlagError{"type", f.typ, &WantError{"kv, swa, swa-ring, c128, dsa, mla or mha"}}
	}
	return nil
}

// answer prints the slice or the error.
func answer(cmd *cobra.Command, q slice.Query, asJSON bool) error {
	res, err := q.Destination()
	if asJSON {
		if err := printJSON(cmd, sliceAnswer(cmd.Flag("type").Value.String(), q, res, err)); err != nil {
			return err
		}
	}
	if err != nil {
		return fail(cmd, err)
	}
	if !asJSON {
		fmt.Fprintln(cmd.OutOrStdout(), joinInts(res.Indices()))
	}
	if note := lengthNote(q, res); note != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "note: "+note)
	}
	return nil
}

// lengthNote says what SGLang makes of a slice that is not as long as the source.
func lengthNote(q slice.Query, res slice.Result) string {
	switch n := res.Len(); {
	case n < q.Src:
		return fmt.Sprintf("%d entries for %d of prefill: SGLang fails later, with list index out of range", n, q.Src)
	case n > q.Src:
		return fmt.Sprintf("%d entries for %d of prefill: SGLang uses the first and silently drops the rest", n, q.Src)
	}
	return ""
}
