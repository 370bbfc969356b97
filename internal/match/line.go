package match

import (
	"context"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/paste"
)

// maxLineReadings bounds the ways in which one line of a log is read.
const maxLineReadings = 12

// Line answers one line of a log: an observation with the one site that certainly printed it, or nil. It is made for streams, in
// which most lines print no error: those are refused after a single search, and nothing of a line is judged. The condition is not
// filled in; [Finder.Find] does that.
func (f *Finder) Line(ctx context.Context, line string, o Options) (*api.Observation, error) {
	line = strings.TrimSpace(line)
	if strings.IndexByte(line, 0x1b) >= 0 || strings.Contains(line, "\u00a0") {
		view := paste.Clean(line)
		line = view.Text
	}
	f.hits = f.search.Search(f.hits[:0], line, message.Inside)
	how := message.How(0)
	switch {
	case f.mayBeCertain():
	case truncated(line):
		how = message.Cut
	default:
		return nil, nil
	}
	j := &job{Finder: f, ctx: ctx, options: o, scope: scope{o.Repo, o.Revision}}
	var best *result
	for _, reading := range f.lineReadings(line) {
		r, err := j.certainly(&reading, how)
		if err != nil {
			return nil, err
		}
		if r != nil && (best == nil || better(r, best)) {
			best = r
		}
	}
	if best == nil {
		return nil, nil
	}
	best.Candidates = append(best.Candidates, j.candidate(&best.options[0]))
	return &best.Observation, nil
}

// Log answers the lines of one log, in their order. It remembers the last lines as long as they are indented: where several sites
// print a message, the frames that stand above it decide.
type Log struct {
	*Finder
	block []string // a line and the indented ones below it
	size  int
}

// NewLog returns a log that is read with a finder.
func (f *Finder) NewLog() *Log { return &Log{Finder: f} }

// maxBlock bounds the bytes of the lines that a log remembers; a longer stack is forgotten.
const maxBlock = 64 << 10

// Line answers the next line, as [Finder.Line] does.
func (l *Log) Line(ctx context.Context, line string, o Options) (*api.Observation, error) {
	indented := line != "" && (line[0] == ' ' || line[0] == '\t')
	found, err := l.Finder.Line(ctx, line, o)
	if found == nil && err == nil && !indented && len(l.block) > 1 && l.size < maxBlock {
		found, err = l.stack(ctx, line, o)
	}
	if !indented {
		l.block, l.size = l.block[:0], 0
	}
	if l.size += len(line); l.size < maxBlock {
		l.block = append(l.block, line)
	}
	return found, err
}

// stack answers a line that may be the end of the stack above it.
func (l *Log) stack(ctx context.Context, line string, o Options) (*api.Observation, error) {
	l.hits = l.search.Search(l.hits[:0], line, message.Inside)
	if !l.mayBeCertain() {
		return nil, nil
	}
	text := strings.Join(l.block, "\n") + "\n" + line
	report := l.reader.Read(text)
	if len(report.Traces) != 1 || report.Traces[0].Span.End != len(strings.TrimRight(text, " \t\r")) || report.Traces[0].Message == "" {
		return nil, nil
	}
	t := &report.Traces[0]
	j := &job{Finder: l.Finder, ctx: ctx, options: o, scope: scope{o.Repo, o.Revision}}
	r, err := j.certainly(&paste.Reading{Type: t.Type, Message: t.Message, Frames: t.Frames}, 0)
	if r == nil || err != nil {
		return nil, err
	}
	at := len(line) - len(text)
	r.Span = [2]int{max(0, t.Span.Start+at), t.Span.End + at}
	r.Candidates = append(r.Candidates, j.candidate(&r.options[0]))
	return &r.Observation, nil
}

// lineReadings lists the readings of a line: those of its form, and those that begin where a template was found behind a word that
// no form knows ("worker-7 text"), or behind a text that wraps it ("load: text").
func (f *Finder) lineReadings(line string) []paste.Reading {
	all := f.reader.Line(line)
	all = all[:min(len(all), maxLineReadings)]
	stripped := 0
	for i := range all {
		stripped = max(stripped, all[i].Stripped)
	}
	for i := range f.hits {
		start := f.hits[i].Match.Start
		if i == maxLineHits || start <= stripped {
			continue
		}
		if head := line[stripped:start]; strings.HasSuffix(head, ": ") || strings.HasSuffix(head, " ") && strings.Count(head, " ") == 1 {
			all = append(all, paste.Reading{Message: line[start:], Start: start, End: len(line)})
		}
	}
	return all
}

// maxLineHits bounds the hits of a line that give readings of their own.
const maxLineHits = 3

// mayBeCertain reports whether a hit says enough to be found with certainty, were it the whole of a message.
func (f *Finder) mayBeCertain() bool {
	for i := range f.hits {
		h := &f.hits[i]
		if h.Match.Weight >= minFixed && h.Bits > 0 && (h.Bits+h.Fits > minLineBits || h.Match.Weight >= manyLetters) {
			return true
		}
	}
	return false
}

// manyLetters is how many literal letters and digits make a line worth a second look, however common its words.
const manyLetters = 20

// minLineBits is what the words of a template have to say for a line of a log to be looked at twice.
const minLineBits = 8

// truncated reports whether a line says that its end was cut off.
func truncated(line string) bool {
	return strings.HasSuffix(line, "…") || strings.HasSuffix(line, "...") || strings.HasSuffix(line, "[truncated]")
}

// certainly answers a reading of a line, with nil unless one site is certain.
func (j *job) certainly(reading *paste.Reading, how message.How) (*result, error) {
	e := &evidence{typ: reading.Type, weak: true, frames: reading.Frames, length: weight(reading.Message)}
	j.hits = j.search.Search(j.hits[:0], reading.Message, how)
	if len(j.hits) == 0 {
		return nil, nil
	}
	options, err := j.expand(j.hits)
	if err != nil {
		return nil, err
	}
	options = rank(options, e)
	if len(options) > 0 && options[0].prob < Certain {
		if err := j.compose(options, how); err != nil {
			return nil, err
		}
		options = rank(options, e)
	}
	if options = merged(options); len(options) == 0 || options[0].prob < Certain {
		return nil, nil
	}
	return &result{Observation: api.Observation{Type: reading.Type, Message: reading.Message, Decision: api.Found,
		Span: [2]int{reading.Start, reading.End}}, options: options}, nil
}

// fewLines is how many lines of plain text are looked at in all ways; of more, only those are that a template may fit as they stand.
const fewLines = 12

// long reports whether a report holds too much plain text to look at all of it in all ways.
func long(plain []paste.Plain) bool {
	n := 0
	for i := range plain {
		n += len(plain[i].Lines)
	}
	return n > fewLines
}

// worth lists the lines of plain text that are looked at.
func (j *job) worth(lines [][]paste.Reading) [][]paste.Reading {
	if !j.long {
		return lines
	}
	var out [][]paste.Reading
	for _, line := range lines {
		if j.promising(line) {
			out = append(out, line)
		}
	}
	return out
}

// promising reports whether a line of plain text is worth a closer look.
func (j *job) promising(line []paste.Reading) bool {
	for i := range line {
		text := line[i].Message
		if len(line[i].Message) == 0 || i > 0 && strings.Contains(line[i-1].Message, text) && line[i-1].Start <= line[i].Start {
			continue // a part of what was looked at
		}
		if damaged(text) {
			return true
		}
		if j.hits = j.search.Search(j.hits[:0], text, message.Inside); j.mayBeCertain() {
			return true
		}
	}
	return false
}

// damaged reports whether a text holds the mark of a cut or of a redaction.
func damaged(s string) bool { return loosely(s) != message.Folded }

// loosely says how a text may differ from what a template prints: white space always may, words only where marks say so.
func loosely(s string) message.How {
	how := message.Folded
	if strings.Contains(s, "…") || strings.Contains(s, "...") || strings.Contains(s, "truncated") {
		how |= message.Cut
	}
	if strings.Contains(s, "***") || strings.ContainsAny(s, "█•") {
		return how | message.Redacted
	}
	for _, word := range []string{"redacted", "filtered", "masked", "hidden", "removed", "secret"} {
		if strings.Contains(strings.ToLower(s), word) {
			how |= message.Redacted
		}
	}
	return how
}
