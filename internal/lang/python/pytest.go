package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// testReports reads failures as pytest prints them: lines that begin with "E" hold the error, frames stand as "a.py:12: in f" above
// it, or as "a.py:12:" between the listings of functions with "a.py:4: ValueError" at the end.
func testReports(text string) []raise.Observation {
	if !strings.Contains(text, "\nE  ") && !strings.HasPrefix(text, "E  ") && !strings.Contains(text, "FAILED ") && !strings.Contains(text, "ERROR ") {
		return nil
	}
	p := &testReader{lines: trace.Lines(text)}
	for i := 0; i < len(p.lines); {
		i = p.line(i)
	}
	p.flush()
	for _, l := range p.lines {
		p.summary(l)
	}
	return p.out
}

// testReader reads the failures of a run.
type testReader struct {
	lines  []trace.Line
	out    []raise.Observation
	chain  []raise.Observation // of the failure that is read, innermost first
	links  []string
	link   string
	frames []raise.Frame // above the error, outermost first
	source string        // the line that ">" marks
	def    string        // the function that is listed
}

// line reads line i and returns the next one to be read.
func (p *testReader) line(i int) int {
	l := p.lines[i]
	if l.Indent == 0 && (strings.HasPrefix(l.Text, "____") || strings.HasPrefix(l.Text, "====")) {
		p.flush()
	}
	switch {
	case errorMark(l):
		return p.failure(i)
	case strings.HasPrefix(l.Text, "During handling of the above exception"):
		p.link, p.frames = "context", nil
	case strings.HasPrefix(l.Text, "The above exception was the direct cause"):
		p.link, p.frames = "cause", nil
	case strings.HasPrefix(l.Text, ">  ") && l.Indent == 0:
		p.source = strings.TrimSpace(l.Text[1:])
	case strings.HasPrefix(l.Text, "def "), strings.HasPrefix(l.Text, "async def "):
		p.def, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(l.Text, "async "), "def "), "(")
	default:
		if f, rest, ok := testPlace(l); ok && len(p.frames) < trace.MaxFrames {
			if function, ok := strings.CutPrefix(rest, "in "); ok {
				f.Function = function
				if i+1 < len(p.lines) && p.lines[i+1].Indent > 0 && !errorMark(p.lines[i+1]) {
					f.Source = p.lines[i+1].Text
				}
			} else {
				f.Function, f.Source = p.def, p.source
			}
			p.frames = append(p.frames, f)
			p.source, p.def = "", ""
		}
	}
	return i + 1
}

// errorMark reports whether a line begins with the mark of an error.
func errorMark(l trace.Line) bool {
	return l.Indent == 0 && (strings.HasPrefix(l.Text, "E  ") || l.Text == "E")
}

// testPlace reads "dir/a.py:12: rest".
func testPlace(l trace.Line) (raise.Frame, string, bool) {
	place, rest, ok := strings.Cut(l.Text, ": ")
	if !ok {
		place, ok = strings.CutSuffix(l.Text, ":")
	}
	path, n, numbered := trace.CutNumber(place, ":")
	return raise.Frame{Path: path, Line: n}, rest, ok && numbered && l.Indent == 0 && !strings.Contains(path, " ") && strings.HasSuffix(path, ".py")
}

// failure reads the lines of an error from line i on, and its place below them.
func (p *testReader) failure(i int) int {
	var all []trace.Line
	end := i
	for ; end < len(p.lines) && errorMark(p.lines[end]) && end-i < trace.MaxMessage; end++ {
		all = append(all, p.lines[end].At(1))
	}
	o := raise.Observation{Of: -1, Form: "pytest", Language: "Python", Span: raise.Span{Start: all[0].Start, End: all[len(all)-1].End}}
	base := all[0].Indent
	for k := range all {
		all[k].Indent = max(0, all[k].Indent-base)
	}
	// An assertion without a text of its own: what was compared is the tool's text.
	o.Type = "AssertionError"
	if !strings.HasPrefix(all[0].Text, "assert ") {
		o.Message = trace.Joined(all)
	}
	if name, _, _ := strings.Cut(all[0].Text, ":"); isError(all[0]) && (name != all[0].Text || !strings.HasPrefix(name, "assert")) {
		o.Type = name
		all[0].Text = strings.TrimLeft(strings.TrimPrefix(all[0].Text[len(name):], ":"), " ")
		// Behind the text of a failed assertion stands what was compared.
		for k := 1; k < len(all) && name == "AssertionError"; k++ {
			if strings.HasPrefix(all[k].Text, "assert ") {
				all = all[:k]
			}
		}
		o.Message = trace.Joined(all)
	}
	o.Whole = o.Span
	next := end
	for next < min(len(p.lines), end+3) && p.lines[next].Blank() {
		next++
	}
	if next < len(p.lines) {
		if f, rest, ok := testPlace(p.lines[next]); ok && !strings.HasPrefix(rest, "in ") {
			f.Function, f.Source = p.def, p.source
			p.frames = append(p.frames, f)
			o.Whole.End, end = p.lines[next].End, next+1
		}
	}
	for k := len(p.frames) - 1; k >= 0; k-- {
		o.Frames = append(o.Frames, p.frames[k])
	}
	if p.link == "" {
		p.flush()
	}
	p.chain, p.links = append(p.chain, o), append(p.links, "")
	if p.link != "" && len(p.links) > 1 {
		p.links[len(p.links)-2] = p.link
	}
	p.link, p.frames, p.source, p.def = "", nil, "", ""
	return end
}

// flush ends the chain of one failure.
func (p *testReader) flush() {
	p.out = append(p.out, trace.Chain(p.chain, p.links, len(p.out))...)
	p.chain, p.links, p.link, p.frames = nil, nil, "", nil
}

// summary reads "FAILED a.py::test_f - ValueError: text" of errors that the report does not show in full.
func (p *testReader) summary(l trace.Line) {
	if !strings.HasPrefix(l.Text, "FAILED ") && !strings.HasPrefix(l.Text, "ERROR ") {
		return
	}
	test, rest, ok := strings.Cut(l.Text, " - ")
	_, test, _ = strings.Cut(test, " ")
	path, _, named := strings.Cut(test, "::")
	if !ok || !named || !strings.HasSuffix(path, ".py") {
		return
	}
	o := raise.Observation{Of: -1, Form: "pytest", Language: "Python", Type: "AssertionError", Message: rest, Span: raise.Span{Start: l.End - len(rest), End: l.End}}
	if typ, message, ok := strings.Cut(rest, ": "); ok && typeName(typ) {
		o.Type, o.Message = typ, message
	}
	shown, cut := strings.CutSuffix(o.Message, "...")
	o.Cut = cut
	for i := range p.out {
		if p.out[i].Span.End < l.Start && strings.HasPrefix(p.out[i].Message, shown) {
			return
		}
	}
	p.out = append(p.out, o)
}
