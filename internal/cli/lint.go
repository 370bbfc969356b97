package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/notes"
	"github.com/wherefore-dev/wherefore/internal/service"
)

func (a *app) lintCommand() *cobra.Command {
	var repo string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Check the notes on errors against the catalog",
		Long: `Check the notes in the .wherefore/notes folders of the indexed repositories (as of their newest indexed revision), and those in
the folder "notes" beside the catalog: that each can be read and is about an error, that ids are known, that no two write the same
page, and that code is well-formed. Exit status 1 if something is wrong.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := catalog.OpenRead(cmd.Context(), a.catalogFile())
			if err != nil {
				return err
			}
			defer c.Close()
			findings, checked, err := a.lint(cmd, c, repo)
			if err != nil {
				return err
			}
			for _, f := range findings {
				if asJSON {
					line, err := json.Marshal(f)
					if err != nil {
						return err
					}
					fmt.Fprintln(a.stdout, string(line))
				} else {
					fmt.Fprintf(a.stdout, "%s: %s\n", clean(f.Path), clean(f.What))
				}
			}
			if !asJSON && !a.quiet {
				fmt.Fprintf(a.stderr, "%d notes checked, %d findings\n", checked, len(findings))
			}
			if len(findings) > 0 {
				return errNothing
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&repo, "repo", "", "only this repository")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// lint checks the notes of the chosen repositories, and those beside the catalog against all of them.
func (a *app) lint(cmd *cobra.Command, c *catalog.Catalog, repo string) (findings []notes.Finding, checked int, err error) {
	all, err := choose(cmd.Context(), c, repo, "")
	if err != nil {
		return nil, 0, err
	}
	read := func(texts map[string]string) []*notes.Note {
		var out []*notes.Note
		for _, path := range slices.Sorted(maps.Keys(texts)) {
			checked++
			n, err := notes.Parse(path, []byte(texts[path]))
			if err != nil {
				findings = append(findings, notes.Finding{Path: path, What: strings.TrimPrefix(err.Error(), path+": ")})
				continue
			}
			out = append(out, n)
		}
		return out
	}
	var known []api.Error
	for i := range all {
		errors, err := service.Errors(cmd.Context(), c, &all[i].repo, &all[i].revision)
		if err != nil {
			return nil, 0, err
		}
		findings = append(findings, notes.Lint(read(all[i].revision.Notes), errors, a.parses)...)
		known = append(known, errors...)
	}
	return append(findings, notes.Lint(read(a.ownNotes()), known, a.parses)...), checked, nil
}

// parses reports whether code is well-formed; of a language that is not read any code is.
func (a *app) parses(language, code string) bool {
	for _, l := range a.languages {
		if strings.EqualFold(l.Name, language) && l.Parses != nil {
			return l.Parses(code)
		}
	}
	return true
}

// ownNotes are the notes in the folder beside the catalog.
func (a *app) ownNotes() map[string]string {
	dir := filepath.Join(filepath.Dir(a.catalogFile()), "notes")
	out := map[string]string{}
	root := os.DirFS(dir)
	_ = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir // no such folder: no notes
		}
		if d.Type().IsRegular() && strings.HasSuffix(path, notes.Suffix) {
			if text, err := fs.ReadFile(root, path); err == nil {
				out[filepath.Join(dir, path)] = string(text)
			}
		}
		return nil
	})
	return out
}

// sources is how pages are made: from the repositories, and with the notes beside the catalog.
func (a *app) sources() explain.Sources {
	s := index.NewSources(a.languages, cacheDir())
	s.Notes = a.ownNotes()
	return s
}
