package web

import (
	"io"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// AnswerView is what a report's answer shows.
type AnswerView struct {
	Report string
	Answer *api.Answer // nil if nothing was asked
	// Excerpts show where observations lead to; one that is not there is not shown.
	Excerpts map[api.Where]*api.Excerpt
	Repo     string // that the reader limited the search to
}

// HomeView is what the home page shows.
type HomeView struct {
	AnswerView
	Repos []api.Repo
	// Examples are reports to try.
	Examples []string
}

// answerData is an answer for the template.
type answerData struct {
	*AnswerView
	Observations []observationData
}

type observationData struct {
	*api.Observation
	Filled     []piece
	Fault      *faultData
	Candidates []candidateData
}

type faultData struct {
	*api.Fault
	RevShort string
	Lines    []codeLine
}

type candidateData struct {
	*api.Candidate
	Page      string // its address, filled with the report
	Lines     []codeLine
	Condition *conditionData
	Percent   int
	RevShort  string
	Message   []piece
}

// shownCandidates is how many candidates of an observation are listed.
const shownCandidates = 10

func (r *Renderer) answer(v *AnswerView) *answerData {
	out := &answerData{AnswerView: v}
	if v.Answer == nil {
		return out
	}
	for i := range v.Answer.Observations {
		o := &v.Answer.Observations[i]
		d := observationData{Observation: o, Filled: []piece{{Text: visible.Lines(o.Message)}}}
		for k := range o.Candidates[:min(len(o.Candidates), shownCandidates)] {
			c := &o.Candidates[k]
			if k == 0 && o.Decision == api.Found {
				d.Filled = filledPieces(o.Message, c.Bindings)
			}
			d.Candidates = append(d.Candidates, r.candidate(v, o, c, k == 0))
		}
		if f := o.Fault; f != nil {
			d.Fault = &faultData{f, short(f.Revision), excerptAt(v, f.Where())}
		}
		out.Observations = append(out.Observations, d)
	}
	return out
}

func (r *Renderer) candidate(v *AnswerView, o *api.Observation, c *api.Candidate, first bool) candidateData {
	// The page is filled by the observation alone: the report may be long, and hold what others need not see.
	report := strings.TrimPrefix(o.Type+": "+o.Message, ": ")
	d := candidateData{Candidate: c, Page: r.options.Links.ErrorAt(c.Error, report), Percent: int(100 * c.Probability), RevShort: short(c.Revision),
		Message: bracedPieces(c.Template)}
	if !first {
		return d
	}
	d.Condition = condition(c.Condition, true)
	d.Lines = excerptAt(v, c.Where())
	return d
}

// excerptAt are the lines around a place, for an answer; nil where they are not known.
func excerptAt(v *AnswerView, at api.Where) []codeLine {
	e := v.Excerpts[at]
	if e == nil {
		return nil
	}
	return around(excerptLines(e, e.Language, at.Path, nil), 3, 2)
}

// around keeps the lines of a raise and a few before and behind it.
func around(lines []codeLine, before, behind int) []codeLine {
	first, last := -1, -1
	for i := range lines {
		if lines[i].Raise {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return lines
	}
	return lines[max(0, first-before):min(len(lines), last+1+behind)]
}

type homeData struct {
	*answerData
	Repos    []api.Repo
	Examples []string
	Total    int
}

// Home writes the home page, with the answer to a report if there is one.
func (r *Renderer) Home(w io.Writer, v *HomeView) error {
	d := &homeData{answerData: r.answer(&v.AnswerView), Repos: v.Repos, Examples: v.Examples}
	for i := range v.Repos {
		d.Total += v.Repos[i].Sites
	}
	title := "wherefore: which line raised this error, and why"
	if v.Report != "" {
		title = cut(visible.Text(v.Report), 80) + " · wherefore"
	}
	return r.render(w, "home", &frame{Title: title, Description: "Paste an error message, a traceback or a log: the line that raised it, the condition that fired, and what to do.",
		Canonical: r.options.Links.Home(), NoIndex: v.Report != "", Body: d})
}

// Answer writes the answer to a report alone, for the script of the home page.
func (r *Renderer) Answer(w io.Writer, v *AnswerView) error {
	return r.run(w, "home", "answer", r.answer(v))
}
