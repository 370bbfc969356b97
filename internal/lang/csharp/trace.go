package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces are the forms in which the runtime prints errors.
func Traces() []lang.Trace { return []lang.Trace{{Name: ".NET stack", Find: stacks}} }

// reader reads exceptions. The runtime prints the types and messages of a chain first, the outermost at the start and each inner
// one behind "--->", then the frames from the innermost to the outermost.
type reader struct {
	lines []trace.Line
	out   []raise.Observation
	open  []int // observations of the chain whose frames are to come, outermost first
	last  int   // the line up to which all was read
}

func stacks(text string) []raise.Observation {
	r := &reader{lines: trace.Lines(text)}
	for i := 0; i < len(r.lines); i++ {
		r.line(i)
	}
	return r.out
}

// line reads one line: the head of an exception, an inner one, a frame, or the end of an inner one's frames.
func (r *reader) line(i int) {
	text := r.lines[i].Text
	f, isFrame := frame(text)
	switch {
	case isFrame:
		if len(r.open) == 0 && !r.head(i) {
			break
		}
		if o := &r.out[r.open[len(r.open)-1]]; len(o.Frames) < trace.MaxFrames {
			o.Frames = append(o.Frames, f)
		}
	case strings.HasPrefix(text, "--- End of inner exception stack trace") || strings.HasPrefix(text, "--- End of inner ExceptionDetail"):
		if len(r.open) > 1 {
			r.open = r.open[:len(r.open)-1]
		}
	case strings.HasPrefix(text, "--- End of stack trace from previous location"), strings.HasPrefix(text, "---> (Inner Exception #") && len(r.open) == 0:
	case strings.HasPrefix(text, "---> "):
		if len(r.open) > 0 || r.head(i) {
			r.inner(i)
		}
		r.last = i + 1
		return
	default:
		if len(r.open) > 0 && (text == "" || len(r.out[r.open[0]].Frames) > 0) {
			r.open = nil
			r.last = i
		}
		return
	}
	r.last = i + 1
	if len(r.open) > 0 {
		r.out[r.open[0]].Whole.End = r.lines[i].End
	}
}

// head reads the exception that stands above line i, which is its first frame or inner exception. A message may have several lines.
func (r *reader) head(i int) bool {
	for k := i - 1; k >= max(r.last, i-trace.MaxMessage); k-- {
		l := r.lines[k]
		at, end, ok := typed(l.Text)
		if !ok {
			continue
		}
		r.add(k, i, at, end, "")
		return true
	}
	return false
}

// inner reads an exception behind "--->", whose message may have more lines.
func (r *reader) inner(i int) {
	l := r.lines[i]
	rest := strings.TrimPrefix(l.Text, "---> ")
	link := "cause"
	if strings.HasPrefix(rest, "(Inner Exception #") {
		if close := strings.Index(rest, ") "); close > 0 {
			rest, link = rest[close+2:], "member"
		}
	}
	at := len(l.Text) - len(rest)
	end := i + 1
	for end < len(r.lines) && end-i < trace.MaxMessage && !stops(r.lines[end].Text) {
		end++
	}
	colon := strings.IndexByte(rest, ':')
	if colon < 0 {
		colon = len(rest)
	}
	if trace.TypeName(rest[:colon], ".+`") {
		r.add(i, end, at, at+colon, link)
	}
}

// stops reports whether a line ends a message.
func stops(s string) bool {
	_, isFrame := frame(s)
	return isFrame || strings.HasPrefix(s, "--- ") || strings.HasPrefix(s, "---> ")
}

// add makes an observation of the lines from k up to end, whose type stands from at to typeEnd in the first.
func (r *reader) add(k, end, at, typeEnd int, link string) {
	l := r.lines[k]
	if end > k+1 && r.lines[end-1].Text == "Stack Trace:" { // as test tools print it
		end--
	}
	lines := append([]trace.Line(nil), r.lines[k:end]...)
	lines[0].Text = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(l.Text[typeEnd:], " "), ":"), " ")
	o := raise.Observation{Type: l.Text[at:typeEnd], Message: trace.Joined(lines), Of: -1, Form: ".NET stack", Language: "C#",
		Span: raise.Span{Start: l.Start + at, End: max(l.End, r.lines[end-1].End)}}
	// Older versions print inner exceptions on the same line.
	inner := strings.Index(l.Text[typeEnd:], " ---> ")
	if inner >= 0 {
		o.Message, o.Span.End = strings.TrimLeft(l.Text[typeEnd:typeEnd+inner], ": "), l.Start+typeEnd+inner
	}
	o.Whole = o.Span
	if code, rest, ok := strings.Cut(o.Type, " "); ok { // System.X (0x80004005)
		o.Type, o.Code = code, strings.Trim(rest, "()")
	}
	if link != "" && len(r.open) > 0 {
		o.Link, o.Of = link, r.open[len(r.open)-1]
		if link == "member" {
			o.Of = r.open[0]
		}
	} else {
		r.open = nil
	}
	r.open = append(r.open, len(r.out))
	r.out = append(r.out, o)
	if inner >= 0 {
		at := typeEnd + inner + len(" ---> ")
		if from, to, ok := typed(l.Text[at:]); ok && from == 0 {
			r.add(k, end, at, at+to, "cause")
		}
	}
}

// typed finds the type of an exception at the start of a line or behind a prefix of a log.
func typed(s string) (at, end int, ok bool) {
	for at < len(s) && at < 2000 {
		word, _, _ := strings.Cut(s[at:], " ")
		name, _, colon := strings.Cut(word, ":")
		if trace.TypeName(name, ".+`") && strings.Contains(name, ".") && errorLike(name) || at == 0 && errorLike(name) && trace.TypeName(name, ".+`") {
			end := at + len(name)
			if rest := s[end:]; !colon && strings.HasPrefix(rest, " (0x") {
				if close := strings.IndexByte(rest, ')'); close > 0 {
					end += close + 1
				}
			}
			if end == len(s) || s[end] == ':' || strings.HasPrefix(s[end:], " : ") {
				return at, end, true
			}
		}
		at += len(word) + 1
	}
	return 0, 0, false
}

func errorLike(name string) bool {
	return strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Fault")
}

// frame reads "at A.B.C(String s) in /src/C.cs:line 12", and the same without a place. The runtime translates the words in it.
func frame(s string) (raise.Frame, bool) {
	word, rest, ok := strings.Cut(strings.TrimSuffix(s, "<---"), " ")
	open := strings.IndexByte(rest, '(')
	if !ok || open < 1 || !framed(word) || !strings.Contains(rest[:open], ".") || strings.ContainsAny(rest[:open], ":\"/\\") {
		return raise.Frame{}, false
	}
	f := raise.Frame{Function: strings.TrimSpace(rest[:open])}
	spaced := rest[open-1] == ' '
	rest = rest[open:]
	close := strings.Index(rest, ") ")
	if close < 0 {
		// Without a place the arguments must look like types: a stack of another language has a file there.
		inner := rest[1:strings.IndexByte(rest+")", ')')]
		return f, !spaced && strings.HasSuffix(rest, ")") && !strings.ContainsAny(inner, ":/\\") && !strings.Contains(inner, ".java") && !strings.Contains(inner, ".kt") &&
			inner != "Native Method" && inner != "Unknown Source" && (inner == "" || strings.Contains(inner, " ")) && !strings.Contains(f.Function, " ")
	}
	place := rest[close+2:]
	if strings.HasPrefix(place, "[0x") { // Mono: the offset in the code
		_, place, _ = strings.Cut(place, "] ")
	} else if spaced {
		return raise.Frame{}, false
	}
	_, place, _ = strings.Cut(place, " ") // "in"
	place = strings.TrimSpace(place)
	if path, n, ok := trace.CutNumber(place, " "); ok { // "C.cs:line 12"
		if i := strings.LastIndexByte(path, ':'); i > 0 {
			f.Path, f.Line = path[:i], n
		}
	} else if path, n, ok := trace.CutNumber(place, ":"); ok && !strings.HasPrefix(path, "<") {
		f.Path, f.Line = path, n
	}
	return f, f.Path != "" || strings.HasPrefix(place, "<")
}

// framed reports whether a word is the one that frames begin with, in one of the languages of the runtime.
func framed(word string) bool {
	switch word {
	case "at", "bei", "à", "en", "em", "в", "w", "v", "vid", "在", "於", "場所", "위치:", "konum:", "a":
		return true
	}
	return false
}
