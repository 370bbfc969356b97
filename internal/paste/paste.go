package paste

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// MaxReport bounds what of a report is looked at.
const MaxReport = 4 << 20

// Report is a pasted text that was read.
type Report struct {
	View View
	// Traces are the errors that a trace form recognised, in the order of the text; spans are those of the view.
	Traces []raise.Observation
	// Plain are the stretches that no form claimed.
	Plain []Plain
	// Cut says how much was left out, "" if nothing.
	Cut string
}

// Plain is a stretch of text without a known form: some lines that stand together.
type Plain struct {
	Start, End int // in the view
	// Whole are the readings of all lines as one message; nil if there are too many.
	Whole []Reading
	// Lines are the readings of each line that is not blank; for one line it is the same as Whole.
	Lines [][]Reading
}

// Reader reads reports. It is safe for concurrent use.
type Reader struct {
	traces   []lang.Trace
	patterns *patterns
}

// NewReader returns a reader that knows these trace forms.
func NewReader(traces []lang.Trace) *Reader {
	return &Reader{patterns: newPatterns(), traces: traces}
}

// Read finds the errors of a report. It runs in time linear in the text and never fails: what it cannot read is plain text.
func (r *Reader) Read(text string) Report {
	var out Report
	if len(text) > MaxReport {
		out.Cut = fmt.Sprintf("the report has %d bytes; the first %d were read", len(text), MaxReport)
		text = text[:MaxReport]
	}
	out.View = Clean(text)
	view := out.View.Text
	out.Traces = r.resolve(view)
	at := 0
	for _, o := range out.Traces {
		if o.Span.Start > at {
			out.Plain = append(out.Plain, r.plain(view, at, o.Span.Start)...)
		}
		at = max(at, o.Span.End, o.Whole.End)
	}
	out.Plain = append(out.Plain, r.plain(view, at, len(view))...)
	return out
}

// resolve runs all trace forms and settles overlaps in one place: a longer span wins, at equal length the one with more frames;
// the causes of an observation go with it.
func (r *Reader) resolve(view string) []raise.Observation {
	type group struct {
		all        []raise.Observation
		start, end int
		frames     int
	}
	var groups []group
	for _, t := range r.traces {
		found := t.Find(view)
		for i := 0; i < len(found); {
			j := i + 1
			for j < len(found) && found[j].Of >= 0 {
				j++
			}
			g := group{all: rebase(found[i:j], i), start: len(view)}
			for _, o := range found[i:j] {
				g.start, g.end = min(g.start, o.Span.Start), max(g.end, o.Span.End)
				if o.Whole.End > o.Whole.Start {
					g.start, g.end = min(g.start, o.Whole.Start), max(g.end, o.Whole.End)
				}
				g.frames += len(o.Frames)
			}
			groups = append(groups, g)
			i = j
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		if a.end-a.start != b.end-b.start {
			return (b.end - b.start) - (a.end - a.start)
		}
		return b.frames - a.frames
	})
	var kept []group
	for _, g := range groups {
		if !slices.ContainsFunc(kept, func(k group) bool { return g.start < k.end && k.start < g.end }) {
			kept = append(kept, g)
		}
	}
	slices.SortFunc(kept, func(a, b group) int { return a.start - b.start })
	var out []raise.Observation
	for _, g := range kept {
		out = append(out, rebase(g.all, -len(out))...)
	}
	return out
}

// rebase lowers the indices of what observations are causes of.
func rebase(all []raise.Observation, by int) []raise.Observation {
	out := slices.Clone(all)
	for i := range out {
		if out[i].Of >= 0 {
			out[i].Of -= by
		}
	}
	return out
}

// maxWhole bounds the lines that are tried as one message.
const maxWhole = 60

// plain splits text at blank lines into stretches.
func (r *Reader) plain(view string, start, end int) []Plain {
	var out []Plain
	var current *Plain
	for at := start; at < end; {
		next := strings.IndexByte(view[at:end], '\n')
		lineEnd := end
		if next >= 0 {
			lineEnd = at + next
		}
		line := view[at:lineEnd]
		if strings.TrimSpace(line) == "" {
			current = nil
		} else {
			if current == nil {
				out = append(out, Plain{Start: at})
				current = &out[len(out)-1]
			}
			current.End = lineEnd
			current.Lines = append(current.Lines, r.line(view, at, lineEnd))
		}
		at = lineEnd + 1
	}
	for i := range out {
		if n := len(out[i].Lines); n == 1 {
			out[i].Whole = out[i].Lines[0]
		} else if n <= maxWhole {
			out[i].Whole = r.patterns.readings(view, out[i].Start, out[i].End)
		}
	}
	return out
}

// Line lists the readings of one line of a log, likeliest first.
func (r *Reader) Line(line string) []Reading { return r.line(line, 0, len(line)) }

// line lists the readings of one line: the fields of a structured log first, then the line itself.
func (r *Reader) line(view string, start, end int) []Reading {
	out := r.structured(view[start:end], start)
	return append(out, r.patterns.readings(view, start, end)...)
}
