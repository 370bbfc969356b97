package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
)

// before is how many lines of source a page to be read shows before the raise.
const before = 45

// read prints a random sample of the pages of a catalog, each as a list of numbered sentences under the source that they are about,
// for somebody who reads them against each other. The same seed gives the same pages.
func read(ctx context.Context, w io.Writer, path string, n int, seed uint64) error {
	c, err := catalog.OpenRead(ctx, path)
	if err != nil {
		return err
	}
	defer c.Close()
	languages := all.Languages()
	sources := index.NewSources(languages, "")
	x := explain.New(c, languages, sources)
	repos, err := c.Repos(ctx)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	total := 0
	for i := range repos {
		errs, err := c.Errors(ctx, repos[i].ID)
		if err != nil {
			return err
		}
		share := (n*(i+1))/len(repos) - (n*i)/len(repos)
		random.Shuffle(len(errs), func(a, b int) { errs[a], errs[b] = errs[b], errs[a] })
		for _, e := range errs {
			if share == 0 {
				break
			}
			p, err := x.Page(ctx, e.ID, "")
			if err != nil {
				return err
			}
			if len(p.Sites) == 0 || p.Sites[0].FileKind != "product" || p.Kind == "re-raise" {
				continue
			}
			share--
			rev, err := c.Revisions(ctx, repos[i].ID)
			if err != nil || len(rev) == 0 {
				return err
			}
			text, _ := sources.Read(ctx, &repos[i], &rev[0], p.Sites[0].Path)
			total += sentences(w, p, strings.Split(string(text), "\n"))
		}
	}
	fmt.Fprintf(w, "%d pages with %d sentences, seed %d\n", n, total, seed)
	return nil
}

// sentences prints one page and returns how many sentences it has.
func sentences(w io.Writer, p *api.Page, source []string) int {
	s := &p.Sites[0]
	fmt.Fprintf(w, "\n=== %s %s %s %s `%s`\n%s:%d %s\n", p.ID, p.Repo, p.Kind, p.Type, p.Template, s.Path, s.Line, s.Function)
	for i := max(0, s.Line-1-before); i < min(len(source), s.EndLine+3); i++ {
		mark := " "
		if i+1 >= s.Line && i+1 <= s.EndLine {
			mark = ">"
		}
		fmt.Fprintf(w, "%s%5d %s\n", mark, i+1, source[i])
	}
	n := 0
	say := func(kind, text string) {
		n++
		fmt.Fprintf(w, "[%d] %s: %s\n", n, kind, text)
	}
	say("summary", p.Summary)
	for kind, list := range map[string][]api.Sentence{"meaning": p.Meaning, "situation": p.Situations, "solution": p.Solutions} {
		for _, s := range list {
			say(kind, s.Text)
		}
	}
	if c := s.Condition; c != nil {
		for _, part := range c.Parts {
			say("condition", fmt.Sprintf("%s%s (line %d)", api.RoleWord(part.Role), part.Text, part.Line))
		}
		for _, s := range c.Solved {
			say("solved", fmt.Sprintf("%s leaves=%s line %d", s.Accepted, s.Leaves, s.Line))
		}
	}
	for _, d := range s.Defs {
		say("definition", fmt.Sprintf("%s = %s (line %d)", d.Name, d.Value, d.Line))
	}
	for _, t := range p.Triggers {
		var hops []string
		for _, h := range t.Hops {
			hops = append(hops, fmt.Sprintf("%s:%d %s %s", h.Path, h.Line, h.Function, h.How))
		}
		say("path", t.Entry+" "+t.Name+": "+strings.Join(hops, " → "))
	}
	for _, t := range p.Tests {
		say("test", fmt.Sprintf("%s:%d %s expects %s", t.Path, t.Line, t.Name, t.Expects))
	}
	for _, t := range p.Configuration {
		say("configuration", fmt.Sprintf("%s %s sets %s, default %s", t.Kind, t.Name, t.Quantity, t.Default))
	}
	if p.Check != nil {
		say("check", p.Check.Text)
	}
	if p.Handler != nil {
		say("handler", p.Handler.Text)
	}
	for _, r := range p.Related {
		say("related", fmt.Sprintf("%s: %s (%s:%d): %s", r.Type, r.Template, r.Path, r.Line, r.Reason))
	}
	return n
}
