package paste

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Bounds on a report.
const (
	MaxReport = 4 << 20 // bytes that are read
	MaxLines  = 200_000 // lines that are read
	MaxTraces = 1000    // errors of trace forms
	maxPlain  = 20_000  // lines of plain text
	// MaxMessage is how many bytes of one message are read.
	MaxMessage = 64 << 10
)

// Report is a pasted text that was read. All spans are those of the pasted text.
type Report struct {
	// Traces are the errors that a trace form recognised, in the order of the text.
	Traces []raise.Observation
	// Plain are the stretches that no form claimed.
	Plain []Plain
	// Message are the readings of the whole text as one message, where it is short, of several stretches, and no form claimed any of
	// it: messages may have blank lines in them. nil otherwise.
	Message []Reading
	// Cut says how much was left out, "" if nothing.
	Cut string
}

// Plain is a stretch of text without a known form: some lines that stand together.
type Plain struct {
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
		text = whole(text[:MaxReport])
	}
	if n := lines(text, MaxLines); n < len(text) {
		out.Cut = fmt.Sprintf("the report has more than %d lines; the first were read", MaxLines)
		text = text[:n]
	}
	clean := Clean(text)
	view := unfolded(&clean)
	kept := r.resolve(&view)
	if len(kept) > MaxTraces {
		out.Cut = fmt.Sprintf("the report holds %d stack traces; the first %d were read", len(kept), MaxTraces)
		kept = kept[:MaxTraces]
	}
	budget := maxPlain
	at := 0
	for _, g := range kept {
		if g.start > at {
			out.Plain = r.plain(out.Plain, &view, at, min(g.start, len(clean.Text)), &budget)
		}
		at = max(at, g.end)
		out.Traces = append(out.Traces, rebase(g.all, -len(out.Traces))...)
	}
	out.Plain = r.plain(out.Plain, &view, at, len(clean.Text), &budget)
	if budget < 0 {
		out.Cut = fmt.Sprintf("the report holds more than %d lines without a known form; the first were read", maxPlain)
	}
	for i := range out.Traces {
		o := &out.Traces[i]
		o.Span.Start, o.Span.End = view.Origin(o.Span.Start, o.Span.End)
		if o.Whole.End > 0 {
			o.Whole.Start, o.Whole.End = view.Origin(o.Whole.Start, o.Whole.End)
		}
		if len(o.Message) > MaxMessage {
			o.Message, o.Cut = whole(o.Message[:MaxMessage]), true
			out.Cut = cutMessage()
		}
		o.Cut = o.Cut || damaged(o.Message)
	}
	if longest(view.Text) > MaxMessage {
		out.Cut = cmp.Or(out.Cut, cutMessage())
	}
	out.Plain = unrepeated(out.Plain, out.Traces)
	if len(kept) == 0 && len(out.Plain) > 1 && strings.Count(view.Text, "\n") < maxWhole {
		start := len(view.Text) - len(strings.TrimLeft(view.Text, " \t\r\n"))
		out.Message = original(&view, r.patterns.readings(view.Text, start, len(strings.TrimRight(view.Text, " \t\r\n"))))
	}
	return out
}

// lines is the length of the first n lines of a text.
func lines(text string, n int) int {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}

// whole is a text that was cut, without the part of a character at its end.
func whole(s string) string {
	for i := 1; i < utf8.UTFMax && i < len(s); i++ {
		if c := s[len(s)-i]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(s[len(s)-i:]) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}

func cutMessage() string {
	return fmt.Sprintf("a message has more than %d bytes; the first were read", MaxMessage)
}

// longest is the length of the longest line.
func longest(text string) int {
	n := 0
	for at := 0; at < len(text); {
		length := lineLength(text[at:])
		n = max(n, length)
		at += length + 1
	}
	return n
}

// damaged reports whether a message was truncated, or words of it were made unreadable.
func damaged(s string) bool {
	for _, end := range []string{"…", "...", "[truncated]", "<snip>", "[snip]", "(truncated)"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return strings.Contains(s, "***") || strings.Contains(strings.ToLower(s), "redacted") || strings.Contains(s, "[Filtered]") || strings.Contains(s, "█")
}

// group is an error that a form found, with its causes. Its spans are those of the view.
type group struct {
	all        []raise.Observation
	start, end int
	frames     int
}

// resolve runs all trace forms on a view and its variants, and settles overlaps in one place: a longer span wins, at equal length the
// one with more frames, then the one of the view itself; the causes of an observation go with it.
func (r *Reader) resolve(view *View) []group {
	groups := r.find(nil, view, nil)
	for _, v := range r.patterns.variants(view) {
		groups = r.find(groups, &v, &v)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		if a.end-a.start != b.end-b.start {
			return (b.end - b.start) - (a.end - a.start)
		}
		return b.frames - a.frames
	})
	// The groups of one form do not overlap, so that all of them together are no longer than the text times the forms.
	taken := make([]bool, len(view.Text))
	var kept []group
	for _, g := range groups {
		if g.end <= g.start || slices.Contains(taken[g.start:g.end], true) {
			continue
		}
		part := taken[g.start:g.end]
		for i := range part {
			part[i] = true
		}
		kept = append(kept, g)
	}
	slices.SortFunc(kept, func(a, b group) int { return a.start - b.start })
	return kept
}

// find appends the groups that the forms find in a view. variant is nil for the view itself; spans of a variant become the view's.
func (r *Reader) find(groups []group, v, variant *View) []group {
	for _, t := range r.traces {
		found := t.Find(v.Text)
		for i := 0; i < len(found); {
			j := i + 1
			for j < len(found) && found[j].Of >= 0 {
				j++
			}
			g := group{all: rebase(found[i:j], i), start: len(v.Text)}
			for k := range g.all {
				o := &g.all[k]
				if variant != nil {
					o.Span.Start, o.Span.End = variant.below(o.Span.Start, o.Span.End)
					o.Whole.Start, o.Whole.End = variant.below(o.Whole.Start, o.Whole.End)
				}
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
	return groups
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

// plain splits a part of a view at blank lines into stretches. Each line costs one of the budget.
func (r *Reader) plain(out []Plain, view *View, start, end int, budget *int) []Plain {
	type stretch struct{ start, end int }
	var current *stretch
	var lines [][]Reading
	flush := func() {
		if current == nil || len(lines) == 0 {
			current = nil
			return
		}
		p := Plain{Lines: lines}
		if n := len(lines); n == 1 {
			p.Whole = lines[0]
		} else if n <= maxWhole {
			p.Whole = original(view, r.patterns.readings(view.Text, current.start, current.end))
		}
		out = append(out, p)
		current, lines = nil, nil
	}
	for at := start; at < end; {
		lineEnd := min(end, at+lineLength(view.Text[at:]))
		if rule(view.Text[at:lineEnd]) {
			flush()
		} else {
			if *budget--; *budget < 0 {
				break
			}
			if current == nil {
				current = &stretch{start: at}
			}
			current.end = lineEnd
			if readings := r.line(view.Text, at, lineEnd); len(readings) > 0 && !weightless(view.Text[at:lineEnd]) {
				lines = append(lines, original(view, readings))
			}
		}
		at = lineEnd + 1
	}
	flush()
	return out
}

// rule reports whether a line is blank or drawn: "====", "└──┘".
func rule(s string) bool {
	rest := strings.Trim(s, " \t\r-=_~*#+|─━═│┃║┌┐└┘├┤┬┴┼╭╮╯╰╔╗╚╝")
	return rest == "" && (len(s) > 2 || strings.TrimSpace(s) == "")
}

// original gives readings the spans of the pasted text.
func original(view *View, all []Reading) []Reading {
	for i := range all {
		all[i].Start, all[i].End = view.Origin(all[i].Start, all[i].End)
	}
	return all
}

// unrepeated drops the readings of a record that say again what was read as a trace inside of it.
func unrepeated(plain []Plain, traces []raise.Observation) []Plain {
	order := slices.Clone(traces)
	slices.SortStableFunc(order, func(a, b raise.Observation) int { return a.Span.Start - b.Span.Start })
	kept := plain[:0]
	for _, p := range plain {
		for i := range p.Lines {
			p.Lines[i] = newOnly(p.Lines[i], order)
		}
		p.Lines = slices.DeleteFunc(p.Lines, func(line []Reading) bool { return len(line) == 0 })
		if len(p.Lines) == 1 {
			p.Whole = p.Lines[0]
		}
		if len(p.Lines) > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// newOnly lists the readings of a line that do not hold the message of a trace that stands within the line.
func newOnly(line []Reading, order []raise.Observation) []Reading {
	if len(line) == 0 {
		return line
	}
	start, end := line[0].Start, line[0].End
	for _, r := range line {
		start, end = min(start, r.Start), max(end, r.End)
	}
	at, _ := slices.BinarySearchFunc(order, start, func(o raise.Observation, start int) int { return o.Span.Start - start })
	for n := 0; at < len(order) && order[at].Span.Start < end && n < maxInside; at, n = at+1, n+1 {
		say := cmp.Or(order[at].Message, order[at].Type)
		line = slices.DeleteFunc(line, func(r Reading) bool { return strings.Contains(r.Message, say) })
	}
	return line
}

// maxInside bounds the traces within one line that its readings are compared with.
const maxInside = 20

// Line lists the readings of one line of a log, likeliest first.
func (r *Reader) Line(line string) []Reading { return r.line(line, 0, len(line)) }

// line lists the readings of one line: the fields of a structured log first, then the line itself.
func (r *Reader) line(view string, start, end int) []Reading {
	out := r.structured(view[start:end], start)
	return append(out, r.patterns.readings(view, start, end)...)
}
