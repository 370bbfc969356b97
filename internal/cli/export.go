package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/export"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/service"
)

func (a *app) exportCommand() *cobra.Command {
	var o export.Options
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the web site as files for any web host",
		Long: `Write the web site of the catalog into a folder: the pages of all errors of product code, their data as JSON and Markdown, and an
index with which the home page finds errors by their messages without a server. A further export writes only what changed; the page
of an error that is not raised any more stays and says so.`,
		Example: `  wherefore export site
  wherefore export site --base /errors --origin https://owner.example.org`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOrigin(o.Origin); err != nil {
				return err
			}
			s, err := service.Open(cmd.Context(), a.catalogFile(), service.Options{Languages: a.languages, Traces: all.Traces(), Sources: a.sources()})
			if err != nil {
				return err
			}
			sum, err := export.Run(cmd.Context(), s, args[0], o)
			if err = errors.Join(err, s.Close()); err != nil {
				return err
			}
			if !a.quiet {
				fmt.Fprintf(a.stderr, "%d pages; %d files written, %d were the same, %d pages of errors that are gone; search index of %d bytes, largest part %d\n",
					sum.Pages, sum.Written, sum.Same, sum.Gone, sum.SearchBytes, sum.LargestShard)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Base, "base", "", "path below which the host serves the site, like /errors")
	cmd.Flags().StringVar(&o.Origin, "origin", "", "scheme and host of the site, for links that must be whole")
	cmd.Flags().BoolVar(&o.Tests, "tests", false, "also errors of tests, examples, generated and vendored code")
	return cmd
}
