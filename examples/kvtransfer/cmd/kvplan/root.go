package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	done   = 0
	failed = 1 // the answer is an error, which was printed
	usage  = 2
)

// run runs the command line and returns the exit status.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	root := &cobra.Command{
		Use:           "kvplan",
		Short:         "Plan KV-cache transfers between prefill and decode, and say why they fail",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return &CommandError{}
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(sliceCommand(), planCommand(), layoutCommand(), explainCommand())
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		return done
	case errors.Is(err, errFailed):
		return failed
	}
	fmt.Fprintf(errOut, "kvplan: %v\nSee '%s --help'.\n", err, cmd.CommandPath())
	return usage
}

// fail prints an error that is the answer.
func fail(cmd *cobra.Command, err error) error {
	fmt.Fprintln(cmd.ErrOrStderr(), err)
	return errFailed
}

// printJSON prints one object, on one line.
func printJSON(cmd *cobra.Command, v any) error {
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
