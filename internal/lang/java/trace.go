// Package java reads reports of programs that run on the Java virtual machine: stack traces of Java and Kotlin.
package java

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces are the forms in which the virtual machine and test tools print errors.
func Traces() []lang.Trace {
	return []lang.Trace{{Name: "JVM stack", Find: stacks}, {Name: "Surefire", Find: summaries}}
}

// reader makes observations of the runs of frames in a report.
type reader struct {
	lines   []trace.Line
	out     []raise.Observation
	indents []int // of the head of each observation
	group   int   // the first observation of the chain that is read
	floor   int   // lines before it belong to what was already read
	wrapped bool  // the chain is printed from its root
}

func stacks(text string) []raise.Observation {
	r := &reader{lines: trace.Lines(text)}
	for i := 0; i < len(r.lines); {
		if _, ok := frame(r.lines[i].Text); !ok {
			i++
			continue
		}
		i = r.run(i)
	}
	r.turn()
	return r.out
}

// run reads the frames from line i on, and returns the line behind them.
func (r *reader) run(i int) int {
	var frames []raise.Frame
	first, last := i, i
	for ; i < len(r.lines); i++ {
		text := r.lines[i].Text
		if f, ok := frame(text); ok {
			if last = i; len(frames) < trace.MaxFrames {
				frames = append(frames, f)
			}
			continue
		}
		if !omitted(text) && !strings.HasPrefix(text, "- ") {
			break
		}
		last = i
	}
	h, ok := r.head(first)
	r.floor = last + 1
	if !ok {
		return last + 1
	}
	o := raise.Observation{Type: h.name, Message: r.message(h, first), Frames: frames, Of: -1, Form: "JVM stack", Language: "Java"}
	o.Span = raise.Span{Start: h.start, End: r.lines[first-1].End}
	o.Whole = raise.Span{Start: r.lines[h.line].Start, End: r.lines[last].End}
	r.add(o, h)
	return last + 1
}

// omitted reports whether a line stands for frames that were left out.
func omitted(s string) bool {
	return strings.HasPrefix(s, "... ") && (strings.HasSuffix(s, " more") || strings.HasSuffix(s, "omitted") || strings.Contains(s, "truncated"))
}

// add ties an observation to the chain that it is a part of.
func (r *reader) add(o raise.Observation, h head) {
	switch {
	case h.label == "" || len(r.out) == r.group:
		r.turn()
		r.group = len(r.out)
	case h.label == "wrapped":
		r.wrapped = true
	default:
		o.Link, o.Of = h.label, len(r.out)-1
		for k := len(r.out) - 1; k >= r.group; k-- {
			if d := r.indents[k] - h.indent; d == 0 && h.label == "cause" || d < 0 && h.label == "suppressed" {
				o.Of = k
				break
			}
		}
	}
	r.out, r.indents = append(r.out, o), append(r.indents, h.indent)
}

// turn puts a chain that was printed from its root the other way round.
func (r *reader) turn() {
	if r.wrapped {
		links := make([]string, len(r.out)-r.group)
		for i := range links {
			links[i] = "cause"
		}
		r.out = append(r.out[:r.group], trace.Chain(r.out[r.group:], links, r.group)...)
	}
	r.group, r.wrapped = len(r.out), false
}

// head is the line that an error begins with.
type head struct {
	label   string // how it is tied to what stands above: "cause", "suppressed", "wrapped", ""
	name    string
	line    int
	start   int // of the type in the report
	message int // where the message begins in the line
	indent  int
}

// labels are what stands before the errors of a chain.
func labels() map[string]string {
	return map[string]string{"Caused by: ": "cause", "Suppressed: ": "suppressed", "Wrapped by: ": "wrapped"}
}

// head looks for the beginning of the error whose frames begin at line first.
func (r *reader) head(first int) (head, bool) {
	for k := first - 1; k >= max(r.floor, first-trace.MaxMessage); k-- {
		l := r.lines[k]
		h := head{line: k, indent: l.Indent}
		text := l
		for label, link := range labels() {
			if strings.HasPrefix(l.Text, label) {
				h.label, text = link, l.At(len(label))
			}
		}
		rest, named := strings.CutPrefix(text.Text, `Exception in thread "`)
		if i := strings.Index(rest, `" `); named && i >= 0 {
			text = text.At(len(text.Text) - len(rest) + i + 2)
		}
		if h.label == "" && k > 0 && r.lines[k-1].Text == "Caused by:" {
			h.label, h.indent = "cause", r.lines[k-1].Indent
		}
		if name, message, ok := typed(text.Text, named || h.label != "", k == first-1); ok {
			h.name, h.start, h.message = name, text.Start, text.Start-l.Start+message
			return h, true
		}
		if name, at, ok := inside(l.Text); ok {
			h.name, h.start, h.message = name, l.Start+at, at+len(name)
			return h, true
		}
	}
	return head{}, false
}

// typed reads "a.b.SomeException: text" or the type alone. Where a type is sure to stand any name will do, right above the frames any
// qualified one.
func typed(s string, sure, near bool) (name string, message int, ok bool) {
	name, _, _ = strings.Cut(s, ":")
	if !trace.TypeName(name, ".$/") || name == "java.lang.Thread.State" {
		return "", 0, false
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	capital := last != "" && last[0] >= 'A' && last[0] <= 'Z'
	return name, len(name), capital && (sure || errorLike(name) || near && len(last) < len(name))
}

// errorLike reports whether a name is that of an error by its ending.
func errorLike(name string) bool {
	for _, ending := range []string{"Exception", "Error", "Throwable", "Failure", "Fault", "Interrupt"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}

// inside finds a qualified type that stands in a line of a log, with ":" or nothing behind it.
func inside(s string) (name string, at int, ok bool) {
	for at < len(s) && at < 4000 {
		word, _, _ := strings.Cut(s[at:], " ")
		name, _, _ = strings.Cut(word, ":")
		if strings.Contains(name, ".") && errorLike(name) && trace.TypeName(name, ".$") && (len(word) == len(name)+1 || at+len(word) == len(s)) {
			return name, at, true
		}
		at += len(word) + 1
	}
	return "", 0, false
}

// message is the text of an error, which goes on until its frames.
func (r *reader) message(h head, first int) string {
	lines := append([]trace.Line(nil), r.lines[h.line:first]...)
	lines[0].Text = strings.TrimLeft(strings.TrimPrefix(lines[0].Text[h.message:], ":"), " ")
	return trace.Joined(lines)
}

// frame reads "at com.acme.App.start(App.java:42)", with a module before it and a jar behind.
func frame(s string) (raise.Frame, bool) {
	s, ok := strings.CutPrefix(s, "at ")
	open := strings.IndexByte(s, '(')
	if !ok || open < 1 {
		return raise.Frame{}, false
	}
	end := strings.IndexByte(s[open:], ')')
	function := s[strings.LastIndexByte(s[:open], '/')+1 : open]
	if end < 0 || !strings.Contains(function, ".") || strings.ContainsAny(s[:open], " :\"'") {
		return raise.Frame{}, false
	}
	place := s[open+1 : open+end]
	if strings.ContainsAny(place, "/\\") || !(strings.Contains(place, ".") || place == "Native Method" || place == "<generated>" || strings.HasPrefix(place, "Unknown Source") || strings.HasPrefix(place, "SourceFile")) {
		return raise.Frame{}, false
	}
	f := raise.Frame{Function: function}
	if path, n, ok := trace.CutNumber(place, ":"); ok {
		place, f.Line = path, n
	}
	if strings.Contains(place, ".") {
		f.Path = folder(function) + place
	}
	return f, true
}

// folder is where the package of a function keeps its files.
func folder(function string) string {
	at := 0
	for {
		dot := strings.IndexByte(function[at:], '.')
		if dot < 0 || at < len(function) && function[at] >= 'A' && function[at] <= 'Z' {
			return strings.ReplaceAll(function[:at], ".", "/")
		}
		at += dot + 1
	}
}

// summaries reads the list of failures at the end of a run: "[ERROR]   FooTest.testBar:42->helper:50 expected …".
func summaries(text string) []raise.Observation {
	var out []raise.Observation
	for _, l := range trace.Lines(text) {
		rest, ok := strings.CutPrefix(l.Text, "[ERROR]")
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		place, message, ok := strings.Cut(rest, " ")
		if !ok {
			continue
		}
		o := raise.Observation{Of: -1, Form: "Surefire", Language: "Java", Message: message, Span: raise.Span{Start: l.End - len(message), End: l.End}}
		class := ""
		for _, call := range strings.Split(place, "->") {
			name, line, ok := trace.CutNumber(call, ":")
			if !ok || !trace.TypeName(name, ".$") {
				o.Frames = nil
				break
			}
			if i := strings.LastIndexByte(name, '.'); i > 0 {
				class = name[:i]
			} else {
				name = class + "." + name
			}
			path, _, _ := strings.Cut(class, ".")
			o.Frames = append([]raise.Frame{{Path: path + ".java", Line: line, Function: name}}, o.Frames...)
		}
		if typ, text, ok := strings.Cut(message, " "); ok && typ == "»" {
			o.Type, o.Message, _ = strings.Cut(text, " ")
		}
		if len(o.Frames) > 0 && o.Message != "" {
			out = append(out, o)
		}
	}
	return out
}
