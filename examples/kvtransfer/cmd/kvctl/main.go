// Kvctl drives a service: it routes requests to prefill and decode ranks, asks how they are, and breaks them on purpose.
//
// Exit status: 0 done, 1 something failed, 2 wrong usage.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/process"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the command line and returns the exit status.
func run(args []string, out, errOut io.Writer) int {
	root := &cobra.Command{Use: "kvctl", Short: "Drive a KV-cache transfer service"}
	root.AddCommand(runCommand(), requestCommand(), abortCommand(), statusCommand(), faultCommand())
	return process.Run(root, args, os.Stdin, out, errOut)
}
