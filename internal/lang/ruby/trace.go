package ruby

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces are the forms in which the interpreter, Rails and test tools print errors.
func Traces() []lang.Trace {
	return []lang.Trace{{Name: "Ruby backtrace", Find: backtraces}, {Name: "Ruby logged", Find: logged}}
}

// backtraces reads "file:1:in 'm': text (Type)" and the "from" lines below it; the former reversed order has them above. A cause
// is printed below what it caused.
func backtraces(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out []raise.Observation
	floor, chained := 0, false
	for i := 0; i < len(lines); i++ {
		first, rest, ok := place(lines[i].Text)
		if !ok || strings.HasPrefix(lines[i].Text, "from ") {
			if lines[i].Blank() {
				chained = false
			}
			continue
		}
		end, typ, message, ok := headEnd(lines, i, rest)
		if !ok {
			continue
		}
		o := raise.Observation{Type: typ, Message: message, Of: -1, Form: "Ruby backtrace", Language: "Ruby", Frames: []raise.Frame{first}}
		o.Span = raise.Span{Start: lines[i].End - len(rest), End: lines[end-1].End}
		next, top := end, i
		for ; next < len(lines); next++ {
			f, ok := from(lines[next].Text)
			if !ok {
				break
			}
			o.Frames = append(o.Frames, f)
		}
		for k := i - 1; next == end && k >= floor; k-- { // the reversed order
			f, ok := from(lines[k].Text)
			if !ok {
				break
			}
			o.Frames, top = append(o.Frames, f), k
		}
		o.Frames = o.Frames[:min(len(o.Frames), trace.MaxFrames)]
		o.Whole = raise.Span{Start: lines[top].Start, End: lines[next-1].End}
		if chained {
			o.Of, o.Link = len(out)-1, "cause"
		}
		out = append(out, o)
		chained, floor, i = next > end, next, next-1
	}
	return out
}

// place reads "file.rb:12:in 'm': " and returns what follows it.
func place(s string) (raise.Frame, string, bool) {
	colon := strings.Index(s, ":in ")
	if colon < 1 || colon > 1000 {
		return raise.Frame{}, "", false
	}
	path, n, ok := trace.CutNumber(s[:colon], ":")
	rest := s[colon+4:]
	if !ok || rest == "" || rest[0] != '\'' && rest[0] != '`' {
		return raise.Frame{}, "", false
	}
	close := strings.IndexByte(rest[1:], '\'')
	if close < 0 {
		return raise.Frame{}, "", false
	}
	f := raise.Frame{Path: path, Line: n, Function: functionName(rest[1 : close+1])}
	rest = rest[close+2:]
	return f, strings.TrimPrefix(strings.TrimPrefix(rest, ":"), " "), true
}

// functionName is the method of a frame, without the block in it.
func functionName(s string) string {
	if i := strings.LastIndex(s, " in "); i >= 0 {
		s = s[i+4:]
	}
	return s
}

// headEnd reads the first line of an error, which ends with the type in parentheses, and finds the line behind its message: more
// lines belong to it if frames follow them.
func headEnd(lines []trace.Line, i int, rest string) (end int, typ, message string, ok bool) {
	open := strings.LastIndex(rest, " (")
	if open < 0 || !strings.HasSuffix(rest, ")") || !typeName(rest[open+2:len(rest)-1]) {
		return 0, "", "", false
	}
	typ = rest[open+2 : len(rest)-1]
	first := lines[i]
	first.Text = strings.TrimRight(rest[:open], " ")
	for end = i + 1; end < min(len(lines), i+trace.MaxMessage); end++ {
		if _, ok := from(lines[end].Text); ok {
			return end, typ, trace.Joined(append([]trace.Line{first}, lines[i+1:end]...)), true
		}
		if _, _, ok := place(lines[end].Text); ok || lines[end].Blank() {
			break
		}
	}
	return i + 1, typ, first.Text, true
}

func typeName(s string) bool {
	return s != "" && s[0] >= 'A' && s[0] <= 'Z' && trace.TypeName(s, ":")
}

// from reads "from file.rb:12:in 'm'", with the number that the reversed order puts before it.
func from(s string) (raise.Frame, bool) {
	if i := strings.Index(s, ": from "); i > 0 && trace.Number(s[:i]) > 0 {
		s = s[i+2:]
	}
	s, ok := strings.CutPrefix(s, "from ")
	if !ok {
		return raise.Frame{}, false
	}
	return bare(s)
}

// bare reads a place with or without a method.
func bare(s string) (raise.Frame, bool) {
	if f, rest, ok := place(s); ok {
		return f, rest == ""
	}
	path, n, ok := trace.CutNumber(s, ":")
	return raise.Frame{Path: path, Line: n}, ok && !strings.ContainsAny(path, " ()\"'")
}

// logged reads an error whose backtrace is a list of places below it: Rails logs, RSpec ("# ./lib/a.rb:3:in 'm'"), Minitest, Sidekiq.
func logged(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out []raise.Observation
	floor := 0
	for i := 0; i < len(lines); i++ {
		if _, ok := listed(lines[i].Text); !ok {
			continue
		}
		first := i
		var frames []raise.Frame
		for ; i < len(lines); i++ {
			f, ok := listed(lines[i].Text)
			if !ok {
				break
			}
			if len(frames) < trace.MaxFrames {
				frames = append(frames, f)
			}
		}
		if o, ok := above(lines, floor, first); ok {
			o.Frames, o.Whole = frames, raise.Span{Start: o.Span.Start, End: lines[i-1].End}
			out = append(out, o)
		}
		floor = i
	}
	return out
}

// listed reads a line of a list of places.
func listed(s string) (raise.Frame, bool) {
	s = strings.TrimPrefix(s, "# ")
	if place, _, _ := strings.Cut(s, ":in "); strings.Contains(place, " ") {
		return raise.Frame{}, false
	}
	if !strings.Contains(s, ".rb:") && !strings.Contains(s, ".erb:") && !strings.Contains(s, ".rake:") {
		return raise.Frame{}, false
	}
	return bare(s)
}

// above finds the error over a list of places: "Type: text", "Type (text):", or a type with the text on the lines below it.
func above(lines []trace.Line, floor, first int) (raise.Observation, bool) {
	o := raise.Observation{Of: -1, Form: "Ruby logged", Language: "Ruby"}
	for k := first - 1; k >= max(floor, first-30); k-- {
		l := lines[k]
		if k == first-1 {
			l = behindPrefix(l)
		}
		name := l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:"))]
		name = strings.TrimRight(name, ":")
		if !typeName(name) {
			continue
		}
		rest := l.Text[len(name):]
		o.Type = name
		switch {
		case strings.HasPrefix(rest, " (") && strings.HasSuffix(strings.TrimSuffix(rest, ":"), ")"):
			o.Message = strings.TrimSuffix(strings.TrimSuffix(rest[2:], ":"), ")")
			o.Span = raise.Span{Start: l.Start, End: l.End}
			return o, true
		case strings.HasPrefix(rest, ": "), rest == ":":
			all := append([]trace.Line(nil), lines[k:first]...)
			all[0].Text = strings.TrimSpace(rest[1:])
			for len(all) > 1 && all[len(all)-1].Blank() {
				all = all[:len(all)-1]
			}
			if all[0].Blank() {
				all = all[1:]
			}
			if len(all) == 0 || !errorLike(name) {
				continue
			}
			o.Message = trace.Joined(all)
			o.Span = raise.Span{Start: l.Start, End: max(l.End, all[len(all)-1].End)}
			return o, o.Message != ""
		}
	}
	return o, false
}

// behindPrefix is a line from the type of an error on that stands behind the prefix of a log.
func behindPrefix(l trace.Line) trace.Line {
	for at := 0; at < min(len(l.Text), 300); {
		word, _, more := strings.Cut(l.Text[at:], " ")
		if name, ok := strings.CutSuffix(word, ":"); ok && typeName(name) && errorLike(name) {
			return l.At(at)
		}
		if at += len(word) + 1; !more {
			break
		}
	}
	return l
}

func errorLike(name string) bool {
	last := name[strings.LastIndexByte(name, ':')+1:]
	for _, ending := range []string{"Error", "Exception", "Failure", "NotFound", "Invalid", "Timeout", "Interrupt", "Exit", "Expired", "Forbidden", "Assertion"} {
		if strings.HasSuffix(last, ending) {
			return true
		}
	}
	return strings.Contains(name, "::")
}
