// Pages measures what the pages of real repositories say, and what a page costs; it writes bench/pages.md.
//
// Usage: go run ./bench/pages [-keep DIR] [name=FOLDER …]
//
// Without folders it takes the standard libraries of Go and Python that are on this machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// counts are the pages of one repository by what they have.
type counts struct {
	name                                                                             string
	pages, meaning, condition, linear, solved, path, tests, solutions, code, related int
	settings, commits, documents, catches                                            int
	calls                                                                            int      // of tests, with literal arguments
	wrong                                                                            []string // those of them for which the condition is false
	indexed, first, rest                                                             time.Duration
}

func main() {
	keep := flag.String("keep", "", "folder for the catalogs; what is there is used again")
	sample := flag.Int("read", 0, "print this many random pages of the catalog -catalog to be read against their source, and measure nothing")
	seed := flag.Uint64("seed", 1, "of the random pages")
	from := flag.String("catalog", "", "catalog of -read")
	flag.Parse()
	if *sample > 0 {
		if err := read(context.Background(), os.Stdout, *from, *sample, *seed); err != nil {
			fmt.Fprintln(os.Stderr, "pages:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(context.Background(), *keep, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, keep string, folders []string) error {
	dir := keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "pages-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	if len(folders) == 0 {
		for _, known := range [][]string{{"go", "go", "env", "GOROOT"}, {"python", "python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"}} {
			out, err := exec.CommandContext(ctx, known[1], known[2:]...).Output()
			if err != nil {
				return fmt.Errorf("%s: %w", known[0], err)
			}
			folder := strings.TrimSpace(string(out))
			if known[0] == "go" {
				folder = filepath.Join(folder, "src")
			}
			folders = append(folders, known[0]+"="+folder)
		}
	}
	var all []counts
	for _, f := range folders {
		name, folder, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("%s is not of the form name=FOLDER", f)
		}
		c, err := measure(ctx, dir, name, folder)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d pages\n", name, c.pages)
		all = append(all, *c)
	}
	return os.WriteFile("bench/pages.md", []byte(report(all)), 0o644)
}

// newProver reads what a prover needs of the only revision of a catalog.
func newProver(ctx context.Context, c *catalog.Catalog, languages []*lang.Language, s explain.Sources) (*prover, error) {
	v := &prover{catalog: c, langs: map[string]*lang.Language{}, keys: map[string]catalog.FactsKey{}}
	for _, l := range languages {
		v.langs[l.Name] = l
	}
	repos, err := c.Repos(ctx)
	if err != nil || len(repos) == 0 {
		return nil, fmt.Errorf("no repository (%w)", err)
	}
	revs, err := c.Revisions(ctx, repos[0].ID)
	if err != nil || len(revs) == 0 {
		return nil, fmt.Errorf("no revision (%w)", err)
	}
	files, err := c.Files(ctx, revs[0].ID)
	if err != nil {
		return nil, err
	}
	for i := range files {
		v.keys[files[i].Path] = files[i].Key()
	}
	v.read = func(path string) []string {
		text, err := s.Read(ctx, &repos[0], &revs[0], path)
		if err != nil {
			return nil
		}
		return strings.Split(string(text), "\n")
	}
	return v, nil
}

// maxPages is about how many pages of a repository are made, spread evenly over its errors.
const maxPages = 3000

// measure makes pages of a repository.
func measure(ctx context.Context, dir, name, folder string) (*counts, error) {
	languages := all.Languages()
	repo, err := source.Open(ctx, folder, source.Options{Languages: index.Files(languages)})
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, filepath.Join(dir, name+"-pages.db"), nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	out := &counts{name: name}
	began := time.Now()
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: name, Languages: languages}); err != nil {
		return nil, err
	}
	out.indexed = time.Since(began)
	sources := index.NewSources(languages, dir)
	x := explain.New(c, languages, sources)
	proves, err := newProver(ctx, c, languages, sources)
	if err != nil {
		return nil, err
	}
	errs, err := c.Errors(ctx, 0)
	if err != nil {
		return nil, err
	}
	step := max(1, len(errs)/maxPages)
	made := 0
	for i := 0; i < len(errs); i += step {
		began = time.Now()
		p, err := x.Page(ctx, errs[i].ID, "")
		if err != nil {
			return nil, fmt.Errorf("page of %s: %w", errs[i].ID, err)
		}
		if took := time.Since(began); i == 0 {
			out.first = took
		} else {
			out.rest += took
			made++
		}
		if len(p.Sites) > 0 && p.Sites[0].FileKind == "product" && p.Kind != "re-raise" {
			out.count(p)
			calls, wrong, err := proves.prove(ctx, p)
			if err != nil {
				return nil, err
			}
			out.calls += calls
			out.wrong = append(out.wrong, wrong...)
		}
	}
	out.rest /= time.Duration(max(1, made))
	return out, nil
}

func (c *counts) count(p *api.Page) {
	add := func(n *int, holds bool) {
		if holds {
			*n++
		}
	}
	condition := p.Sites[0].Condition
	solved := condition != nil && hasBound(condition)
	c.pages++
	add(&c.meaning, len(p.Meaning) > 0)
	add(&c.condition, condition != nil)
	add(&c.linear, condition != nil && compares(condition))
	add(&c.solved, solved && compares(condition))
	add(&c.path, len(p.Triggers) > 0)
	add(&c.tests, len(p.Tests) > 0)
	add(&c.solutions, len(p.Solutions) > 0)
	add(&c.code, p.Check != nil || p.Handler != nil)
	add(&c.related, len(p.Related) > 0)
	add(&c.settings, len(p.Configuration) > 0)
	add(&c.commits, cites(p.Situations, "commit"))
	add(&c.documents, cites(p.Situations, "document"))
	add(&c.catches, cites(p.Solutions, "handler"))
}

// cites reports whether one of the sentences rests on evidence of a kind.
func cites(all []api.Sentence, kind string) bool {
	for _, s := range all {
		if len(s.Evidence) > 0 && s.Evidence[0].Kind == kind {
			return true
		}
	}
	return false
}

func hasBound(c *api.Condition) bool {
	for _, s := range c.Solved {
		if s.Leaves == "" {
			return true
		}
	}
	return false
}

// compares reports whether a part of a condition compares quantities.
func compares(c *api.Condition) bool {
	for _, p := range c.Parts {
		if strings.ContainsAny(p.Text, "<>") && !strings.Contains(p.Text, "->") {
			return true
		}
	}
	return false
}

func report(all []counts) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What pages say

Made by %s on %s; machine: %d processors, %s. Pages of errors of product code, re-raises apart; shares of them.

| | aim |`, "`make pages`", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.Version())
	for _, c := range all {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(all)) + "\n")
	row := func(name, aim string, f func(*counts) string) {
		fmt.Fprintf(&b, "| %s | %s |", name, aim)
		for i := range all {
			fmt.Fprintf(&b, " %s |", f(&all[i]))
		}
		b.WriteByte('\n')
	}
	share := func(n func(*counts) int, of func(*counts) int) func(*counts) string {
		return func(c *counts) string {
			if of(c) == 0 {
				return "–"
			}
			return fmt.Sprintf("%.1f %%", 100*float64(n(c))/float64(of(c)))
		}
	}
	pages := func(c *counts) int { return c.pages }
	row("pages", "", func(c *counts) string { return fmt.Sprint(c.pages) })
	row("with a meaning", "", share(func(c *counts) int { return c.meaning }, pages))
	row("with a condition", "", share(func(c *counts) int { return c.condition }, pages))
	row("with a bound solved for the caller, of those that compare quantities", "", share(func(c *counts) int { return c.solved }, func(c *counts) int { return c.linear }))
	row("with a call path from an entry", "", share(func(c *counts) int { return c.path }, pages))
	row("with a test that provokes it", "", share(func(c *counts) int { return c.tests }, pages))
	row("with a solution beyond catching it", "", share(func(c *counts) int { return c.solutions }, pages))
	row("with a place that takes it up", "", share(func(c *counts) int { return c.catches }, pages))
	row("with a commit that brought the text or the check", "", share(func(c *counts) int { return c.commits }, pages))
	row("with a mention in the documentation", "", share(func(c *counts) int { return c.documents }, pages))
	row("with a configuration origin", "", share(func(c *counts) int { return c.settings }, pages))
	row("with code to check or to handle", "", share(func(c *counts) int { return c.code }, pages))
	row("with related errors", "", share(func(c *counts) int { return c.related }, pages))
	row("calls with literal arguments in provoking tests", "", func(c *counts) string { return fmt.Sprint(c.calls) })
	row("of these, the condition evaluated with them is false", "0", func(c *counts) string { return fmt.Sprint(len(c.wrong)) })
	row("time of the first page of a revision, which reads its facts", "", func(c *counts) string { return c.first.Round(time.Millisecond).String() })
	row("time of each page after it, mean", "≤ 3 ms", func(c *counts) string { return c.rest.Round(10 * time.Microsecond).String() })
	return b.String()
}
