package paste

import (
	"encoding/json"
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
		at = max(at, o.Span.End)
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

// line lists the readings of one line: the fields of a structured log first, then the line itself.
func (r *Reader) line(view string, start, end int) []Reading {
	out := r.structured(view[start:end], start)
	return append(out, r.patterns.readings(view, start, end)...)
}

// messageFields are the keys under which structured logs keep a message, likeliest first.
func messageFields() []string {
	return []string{"error", "err", "exception", "message", "msg", "error.message", "err.message", "reason", "detail", "log", "text", "stack", "stack_trace", "exc_info"}
}

// structured reads a line of JSON or of key=value pairs.
func (r *Reader) structured(line string, start int) []Reading {
	trimmed := strings.TrimSpace(line)
	brace := strings.IndexByte(trimmed, '{')
	if brace >= 0 && brace < 200 && strings.HasSuffix(trimmed, "}") && len(trimmed) < 1<<20 {
		var fields map[string]any
		if json.Unmarshal([]byte(trimmed[brace:]), &fields) == nil {
			return r.fields(flatten(fields, "", 0), line, start)
		}
	}
	if fields := logfmt(trimmed); len(fields) >= 2 {
		return r.fields(fields, line, start)
	}
	return nil
}

// flatten gives nested objects dotted keys.
func flatten(fields map[string]any, prefix string, depth int) map[string]string {
	out := map[string]string{}
	for k, v := range fields {
		switch v := v.(type) {
		case string:
			out[prefix+k] = v
		case map[string]any:
			if depth < 3 {
				for k2, v2 := range flatten(v, prefix+k+".", depth+1) {
					out[k2] = v2
				}
			}
		}
	}
	return out
}

func (r *Reader) fields(fields map[string]string, line string, start int) []Reading {
	var out []Reading
	level := levelName(fields["level"] + fields["severity"])
	for _, name := range messageFields() {
		for _, key := range []string{name, name + ".message"} {
			text := strings.TrimSpace(fields[key])
			if text == "" {
				continue
			}
			// The value's own place, or the line's where escapes changed it.
			at, end := start, start+len(line)
			if i := strings.Index(line, text); i >= 0 {
				at, end = start+i, start+i+len(text)
			}
			for _, one := range r.patterns.readings(text, 0, len(text)) {
				one.Start, one.End, one.Level = at, end, level
				if one.Type == "" {
					one.Type = fields[name+".type"] + fields[name+".name"]
				}
				out = append(out, one)
			}
		}
	}
	return out
}

// logfmt reads key=value pairs; a line with other text between them is none.
func logfmt(line string) map[string]string {
	out := map[string]string{}
	for line != "" {
		line = strings.TrimLeft(line, " ")
		eq := strings.IndexByte(line, '=')
		if eq <= 0 || strings.ContainsAny(line[:eq], " \"'(){}") || len(out) > 100 {
			return nil
		}
		key, rest := line[:eq], line[eq+1:]
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for end < len(rest) && rest[end] != '"' {
				if rest[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(rest) {
				return nil
			}
			var value string
			if json.Unmarshal([]byte(rest[:end+1]), &value) != nil {
				value = rest[1:end]
			}
			out[key], line = value, rest[end+1:]
			continue
		}
		value, after, _ := strings.Cut(rest, " ")
		out[key], line = value, after
	}
	return out
}
