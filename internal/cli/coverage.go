package cli

import (
	"encoding/json"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/api"
)

func (a *app) coverageCommand() *cobra.Command {
	var repo, rev string
	var asJSON, noTest bool
	cmd := &cobra.Command{
		Use:   "coverage",
		Short: "Say how much of the repositories was understood",
		Long: `Say, per repository and language, how many sites there are, how many with a full template and with a condition, which not
and why, and which files were not read. The self-test prints a message from each template and looks it up again.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := a.openFinder(cmd.Context())
			if err != nil {
				return err
			}
			defer f.close()
			of, err := choose(cmd.Context(), f.catalog, repo, rev)
			if err != nil {
				return err
			}
			var all []api.Coverage
			for i := range of {
				var c api.Coverage
				if err := json.Unmarshal(of[i].revision.Coverage, &c); err != nil {
					return fmt.Errorf("coverage of %s: %w", of[i].repo.Name, err)
				}
				if !noTest {
					if c.SelfTest, err = f.finder.SelfTest(cmd.Context(), of[i].repo.Name); err != nil {
						return err
					}
				}
				all = append(all, c)
			}
			if asJSON {
				return printLines(a, all)
			}
			return a.printCoverage(all)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&repo, "repo", "", "only this repository")
	flags.StringVar(&rev, "rev", "", "this indexed revision instead of the newest")
	flags.BoolVar(&asJSON, "json", false, "print one JSON object a line, one a repository")
	flags.BoolVar(&noTest, "no-self-test", false, "leave the self-test out")
	return cmd
}

func (a *app) printCoverage(all []api.Coverage) error {
	p := newPrinter(a.stdout)
	for i := range all {
		c := &all[i]
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s\n", p.in(bold, clean(c.Repo+"@"+shortRevision(c.Revision))))
		p.printf("%d files, %s\n", c.Files, humanize.IBytes(uint64(c.Bytes)))
		for _, l := range c.Languages {
			if l.Sites == 0 {
				p.printf("  %-12s %6d sites in %d files\n", l.Language, 0, l.Files)
				continue
			}
			own := l.Sites - l.Reraises
			p.printf("  %-12s %6d sites: %d pass on an error, %d raise without a text; of the others %s have a full template; %s have a condition\n",
				l.Language, l.Sites, l.Reraises, l.Silent, share(l.Templates, own-l.Silent), share(l.Condition, own))
			p.counts("    ", l.Unknown)
		}
		p.section("files not read", c.Skipped)
		p.section("not understood within files", c.Problems)
		p.section("looked like a site and was none", c.Dropped)
		if t := c.SelfTest; t != nil {
			p.printf("  self-test: of %d templates %s find their own site, %s in a tie, %s say too little, %d find another\n", t.Templates,
				share(t.Found, t.Templates), share(t.Tied, t.Templates), share(t.Unlikely, t.Templates), t.Wrong)
			for _, e := range t.Examples {
				p.printf("      %s\n", p.in(dim, short(clean(e), p.width)))
			}
		}
	}
	return p.err
}

func share(n, of int) string {
	if of == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(of))
}

func (p *printer) section(title string, counts []api.Count) {
	if len(counts) > 0 {
		p.printf("  %s\n", title)
		p.counts("    ", counts)
	}
}

func (p *printer) counts(by string, counts []api.Count) {
	for _, c := range counts {
		p.printf("%s%6d  %s\n", by, c.Count, clean(c.Reason))
		for _, e := range c.Examples {
			p.printf("%s          %s\n", by, p.in(dim, short(clean(e), p.width)))
		}
	}
}
