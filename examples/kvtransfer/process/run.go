package process

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit statuses of the commands.
const (
	Done   = 0
	Failed = 1
	Usage  = 2
)

// Run runs a command line until it ends, or until the process is told to stop (SIGINT, SIGTERM), which ends the context of the
// command. It prints an error to errOut and returns the exit status: Usage for what is wrong with the command line, else Failed.
func Run(root *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	started := false // the flags and arguments were taken
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return Done
	case started:
		fmt.Fprintf(errOut, "%s: %v\n", root.Name(), err)
		return Failed
	}
	fmt.Fprintf(errOut, "%s: %v\nSee '%s --help'.\n", root.Name(), err, cmd.CommandPath())
	return Usage
}

// Logger prints to w what is at least as grave as level: "debug", "info", "warn" or "error". The error is a *LevelError.
func Logger(w io.Writer, level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, &LevelError{Level: level}
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}
