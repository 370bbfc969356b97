package cli

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/mcptools"
	"github.com/wherefore-dev/wherefore/internal/service"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve coding agents over standard input and output",
		Long: `Serve two tools for coding agents by the Model Context Protocol, over standard input and output: find_error takes a report to the
line that raised it, read_error reads the page of an error. What is indexed meanwhile is picked up. "wherefore serve" has the same
tools at /mcp.`,
		Example:           `  claude mcp add wherefore -- wherefore mcp`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := service.Open(cmd.Context(), a.catalogFile(), service.Options{Languages: a.languages, Traces: all.Traces(), Sources: a.sources()})
			if err != nil {
				return err
			}
			return errors.Join(mcptools.Serve(cmd.Context(), s, version(), &mcp.StdioTransport{}), s.Close())
		},
	}
}
