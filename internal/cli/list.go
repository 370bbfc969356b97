package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/service"
)

func (a *app) listCommand() *cobra.Command {
	var repo, rev, prefix, typ string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the errors of the catalog with their sites",
		Long: `List the errors that the newest indexed revision of each repository (or --rev) raises, with their sites. Errors of tests,
examples, generated and vendored code come last. With --json, one error a line.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := catalog.OpenRead(cmd.Context(), a.catalogFile())
			if err != nil {
				return err
			}
			defer c.Close()
			errors, err := listErrors(cmd.Context(), c, repo, rev)
			if err != nil {
				return err
			}
			errors = filter(errors, prefix, typ)
			if asJSON {
				err = printLines(a, errors)
			} else {
				err = a.printList(errors)
			}
			if err == nil && len(errors) == 0 {
				return errNothing
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&repo, "repo", "", "only this repository")
	flags.StringVar(&rev, "rev", "", "this indexed revision instead of the newest")
	flags.StringVar(&prefix, "path", "", "only sites below this path")
	flags.StringVar(&typ, "type", "", "only errors of this type")
	flags.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// listErrors gathers the errors of the chosen revisions, product code first.
func listErrors(ctx context.Context, c *catalog.Catalog, repo, rev string) ([]api.Error, error) {
	chosen, err := choose(ctx, c, repo, rev)
	if err != nil {
		return nil, err
	}
	var out []api.Error
	for i := range chosen {
		all, err := service.Errors(ctx, c, &chosen[i].repo, &chosen[i].revision)
		if err != nil {
			return nil, err
		}
		out = append(out, all...)
	}
	return out, nil
}

// chosen is a repository with the revision of it that a command is about.
type chosen struct {
	repo     catalog.Repo
	revision catalog.Revision
}

// choose lists the repositories of the catalog, or the one called repo, with their newest revision, or the one called rev: those that
// have none of that name are left out, unless all have none.
func choose(ctx context.Context, c *catalog.Catalog, repo, rev string) ([]chosen, error) {
	repos, err := c.Repos(ctx)
	if err != nil {
		return nil, err
	}
	if repo != "" {
		one, err := c.Repo(ctx, repo)
		if err != nil {
			return nil, err
		}
		repos = []catalog.Repo{*one}
	}
	var out []chosen
	var names []string
	for _, r := range repos {
		all, err := c.Revisions(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(v catalog.Revision) bool { return rev == "" || v.Named(rev) })
		if at >= 0 {
			out = append(out, chosen{r, all[at]})
		}
		for i := range all {
			names = append(names, all[i].Title())
		}
	}
	if rev != "" && len(out) == 0 {
		name := rev
		if repo != "" {
			name += " of " + repo
		}
		return nil, &catalog.UnknownError{Kind: "revision", Name: name, Known: names}
	}
	return out, nil
}

func filter(errors []api.Error, prefix, typ string) []api.Error {
	return slices.DeleteFunc(errors, func(e api.Error) bool {
		if typ != "" && e.Type != typ {
			return true
		}
		return prefix != "" && !slices.ContainsFunc(e.Sites, func(s api.Site) bool { return strings.HasPrefix(s.Path, prefix) })
	})
}

// printLines prints values as JSON, one a line.
func printLines[T any](a *app, values []T) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	for i := range values {
		if err := encoder.Encode(values[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printList(errors []api.Error) error {
	p := newPrinter(a.stdout)
	for i := range errors {
		e := &errors[i]
		s := &e.Sites[0]
		more := ""
		if n := len(e.Sites); n > 1 {
			more = fmt.Sprintf(" and %d more", n-1)
		}
		text := clean(e.Template)
		if text == "" {
			text = p.in(dim, "("+e.Kind+" without a text of its own)")
		}
		p.printf("%s  %s%s\n", p.in(cyan, e.ID), p.in(bold, prefixed(e.Type)), short(text, max(40, p.width-20)))
		p.printf("    %s:%d%s%s\n", clean(s.Path), s.Line, more, p.in(dim, "  "+s.FileKind))
	}
	return p.err
}

func prefixed(typ string) string {
	if typ == "" {
		return ""
	}
	return clean(typ) + ": "
}
