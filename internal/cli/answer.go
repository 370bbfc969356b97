package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// printAnswer prints an answer so that each error fits on a screen: the line, the values, the verdict, what to do next.
func (a *app) printAnswer(ctx context.Context, f *finding, answer *api.Answer) error {
	p := newPrinter(a.stdout)
	if answer.Cut != "" {
		p.printf("%s\n", p.in(yellow, clean(answer.Cut)))
	}
	for i := range answer.Observations {
		if i > 0 {
			p.printf("\n")
		}
		a.printObservation(ctx, p, f, &answer.Observations[i])
	}
	if len(answer.Observations) == 0 {
		p.printf("No error was recognised in the text.\n")
	}
	return p.err
}

func (a *app) printObservation(ctx context.Context, p *printer, f *finding, o *api.Observation) {
	if o.Passed && len(o.Candidates) > 0 {
		c := &o.Candidates[0]
		p.printf("%s\n", p.in(bold, fmt.Sprintf("↳ passed on as it is by %s:%d %s", clean(c.Path), c.Line, functionIn(c.Function))))
		return
	}
	head := prefixed(o.Type) + short(clean(o.Message), 3*p.width)
	if o.Link != "" {
		head = "↳ " + o.Link + ": " + head
	}
	p.printf("%s\n", p.in(bold, head))
	switch o.Decision {
	case api.Refused:
		verdict := "not found"
		if o.Fault != nil {
			verdict = "no site"
		}
		p.printf("  %s %s\n", p.in(yellow, verdict), clean(o.Why))
		p.fault(ctx, f, o.Fault)
		if o.Nearest != nil {
			p.printf("  nearest: %s  %s\n", p.in(cyan, o.Nearest.Error), short(clean(o.Nearest.Template), p.width))
		}
		return
	case api.Tie:
		p.printf("  %s %s\n", p.in(yellow, "one of these:"), clean(o.Why))
		for i := range o.Candidates {
			c := &o.Candidates[i]
			p.printf("  %s  %s:%d  %s\n", p.in(cyan, c.Error), clean(c.Path), c.Line, p.in(dim, clean(c.Function)))
		}
		if len(o.Candidates) > 0 {
			a.printCandidate(ctx, p, f, &o.Candidates[0], false)
		}
		return
	}
	a.printCandidate(ctx, p, f, &o.Candidates[0], true)
}

func (a *app) printCandidate(ctx context.Context, p *printer, f *finding, c *api.Candidate, certain bool) {
	if certain {
		p.printf("  %s %s  %s\n", p.in(green, clean(c.Path)+fmt.Sprintf(":%d", c.Line)), functionIn(c.Function), p.in(dim, where(c)))
	}
	if c.Via != nil {
		p.printf("  called with this text from %s:%d %s\n", clean(c.Via.Path), c.Via.Line, functionIn(c.Via.Function))
	}
	for i, r := range c.Returned {
		if i == 6 {
			p.printf("  … and %d more places\n", len(c.Returned)-i)
			break
		}
		p.printf("  returned at %s:%d %s\n", clean(r.Path), r.Line, functionIn(r.Function))
	}
	p.excerptAt(ctx, f, c.Where())
	for _, b := range c.Bindings {
		p.printf("  %s = %s\n", clean(b.Expression), p.in(bold, short(clean(b.Value), p.width)))
	}
	p.condition(c.Condition)
	if certain {
		p.printf("  %s %d %%   more: wherefore show %s\n", p.in(dim, "probability"), int(100*c.Probability), c.Error)
	}
}

// fault prints where a language raised an error itself, and what can have done it.
func (p *printer) fault(ctx context.Context, f *finding, fault *api.Fault) {
	if fault == nil || fault.Path == "" {
		return
	}
	at := ""
	if fault.Repo != "" {
		at = p.in(dim, clean(fault.Repo+"@"+shortRevision(fault.Revision)))
	}
	p.printf("  raised at %s %s  %s\n", p.in(green, fmt.Sprintf("%s:%d", clean(fault.Path), fault.Line)), functionIn(fault.Function), at)
	for i, e := range fault.Expressions {
		p.printf("  %s %s\n", []string{"by", "or"}[min(i, 1)], p.in(bold, clean(e)))
	}
	if fault.Repo != "" {
		p.excerptAt(ctx, f, fault.Where())
	}
}

// excerptAt prints the source around a place, as far as it can be read.
func (p *printer) excerptAt(ctx context.Context, f *finding, at api.Where) {
	if e, err := f.explain.Excerpt(ctx, at); err == nil && e != nil {
		p.excerpt(e, e.Language, 3, 2)
	}
}

func functionIn(name string) string {
	if name == "" {
		return ""
	}
	return "in " + clean(name)
}

func where(c *api.Candidate) string {
	text := c.Repo + "@" + shortRevision(c.Revision)
	if n := len(c.Revisions); n > 1 {
		text += fmt.Sprintf(" (in %d indexed revisions: %s … %s)", n, c.Revisions[n-1], c.Revisions[0])
	}
	return clean(text)
}

// condition prints the parts of a condition with their verdicts.
func (p *printer) condition(c *api.Condition) {
	if c == nil {
		return
	}
	p.printf("  %s\n", p.in(dim, strings.TrimSuffix("condition of "+clean(c.Path), " of ")))
	for _, part := range c.Parts {
		mark := p.in(dim, "?")
		switch part.Verdict {
		case "true":
			mark = p.in(red, "✓")
		case "false":
			mark = p.in(dim, "✗")
		}
		shown := ""
		if part.Shown != "" {
			shown = p.in(dim, "   "+clean(part.Shown))
		}
		p.printf("    %s %s%s\n", mark, short(clean(api.RoleWord(part.Role)+part.Text), p.width), shown)
	}
	for _, step := range c.Steps {
		p.printf("      %s\n", p.in(dim, "where "+clean(step)))
	}
	for _, s := range c.Solved {
		text := s.Accepted
		if s.Leaves != "" {
			text += fmt.Sprintf(" takes the earlier branch of line %d", s.Line)
		}
		if s.Range != "" {
			text += "  (" + s.Range + ")"
		}
		if s.Shown != "" {
			text += "; " + s.Shown
		}
		p.printf("    accepted: %s\n", clean(text))
	}
	for _, o := range c.Others {
		p.printf("    in %s the condition was: %s\n", clean(strings.Join(o.Revisions, ", ")), short(clean(o.Text), p.width))
	}
}

// excerpt prints lines of source around a raise, with before and after lines of context, the raise marked.
func (p *printer) excerpt(e *api.Excerpt, language string, before, after int) {
	lines := p.highlight(e.Lines, language)
	for i := range e.Lines {
		n := e.First + i
		if n < e.From-before || n > e.To+after {
			continue
		}
		mark := " "
		if n >= e.From && n <= e.To {
			mark = p.in(red, "▶")
		}
		p.printf("  %s %s %s\n", mark, p.in(dim, fmt.Sprintf("%5d", n)), lines[i])
	}
}

// indent puts blanks before every line of s.
func indent(s, by string) string {
	return by + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+by)
}
