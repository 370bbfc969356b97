// Package cli is the command line: the only place that reads flags and the environment, wires the packages, and decides on exit
// statuses.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
)

// The exit statuses.
const (
	exitDone    = 0
	exitNothing = 1 // nothing found, or a gate failed
	exitFault   = 2 // wrong usage, or an error
)

// errNothing ends a command with exitNothing; what was not found has been said.
var errNothing = errors.New("nothing found")

// app is what the commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	languages      []*lang.Language
	catalogPath    string
	quiet          bool
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	defer func() {
		if r := recover(); r != nil {
			// A fault of ours must not look like a crash of the user's terminal; the trace helps whoever mends it.
			fmt.Fprintf(stderr, "wherefore: internal error: %v\n", r)
			if os.Getenv("WHEREFORE_TRACE") != "" {
				buffer := make([]byte, 64<<10)
				fmt.Fprintf(stderr, "%s\n", buffer[:runtime.Stack(buffer, false)])
			}
			status = exitFault
		}
	}()
	// Writing to a pipe that nobody reads is then an error that ends the command, and not a signal that kills it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, languages: all.Languages()}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.Is(err, syscall.EPIPE):
		return exitDone // whoever read the output has seen enough
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "wherefore: interrupted; what was finished is kept")
		return exitFault
	}
	fmt.Fprintf(stderr, "wherefore: %s\n", describe(err))
	return exitFault
}

// describe adds what to do next to the errors that users meet.
func describe(err error) string {
	switch {
	case errors.Is(err, catalog.ErrNone):
		return err.Error() + "\nIndex a repository first: wherefore index PATH"
	case errors.Is(err, context.DeadlineExceeded):
		return "gave up waiting: " + err.Error()
	}
	return err.Error()
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "wherefore",
		Short: "Find the line that raised an error message, and say why",
		Long: `wherefore reads source repositories, finds every place where the code raises an error, and takes a pasted message,
traceback or log to the exact line, with the values put back into the condition. Everything works offline, from source alone.

Exit status: 0 done or found; 1 nothing found, or a gate failed; 2 wrong usage or an error.`,
		Example: `  wherefore index .
  wherefore find "unexpected length 15; expected 8"
  pytest 2>&1 | wherefore find -
  wherefore show de10ae963621906c`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	flags := root.PersistentFlags()
	flags.StringVar(&a.catalogPath, "catalog", "", "catalog file (default $WHEREFORE_CATALOG, else "+defaultCatalog()+")")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors alone, no progress")
	for _, cmd := range []*cobra.Command{a.indexCommand(), a.findCommand(), a.annotateCommand(), a.showCommand(), a.listCommand(), a.lintCommand(), a.mcpCommand(), a.exportCommand(),
		a.coverageCommand(), a.serveCommand(), a.manCommand(root)} {
		root.AddCommand(a.completed(cmd))
	}
	completionCommand(root)
	return root
}

// catalogFile is the catalog to use: the flag, then the environment, then the default.
func (a *app) catalogFile() string {
	if a.catalogPath != "" {
		return a.catalogPath
	}
	if path := os.Getenv("WHEREFORE_CATALOG"); path != "" {
		return path
	}
	return defaultCatalog()
}

func defaultCatalog() string {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "wherefore", "catalog.db")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "wherefore-catalog.db"
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "wherefore", "catalog.db")
	}
	return filepath.Join(home, ".local", "share", "wherefore", "catalog.db")
}

// cacheDir is where cloned repositories are kept.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "wherefore")
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
