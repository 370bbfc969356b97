package golang

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// traces are the forms in which the runtime, libraries that keep stacks, and go test print errors.
func traces() []lang.Trace {
	return []lang.Trace{{Name: "Go panic", Find: panics}, {Name: "Go stack", Find: stacks}, {Name: "go test", Find: failures}}
}

// panicMarks are what a line of the runtime that says why a program died begins with, or holds behind a log's prefix.
func panicMarks() []string { return []string{"panic: ", "fatal error: "} }

// panics reads panics with their goroutine.
func panics(text string) []raise.Observation {
	if !strings.Contains(text, "goroutine ") {
		return nil
	}
	lines := trace.Lines(text)
	var out []raise.Observation
	for i := 0; i < len(lines); i++ {
		at, start := panicAt(lines[i].Text)
		if at < 0 {
			continue
		}
		head, ok := goroutineHead(lines, i+1)
		if !ok {
			continue
		}
		calls, next := goroutine(lines, head+1)
		chain := values(lines[i:head], at)
		for k := range chain {
			o := &chain[k]
			o.Of, o.Type, o.Form, o.Language = -1, "panic", "Go panic", "Go"
			if k == 0 {
				o.Span.Start = lines[i].Start + start
				o.Whole.Start = o.Span.Start
			}
		}
		// The last panic stands above the call that the one before it made: the first one is at the bottom.
		for k := range min(len(chain), len(calls)) {
			chain[len(chain)-min(len(chain), len(calls))+k].Frames = calls[len(calls)-1-k]
		}
		chain[len(chain)-1].Whole = raise.Span{Start: lines[i].Start + start, End: lines[next-1].End}
		links := make([]string, len(chain))
		for k := range links {
			links[k] = "context"
		}
		out = append(out, trace.Chain(chain, links, len(out))...)
		i = next - 1
	}
	return out
}

// panicAt finds where the value of a panic begins in a line, and where its mark does; -1 if there is none.
func panicAt(s string) (value, mark int) {
	for _, m := range panicMarks() {
		if i := strings.Index(s[:min(len(s), 300)], m); i == 0 || i > 0 && strings.HasSuffix(s[:i], " ") {
			return i + len(m), i
		}
	}
	// Servers recover and log: "http: panic serving 10.0.0.1:1234: text".
	if i := strings.Index(s[:min(len(s), 300)], "panic serving "); i >= 0 {
		if j := strings.Index(s[i+len("panic serving "):], ": "); j >= 0 {
			return i + len("panic serving ") + j + 2, i
		}
	}
	return -1, 0
}

// goroutineHead finds "goroutine 1 [running]:" within the lines of a message; another panic's line that is not nested ends the search.
func goroutineHead(lines []trace.Line, i int) (int, bool) {
	for k := i; k < min(len(lines), i+trace.MaxMessage); k++ {
		l := lines[k]
		if strings.HasPrefix(l.Text, "goroutine ") && strings.HasSuffix(l.Text, ":") {
			return k, true
		}
		if l.Indent == 0 && (strings.HasPrefix(l.Text, "panic: ") || strings.HasPrefix(l.Text, "fatal error: ")) {
			break
		}
	}
	return 0, false
}

// values splits the lines of a panic into its values, the first one first: a panic while another one is handled is printed below it.
func values(lines []trace.Line, at int) []raise.Observation {
	var out []raise.Observation
	first := lines[0]
	first.Text, first.Start, first.Indent = first.Text[at:], first.Start+at, 0
	part := []trace.Line{first}
	flush := func() {
		for len(part) > 1 && part[len(part)-1].Blank() {
			part = part[:len(part)-1]
		}
		text := value(trace.Joined(part))
		if n := len(out); n == 0 || out[n-1].Message != text { // the same value that was thrown again is one error
			out = append(out, raise.Observation{Message: text, Span: raise.Span{Start: part[0].Start, End: max(part[0].End, part[len(part)-1].End)}})
		}
	}
	for _, l := range lines[1:] {
		switch {
		case strings.HasPrefix(l.Text, "[signal "), strings.HasPrefix(l.Text, "goroutine "):
		case l.Indent > 0 && strings.HasPrefix(l.Text, "panic: "):
			flush()
			l = l.At(len("panic: "))
			l.Indent = 0
			part = []trace.Line{l}
		default:
			part = append(part, l)
		}
	}
	flush()
	return out
}

// value removes what the runtime prints around a panic's value.
func value(s string) string {
	for _, suffix := range []string{" [recovered, repanicked]", " [recovered]"} {
		s = strings.TrimSuffix(s, suffix)
	}
	// Values of types that are texts are printed as main.T("text").
	if i := strings.Index(s, `("`); i > 0 && i+4 <= len(s) && strings.HasSuffix(s, `")`) && !strings.ContainsAny(s[:i], " \n") {
		s = s[i+2 : len(s)-2]
	}
	return s
}

// goroutine reads the frames of a goroutine from line i on, those of the runtime left out, split where a panic was raised, and
// returns the line behind them.
func goroutine(lines []trace.Line, i int) (calls [][]raise.Frame, next int) {
	var frames []raise.Frame
	function := ""
	for ; i < len(lines); i++ {
		text := lines[i].Text
		if f, ok := file(lines[i]); ok {
			if function == "panic" && len(calls) < trace.MaxFrames {
				calls, frames = append(calls, frames), nil
			}
			if function != "" && !ofRuntime(function) && len(frames) < trace.MaxFrames {
				f.Function = function
				frames = append(frames, f)
			}
			function = ""
			continue
		}
		name, ok := call(text)
		if strings.HasPrefix(text, "created by ") {
			name, ok = "", true // where a goroutine was started raised nothing
		}
		if !ok && !strings.HasPrefix(text, "...") {
			break
		}
		function = name
	}
	return append(calls, frames), i
}

func ofRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "panic") || strings.HasPrefix(function, "runtime/debug.")
}

// call reads "pkg/path.(*T).m(0x1, …)".
func call(s string) (string, bool) {
	if !strings.HasSuffix(s, ")") {
		return "", false
	}
	depth, open := 0, -1
	for i := len(s) - 1; i >= 0 && open < 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				open = i
			}
		}
	}
	return s[:max(open, 0)], open > 0 && functionLike(s[:open])
}

// functionLike reports whether a text is a function's name with its package.
func functionLike(s string) bool {
	if s == "panic" {
		return true
	}
	dot := strings.IndexByte(s[strings.LastIndexByte(s, '/')+1:], '.')
	return dot > 0 && !strings.ContainsAny(s, " \t\"':;=") || strings.Contains(s, "[...]") && dot > 0
}

// file reads the place of a frame: "\t/src/a.go:12 +0x1d".
func file(l trace.Line) (raise.Frame, bool) {
	if l.Indent == 0 {
		return raise.Frame{}, false
	}
	place, _, _ := strings.Cut(l.Text, " +0x")
	path, n, ok := trace.CutNumber(place, ":")
	return raise.Frame{Path: path, Line: n}, ok && (strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".s") || path == "_cgo_gotypes.go")
}

// stacks reads errors that carry a stack and are printed with it: a text, then functions, each with its place below it. Wrapped
// errors are printed from the innermost.
func stacks(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out, chain []raise.Observation
	flush := func() {
		links := make([]string, len(chain))
		for k := range links {
			links[k] = "wrapped"
		}
		out = append(out, trace.Chain(chain, links, len(out))...)
		chain = nil
	}
	behind := -1 // the line behind the last stack
	for i := 1; i+1 < len(lines); i++ {
		if !pair(lines, i) {
			continue
		}
		head := lines[i-1]
		var frames []raise.Frame
		next := i
		for ; pair(lines, next); next += 2 {
			f, _ := file(lines[next+1])
			if f.Function = strings.TrimSuffix(lines[next].Text, "(...)"); !ofRuntime(f.Function) && len(frames) < trace.MaxFrames {
				frames = append(frames, f)
			}
		}
		if head.Blank() || startsLog(head.Text) || strings.HasPrefix(head.Text, "goroutine ") {
			i = next - 1
			continue
		}
		if behind != i-1 {
			flush()
		}
		chain = append(chain, raise.Observation{Message: head.Text, Of: -1, Form: "Go stack", Language: "Go", Frames: frames,
			Span: raise.Span{Start: head.Start, End: head.End}, Whole: raise.Span{Start: head.Start, End: lines[next-1].End}})
		behind, i = next, next-1
	}
	flush()
	return out
}

// pair reports whether a function and its place stand on lines i and i+1.
func pair(lines []trace.Line, i int) bool {
	if i+1 >= len(lines) || lines[i].Indent > 0 || !functionLike(lines[i].Text) {
		return false
	}
	_, ok := file(lines[i+1])
	return ok && !strings.HasSuffix(lines[i].Text, ")")
}

// startsLog reports whether a line begins as a record of a log does: the log's form knows its text better.
func startsLog(s string) bool {
	return s != "" && (s[0] >= '0' && s[0] <= '9' || s[0] == '{' || s[0] == '[')
}
