package mcptools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/markdown"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// writer writes blocks of text as long as there is room for them, and keeps room for the last line.
type writer struct {
	b    strings.Builder
	room int
	left int // blocks that did not fit
}

// put writes a block if it fits.
func (w *writer) put(block string) bool {
	if w.b.Len()+len(block) > w.room {
		w.left++
		return false
	}
	w.b.WriteString(block)
	return true
}

// lastLine is the room that is kept for what to do next, in bytes.
const lastLine = 240

// findText is an answer as text: for each observation the decision, the best place with its values, condition and excerpt, then the
// others in a line each, and at the end the one sensible next call.
func findText(a *api.Answer, room int, excerpt func(api.Where) *api.Excerpt) string {
	w := &writer{room: room - lastLine}
	next, explained := "", false
	for i := range a.Observations {
		o := &a.Observations[i]
		if !w.put(head(o, i > 0)) {
			continue
		}
		if f := o.Fault; f != nil {
			w.put(fault(f))
			if f.Repo != "" && !explained {
				explained = true
				w.put(source(excerpt(f.Where())))
			}
		}
		for j := range o.Candidates {
			c := &o.Candidates[j]
			if o.Decision == api.Refused || j > 0 && o.Decision == api.Found {
				break
			}
			if next == "" {
				next = fmt.Sprintf("Next: read_error {\"id\": \"%s\"} for solutions, call paths and tests.", c.Error)
			}
			if j > 0 {
				w.put(fmt.Sprintf("- %s, %d %%\n", place(c), int(100*c.Probability)))
				continue
			}
			w.put(fmt.Sprintf("%s, id %s, %d %%\n", place(c), c.Error, int(100*c.Probability)))
			w.put(values(c))
			w.put(conditions(c.Condition))
			if !explained {
				explained = true
				w.put(source(excerpt(c.Where())))
			}
		}
	}
	if len(a.Observations) == 0 {
		w.put("The report holds no error that can be looked up.\n")
	}
	if a.Cut != "" {
		w.put(a.Cut + "\n")
	}
	if w.left > 0 {
		next = strings.TrimSpace(fmt.Sprintf("%d parts did not fit the budget. %s", w.left, next))
	}
	if next == "" {
		next = "Next: index the repository that prints this (wherefore index PATH), or give the traceback with its frames."
	}
	w.b.WriteString(next + "\n")
	return w.b.String()
}

func head(o *api.Observation, more bool) string {
	line := ""
	if more {
		line = "\n"
		if o.Link != "" {
			line += o.Link + ": "
		}
	}
	message := strings.TrimSpace(o.Type + ": " + o.Message)
	message = strings.TrimPrefix(message, ": ")
	if r := []rune(message); len(r) > 300 {
		message = string(r[:299]) + "…"
	}
	line += o.Decision + ": " + markdown.Code(message) + "\n"
	if o.Why != "" {
		line += visible.Text(o.Why) + "\n"
	}
	if n := o.Nearest; o.Decision == api.Refused && n != nil {
		line += fmt.Sprintf("nearest: %s of %s, id %s; %s\n", markdown.Code(n.Template), visible.Text(n.Repo), n.Error, visible.Text(n.Differs))
	}
	return line
}

// fault is where a language raised an error itself, and what can have done it.
func fault(f *api.Fault) string {
	if f.Path == "" {
		return ""
	}
	line := visible.Text(fmt.Sprintf("raised at %s:%d", f.Path, f.Line))
	if f.Function != "" {
		line += " in " + markdown.Code(f.Function)
	}
	if f.Repo != "" {
		line += visible.Text(fmt.Sprintf(" (%s@%s)", f.Repo, shortened(f.Revision)))
	}
	for i, e := range f.Expressions {
		line += []string{" by ", " or "}[min(i, 1)] + markdown.Code(e)
	}
	return line + "\n"
}

// shortened is a revision as people name it.
func shortened(revision string) string {
	if len(revision) == 40 {
		return revision[:12]
	}
	return revision
}

func place(c *api.Candidate) string {
	lines := fmt.Sprint(c.Line)
	if c.EndLine > c.Line {
		lines += fmt.Sprint("-", c.EndLine)
	}
	in := ""
	if c.Function != "" {
		in = " in " + markdown.Code(c.Function)
	}
	return visible.Text(fmt.Sprintf("%s:%s", c.Path, lines)) + in + visible.Text(fmt.Sprintf(" (%s@%s)", c.Repo, shortened(c.Revision)))
}

func values(c *api.Candidate) string {
	var b strings.Builder
	for _, v := range c.Bindings {
		value := v.Value
		if r := []rune(value); len(r) > 120 {
			value = string(r[:119]) + "…"
		}
		fmt.Fprintf(&b, "- %s = %s\n", markdown.Code(v.Expression), markdown.Code(value))
	}
	return b.String()
}

func conditions(c *api.Condition) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("condition:\n")
	for _, p := range c.Parts {
		fmt.Fprintf(&b, "- %s%s: %s", api.RoleWord(p.Role), markdown.Code(p.Text), p.Verdict)
		if p.Shown != "" {
			b.WriteString(", " + markdown.Code(p.Shown))
		}
		b.WriteByte('\n')
	}
	for _, s := range c.Steps {
		b.WriteString("- where " + markdown.Code(s) + "\n")
	}
	for _, s := range c.Solved {
		text := "- accepted: " + markdown.Code(s.Accepted)
		if s.Range != "" {
			text += " (" + s.Range + ")"
		}
		if s.Shown != "" {
			text += "; " + visible.Text(s.Shown)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

func source(e *api.Excerpt) string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("```\n")
	for i, l := range e.Lines {
		mark := "  "
		if n := e.First + i; n >= e.From && n <= e.To {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%d %s\n", mark, e.First+i, strings.ReplaceAll(visible.Text(l), "```", "` ` `"))
	}
	b.WriteString("```\n")
	return b.String()
}

// pageText is a page, or the parts that were asked for, as Markdown; what does not fit is cut off at a line. The last line is the next call.
func pageText(p *api.Page, wanted []string, room int) (string, error) {
	var b strings.Builder
	if err := markdown.Page(&b, chosen(p, wanted)); err != nil {
		return "", err
	}
	text := b.String()
	if len(text) <= room-lastLine {
		return text + nextOf(p, wanted, 0), nil
	}
	text = text[:strings.LastIndexByte(text[:room-lastLine], '\n')+1]
	if strings.Count(text, "\n```")%2 == 1 {
		text += "```\n"
	}
	return text + "Cut to the budget. " + nextOf(p, wanted, room/tokenBytes), nil
}

// nextOf is the call that follows a page, or a page that was cut to a budget in tokens; 0 if it was not cut.
func nextOf(p *api.Page, wanted []string, cut int) string {
	if len(wanted) > 0 && cut > 0 && cut < maxBudget {
		return fmt.Sprintf("Next: read_error {\"id\": \"%s\", \"parts\": [\"%s\"], \"budget\": %d}\n", p.ID, strings.Join(wanted, `", "`), min(2*cut, maxBudget))
	}
	if len(wanted) > 0 || cut > 0 {
		for _, part := range []string{"solutions", "when", "source", "related"} {
			if has(p, part) && !slices.Contains(wanted, part) {
				return fmt.Sprintf("Next: read_error {\"id\": \"%s\", \"parts\": [\"%s\"]}\n", p.ID, part)
			}
		}
	}
	return "Next: find_error with the report as it was printed, for its values and what they say of the condition.\n"
}

// has reports whether a page says anything in a part.
func has(p *api.Page, part string) bool {
	switch part {
	case "solutions":
		return len(p.Solutions) > 0
	case "when":
		return len(p.Triggers)+len(p.Situations)+len(p.Tests) > 0
	case "related":
		return len(p.Related) > 0
	}
	return len(p.Sites) > 0
}

// chosen is the page with the parts that were asked for; all of them for none.
func chosen(p *api.Page, wanted []string) *api.Page {
	if len(wanted) == 0 {
		return p
	}
	out := *p
	has := map[string]bool{}
	for _, w := range wanted {
		has[w] = true
	}
	if !has["meaning"] {
		out.Meaning = nil
	}
	if !has["source"] {
		out.Sites = nil
	}
	if !has["when"] {
		out.Triggers, out.Situations, out.Tests, out.Configuration = nil, nil, nil, nil
	}
	if !has["solutions"] {
		out.Solutions, out.Check, out.Handler = nil, nil, nil
	}
	if !has["related"] {
		out.Related = nil
	}
	if !has["versions"] {
		out.Changes = nil
	}
	return &out
}
