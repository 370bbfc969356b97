package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// traces are the forms in which runtimes, browsers and test tools print errors: stacks in the four styles, and errors that are
// printed without a stack.
func traces() []lang.Trace {
	var out []lang.Trace
	for _, s := range styles() {
		out = append(out, lang.Trace{Name: s.name, Find: func(text string) []raise.Observation {
			if s.name == "TAP" && !strings.Contains(text, "stack: |-") {
				return nil
			}
			return stacks(text, s)
		}})
	}
	return append(out, lang.Trace{Name: "Node", Find: bare})
}

// Bounds of the search for what belongs to one stack.
const (
	maxHeader = 120 // lines above the frames
	maxFrames = 200 // frames kept
	maxBlock  = 400 // lines of properties behind a stack
)

// assembler makes observations of the runs of frames in a report.
type assembler struct {
	*report
	style style
	out   []raise.Observation
	floor int // lines before it belong to what was already read
	open  []block
}

// block is the list of properties that an inspected error is followed by: " {" … "}".
type block struct {
	of     int // the observation
	indent int
	line   int
	list   bool // inside of [errors]: [ … ]
}

// stacks finds the errors whose frames are written in a style.
func stacks(text string, s style) []raise.Observation {
	a := &assembler{report: newReport(text), style: s}
	for i := 0; i < a.len(); {
		line, _, _ := a.line(i)
		if _, _, ok := s.frame(line); ok {
			i = a.run(i)
			continue
		}
		if len(a.open) > 0 {
			a.property(i, line)
		}
		i++
	}
	return a.out
}

// run reads the frames from line i on and returns the line behind them.
func (a *assembler) run(i int) int {
	var frames []raise.Frame
	first, mark := i, ""
	last := i
	for n := 0; i < a.len(); i++ {
		line, _, _ := a.line(i)
		f, m, ok := a.style.frame(line)
		if ok {
			if n == 0 {
				mark = m
			}
			if n++; n <= maxFrames {
				frames = append(frames, f)
			}
			last = i
			continue
		}
		if n, source, marked := codeFrame(line); n > 0 || marked {
			a.source(frames, n, source)
			continue
		}
		if !passed(line) && !(line == "" && a.style.name == "Vitest" && i == last+1) {
			break
		}
	}
	known := len(a.out)
	a.add(first, mark, frames)
	text, at, _ := a.line(last)
	if len(a.out) > known {
		o := &a.out[known]
		o.Whole = raise.Span{Start: min(o.Span.Start, at), End: max(o.Span.End, at+len(text))}
	}
	if strings.HasSuffix(text, "{") && a.style.name == "V8" {
		a.open = append(a.open, block{of: len(a.out) - 1, indent: a.headerIndent(first), line: last})
	}
	a.floor = last + 1
	return last + 1
}

// passed reports whether a line between frames belongs to the stack without being a frame.
func passed(line string) bool {
	return strings.HasPrefix(line, "... ") && strings.Contains(line, "lines matching") || line == "From previous event:" ||
		strings.HasPrefix(line, "-----") && strings.HasSuffix(line, "-----")
}

// codeFrame reads a line of an excerpt that a test tool shows: "> 12 | code" or "12| code", or the caret under it.
func codeFrame(line string) (n int, source string, ok bool) {
	s := strings.TrimSpace(strings.TrimPrefix(line, ">"))
	digits := 0
	for digits < len(s) && digits < 8 && s[digits] >= '0' && s[digits] <= '9' {
		n = n*10 + int(s[digits]-'0')
		digits++
	}
	s = strings.TrimLeft(s[digits:], " ")
	if !strings.HasPrefix(s, "|") && !strings.HasPrefix(s, "│") {
		return 0, "", false
	}
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "|"), "│"))
	if digits == 0 {
		return 0, "", strings.Trim(s, "^~-┬╰─ ") == ""
	}
	return n, s, true
}

// source gives the first frame on line n the source that an excerpt shows.
func (a *assembler) source(frames []raise.Frame, n int, source string) {
	if len(frames) > 0 && frames[0].Line == n && n > 0 {
		frames[0].Source = source
	}
}

// headerIndent is the indentation of the error that the frames from line first on belong to.
func (a *assembler) headerIndent(first int) int {
	o := &a.out[len(a.out)-1]
	i := first
	for i > 0 && a.starts[i] > o.Span.Start {
		i--
	}
	_, _, indent := a.line(i)
	return indent
}

// add makes an observation of the frames and the text above them, tied to what it is a cause of.
func (a *assembler) add(first int, mark string, frames []raise.Frame) {
	h := a.header(first, mark)
	if a.style.name == "TAP" && h.message == "" {
		return // no stack of a failed test
	}
	if reason, start, ok := rejected(h.message); ok {
		from := h.span.End - len(h.message) + start
		h.typ, h.message, h.span, frames = "", reason, raise.Span{Start: from, End: from + len(reason)}, nil
	}
	o := raise.Observation{Type: h.typ, Code: h.code, Message: h.message, Span: h.span, Frames: frames, Of: -1,
		Form: a.style.name, Language: "JavaScript"}
	o.Cut = strings.HasSuffix(o.Message, "…") || strings.HasSuffix(o.Message, "...") || strings.Contains(o.Message, "***")
	if h.frame.Path != "" && len(frames) > 0 {
		if frames[0].Line == h.frame.Line && frames[0].Path == h.frame.Path {
			o.Frames[0].Source = h.frame.Source
		}
	}
	if h.excerpt.Line > 0 {
		a.source(o.Frames, h.excerpt.Line, h.excerpt.Source)
	} else if h.excerpt.Source != "" && len(o.Frames) > 0 {
		o.Frames[0].Source = h.excerpt.Source
	}
	a.tie(&o, h)
	a.out = append(a.out, o)
}

// tie says what an observation is a cause or a member of.
func (a *assembler) tie(o *raise.Observation, h header) {
	for len(a.open) > 0 && a.open[len(a.open)-1].indent >= h.indent && h.label == "" {
		a.open = a.open[:len(a.open)-1]
	}
	if len(a.open) > 0 {
		top := &a.open[len(a.open)-1]
		o.Of, o.Link = top.of, "wrapped"
		switch {
		case top.list:
			o.Link = "member"
		case strings.Trim(h.label, "[]") == "cause":
			o.Link = "cause"
		}
		return
	}
	if h.causedBy && len(a.out) > 0 {
		o.Of, o.Link = len(a.out)-1, "cause"
	}
}

// property reads a line of the properties behind a stack.
func (a *assembler) property(i int, line string) {
	top := &a.open[len(a.open)-1]
	if i-top.line > maxBlock {
		a.open = a.open[:0]
		return
	}
	_, at, indent := a.line(i)
	switch {
	case (line == "}" || line == "},") && indent <= top.indent:
		a.open = a.open[:len(a.open)-1]
	case strings.HasPrefix(line, "]"):
		top.list = false
	case strings.HasPrefix(line, "[errors]: [") || strings.HasPrefix(line, "errors: ["):
		top.list = true
	case strings.HasPrefix(line, "code: '"):
		value := strings.TrimSuffix(strings.TrimSuffix(line[len("code: '"):], ","), "'")
		if a.out[top.of].Code == "" && len(value) < 80 {
			a.out[top.of].Code = value
		}
	default:
		a.inlineCause(top, line, at)
	}
}

// inlineCause reads a cause or member that has no stack of its own: "[cause]: [TypeError: x]", "[cause]: 'text'".
func (a *assembler) inlineCause(top *block, line string, at int) {
	label, value, found := strings.Cut(line, ": ")
	if !found || strings.Trim(label, "[]") != "cause" {
		if !top.list {
			return
		}
		label, value = "", line
	}
	at += len(line) - len(value)
	value = strings.TrimSuffix(strings.TrimSuffix(value, ","), " {")
	o := raise.Observation{Of: top.of, Link: "cause", Form: a.style.name, Language: "JavaScript"}
	if top.list {
		o.Link = "member"
	}
	switch {
	case len(value) > 2 && value[0] == '[' && value[len(value)-1] == ']':
		t, ok := typed(value[1 : len(value)-1])
		if !ok || t.start != 0 {
			return
		}
		o.Type, o.Code, o.Message = t.typ, t.code, value[1+t.message:len(value)-1]
		o.Span = raise.Span{Start: at + 1, End: at + len(value) - 1}
	case label != "" && len(value) > 2 && value[0] == '\'' && value[len(value)-1] == '\'':
		o.Message = value[1 : len(value)-1]
		o.Span = raise.Span{Start: at + 1, End: at + len(value) - 1}
	default:
		return
	}
	a.out = append(a.out, o)
}
