package rust

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces are the forms in which the runtime and the usual libraries print errors.
func Traces() []lang.Trace {
	return []lang.Trace{{Name: "Rust panic", Find: panics}, {Name: "Rust report", Find: reports}}
}

// panics reads "thread 'main' panicked at src/a.rs:5:10:" with the message below it, and the form before Rust 1.73, which has the
// message in quotes before the place.
func panics(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out []raise.Observation
	for i := 0; i < len(lines); i++ {
		at := strings.Index(lines[i].Text, "' panicked at ")
		open := strings.LastIndex(lines[i].Text[:max(at, 0)], "thread '")
		if at < 0 {
			// Newer versions print the thread's number behind its name.
			if at = strings.Index(lines[i].Text, ") panicked at "); at > 0 {
				open = strings.LastIndex(lines[i].Text[:at], "thread '")
			}
		}
		if at < 0 || open < 0 {
			continue
		}
		o := raise.Observation{Type: "panic", Of: -1, Form: "Rust panic", Language: "Rust"}
		start := lines[i].Start + open
		rest := at + len("' panicked at ")
		o.Span = raise.Span{Start: start, End: lines[i].End}
		var place raise.Frame
		end := i + 1
		if lines[i].Text[rest:] != "" && lines[i].Text[rest] == '\'' {
			o.Message, place, end = quoted(lines, i, rest)
		} else {
			var ok bool
			if place, ok = location(strings.TrimSuffix(lines[i].Text[rest:], ":")); !ok {
				continue
			}
			if strings.HasSuffix(lines[i].Text, ":") {
				end = messageEnd(lines, i+1)
				o.Message = trace.Joined(lines[i+1 : max(end, i+1)])
			}
		}
		if end > i+1 {
			o.Span.End = max(o.Span.End, lines[end-1].End)
		}
		frames, next := backtrace(lines, end)
		o.Frames, o.Whole = frames, raise.Span{Start: start, End: max(o.Span.End, lines[max(next, end)-1].End)}
		if place.Path != "" && (len(frames) == 0 || frames[0].Line != place.Line || !sameFile(frames[0].Path, place.Path)) {
			o.Frames = append([]raise.Frame{place}, frames...)
		}
		out = append(out, o)
		i = max(i, next-1)
	}
	return out
}

// sameFile reports whether one of two paths is the end of the other.
func sameFile(a, b string) bool {
	a, b = strings.TrimPrefix(a, "./"), strings.TrimPrefix(b, "./")
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// quoted reads a message in quotes with its place behind it: 'text', src/a.rs:5:10.
func quoted(lines []trace.Line, i, at int) (string, raise.Frame, int) {
	for k := i; k < min(len(lines), i+trace.MaxMessage); k++ {
		text := lines[k].Text
		if k > i && strings.Contains(text, " panicked at ") {
			break
		}
		close := strings.LastIndex(text, "', ")
		if close < 0 {
			continue
		}
		place, ok := location(text[close+3:])
		if !ok || k == i && close < at+1 {
			continue
		}
		all := append([]trace.Line(nil), lines[i:k+1]...)
		all[k-i].Text = text[:close]
		all[0].Text = all[0].Text[at+1:]
		return trace.Joined(all), place, k + 1
	}
	return strings.Trim(lines[i].Text[at:], "'"), raise.Frame{}, i + 1
}

// messageEnd is the line at which a message that begins on line i has ended.
func messageEnd(lines []trace.Line, i int) int {
	for k := i; k < min(len(lines), i+trace.MaxMessage); k++ {
		t := lines[k].Text
		if t == "" && k > i || strings.HasPrefix(t, "note: ") || t == "stack backtrace:" || strings.HasPrefix(t, "thread '") || strings.HasPrefix(t, "[202") ||
			strings.HasPrefix(t, "error: test failed") || strings.HasPrefix(t, "test ") || strings.HasPrefix(t, "---- ") {
			return k
		}
	}
	return min(len(lines), i+trace.MaxMessage)
}

// backtrace reads the frames of a backtrace that begins within the next lines, those of the runtime left out.
func backtrace(lines []trace.Line, i int) ([]raise.Frame, int) {
	var out []raise.Frame
	k := i
	for k < len(lines) && k < i+3 && lines[k].Text != "stack backtrace:" && lines[k].Text != "Stack backtrace:" {
		k++
	}
	if k >= len(lines) || k >= i+3 {
		return nil, i
	}
	function := ""
	for k++; k < len(lines); k++ {
		text := lines[k].Text
		if place, ok := strings.CutPrefix(text, "at "); ok {
			if f, ok := location(place); ok && !ofRuntime(function) && len(out) < trace.MaxFrames {
				f.Function = function
				out = append(out, f)
			}
			function = ""
			continue
		}
		number, name, ok := strings.Cut(text, ": ")
		if strings.Contains(text, "::") && !strings.Contains(text, " ") { // an inlined function has no number
			number, name, ok = "0", text, true
		}
		if !ok || number != "0" && trace.Number(number) == 0 {
			break
		}
		if address, rest, ok := strings.Cut(strings.TrimLeft(name, " "), " - "); ok && strings.HasPrefix(address, "0x") {
			name = rest
		}
		function = plainName(name)
	}
	return out, k
}

// plainName is a function's name without the hash that compilers add.
func plainName(s string) string {
	if i := strings.LastIndex(s, "::h"); i > 0 && len(s)-i == 19 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

func ofRuntime(function string) bool {
	for _, prefix := range []string{"std::", "core::", "rust_begin_unwind", "__rust", "<alloc::", "alloc::", "anyhow::", "<core::", "<std::"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

// location reads "src/a.rs:5:10" and "src/a.rs:5".
func location(s string) (raise.Frame, bool) {
	path, n, ok := trace.CutNumber(strings.TrimSpace(s), ":")
	if more, line, two := trace.CutNumber(path, ":"); two {
		path, n = more, line
	}
	return raise.Frame{Path: path, Line: n}, ok && n > 0 && !strings.ContainsAny(path, "\"'(){}")
}

// reports reads errors with their causes as anyhow, eyre and miette print them.
func reports(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out []raise.Observation
	for i := 0; i < len(lines); i++ {
		var chain []raise.Observation
		end := i + 1
		switch t := lines[i].Text; {
		case t == "Caused by:":
			chain, end = caused(lines, i)
		case t == "Error:" && i+1 < len(lines) && numbered(lines[i+1].Text) >= 0:
			chain, end = listed(lines, i+1)
		case strings.HasPrefix(t, "× "), strings.HasPrefix(t, "Error: × "), strings.HasPrefix(t, "Error:   × "):
			chain, end = drawn(lines, i)
		}
		if len(chain) < 2 && (len(chain) == 0 || lines[i].Text == "Caused by:") {
			continue
		}
		frames, next := backtrace(lines, end)
		if len(frames) == 0 {
			frames, next = spotted(lines, end)
		}
		base := len(out)
		for k, o := range chain {
			o.Form, o.Language = "Rust report", "Rust"
			if o.Of = -1; k > 0 {
				o.Of, o.Link = base+k-1, "cause"
			}
			if k == len(chain)-1 {
				o.Frames, o.Whole = frames, raise.Span{Start: o.Span.Start, End: max(o.Span.End, lines[max(next, end)-1].End)}
			}
			out = append(out, o)
		}
		i = max(i, next-1)
	}
	return out
}

// caused reads the causes below "Caused by:", and the error above it.
func caused(lines []trace.Line, i int) ([]raise.Observation, int) {
	k := i - 1
	for k >= 0 && k > i-3 && lines[k].Blank() {
		k--
	}
	if k < 0 || lines[k].Blank() || i+1 >= len(lines) || lines[i+1].Blank() || lines[i+1].Indent <= lines[i].Indent {
		return nil, i + 1
	}
	top := lines[k]
	if lower := strings.ToLower(top.Text); strings.HasPrefix(lower, "error: ") {
		top = top.At(len("error: "))
	} else if at := strings.Index(top.Text, " Error: "); at > 0 {
		top = top.At(at + len(" Error: "))
	}
	if strings.HasPrefix(top.Text, "at ") {
		return nil, i + 1
	}
	rest, end := listed(lines, i+1)
	if rest == nil {
		// A single cause has no number, and goes on while it is indented.
		for end = i + 1; end < len(lines) && !lines[end].Blank() && lines[end].Indent > lines[i].Indent && end-i < trace.MaxMessage; end++ {
		}
		rest = []raise.Observation{observation(lines[i+1:end], 0)}
	}
	return append([]raise.Observation{observation([]trace.Line{top}, 0)}, rest...), end
}

// numbered is the number of a line of a list of causes, "0: text", or -1.
func numbered(s string) int {
	digits, _, ok := strings.Cut(s, ": ")
	n := trace.Number(digits)
	if !ok || n == 0 && digits != "0" {
		return -1
	}
	return n
}

// listed reads numbered causes, each of which may have more lines that are indented further.
func listed(lines []trace.Line, i int) ([]raise.Observation, int) {
	var out []raise.Observation
	for i < len(lines) && numbered(lines[i].Text) == len(out) {
		end := i + 1
		for end < len(lines) && !lines[end].Blank() && lines[end].Indent > lines[i].Indent && numbered(lines[end].Text) < 0 && end-i < trace.MaxMessage {
			end++
		}
		out = append(out, observation(lines[i:end], strings.Index(lines[i].Text, ": ")+2))
		i = end
	}
	return out, i
}

// drawn reads the causes that miette draws as a tree: "× text", "├─▶ text", "╰─▶ text".
func drawn(lines []trace.Line, i int) ([]raise.Observation, int) {
	cross := strings.Index(lines[i].Text, "× ")
	out := []raise.Observation{observation(lines[i:i+1], cross+len("× "))}
	for i++; i < len(lines) && len(out) < 100; i++ {
		at := strings.Index(lines[i].Text, "▶ ")
		if at < 0 || at > 12 {
			break
		}
		out = append(out, observation(lines[i:i+1], at+len("▶ ")))
	}
	return out, i
}

// observation is one of the lines, without the first bytes.
func observation(lines []trace.Line, skip int) raise.Observation {
	all := append([]trace.Line(nil), lines...)
	all[0] = all[0].At(skip)
	return raise.Observation{Message: trace.Joined(all), Span: raise.Span{Start: all[0].Start, End: max(all[0].End, all[len(all)-1].End)}}
}

// spotted reads the place that eyre prints: "Location:" with the place below it.
func spotted(lines []trace.Line, i int) ([]raise.Frame, int) {
	for k := i; k < min(len(lines)-1, i+3); k++ {
		if lines[k].Text != "Location:" {
			continue
		}
		if f, ok := location(strings.TrimPrefix(lines[k+1].Text, "at ")); ok {
			return []raise.Frame{f}, k + 2
		}
	}
	return nil, i
}
