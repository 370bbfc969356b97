package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxDrawn is how many lines a drawn traceback may have.
const maxDrawn = 2000

// notebook reads a traceback as IPython prints it: the type beside the mark, frames with several lines of source each, of which an
// arrow marks one, and the error at the end.
func (r *tracebackReader) notebook(i int, typ string) int {
	n := &node{Observation: raise.Observation{Of: -1, Form: tracebackForm, Language: "Python"}}
	n.Whole.Start = r.lines[i].Start
	last := typ[strings.LastIndexByte(typ, '.')+1:]
	var frames []raise.Frame
	for k := i + 1; k < min(len(r.lines), i+maxDrawn); k++ {
		l := r.lines[k]
		f, isFrame := frame(l.Text)
		if !isFrame {
			f, isFrame = oldFrame(l.Text)
		}
		name, _, _ := strings.Cut(l.Text, ":")
		switch {
		case isFrame && l.Indent == 0:
			frames = append(frames, f)
		case l.Indent == 0 && strings.HasPrefix(l.Text, "--") && len(frames) > 0:
			if number, source, ok := arrow(l.Text); ok {
				f := &frames[len(frames)-1]
				f.Source = source
				if f.Line == 0 {
					f.Line = number
				}
			}
		case l.Indent == 0 && isError(l) && name[strings.LastIndexByte(name, '.')+1:] == last:
			for f := len(frames) - 1; f >= 0 && len(n.Frames) < trace.MaxFrames; f-- {
				n.Frames = append(n.Frames, frames[f])
			}
			next := r.message(n, k, 0)
			r.add(n, 0)
			return next
		case k > i+1 && strings.Contains(l.Text, tracebackMark):
			return k
		}
	}
	return i + 1
}

// oldFrame reads "~/a.py in f(x)" and "<ipython-input-1-2> in f(x)" of older notebooks, whose line the arrow names.
func oldFrame(s string) (raise.Frame, bool) {
	path, function, ok := strings.Cut(s, " in ")
	if !ok || strings.Contains(path, " ") || !strings.HasSuffix(path, ".py") && !strings.HasPrefix(path, "<ipython-input") {
		return raise.Frame{}, false
	}
	function, _, _ = strings.Cut(function, "(")
	return raise.Frame{Path: path, Function: function}, true
}

// arrow reads "---> 12     source".
func arrow(s string) (n int, source string, ok bool) {
	rest := strings.TrimLeft(s, "-")
	number, ok := strings.CutPrefix(rest, "> ")
	if !ok {
		return 0, "", false
	}
	number = strings.TrimLeft(number, " ")
	digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
	return trace.Number(number[:digits]), strings.TrimSpace(number[digits:]), digits > 0
}

// drawn reads a traceback in a box: "│ /app/a.py:12 in f │", source with "❱" before one line, and the error below the box. The sides
// of the box may have been taken away.
func (r *tracebackReader) drawn(i int) int {
	n := &node{Observation: raise.Observation{Of: -1, Form: tracebackForm, Language: "Python"}}
	n.Whole.Start = r.lines[i].Start
	var frames []raise.Frame
	k := i + 1
	for ; k < min(len(r.lines), i+maxDrawn) && !strings.HasPrefix(r.lines[k].Text, "╰"); k++ {
		if strings.Contains(r.lines[k].Text, tracebackMark) {
			return k
		}
		text := strings.Trim(r.lines[k].Text, "│ ")
		if place, function, ok := strings.Cut(text, " in "); ok {
			if path, line, ok := trace.CutNumber(place, ":"); ok && !strings.Contains(path, " ") {
				frames = append(frames, raise.Frame{Path: path, Line: line, Function: function})
			}
		}
		if rest, ok := strings.CutPrefix(text, "❱ "); ok && len(frames) > 0 {
			rest = strings.TrimLeft(rest, " 0123456789")
			frames[len(frames)-1].Source = strings.TrimSpace(strings.TrimPrefix(rest, "│"))
		}
	}
	if k+1 >= len(r.lines) || !strings.HasPrefix(r.lines[k].Text, "╰") || !isError(r.lines[k+1]) {
		return i + 1
	}
	for f := len(frames) - 1; f >= 0 && len(n.Frames) < trace.MaxFrames; f-- {
		n.Frames = append(n.Frames, frames[f])
	}
	next := r.message(n, k+1, 0)
	r.add(n, 0)
	return next
}
