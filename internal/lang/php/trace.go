package php

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces are the forms in which the interpreter, frameworks and test tools print errors.
func Traces() []lang.Trace {
	return []lang.Trace{{Name: "PHP stack", Find: stacks}, {Name: "PHP message", Find: messages}}
}

// stacks reads exceptions with "Stack trace:" or "[stacktrace]". A chain is printed from its innermost, each next one behind "Next".
func stacks(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out, chain []raise.Observation
	flush := func() {
		links := make([]string, len(chain))
		for i := range links {
			links[i] = "cause"
		}
		out = append(out, trace.Chain(chain, links, len(out))...)
		chain = nil
	}
	floor := 0
	for i := 0; i < len(lines); i++ {
		mark := lines[i].Text
		if mark != "Stack trace:" && mark != "[stacktrace]" && mark != "PHP Stack trace:" {
			continue
		}
		o, next, ok := head(lines, floor, i)
		var end int
		o.Frames, end = frames(lines, i+1, o.Frames)
		floor = end
		if !ok {
			continue
		}
		if !next {
			flush()
		}
		o.Whole = raise.Span{Start: o.Span.Start, End: lines[end-1].End}
		chain = append(chain, o)
		i = end - 1
	}
	flush()
	return out
}

// head finds the exception above the line i, and whether it is the next one of a chain.
func head(lines []trace.Line, floor, i int) (o raise.Observation, next, ok bool) {
	for k := i - 1; k >= max(floor, i-trace.MaxMessage); k-- {
		l := lines[k]
		at := 0
		for _, mark := range []string{"Uncaught ", "Next ", "[object] ("} {
			if m := strings.Index(l.Text, mark); m >= 0 && (m == 0 || mark != "Next ") {
				at, next, ok = m+len(mark), mark == "Next ", true
				break
			}
		}
		if !ok && !errorLike(firstWord(l.Text)) {
			continue
		}
		all := append([]trace.Line(nil), lines[k:i]...)
		all[0].Text = l.Text[at:]
		o, ok = exception(trace.Joined(all))
		o.Span = raise.Span{Start: l.Start + at, End: max(l.End, lines[i-1].End)}
		return o, next, ok
	}
	return o, false, false
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.TrimSuffix(word, ":")
}

// exception reads "Type: text in /a.php:3", "Type(code: 0): text at /a.php:3)" and the type alone.
func exception(s string) (raise.Observation, bool) {
	o := raise.Observation{Of: -1, Form: "PHP stack", Language: "PHP"}
	s = strings.TrimSuffix(s, ")")
	for _, word := range []string{" in ", " at "} {
		if i := strings.LastIndex(s, word); i >= 0 {
			if path, n, ok := location(s[i+len(word):]); ok {
				o.Frames, s = []raise.Frame{{Path: path, Line: n}}, s[:i]
				break
			}
		}
	}
	typ, message, _ := strings.Cut(s, ":")
	if i := strings.Index(s, "(code: "); i > 0 && i < len(typ) {
		typ, message = s[:i], ""
		if j := strings.Index(s[i:], ")"); j > 0 {
			if code := s[i+7 : i+j]; code != "0" {
				o.Code = code
			}
			message = strings.TrimPrefix(s[i+j+1:], ":")
		}
	}
	o.Type, o.Message = strings.ReplaceAll(typ, `\\`, `\`), strings.TrimSpace(message)
	return o, trace.TypeName(o.Type, `\`)
}

// location reads "/a.php:3" and "/a.php(3)".
func location(s string) (string, int, bool) {
	if inner, ok := strings.CutSuffix(s, ")"); ok {
		path, n, ok := trace.CutNumber(inner, "(")
		return path, n, ok
	}
	path, n, ok := trace.CutNumber(s, ":")
	return path, n, ok && !strings.Contains(path, "\n")
}

// frames reads the frames from line i on behind those that are known, and returns the line behind them. A frame names a place and
// what was called there, which is the function that the place of the frame before it is in.
func frames(lines []trace.Line, i int, out []raise.Frame) ([]raise.Frame, int) {
	for ; i < len(lines); i++ {
		f, ok := frame(lines[i].Text)
		if !ok {
			break
		}
		if n := len(out); n > 0 && out[n-1].Function == "" {
			out[n-1].Function = strings.ReplaceAll(f.Function, `\\`, `\`)
		}
		if f.Function = ""; f.Path != "" && len(out) < trace.MaxFrames {
			out = append(out, f)
		}
	}
	return out, i
}

// frame reads "#0 /a.php(12): f()", "#1 {main}", "#2 [internal function]: g()"; the function is what was called.
func frame(s string) (raise.Frame, bool) {
	if !strings.HasPrefix(s, "#") {
		return raise.Frame{}, false
	}
	number, rest, ok := strings.Cut(s[1:], " ")
	if !ok || number == "" || number != "0" && trace.Number(number) == 0 {
		return raise.Frame{}, false
	}
	place, call, _ := strings.Cut(rest, ": ")
	f := raise.Frame{}
	f.Function, _, _ = strings.Cut(call, "(")
	if path, n, ok := location(place); ok {
		f.Path, f.Line = path, n
	}
	return f, true
}

func errorLike(name string) bool {
	return trace.TypeName(name, `\`) && (strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error"))
}

// messages reads errors that are printed with their place: "PHP Warning:  text in /a.php on line 3", and those of test tools: a type
// with its text, a blank line and a list of places.
func messages(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out []raise.Observation
	for i := range lines {
		if o, ok := onLine(lines[i]); ok {
			out = append(out, o)
			continue
		}
		if o, ok := tested(lines, i); ok {
			for k := i + 1; k < len(lines); k++ {
				f, ok := testPlace(lines[k].Text)
				if !ok {
					break
				}
				if o.Whole.End = lines[k].End; len(o.Frames) < trace.MaxFrames {
					o.Frames = append(o.Frames, f)
				}
			}
			out = append(out, o)
		}
	}
	return out
}

func onLine(l trace.Line) (raise.Observation, bool) {
	at := strings.LastIndex(l.Text, " on line ")
	in := strings.LastIndex(l.Text[:max(at, 0)], " in ")
	if in < 0 || trace.Number(l.Text[at+9:]) == 0 {
		return raise.Observation{}, false
	}
	for _, level := range []string{"Fatal error", "Parse error", "Warning", "Notice", "Deprecated", "Recoverable fatal error"} {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(l.Text[:in], "PHP "), level+": ")
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		o := raise.Observation{Type: level, Message: rest, Of: -1, Form: "PHP message", Language: "PHP",
			Span:   raise.Span{Start: l.Start + in - len(rest), End: l.Start + in},
			Frames: []raise.Frame{{Path: l.Text[in+4 : at], Line: trace.Number(l.Text[at+9:])}}}
		if inner, uncaught := strings.CutPrefix(rest, "Uncaught "); uncaught {
			e, ok := exception(inner)
			if !ok {
				return o, false
			}
			o.Type, o.Message = e.Type, e.Message
		}
		return o, o.Message != ""
	}
	return raise.Observation{}, false
}

// testPlace reads "/srv/app/src/Store.php:12".
func testPlace(s string) (raise.Frame, bool) {
	path, n, ok := trace.CutNumber(s, ":")
	return raise.Frame{Path: path, Line: n}, ok && strings.HasSuffix(path, ".php") && !strings.ContainsAny(path, " (")
}

// tested reads a place that stands alone behind a blank line, with a type and its text above.
func tested(lines []trace.Line, i int) (raise.Observation, bool) {
	place, ok := testPlace(lines[i].Text)
	if !ok || i < 2 || !lines[i-1].Blank() {
		return raise.Observation{}, false
	}
	for k := i - 2; k >= max(0, i-30) && !lines[k].Blank(); k-- {
		typ, message, ok := strings.Cut(lines[k].Text, ": ")
		if !ok || !errorLike(typ) {
			continue
		}
		all := append([]trace.Line(nil), lines[k:i-1]...)
		all[0].Text = message
		o := raise.Observation{Type: typ, Message: trace.Joined(all), Of: -1, Form: "PHP message", Language: "PHP",
			Span: raise.Span{Start: lines[k].Start, End: lines[i-2].End}, Frames: []raise.Frame{place},
			Whole: raise.Span{Start: lines[k].Start, End: lines[i].End}}
		return o, true
	}
	return raise.Observation{}, false
}
