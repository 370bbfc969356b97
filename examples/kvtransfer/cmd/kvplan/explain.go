package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/explain"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// maxInput bounds what is read from standard input.
const maxInput = 4 << 20

// explainCommand is kvplan explain.
func explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   `explain "MESSAGE" | explain -`,
		Short: "Say what a message of SGLang's slicing code means, from the figures in it",
		Long: `Say what a message of SGLang's slicing code means, from the figures in it: which lengths would have been accepted, what is missing or too
many, which mix-ups give exactly this length, and what to do. The message may stand in a traceback or a log; '-' reads standard input.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if text == "-" {
				b, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxInput))
				if err != nil {
					return fail(cmd, err)
				}
				text = string(b)
			}
			found := explain.Text(text)
			if asJSON {
				if err := printJSON(cmd, map[string]any{"explanations": append([]explain.Explanation{}, found...)}); err != nil {
					return err
				}
			}
			if found == nil {
				return fail(cmd, &NoMessageError{})
			}
			if !asJSON {
				for i, x := range found {
					if i > 0 {
						fmt.Fprintln(cmd.OutOrStdout())
					}
					printExplanation(cmd.OutOrStdout(), x)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// printExplanation prints one answer for a person.
func printExplanation(w io.Writer, x explain.Explanation) {
	fmt.Fprintf(w, "%s: %s\n\n", x.Type, x.Message)
	if x.Contradiction != "" {
		fmt.Fprintf(w, "These figures cannot have been printed by SGLang: %s.\nCopy the message again, or look for a fork with another rule.\n", x.Contradiction)
		return
	}
	fmt.Fprintln(w, x.Reading)
	if len(x.Rules) == 1 {
		fmt.Fprintf(w, "The figures are those of the %s rule.\n", ruleName(x.Rules[0]))
	}
	if x.Accepted != nil {
		fmt.Fprintf(w, "Accepted lengths: %s.\n", lengths(x.Accepted))
	}
	fmt.Fprintln(w, "\nCauses, best fit first:")
	for i, c := range x.Causes {
		fmt.Fprintf(w, "%d. %s (%s fit)\n", i+1, c.What, c.Fit)
		if c.Arithmetic != "" {
			fmt.Fprintf(w, "   %s\n", c.Arithmetic)
		}
		fmt.Fprintf(w, "   Do: %s\n", c.Do)
	}
	if x.Check != "" {
		fmt.Fprintf(w, "\nCheck: %s\n", x.Check)
	}
}

// ruleName names a rule for a person.
func ruleName(r slice.Rule) string {
	if r == slice.Old {
		return "old (before 2026-06-30)"
	}
	return "new (since 2026-06-30)"
}
