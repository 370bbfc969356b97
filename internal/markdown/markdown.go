// Package markdown writes pages and answers as Markdown, for tickets and agents. Text of repositories stands in code spans and fenced
// blocks, or with its markup escaped, so that it stays text.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// Page writes the page of an error. A part for which there is nothing to say is left out.
func Page(w io.Writer, page *api.Page) error {
	p := &printer{w: w}
	p.head(page)
	p.sentences("What it means", page.Meaning)
	for i := range page.Sites {
		p.site(&page.Sites[i], page.Language)
	}
	p.when(page)
	p.ordered("Solutions", page.Solutions)
	p.snippet("Check before the call", page.Check)
	p.snippet("Handle it", page.Handler)
	p.related(page.Related)
	p.changes(page)
	p.provenance(page)
	return p.err
}

// printer writes until the first fault.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) head(page *api.Page) {
	title := page.Template
	if title == "" {
		title = "(" + page.Unknown + ")"
	}
	p.printf("# %s\n\n", Code(title))
	parts := []string{Text(page.Repo), Text(page.Kind)}
	if page.Type != "" {
		parts = append(parts, Code(page.Type))
	}
	if len(page.Sites) == 1 {
		parts = append(parts, "1 site")
	} else {
		parts = append(parts, fmt.Sprintf("%d sites", len(page.Sites)))
	}
	p.printf("%s\n", strings.Join(parts, " · "))
	if page.Gone {
		p.printf("\n**No indexed revision raises this any more; this is the last known page.**\n")
	}
	if page.Summary != "" {
		p.printf("\n%s\n", Text(page.Summary))
	}
}

func (p *printer) sentences(title string, all []api.Sentence) {
	if len(all) == 0 {
		return
	}
	p.printf("\n## %s\n\n", title)
	for i := range all {
		p.printf("- %s%s\n", Text(all[i].Text), backing(&all[i]))
	}
}

func (p *printer) ordered(title string, all []api.Sentence) {
	if len(all) == 0 {
		return
	}
	p.printf("\n## %s\n\n", title)
	for i := range all {
		p.printf("%d. %s%s\n", i+1, Text(all[i].Text), backing(&all[i]))
	}
}

// backing says what a sentence rests on and, where it does not come from the source, who wrote it.
func backing(s *api.Sentence) string {
	var parts []string
	for i := range s.Evidence {
		if e := evidence(&s.Evidence[i]); e != "" {
			parts = append(parts, e)
		}
	}
	if s.Origin != "" && s.Origin != api.FromSource {
		parts = append(parts, s.Origin)
	}
	if s.Stale {
		parts = append(parts, "stale: the evidence has changed since")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

func evidence(e *api.Evidence) string {
	switch {
	case e.Path != "":
		return Link(place(e.Path, e.Line), e.URL)
	case e.Commit != "":
		return e.Kind + " " + Link(e.Commit[:min(12, len(e.Commit))], e.URL)
	}
	return ""
}

func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

func (p *printer) site(s *api.PageSite, language string) {
	p.printf("\n## %s", Link(place(s.Path, s.Line), s.URL))
	if s.Function != "" {
		p.printf(" in %s", Code(s.Function))
	}
	p.printf("\n")
	if s.Doc != "" {
		p.printf("\n> %s\n", strings.ReplaceAll(Text(visible.Lines(s.Doc)), "\n", "\n> "))
	}
	if s.Excerpt != nil {
		p.excerpt(s.Excerpt, language)
	}
	if s.Via != nil {
		p.printf("\nCalled with this text from %s", Code(place(s.Via.Path, s.Via.Line)))
		if s.Via.Function != "" {
			p.printf(" in %s", Code(s.Via.Function))
		}
		p.printf(".\n")
	}
	p.condition(s.Condition)
	if len(s.Defs) > 0 {
		p.printf("\nWhere:\n\n")
		for _, d := range s.Defs {
			p.printf("- %s is %s%s (line %d)\n", Code(d.Name), componentOf(&d), Code(d.Value), d.Line)
		}
	}
	if len(s.Returned) > 0 {
		p.printf("\nReturned at:\n\n")
		for _, r := range s.Returned {
			p.printf("- %s %s\n", Code(place(r.Path, r.Line)), Text(r.Function))
		}
	}
	if len(s.Callers) > 0 {
		p.printf("\nCalled from:\n\n")
		for _, c := range s.Callers {
			p.printf("- %s %s", Code(place(c.Path, c.Line)), Text(c.Function))
			if c.How != "" {
				p.printf(" (%s)", Text(c.How))
			}
			p.printf("\n")
		}
	}
}

// excerpt is a fenced block with line numbers, the raise marked.
func (p *printer) excerpt(e *api.Excerpt, language string) {
	var b strings.Builder
	for i, l := range e.Lines {
		n := e.First + i
		mark := "  "
		if n >= e.From && n <= e.To {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%5d  %s\n", mark, n, visible.Text(l))
	}
	p.fence(b.String(), language)
}

// componentOf says which of several values a definition takes; "" for one that takes all.
func componentOf(d *api.Definition) string {
	if d.Component == 0 {
		return ""
	}
	return fmt.Sprintf("value %d of ", d.Component)
}

func (p *printer) condition(c *api.Condition) {
	if c == nil {
		return
	}
	in := ""
	if c.Path != "" {
		in = " (lines of " + Code(c.Path) + ")"
	}
	p.printf("\nRaised when%s:\n\n", in)
	for _, part := range c.Parts {
		p.printf("- %s%s", api.RoleWord(part.Role), Code(part.Text))
		if part.Line > 0 {
			p.printf(" (line %d)", part.Line)
		}
		if part.Verdict == "true" || part.Verdict == "false" {
			p.printf(": **%s**", part.Verdict)
		}
		if part.Shown != "" {
			p.printf(", %s", Code(part.Shown))
		}
		p.printf("\n")
	}
	for _, s := range c.Steps {
		p.printf("- where %s\n", Code(s))
	}
	for i := range c.Solved {
		p.printf("- accepted: %s\n", solved(&c.Solved[i]))
	}
	for _, o := range c.Others {
		p.printf("- in %s the condition was %s\n", Text(strings.Join(o.Revisions, ", ")), Code(o.Text))
	}
}

// solved is an accepted range in one phrase.
func solved(s *api.Solved) string {
	text := Code(s.Accepted)
	if s.Leaves != "" {
		text += fmt.Sprintf(" takes the earlier branch of line %d", s.Line)
	}
	if s.Range != "" {
		text += " (" + Text(s.Range) + ")"
	}
	if s.Shown != "" {
		text += "; " + Text(s.Shown)
	}
	return text
}
