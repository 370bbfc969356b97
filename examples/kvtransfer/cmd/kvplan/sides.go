package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// sideFlags describe one process: its model, its stage, its place.
type sideFlags struct {
	prefix, who                string // of the flags; of the process, in words
	model, ratios, form, stage string
	at                         layout.Parallel
	room                       layout.Capacity
}

// define defines the flags of a side; prefix is "" or "decode-".
func (s *sideFlags) define(cmd *cobra.Command, prefix, who string) {
	s.prefix, s.who = prefix, who
	fs := cmd.Flags()
	fs.StringVar(&s.model, prefix+"model", "", "file with the JSON description of the model of "+who)
	fs.StringVar(&s.ratios, prefix+"ratios", "", "instead of a file: a compressed model with these ratios and DeepSeek V4's sizes")
	fs.StringVar(&s.form, prefix+"form", "", "state lists of "+who+": new (since 2026-06-30) or old; default: as the model says")
	fs.StringVar(&s.stage, prefix+"stage", "", "layers START:END of "+who+"; default: all")
	fs.IntVar(&s.at.TP, prefix+"tp", 1, "tensor-parallel size of "+who)
	fs.IntVar(&s.at.TPRank, prefix+"tp-rank", 0, "tensor-parallel rank of "+who)
	fs.Int64Var(&s.room.Pages, prefix+"capacity", 4096, "pages in each KV region of "+who)
}

// pool lays the side out. Where the side has no model of its own, it has that of base.
func (s *sideFlags) pool(base *layout.Model) (*layout.Pool, *layout.Model, error) {
	m, err := s.describe(base)
	if err != nil {
		return nil, nil, err
	}
	if s.form != "" {
		m.Form = layout.Form(s.form)
	}
	full, err := m.Complete()
	if err != nil {
		return nil, nil, &SideError{s.who, err}
	}
	st := full.Whole()
	if s.stage != "" {
		if st, err = readStage(s.stage); err != nil {
			return nil, nil, &FlagError{s.prefix + "stage", s.stage, err}
		}
	}
	room := s.room
	room.WindowPages, room.Slots = room.Pages, 1
	p, err := layout.Build(m, st, s.at, room)
	if err != nil {
		return nil, nil, &SideError{s.who, err}
	}
	return p, &m, nil
}

// describe reads the model of a side.
func (s *sideFlags) describe(base *layout.Model) (layout.Model, error) {
	switch {
	case s.model != "" && s.ratios != "":
		return layout.Model{}, &ExclusiveError{s.prefix + "model", s.prefix + "ratios"}
	case s.ratios != "":
		ratios, err := readRatios(s.ratios)
		if err != nil {
			return layout.Model{}, &FlagError{s.prefix + "ratios", s.ratios, err}
		}
		return layout.Model{Family: layout.Compressed, Ratios: ratios}, nil
	case s.model != "":
		f, err := os.Open(s.model)
		if err != nil {
			return layout.Model{}, &SideError{s.who, err}
		}
		defer f.Close()
		m, err := layout.ReadModel(f)
		if err != nil {
			return layout.Model{}, &SideError{s.who, err}
		}
		return m, nil
	case base != nil:
		return *base, nil
	}
	return layout.Model{}, &MissingError{s.prefix + "model", "describe the model with it or with --" + s.prefix + "ratios"}
}

// layoutCommand is kvplan layout.
func layoutCommand() *cobra.Command {
	var side sideFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "layout --model FILE | --ratios LIST [flags]",
		Short: "Print the regions that one process registers, in order, and the layout digest",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, _, err := side.pool(nil)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd, p)
			}
			printPool(cmd.OutOrStdout(), p)
			return nil
		},
	}
	side.define(cmd, "", "the process")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the pool as one JSON object")
	return cmd
}
