package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/markdown"
)

func (a *app) showCommand() *cobra.Command {
	var format, rev string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show the page of an error",
		Long: `Show what is known of an error: message, sites, source at the indexed revision, condition, callers. ID is the error's
id of 16 hex digits, or enough of its beginning to be alone.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.ids,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := catalog.OpenRead(cmd.Context(), a.catalogFile())
			if err != nil {
				return err
			}
			defer c.Close()
			id, err := fullID(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			page, err := a.explainer(c).Page(cmd.Context(), id, rev)
			if err != nil {
				return err
			}
			switch format {
			case "json":
				encoder := json.NewEncoder(a.stdout)
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", "  ")
				return encoder.Encode(page)
			case "markdown":
				return markdown.Page(a.stdout, page)
			case "terminal":
				return a.printPage(page)
			}
			return fmt.Errorf("unknown format %s; known: terminal, markdown, json", format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "terminal", "terminal, markdown or json")
	cmd.Flags().StringVar(&rev, "rev", "", "the page at this indexed revision instead of the newest")
	// It fails for a flag that there is not.
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"terminal", "markdown", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// explainer makes pages from the catalog, with source text from the repositories where they still are.
func (a *app) explainer(c *catalog.Catalog) *explain.Explainer {
	return explain.New(c, a.languages, a.sources())
}

// fullID completes the beginning of an id.
func fullID(ctx context.Context, c *catalog.Catalog, id string) (string, error) {
	if id == "" || strings.Trim(id, "0123456789abcdef") != "" || len(id) > 16 {
		return "", fmt.Errorf("%s is not an error's id (16 hex digits, as find and list print them)", clean(id))
	}
	if len(id) == 16 {
		return id, nil
	}
	all, err := c.ErrorsWithPrefix(ctx, id, 10)
	if err != nil {
		return "", err
	}
	switch len(all) {
	case 0:
		return "", &catalog.UnknownError{Kind: "error", Name: id}
	case 1:
		return all[0].ID, nil
	}
	var ids []string
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	return "", errors.New("several errors begin with " + id + ": " + strings.Join(ids, ", "))
}

func (a *app) printPage(page *api.Page) error {
	p := newPrinter(a.stdout)
	p.printf("%s · %s · %s\n", clean(page.Repo), clean(page.Kind), p.in(bold, orNone(page.Type)))
	p.printf("%s\n", p.in(bold, clean(orText(page.Template, page.Unknown))))
	if page.Gone {
		p.printf("%s\n", p.in(yellow, "No indexed revision raises this any more."))
	}
	if page.Summary != "" {
		p.printf("%s\n", clean(strings.ReplaceAll(page.Summary, "`", "")))
	}
	p.sentences("What it means", page.Meaning, false)
	for i := range page.Sites {
		s := &page.Sites[i]
		p.printf("\n%s %s  %s\n", p.in(green, fmt.Sprintf("%s:%d", clean(s.Path), s.Line)), functionIn(s.Function), p.in(dim, clean(s.URL)))
		if s.Doc != "" {
			p.printf("%s\n", p.in(dim, indent(cleanLines(s.Doc), "  ")))
		}
		if s.Excerpt != nil {
			p.excerpt(s.Excerpt, page.Language, 8, 3)
		}
		if s.Via != nil {
			p.printf("  called with this text from %s:%d %s\n", clean(s.Via.Path), s.Via.Line, functionIn(s.Via.Function))
		}
		for _, r := range s.Returned {
			p.printf("  returned at %s:%d %s\n", clean(r.Path), r.Line, functionIn(r.Function))
		}
		p.condition(s.Condition)
		for _, d := range s.Defs {
			of := ""
			if d.Component > 0 {
				of = fmt.Sprintf("value %d of ", d.Component)
			}
			p.printf("    %s %s = %s%s\n", p.in(dim, fmt.Sprintf("line %d:", d.Line)), clean(d.Name), of, short(clean(d.Value), p.width))
		}
		for _, c := range s.Callers {
			p.printf("  called from %s:%d %s %s\n", clean(c.Path), c.Line, functionIn(c.Function), p.in(dim, c.How))
		}
	}
	p.happens(page)
	p.sentences("Solutions", page.Solutions, true)
	p.code("Check before the call", page.Check)
	p.code("Handle it", page.Handler)
	p.others(page)
	p.printf("\n%s\n", p.in(dim, provenance(page)))
	return p.err
}

func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

func orNone(s string) string {
	if s == "" {
		return "no type"
	}
	return clean(s)
}

func orText(template, unknown string) string {
	if template == "" {
		return "(" + unknown + ")"
	}
	return template
}

func provenance(page *api.Page) string {
	rev := page.Revision
	if page.Provenance.Dirty {
		rev += " with uncommitted changes"
	}
	origin := "from the source alone"
	if page.Provenance.Origin == api.Reviewed {
		origin = "from the source and reviewed notes"
	}
	return fmt.Sprintf("%s@%s, indexed %s, %s; id %s", clean(page.Repo), clean(rev),
		page.Provenance.Indexed.Format("2006-01-02 15:04"), origin, page.ID)
}
