// Kvboot is the bootstrap server of a prefill engine: its ranks register here, and decode ranks ask here where they are.
//
// It prints one line when it is ready, and ends with SIGINT or SIGTERM. Exit status: 0 it was stopped, 1 it failed, 2 wrong usage.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/process"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the command line and returns the exit status.
func run(args []string, out, errOut io.Writer) int {
	var listen string
	root := &cobra.Command{
		Use:   "kvboot",
		Short: "Run the bootstrap server of a prefill engine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := process.Listen(listen)
			if err != nil {
				return err
			}
			defer h.Close()
			h.Serve(bootstrap.NewServer(nil))
			fmt.Fprintf(cmd.OutOrStdout(), "kvboot ready: bootstrap %s\n", h.Addr())
			<-cmd.Context().Done()
			return nil
		},
	}
	root.Flags().StringVar(&listen, "listen", "127.0.0.1:8998", "address of the server; port 0 takes any")
	return process.Run(root, args, os.Stdin, out, errOut)
}
