package web

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// ErrorView is what the page of an error shows.
type ErrorView struct {
	Page *api.Page
	// Report is what the reader pasted, "" if the page was not reached from a report. Observation and Candidate are what find made of
	// it for this error; nil if the report is not of this error.
	Report      string
	Observation *api.Observation
	Candidate   *api.Candidate
	// Line makes the address of a line on the repository's host, "" if it has none; nil if there is no host.
	Line func(path string, line int) string
	// Issue is the address at which an issue about the error is filed in the repository's tracker, "" if that is not known.
	Issue string
}

// errorData is what the template of the page reads.
type errorData struct {
	*ErrorView
	ID         string
	Title      string
	Message    []piece
	Filled     []piece // the message as printed; nil without a report
	Crumbs     []crumb
	Sites      []siteData
	Calls      *callGraph
	Contents   []content
	RevShort   string
	Copy       string
	Meaning    []sentence
	Situations []sentence
	Solutions  []sentence
	Tests      []testData
	Settings   []settingData
	Check      *snippetData
	Handler    *snippetData
	Data       string
	Markdown   string
}

type crumb struct{ Name, URL string }

type content struct{ Anchor, Name string }

// siteData is a site with its drawings.
type siteData struct {
	api.PageSite
	Lines     []codeLine
	Condition *conditionData
	Folded    bool // shown when it is opened
}

// conditionData is a condition with its parts in groups.
type conditionData struct {
	*api.Condition
	Judged bool // a report's values were put in
	Groups []partGroup
	Lines  []numberLine
}

// partGroup is one part, or several of which one is enough.
type partGroup struct {
	Either bool
	Parts  []api.Part
}

type sentence struct {
	Pieces   []piece
	Origin   string
	Stale    bool
	Evidence []evidence
}

// evidence is a place with what stands there. Anchor is set where the excerpt on the page holds it.
type evidence struct {
	Label, Kind, Text, URL, Anchor string
}

type testData struct {
	api.Test
	Lines []codeLine
}

type settingData struct {
	api.Setting
	Evidence []evidence
}

type snippetData struct {
	Lines  []codeLine
	Label  string
	Text   string
	Origin string
}

// Error writes the page of an error.
func (r *Renderer) Error(w io.Writer, v *ErrorView) error {
	page := v.Page
	d := &errorData{ErrorView: v, ID: page.ID, Message: templatePieces(page.Template, page.Holes), Copy: page.Template,
		Calls: drawCalls(page), RevShort: short(page.Revision), Data: r.options.Links.Data(page.ID, "json"), Markdown: r.options.Links.Data(page.ID, "md")}
	d.Title = visible.Text(strings.TrimPrefix(page.Type+": "+page.Template, ": "))
	if page.Template == "" {
		d.Title = visible.Text(strings.TrimSpace(page.Type + " (" + page.Unknown + ")"))
	}
	d.Crumbs = r.crumbs(page)
	if v.Observation != nil && v.Candidate != nil {
		d.Filled = filledPieces(v.Observation.Message, v.Candidate.Bindings)
	}
	for i := range page.Sites {
		d.Sites = append(d.Sites, v.site(i))
	}
	d.Meaning, d.Situations, d.Solutions = v.sentences(page.Meaning), v.sentences(page.Situations), v.sentences(page.Solutions)
	for i := range page.Tests {
		t := &page.Tests[i]
		d.Tests = append(d.Tests, testData{*t, excerptLines(t.Excerpt, page.Language, t.Path, v.Line)})
	}
	for i := range page.Configuration {
		d.Settings = append(d.Settings, settingData{page.Configuration[i], v.evidence(page.Configuration[i].Through)})
	}
	d.Check, d.Handler = snippet(page.Check, "The check"), snippet(page.Handler, "The handler")
	d.Contents = d.contents()
	description := page.Summary
	if description == "" && len(page.Sites) > 0 {
		s := &page.Sites[0]
		description = fmt.Sprintf("Raised at %s:%d of %s: which condition fires, what brings it about, what to do.", s.Path, s.Line, page.Repo)
	}
	return r.render(w, "error", &frame{Title: cut(d.Title, 120) + " · " + page.Repo, Description: cut(visible.Text(strings.ReplaceAll(description, "`", "")), 300),
		Canonical: r.options.Links.Error(page.ID), Feed: r.options.Links.Feed(page.Repo), NoIndex: v.Report != "", Body: d})
}

// crumbs are the repository and the folders above the first site.
func (r *Renderer) crumbs(page *api.Page) []crumb {
	out := []crumb{{page.Repo, r.options.Links.Repo(page.Repo)}}
	if len(page.Sites) == 0 || r.options.Links.Static {
		return out
	}
	dir := path.Dir(page.Sites[0].Path)
	if dir == "." {
		return out
	}
	parts := strings.Split(dir, "/")
	for i := range parts {
		query := map[string][]string{"path": {strings.Join(parts[:i+1], "/")}}
		out = append(out, crumb{visible.Text(parts[i]), r.options.Links.Part(page.Repo, query)})
	}
	return out
}

// openSites is how many sites are shown unfolded.
const openSites = 3

func (v *ErrorView) site(i int) siteData {
	s := &v.Page.Sites[i]
	out := siteData{PageSite: *s, Lines: excerptLines(s.Excerpt, v.Page.Language, s.Path, v.Line), Folded: i >= openSites}
	out.URL = safeURL(s.URL)
	for k := range out.Lines {
		if out.Lines[k].Note != "" && len(s.Returned) > 0 {
			out.Lines[k].Note = "made here"
		}
	}
	c := s.Condition
	judged := false
	if v.Candidate != nil && v.Candidate.Condition != nil && v.Candidate.Path == s.Path && v.Candidate.Line == s.Line {
		c, judged = v.Candidate.Condition, true
	}
	out.Condition = condition(c, judged)
	return out
}

// condition prepares a condition for the template.
func condition(c *api.Condition, judged bool) *conditionData {
	if c == nil {
		return nil
	}
	out := &conditionData{Condition: c, Judged: judged, Lines: numberLines(c.Solved)}
	for _, p := range c.Parts {
		n := len(out.Groups)
		if p.Either && n > 0 && out.Groups[n-1].Either && out.Groups[n-1].Parts[0].Line == p.Line {
			out.Groups[n-1].Parts = append(out.Groups[n-1].Parts, p)
			continue
		}
		out.Groups = append(out.Groups, partGroup{p.Either, []api.Part{p}})
	}
	return out
}

func (v *ErrorView) sentences(all []api.Sentence) []sentence {
	var out []sentence
	for i := range all {
		s := &all[i]
		out = append(out, sentence{sentencePieces(s.Text), s.Origin, s.Stale, v.evidence(s.Evidence)})
	}
	return out
}

// evidence prepares places: those within an excerpt of the page lead there.
func (v *ErrorView) evidence(all []api.Evidence) []evidence {
	var out []evidence
	for _, e := range all {
		one := evidence{Kind: e.Kind, Text: visible.Text(e.Text), URL: safeURL(e.URL)}
		switch {
		case e.Path != "" && e.Line > 0:
			one.Label = visible.Text(fmt.Sprintf("%s:%d", path.Base(e.Path), e.Line))
			one.Kind += " at " + visible.Text(e.Path)
			one.Anchor = v.anchor(e.Path, e.Line)
		case e.Path != "":
			one.Label = visible.Text(path.Base(e.Path))
			one.Kind += " " + visible.Text(e.Path)
		case e.Commit != "":
			one.Label = visible.Text(short(e.Commit))
		default:
			one.Label = visible.Text(e.Kind)
		}
		if one.URL == "" && v.Line != nil && e.Path != "" && e.Line > 0 && (e.Commit == "" || e.Commit == v.Page.Provenance.Commit) {
			one.URL = safeURL(v.Line(e.Path, e.Line))
		}
		out = append(out, one)
	}
	return out
}

// anchor is the id of a line within an excerpt that is shown.
func (v *ErrorView) anchor(path string, line int) string {
	for i := range v.Page.Sites {
		s := &v.Page.Sites[i]
		if s.Path == path && s.Excerpt != nil && line >= s.Excerpt.First && line < s.Excerpt.First+len(s.Excerpt.Lines) {
			return fmt.Sprintf("s%d-%d", i, line)
		}
	}
	return ""
}

func snippet(c *api.Code, label string) *snippetData {
	if c == nil || c.Text == "" {
		return nil
	}
	return &snippetData{snippetLines(c), label, c.Text, c.Origin}
}

// contents are the parts that the page has.
func (d *errorData) contents() []content {
	page := d.Page
	var out []content
	add := func(has bool, anchor, name string) {
		if has {
			out = append(out, content{anchor, name})
		}
	}
	add(d.Filled != nil, "report", "Your report")
	add(len(page.Meaning) > 0, "meaning", "What it means")
	add(len(d.Sites) > 0, "source", "Source and condition")
	add(d.Calls != nil, "calls", "Call paths")
	add(d.when(), "when", "When it happens")
	add(len(page.Solutions) > 0 || page.Check != nil || page.Handler != nil, "solutions", "What to do")
	add(len(page.Related) > 0, "related", "Related errors")
	add(len(page.Changes) > 0 || len(page.Revisions) > 1, "versions", "In other versions")
	return out
}

func (d *errorData) when() bool {
	p := d.Page
	return len(p.Situations)+len(p.Tests)+len(p.Configuration) > 0
}

// When reports whether something is known of when the error happens, beyond the call paths.
func (d *errorData) When() bool { return d.when() }

// short is a commit's beginning; names of revisions stay.
func short(revision string) string {
	if len(revision) == 40 && strings.Trim(revision, "0123456789abcdef") == "" {
		return revision[:12]
	}
	return revision
}
