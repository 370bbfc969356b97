package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// explain fills the parts of a page that say what the error means, when it happens and what to do.
func (p *page) explain(out *api.Page) error {
	r := p.first(out)
	if r == nil {
		return nil
	}
	out.Summary = summary(r)
	out.Meaning = meaning(out, r)
	history, fixes := p.commits(r)
	out.Situations = slices.Concat(situations(out), p.mentions(r), history)
	out.Triggers = p.triggers(r)
	out.Tests = p.tests(r)
	out.Related = p.related(r)
	var err error
	if out.Changes, err = p.changes(r); err != nil {
		return err
	}
	out.Configuration = settings(r)
	out.Solutions = slices.Concat(set(r, out.Configuration), solutions(out, r), fixes, p.catches(r))
	out.Check, out.Handler = p.code(r)
	return nil
}

// meaning says who raises the error, in doing what, and what the code concludes from the condition.
func meaning(out *api.Page, r *raising) []api.Sentence {
	var all []api.Sentence
	add := func(text string, evidence ...api.Evidence) {
		all = append(all, api.Sentence{Text: text, Origin: api.FromSource, Evidence: evidence})
	}
	if fn := r.function(); fn != nil && !noise(fn.Doc) {
		add(quote(r.name())+" is documented as: "+fn.Doc, r.here("doc", fn.Line, fn.Doc))
	}
	for i := range r.core.Types {
		if t := &r.core.Types[i]; t.Doc != "" && t.Name == r.found.variant.Type {
			add(quote(t.Name)+" is documented as: "+t.Doc, r.here("doc", t.Line, t.Doc))
		}
	}
	if text, evidence := concluded(out, r); text != "" {
		add(text, evidence...)
	}
	if before := outer(r); before != "" {
		add(before, r.here("condition", r.site.Line, ""))
	}
	if text, evidence := places(out, r); text != "" {
		add(text, evidence...)
	}
	return all
}

// concluded says when it is raised, with what the names in that were computed from; "" if nothing decides.
func concluded(out *api.Page, r *raising) (text string, evidence []api.Evidence) {
	said := r.said()
	if said == "" {
		return "", nil
	}
	_, verb := r.verb()
	text = fmt.Sprintf("It is %s when %s.", verb, said)
	if several(out, r) {
		text = fmt.Sprintf("At %s:%d it is %s when %s.", r.path, r.site.Line, verb, said)
	}
	parts := deciding(r.site)
	for _, p := range parts {
		evidence = append(evidence, r.here("condition", p.Line, p.Text))
	}
	if h := r.helper; h != nil && h.said() != "" {
		evidence = append(evidence, h.here("condition", h.site.Line, ""))
	}
	for _, d := range r.site.Defs {
		if !slices.ContainsFunc(parts, func(p *raise.Part) bool { return p.Expr != nil && names(p.Expr, d.Name) && r.failing(p) == "" }) {
			continue
		}
		value := quote(d.Value.Print(&r.lang.Spelling))
		if n, ok := component(d); ok {
			value = fmt.Sprintf("value %d of %s", n, value)
		}
		text += fmt.Sprintf(" There %s is %s.", quote(d.Name), value)
		evidence = append(evidence, r.here("definition", d.Line, ""))
	}
	return text, evidence
}

// several reports whether the error comes from more places than the one that a page explains.
func several(out *api.Page, r *raising) bool {
	return len(out.Sites) > 1 || len(r.found.site.Returned) > 1
}

// maxPlaces is how many places a sentence names.
const maxPlaces = 4

// places says where else the error comes from; "" if from nowhere.
func places(out *api.Page, r *raising) (text string, evidence []api.Evidence) {
	var all []string
	add := func(function, path string, line, end, of int) {
		switch n := len(all); {
		case n < maxPlaces:
			all = append(all, fmt.Sprintf("%s (%s:%d)", quote(orTop(function)), path, line))
			evidence = append(evidence, api.Evidence{Kind: "call", Path: path, Line: line, EndLine: end})
		case n == maxPlaces:
			all = append(all, fmt.Sprintf("%d more", of-n))
		}
	}
	if declared := r.found.site.Returned; r.returned != nil {
		for i := range declared {
			add(declared[i].Function, declared[i].Path, declared[i].Line, declared[i].EndLine, len(declared))
		}
		text = fmt.Sprintf("It is declared at %s:%d and returned or raised by %s.", r.found.unit.File.Path, r.found.site.Line, strings.Join(all, ", "))
		return text, append([]api.Evidence{{Kind: "definition", Path: r.found.unit.File.Path, Line: r.found.site.Line, EndLine: r.found.site.EndLine}}, evidence...)
	}
	n := len(out.Sites)
	if n < 2 {
		return "", nil
	}
	for i := range out.Sites {
		s := &out.Sites[i]
		add(s.Function, s.Path, s.Line, s.EndLine, n)
	}
	return fmt.Sprintf("%d places raise it with this text: %s.", n, strings.Join(all, ", ")), evidence
}

// situations are the comments beside the checks.
func situations(out *api.Page) []api.Sentence {
	var all []api.Sentence
	for i := range out.Sites {
		s := &out.Sites[i]
		text := strings.Join(strings.Fields(s.Comment), " ")
		if text == "" || noise(text) || slices.ContainsFunc(all, func(o api.Sentence) bool { return o.Evidence[0].Text == text }) {
			continue
		}
		all = append(all, api.Sentence{Text: fmt.Sprintf("A comment at %s says: %s", commented(s), text), Origin: api.FromSource,
			Evidence: []api.Evidence{{Kind: "comment", Path: s.Path, Line: s.Line, EndLine: s.EndLine, Text: text}}})
		if len(all) == 4 {
			break
		}
	}
	return all
}

// commented is what a comment stands at.
func commented(s *api.PageSite) string {
	if s.Function == "" {
		return "its declaration"
	}
	return "the check in " + quote(s.Function)
}

// noise reports whether a comment speaks to tools.
func noise(text string) bool {
	for _, mark := range []string{"noqa", "pragma:", "nolint", "eslint-", "type: ignore", "pylint:", "istanbul", "c8 ignore", "codeql", "fmt: ", "prettier-", "TODO", "FIXME"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return len(strings.Fields(text)) < 2
}
