package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// traces are the forms in which the interpreter, notebooks and test tools print errors.
func traces() []lang.Trace {
	return []lang.Trace{{Name: tracebackForm, Find: tracebacks}, {Name: "pytest", Find: testReports}}
}

const tracebackForm = "Python traceback"

// tracebackMark stands in the first line of every traceback.
const tracebackMark = "Traceback (most recent call last)"

// node is one traceback of a report. The interpreter prints a chain from its innermost error, and the members of a group below the
// group, each as a chain of its own behind further marks.
type node struct {
	raise.Observation
	link    string    // how it is tied to the next one of its chain
	members [][]*node // of a group
}

// level is a chain that is being read: all its lines begin with width bytes of marks.
type level struct {
	width int
	chain *[]*node
}

// tracebackReader reads the tracebacks of a report.
type tracebackReader struct {
	text  string
	lines []trace.Line
	roots [][]*node
	open  []level
	link  string // said between two tracebacks
	fresh bool   // a member begins: what follows is no part of the chain before it
}

func tracebacks(text string) []raise.Observation {
	if !strings.Contains(text, tracebackMark) {
		return nil
	}
	r := &tracebackReader{text: text, lines: trace.Lines(text)}
	for i := 0; i < len(r.lines); {
		i = r.line(i)
	}
	r.close(0)
	var out []raise.Observation
	for _, chain := range r.roots {
		out = flatten(out, chain, -1, "")
	}
	return out
}

// flatten appends a chain, outermost first: each error, what it was made of, then its cause.
func flatten(out []raise.Observation, chain []*node, of int, link string) []raise.Observation {
	for k := len(chain) - 1; k >= 0; k-- {
		n := chain[k]
		n.Of, n.Link = of, link
		if k < len(chain)-1 {
			n.Link = n.link
		}
		self := len(out)
		out = append(out, n.Observation)
		for _, m := range n.members {
			out = flatten(out, m, self, "member")
		}
		of = self
	}
	return out
}

// line reads what begins on line i, and returns the line behind it.
func (r *tracebackReader) line(i int) int {
	l := r.lines[i]
	at := strings.Index(l.Text, tracebackMark)
	switch {
	case at < 0 && strings.Contains(l.Text, "During handling of the above exception, another exception occurred"):
		r.link = "context"
	case at < 0 && strings.Contains(l.Text, "The above exception was the direct cause of the following exception"):
		r.link = "cause"
	case at < 0 && separator(l.Text):
		r.fresh = true
		if i+1 < len(r.lines) && !strings.Contains(r.lines[i+1].Text, tracebackMark) {
			return r.bare(i + 1)
		}
	case at < 0:
	case strings.Contains(l.Text, "─"):
		return r.drawn(i)
	default:
		return r.traceback(i, at)
	}
	return i + 1
}

// separator reports whether a line begins a member of a group: "+-+---------------- 1 ----------------".
func separator(s string) bool {
	rest := strings.TrimLeft(s, "+-")
	return len(s)-len(rest) > 8 && strings.HasPrefix(rest, " ") && strings.HasSuffix(s, "--------") && strings.ContainsAny(rest[:min(4, len(rest))], "0123456789.")
}

// raw is a line with all that stands before its text.
func (r *tracebackReader) raw(i int) string {
	l := r.lines[i]
	return r.text[l.Start-l.Indent : l.End]
}

// body is a line behind width bytes of marks; ok is false if other text stands there.
func (r *tracebackReader) body(i, width int) (l trace.Line, ok bool) {
	raw := r.raw(i)
	n := min(width, len(raw))
	if strings.Trim(raw[:n], " |+\t") != "" {
		return l, false
	}
	rest := raw[n:]
	text := strings.TrimLeft(rest, " \t")
	start := r.lines[i].End - len(text)
	return trace.Line{Text: text, Start: start, End: start + len(text), Indent: len(rest) - len(text)}, true
}

// traceback reads the traceback whose head is on line i, with its mark at byte at of the text.
func (r *tracebackReader) traceback(i, at int) int {
	l := r.lines[i]
	before := strings.TrimSuffix(l.Text[:at], "Exception Group ")
	width := l.Indent
	switch {
	case strings.Trim(before, " |+") == "":
		width += len(before)
	case before != "" && strings.HasSuffix(before, "  ") && typeName(strings.TrimSpace(before)):
		return r.notebook(i, strings.TrimSpace(before))
	}
	n := &node{Observation: raise.Observation{Of: -1, Form: tracebackForm, Language: "Python"}}
	n.Whole.Start = l.Start + len(before)
	next, ok := r.frames(n, i+1, width)
	if !ok {
		return next
	}
	r.add(n, width)
	return next
}

// frames reads frames with their source, and the error behind them.
func (r *tracebackReader) frames(n *node, i, width int) (next int, ok bool) {
	var frames []raise.Frame
	for ; i < len(r.lines); i++ {
		l, inside := r.body(i, width)
		f, isFrame := frame(l.Text)
		switch {
		case !inside:
			return i, false
		case isFrame:
			if len(frames) >= 4*trace.MaxFrames { // the last ones are those that raise
				frames = append(frames[:0], frames[2*trace.MaxFrames:]...)
			}
			frames = append(frames, f)
		case l.Blank():
			if next, more := r.body(min(i+1, len(r.lines)-1), width); !more || i+1 >= len(r.lines) || !isFrameLine(next.Text) && !isError(next) {
				return i, false
			}
		case l.Indent > 0 && len(frames) > 0:
			if last := &frames[len(frames)-1]; last.Source == "" && strings.Trim(l.Text, "^~ ") != "" && !strings.HasPrefix(l.Text, "[Previous line repeated") {
				last.Source = l.Text
			}
		case isError(l):
			for k := len(frames) - 1; k >= 0 && len(n.Frames) < trace.MaxFrames; k-- {
				n.Frames = append(n.Frames, frames[k])
			}
			return r.message(n, i, width), true
		default:
			return i, false
		}
	}
	return i, false
}

func isFrameLine(s string) bool {
	_, ok := frame(s)
	return ok
}

// frame reads `File "a.py", line 12, in f`, and notebooks' `File ~/a.py:12, in f(x)` and `Cell In[1], line 12`.
func frame(s string) (raise.Frame, bool) {
	s = strings.TrimPrefix(s, "> ")
	if rest, ok := strings.CutPrefix(s, `File "`); ok {
		path, rest, ok := strings.Cut(rest, `", line `)
		if !ok {
			return raise.Frame{}, false
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		f := raise.Frame{Path: path, Line: trace.Number(rest[:digits])}
		f.Function, _ = strings.CutPrefix(rest[digits:], ", in ")
		return f, digits > 0
	}
	if rest, ok := strings.CutPrefix(s, "File "); ok {
		place, function, _ := strings.Cut(rest, ", in ")
		path, n, ok := trace.CutNumber(place, ":")
		function, _, _ = strings.Cut(function, "(")
		return raise.Frame{Path: path, Line: n, Function: function}, ok && !strings.Contains(path, " ")
	}
	if rest, ok := strings.CutPrefix(s, "Cell In["); ok {
		_, place, ok := strings.Cut(rest, "], line ")
		place, _, _ = strings.Cut(place, ",")
		return raise.Frame{Path: "<cell>", Line: trace.Number(place)}, ok
	}
	return raise.Frame{}, false
}

// isError reports whether a line is the one that names the error: a type, alone or with a text.
func isError(l trace.Line) bool {
	name, rest, _ := strings.Cut(l.Text, ":")
	return l.Indent == 0 && typeName(name) && (rest == "" || rest[0] == ' ')
}

// typeName reports whether a text is the name of a type as the interpreter prints it.
func typeName(s string) bool {
	return trace.TypeName(strings.ReplaceAll(s, ".<locals>.", "."), ".")
}

// message reads the error that line i names, and returns the line behind it.
func (r *tracebackReader) message(n *node, i, width int) int {
	l, _ := r.body(i, width)
	var text string
	n.Type, text, _ = strings.Cut(l.Text, ":")
	l.Text = strings.TrimPrefix(text, " ")
	all := []trace.Line{l}
	end := i + 1
	for ; end < len(r.lines) && end-i < trace.MaxMessage; end++ {
		more, inside := r.body(end, width)
		if !inside || more.Blank() || r.ends(end, more) || width > 0 && len(r.raw(end)) < width {
			break
		}
		all = append(all, more)
	}
	n.Message = trace.Joined(all)
	n.Span = raise.Span{Start: l.Start, End: max(l.End, r.lines[end-1].End)}
	if n.Whole.End = n.Span.End; n.Whole.Start == 0 && n.Whole.End != 0 {
		n.Whole.Start = min(n.Whole.Start, n.Span.Start)
	}
	if strings.HasSuffix(n.Message, " sub-exception)") || strings.HasSuffix(n.Message, " sub-exceptions)") {
		n.Message = strings.TrimRight(n.Message[:max(0, strings.LastIndexByte(n.Message, '('))], " ")
	}
	return end
}

// ends reports whether a line belongs to what follows a message: the next traceback, a link of the chain, a member, a log, a tool.
func (r *tracebackReader) ends(i int, l trace.Line) bool {
	if strings.Contains(l.Text, tracebackMark) || separator(r.lines[i].Text) || strings.HasPrefix(r.lines[i].Text, "+---") {
		return true
	}
	if l.Indent > 0 {
		return false
	}
	for _, p := range []string{"====", "----", "____", "FAILED ", "ERROR", "INFO", "WARNING", "DEBUG", "CRITICAL", "Ran ", "[20", "$ ", ">>>", "make: ", "make[",
		"npm ", "Process ", "Exception in thread", "Exception ignored in", "During handling of", "The above exception"} {
		if strings.HasPrefix(l.Text, p) {
			return true
		}
	}
	return len(l.Text) > 10 && l.Text[4] == '-' && l.Text[7] == '-' && trace.Number(l.Text[:4]) > 1900 // a date
}

// add puts a traceback into its chain.
func (r *tracebackReader) add(n *node, width int) {
	r.close(width + 1)
	if top := len(r.open) - 1; top >= 0 && r.open[top].width == width && r.link != "" && !r.fresh {
		chain := r.open[top].chain
		(*chain)[len(*chain)-1].link = r.link
		*chain = append(*chain, n)
	} else {
		r.close(width)
		r.open = append(r.open, level{width, &[]*node{n}})
	}
	r.link, r.fresh = "", false
}

// close ends the chains with at least so many bytes of marks, and files them under what they are members of.
func (r *tracebackReader) close(width int) {
	for len(r.open) > 0 && r.open[len(r.open)-1].width >= width {
		top := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		if len(r.open) == 0 {
			r.roots = append(r.roots, *top.chain)
			continue
		}
		over := *r.open[len(r.open)-1].chain
		group := over[len(over)-1]
		group.members = append(group.members, *top.chain)
	}
}

// bare reads a member of a group that has no traceback of its own.
func (r *tracebackReader) bare(i int) int {
	raw := r.raw(i)
	width := len(raw) - len(strings.TrimLeft(raw, " |"))
	l, _ := r.body(i, width)
	if len(r.open) == 0 || !isError(l) {
		return i
	}
	n := &node{Observation: raise.Observation{Of: -1, Form: tracebackForm, Language: "Python"}}
	n.Whole.Start = l.Start
	next := r.message(n, i, width)
	r.add(n, width)
	return next
}
