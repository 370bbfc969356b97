package cli

import (
	"fmt"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// sentences prints statements under a title, each with where it comes from; numbered where their order says which to try first.
func (p *printer) sentences(title string, all []api.Sentence, numbered bool) {
	if len(all) == 0 {
		return
	}
	p.printf("\n%s\n", p.in(bold, title))
	for i := range all {
		s := &all[i]
		mark := "•"
		if numbered {
			mark = fmt.Sprintf("%d.", i+1)
		}
		p.printf("  %s %s %s\n", mark, clean(strings.ReplaceAll(s.Text, "`", "")), p.in(dim, p.from(s)))
	}
}

// from is what a statement rests on, with its origin unless that is the source.
func (p *printer) from(s *api.Sentence) string {
	var parts []string
	for i, e := range s.Evidence {
		if i == 2 {
			break
		}
		if e.Path != "" {
			parts = append(parts, fmt.Sprintf("%s:%d", clean(e.Path), e.Line))
		}
	}
	if s.Origin != api.FromSource {
		parts = append(parts, s.Origin)
	}
	if s.Stale {
		parts = append(parts, "its evidence has changed since")
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// happens prints how the raise is reached, and the tests that provoke it.
func (p *printer) happens(page *api.Page) {
	p.sentences("When it happens", page.Situations, false)
	for _, t := range page.Triggers {
		var hops []string
		for _, h := range t.Hops {
			hops = append(hops, fmt.Sprintf("%s (%s:%d)", clean(h.Function), clean(h.Path), h.Line))
		}
		p.printf("  %s %s\n", p.in(dim, "reached from "+clean(t.Entry)), strings.Join(hops, " → "))
	}
	for _, t := range page.Tests {
		p.printf("  %s %s %s\n", p.in(dim, "provoked by"), clean(t.Name), p.in(dim, fmt.Sprintf("%s:%d, which expects %q", clean(t.Path), t.Line, clean(t.Expects))))
	}
	for _, s := range page.Configuration {
		text := clean(s.Kind) + " " + p.in(bold, clean(s.Name)) + " " + p.in(dim, "sets") + " " + clean(s.Quantity)
		if s.Default != "" {
			text += ", " + p.in(dim, "default") + " " + clean(s.Default)
		}
		if s.Accepted != "" {
			text += ", " + p.in(dim, "accepted") + " " + clean(s.Accepted)
		}
		p.printf("  %s\n", text)
	}
}

// code prints a piece of code under a title.
func (p *printer) code(title string, c *api.Code) {
	if c == nil {
		return
	}
	p.printf("\n%s\n", p.in(bold, title))
	for _, line := range p.highlight(strings.Split(c.Text, "\n"), c.Language) {
		p.printf("    %s\n", line)
	}
}

// others prints related errors and what became of this one over the revisions.
func (p *printer) others(page *api.Page) {
	if len(page.Related) > 0 {
		p.printf("\n%s\n", p.in(bold, "Related errors"))
		for _, r := range page.Related {
			p.printf("  %s %s %s\n", r.Error, short(clean(strings.TrimPrefix(r.Type+": "+r.Template, ": ")), p.width-20),
				p.in(dim, clean(strings.ReplaceAll(r.Reason, "`", ""))))
		}
	}
	if len(page.Changes) > 0 {
		p.printf("\n%s\n", p.in(bold, "In other versions"))
		for _, c := range page.Changes {
			p.printf("  %s: %s %s\n", clean(c.Revision), c.What, p.in(dim, clean(strings.ReplaceAll(c.Detail, "`", ""))))
		}
	}
}
