package golang

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// failures reads what go test prints of failed tests: "    a_test.go:12: text" below "--- FAIL", with more lines that are indented
// further, and the form of assertion libraries with "Error Trace:" and "Error:".
func failures(text string) []raise.Observation {
	if !strings.Contains(text, "--- FAIL") && !strings.Contains(text, "=== ") {
		return nil
	}
	lines := trace.Lines(text)
	var out []raise.Observation
	function, failed := "", false
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if rest, ok := strings.CutPrefix(l.Text, "--- FAIL: "); ok {
			function, _, _ = strings.Cut(rest, " ")
			failed = true
			continue
		}
		if rest, ok := strings.CutPrefix(l.Text, "=== RUN"); ok {
			function, failed = strings.TrimSpace(rest), false
			continue
		}
		f, message, ok := testPlace(l)
		if !ok || !failed && !asserted(lines, i+1) {
			if l.Indent == 0 && !l.Blank() {
				failed = false
			}
			continue
		}
		end := i + 1
		for end < len(lines) && end-i < trace.MaxMessage && (lines[end].Indent > l.Indent && !strings.HasPrefix(lines[end].Text, "--- ")) {
			if _, _, another := testPlace(lines[end]); another {
				break
			}
			end++
		}
		f.Function, _, _ = strings.Cut(function, "/")
		o := raise.Observation{Message: message, Frames: []raise.Frame{f}, Of: -1, Form: "go test", Language: "Go",
			Span: raise.Span{Start: l.End - len(message), End: max(l.End, lines[end-1].End)}, Whole: raise.Span{Start: l.Start, End: max(l.End, lines[end-1].End)}}
		switch {
		case asserted(lines, i+1):
			assertion(&o, lines[i+1:end])
		case end > i+1:
			first := trace.Line{Text: message, Indent: l.Indent + 4}
			o.Message = strings.TrimSpace(trace.Joined(append([]trace.Line{first}, lines[i+1:end]...)))
		}
		if o.Message != "" {
			out = append(out, o)
		}
		i = end - 1
	}
	return out
}

// testPlace reads "    a_test.go:12: text".
func testPlace(l trace.Line) (raise.Frame, string, bool) {
	place, message, ok := strings.Cut(l.Text, ": ")
	if !ok {
		place, ok = strings.CutSuffix(l.Text, ":")
	}
	path, n, numbered := trace.CutNumber(place, ":")
	return raise.Frame{Path: path, Line: n}, message, ok && numbered && l.Indent > 0 && strings.HasSuffix(path, ".go") && !strings.Contains(path, " ")
}

// asserted reports whether line i begins the table that assertion libraries print.
func asserted(lines []trace.Line, i int) bool {
	return i < len(lines) && strings.HasPrefix(lines[i].Text, "Error Trace:")
}

// assertion reads such a table.
func assertion(o *raise.Observation, lines []trace.Line) {
	key := ""
	var text, messages []string
	o.Frames = nil
	for _, l := range lines {
		name, rest, ok := strings.Cut(l.Text, ":")
		switch {
		case ok && (name == "Error Trace" || name == "Error" || name == "Test" || name == "Messages"):
			key, rest = name, strings.TrimSpace(rest)
		default:
			rest = l.Text
		}
		switch key {
		case "Error Trace":
			if path, n, ok := trace.CutNumber(rest, ":"); ok && len(o.Frames) < trace.MaxFrames {
				o.Frames = append(o.Frames, raise.Frame{Path: path, Line: n})
			}
		case "Error":
			if rest != "" {
				text = append(text, rest)
				o.Span.End = l.End
			}
			if len(text) == 1 && rest != "" {
				o.Span.Start = l.End - len(rest)
			}
		case "Messages":
			messages = append(messages, rest)
		}
	}
	// An unexpected error is what was raised; otherwise the library's own words are all there is.
	if len(text) > 1 && strings.HasPrefix(text[0], "Received unexpected error") {
		text = text[1:]
	}
	o.Message = strings.Join(text, "\n")
	if o.Message == "" {
		o.Message = strings.Join(messages, "\n")
	}
}
