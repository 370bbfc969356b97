package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/catalog"
)

// maxCompletions bounds the ids that a shell is offered.
const maxCompletions = 200

// completionCommand makes cobra's own command an error for shells that it does not know.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("no completions for %s; known: bash, fish, powershell, zsh", clean(args[0]))
			}
			return cmd.Help()
		}
	}
}

// completed gives the flags --repo and --rev of a command the names in the catalog to complete. Without a catalog there are none.
func (a *app) completed(cmd *cobra.Command) *cobra.Command {
	for _, name := range []string{"repo", "rev"} {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		// It fails for a flag that there is not, and for one that has a completion.
		_ = cmd.RegisterFlagCompletionFunc(name, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.names(cmd, name == "rev"), cobra.ShellCompDirectiveNoFileComp
		})
	}
	return cmd
}

// names lists the repositories of the catalog, or the revisions of the one that --repo names or of all.
func (a *app) names(cmd *cobra.Command, revisions bool) []string {
	var out []string
	a.consult(cmd.Context(), func(ctx context.Context, c *catalog.Catalog) {
		repos, err := c.Repos(ctx)
		if err != nil {
			return
		}
		only, _ := cmd.Flags().GetString("repo")
		for i := range repos {
			if !revisions {
				out = append(out, repos[i].Name)
				continue
			}
			if only != "" && only != repos[i].Name {
				continue
			}
			all, err := c.Revisions(ctx, repos[i].ID)
			if err != nil {
				return
			}
			for j := range all {
				out = append(out, all[j].Title())
			}
		}
	})
	return out
}

// ids completes the id of an error, with its type beside it.
func (a *app) ids(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if len(args) == 0 && begun != "" && strings.Trim(begun, "0123456789abcdef") == "" {
		a.consult(cmd.Context(), func(ctx context.Context, c *catalog.Catalog) {
			all, err := c.ErrorsWithPrefix(ctx, begun, maxCompletions)
			if err != nil {
				return
			}
			for i := range all {
				out = append(out, all[i].ID+"\t"+strings.TrimSpace(clean(all[i].Language+" "+all[i].Type)))
			}
		})
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// consult runs f with the catalog, if there is one that can be read: a shell that completes shows no errors.
func (a *app) consult(ctx context.Context, f func(context.Context, *catalog.Catalog)) {
	c, err := catalog.OpenRead(ctx, a.catalogFile())
	if err != nil {
		return
	}
	defer c.Close()
	f(ctx, c)
}
