package markdown

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// when writes what brings the error about: call paths, situations, tests, configuration.
func (p *printer) when(page *api.Page) {
	if len(page.Triggers)+len(page.Situations)+len(page.Tests)+len(page.Configuration) == 0 {
		return
	}
	p.printf("\n## When it happens\n")
	for i := range page.Triggers {
		t := &page.Triggers[i]
		p.printf("\nFrom %s %s:\n\n", Text(t.Entry), Code(t.Name))
		for k := range t.Hops {
			h := &t.Hops[k]
			p.printf("%d. %s %s", k+1, Link(place(h.Path, h.Line), h.URL), Code(h.Function))
			if h.How != "" {
				p.printf(" (%s)", Text(h.How))
			}
			p.printf("\n")
		}
	}
	if len(page.Situations) > 0 {
		p.printf("\n")
		for i := range page.Situations {
			p.printf("- %s%s\n", Text(page.Situations[i].Text), backing(&page.Situations[i]))
		}
	}
	for i := range page.Tests {
		t := &page.Tests[i]
		p.printf("\nProvoked by the test %s at %s", Code(t.Name), Link(place(t.Path, t.Line), t.URL))
		if t.Expects != "" {
			p.printf(", which expects %s", Code(t.Expects))
		}
		p.printf(".\n")
		if t.Excerpt != nil {
			p.excerpt(t.Excerpt, page.Language)
		}
	}
	if len(page.Configuration) > 0 {
		p.printf("\nConfiguration that reaches it:\n\n")
		for i := range page.Configuration {
			p.setting(&page.Configuration[i])
		}
	}
}

func (p *printer) setting(c *api.Setting) {
	p.printf("- %s %s sets %s", Text(c.Kind), Code(c.Name), Code(c.Quantity))
	if c.Default != "" {
		p.printf("; default %s", Code(c.Default))
	}
	if c.Accepted != "" {
		p.printf("; accepted %s", Code(c.Accepted))
	}
	var through []string
	for i := range c.Through {
		if e := evidence(&c.Through[i]); e != "" {
			through = append(through, e)
		}
	}
	if len(through) > 0 {
		p.printf(" (%s)", strings.Join(through, " ← "))
	}
	p.printf("\n")
}

func (p *printer) snippet(title string, c *api.Code) {
	if c == nil || c.Text == "" {
		return
	}
	p.printf("\n## %s\n", title)
	p.fence(visible.Lines(c.Text), c.Language)
}

func (p *printer) related(all []api.Related) {
	if len(all) == 0 {
		return
	}
	p.printf("\n## Related errors\n\n")
	for _, r := range all {
		p.printf("- %s %s at %s: %s\n", r.Error, Code(strings.TrimPrefix(r.Type+": "+r.Template, ": ")), Code(place(r.Path, r.Line)), Text(r.Reason))
	}
}

func (p *printer) changes(page *api.Page) {
	if len(page.Changes) == 0 {
		return
	}
	p.printf("\n## In other versions\n\n")
	for _, c := range page.Changes {
		p.printf("- %s: %s", Code(c.Revision), Text(c.What))
		if c.Detail != "" {
			p.printf(", %s", Text(c.Detail))
		}
		p.printf("\n")
	}
}

func (p *printer) provenance(page *api.Page) {
	revision := page.Revision
	if page.Provenance.Dirty {
		revision += " with uncommitted changes"
	}
	origin := "from the source alone"
	if o := page.Provenance.Origin; o != "" && o != api.FromSource {
		origin = "partly " + o
	}
	p.printf("\n---\n%s@%s, indexed %s, %s; id %s\n", Text(page.Repo), Text(revision), page.Provenance.Indexed.UTC().Format("2006-01-02 15:04"), origin, page.ID)
}

// fence writes a fenced block whose fence is longer than any that the text holds.
func (p *printer) fence(text, language string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	p.printf("\n%s%s\n%s%s\n", fence, strings.ToLower(visible.Text(language)), text, fence)
}

// Code is text as inline code, whatever backquotes it holds.
func Code(s string) string {
	s = visible.Text(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// Text is a sentence of a page, whose names between backquotes stay code and whose markup elsewhere is escaped. Line ends stay.
func Text(s string) string {
	s = visible.Lines(s)
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "`")
		name, behind, closed := strings.Cut(rest, "`")
		if !found || !closed || strings.Contains(name, "\n") || name == "" {
			b.WriteString(escapes.Replace(s))
			return b.String()
		}
		b.WriteString(escapes.Replace(before))
		b.WriteString("`" + name + "`")
		s = behind
	}
}

// escapes take the meaning from characters that Markdown or HTML in it would obey.
var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "#", `\#`, "|", `\|`, "~", `\~`)

// Link is a link to an address of the web, or plain code where there is none.
func Link(text, address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" || u.Scheme != "https" && u.Scheme != "http" {
		return Code(text)
	}
	safe := strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E").Replace(u.String())
	return fmt.Sprintf("[%s](%s)", Code(text), safe)
}
