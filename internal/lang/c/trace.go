package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/trace"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces are the forms in which C and C++ programs die: uncaught exceptions, assertions, checks, sanitizers, and what debuggers show.
func Traces() []lang.Trace {
	return []lang.Trace{{Name: "C abort", Find: aborts}}
}

// aborts reads the line that says why a program died, and the frames that follow it.
func aborts(text string) []raise.Observation {
	lines := trace.Lines(text)
	var out []raise.Observation
	for i := 0; i < len(lines); i++ {
		for _, read := range []func([]trace.Line, int) (raise.Observation, int, bool){terminated, assertion, check, sanitizer, thrown} {
			o, end, ok := read(lines, i)
			if !ok {
				continue
			}
			o.Of, o.Form, o.Language = -1, "C abort", "C++"
			frames, next := stack(lines, end)
			o.Frames = append(o.Frames, frames...)
			o.Whole = raise.Span{Start: min(o.Span.Start, lines[i].Start), End: max(o.Span.End, lines[next-1].End)}
			out = append(out, o)
			i = next - 1
			break
		}
	}
	return out
}

// terminated reads "terminate called after throwing an instance of 'std::runtime_error'" with "what():  text" below it, and the
// form of libc++, which has both on one line.
func terminated(lines []trace.Line, i int) (o raise.Observation, end int, ok bool) {
	text := lines[i].Text
	o.Span = raise.Span{Start: lines[i].Start, End: lines[i].End}
	if at := strings.Index(text, "terminating"); at >= 0 && strings.Contains(text[at:], "uncaught exception of type ") {
		_, rest, _ := strings.Cut(text, "uncaught exception of type ")
		o.Type, o.Message, ok = strings.Cut(rest, ": ")
		return o, i + 1, ok && trace.TypeName(o.Type, ":<>, ")
	}
	_, rest, ok := strings.Cut(text, "terminate called after throwing an instance of '")
	if !ok {
		return o, 0, false
	}
	o.Type, rest, _ = strings.Cut(rest, "'")
	if what, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "what():"); ok {
		o.Message = strings.TrimSpace(what)
		return o, i + 1, true
	}
	for k := i + 1; k < min(len(lines), i+3); k++ {
		what, found := strings.CutPrefix(lines[k].Text, "what():")
		if !found {
			continue
		}
		for end = k + 1; end < len(lines) && end-k < trace.MaxMessage && !ends(lines[end].Text); end++ {
		}
		all := append([]trace.Line(nil), lines[k:end]...)
		all[0].Text, all[0].Indent = strings.TrimLeft(what, " "), 0
		o.Message, o.Span.End = trace.Joined(all), lines[end-1].End
		for end > k+1 && lines[end-1].Blank() {
			end--
			o.Span.End = lines[end-1].End
		}
		return o, end, true
	}
	return o, i + 1, true
}

// ends reports whether a line is what follows the text of an exception.
func ends(s string) bool {
	_, isFrame := frame(s)
	return isFrame || s == "" || strings.HasPrefix(s, "Aborted") || strings.HasPrefix(s, "Abort trap") || strings.HasPrefix(s, "[1]") || strings.HasPrefix(s, "*** ") ||
		strings.HasPrefix(s, "Program received signal") || strings.HasPrefix(s, "Thread ") || strings.HasPrefix(s, "fish: ") || strings.HasPrefix(s, "(gdb)") || strings.HasPrefix(s, "SIGABRT")
}

// assertion reads what the C libraries print for a failed assert: "prog: a.c:12: f: Assertion `x > 0' failed.", and
// "Assertion failed: (x > 0), function f, file a.c, line 12."
func assertion(lines []trace.Line, i int) (o raise.Observation, end int, ok bool) {
	text := lines[i].Text
	o.Type = "assert"
	if at := strings.Index(text, "Assertion failed: "); at >= 0 {
		rest := text[at+len("Assertion failed: "):]
		tail := strings.LastIndex(rest, ", file ")
		if tail < 0 {
			return o, 0, false
		}
		place := strings.TrimSuffix(rest[tail+len(", file "):], ".")
		path, line, ok := trace.CutNumber(place, ", line ")
		f := raise.Frame{Path: path, Line: line}
		o.Message = rest[:tail]
		if m, function, found := strings.Cut(o.Message, ", function "); found {
			o.Message, f.Function = m, function
		}
		o.Message = unwrapped(o.Message)
		o.Frames = []raise.Frame{f}
		o.Span = raise.Span{Start: lines[i].Start + at, End: lines[i].End}
		return o, i + 1, ok
	}
	at := strings.Index(text, "Assertion `")
	end = strings.LastIndex(text, "' failed")
	if at < 0 || end < at+len("Assertion `") {
		return o, 0, false
	}
	o.Message = text[at+len("Assertion `") : end]
	o.Span = raise.Span{Start: lines[i].Start + at, End: lines[i].End}
	// The place stands before it: "[prog: ]a.c:12: [int f(int): ]".
	head := strings.Split(strings.TrimRight(text[:at], ": "), ": ")
	for k := len(head) - 1; k >= 0; k-- {
		path, line, ok := trace.CutNumber(head[k], ":")
		if !ok {
			continue
		}
		o.Frames = []raise.Frame{{Path: path, Line: line, Function: functionName(strings.Join(head[k+1:], ": "))}}
		break
	}
	return o, i + 1, true
}

// unwrapped takes away the parentheses around all of a text.
func unwrapped(s string) string {
	if len(s) < 2 || s[0] != '(' || s[len(s)-1] != ')' {
		return s
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(s)-1 {
				return s
			}
		}
	}
	return s[1 : len(s)-1]
}

// functionName is the name of a function that is printed with its signature.
func functionName(s string) string {
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, " ")
	return s[strings.LastIndexAny(s, " *&")+1:]
}

// check reads "Check failed: x > 0 (1 vs. 0) text" of glog and its like, with the place that stands before it in the line.
func check(lines []trace.Line, i int) (o raise.Observation, end int, ok bool) {
	text := lines[i].Text
	at := strings.Index(text, "Check failed: ")
	if at < 0 {
		return o, 0, false
	}
	o.Type, o.Message = "CHECK", text[at:]
	o.Span = raise.Span{Start: lines[i].Start + at, End: lines[i].End}
	head := strings.TrimRight(text[:at], " ]")
	head = head[strings.LastIndexAny(head, " [")+1:]
	if path, line, ok := trace.CutNumber(strings.TrimRight(head, ":)"), ":"); ok {
		o.Frames = []raise.Frame{{Path: path, Line: line}}
	} else if path, line, ok := trace.CutNumber(strings.TrimRight(head, ":)"), "("); ok {
		o.Frames = []raise.Frame{{Path: path[strings.LastIndexByte(path, ':')+1:], Line: line}}
	}
	return o, i + 1, true
}

// sanitizer reads "==12==ERROR: AddressSanitizer: text" and "a.c:12:5: runtime error: text".
func sanitizer(lines []trace.Line, i int) (o raise.Observation, end int, ok bool) {
	text := lines[i].Text
	if strings.HasPrefix(text, "==") {
		_, rest, found := strings.Cut(text, "==ERROR: ")
		name, message, ok := strings.Cut(rest, ": ")
		o.Type, o.Message = name, message
		o.Span = raise.Span{Start: lines[i].End - len(rest), End: lines[i].End}
		return o, i + 1, found && ok && strings.HasSuffix(name, "Sanitizer")
	}
	place, message, ok := strings.Cut(text, ": runtime error: ")
	f, isPlace := location(place)
	if !ok || !isPlace {
		return o, 0, false
	}
	o.Type, o.Message, o.Frames = "UndefinedBehaviorSanitizer", message, []raise.Frame{f}
	o.Span = raise.Span{Start: lines[i].End - len(message), End: lines[i].End}
	return o, i + 1, true
}

// thrown reads "Exception raised from f at ../a.cpp:12 (most recent call first):" with the text above it.
func thrown(lines []trace.Line, i int) (o raise.Observation, end int, ok bool) {
	rest, ok := strings.CutPrefix(lines[i].Text, "Exception raised from ")
	at := strings.LastIndex(rest, " at ")
	if !ok || at < 0 || i == 0 || lines[i-1].Blank() {
		return o, 0, false
	}
	f, ok := location(strings.TrimSuffix(strings.TrimSuffix(rest[at+4:], ":"), " (most recent call first)"))
	if !ok {
		return o, 0, false
	}
	f.Function = functionName(rest[:at])
	o.Message, o.Frames = lines[i-1].Text, []raise.Frame{f}
	if typ, message, ok := strings.Cut(o.Message, ": "); ok && trace.TypeName(typ, ":.") && strings.HasSuffix(typ, "Error") {
		o.Type, o.Message = typ, message
	}
	o.Span = raise.Span{Start: lines[i-1].Start, End: lines[i].End}
	return o, i + 1, true
}

// maxBetween is how many lines may stand between a message and its stack.
const maxBetween = 12

// stack reads the frames that follow line i, and returns the line behind them.
func stack(lines []trace.Line, i int) ([]raise.Frame, int) {
	k := i
	for k < len(lines) && k < i+maxBetween {
		if _, ok := frame(lines[k].Text); ok {
			break
		}
		if _, _, ok := terminated(lines, k); ok {
			return nil, i
		}
		k++
	}
	var out []raise.Frame
	first, next := k, i
	for ; k < len(lines) && k-i < 400; k++ {
		f, ok := frame(lines[k].Text)
		if !ok {
			if lines[k].Indent > lines[first].Indent { // the locals of a frame, or the rest of its line
				continue
			}
			break
		}
		next = k + 1
		if (f.Path != "" || f.Function != "") && !ofRuntime(f.Function) && len(out) < trace.MaxFrames {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, i
	}
	return out, next
}

// ofRuntime reports whether a function is one by which the libraries end a program.
func ofRuntime(function string) bool {
	switch function {
	case "raise", "abort", "__GI_raise", "__GI_abort", "__assert_fail", "__assert_fail_base", "__GI___assert_fail", "gsignal", "__pthread_kill_implementation",
		"__pthread_kill_internal", "pthread_kill", "std::terminate", "__cxa_throw", "__cxxabiv1::__terminate", "__gnu_cxx::__verbose_terminate_handler":
		return true
	}
	return strings.HasPrefix(function, "google::LogMessage") || strings.HasPrefix(function, "google::LogDestination") || strings.HasPrefix(function, "__interceptor_")
}

// frame reads a frame of gdb ("#1  0x… in f (a=1) at a.c:12"), of a sanitizer ("#0 0x… in f /a.c:12:5"), of glog ("@ 0x… f()") and
// of backtrace ("./prog(f+0x1d) [0x…]", "frame #0: f + 0x6a (0x… in lib.so)").
func frame(s string) (raise.Frame, bool) {
	if rest, ok := strings.CutPrefix(s, "@ "); ok {
		address, name, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
		return raise.Frame{Function: functionName(strings.TrimSpace(name))}, strings.HasPrefix(address, "0x")
	}
	s = strings.TrimPrefix(s, "frame ")
	if !strings.HasPrefix(s, "#") {
		return raise.Frame{}, false
	}
	digits := 1
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	rest := strings.TrimLeft(strings.TrimPrefix(s[digits:], ":"), " ")
	if digits == 1 || rest == s[digits:] {
		return raise.Frame{}, false
	}
	if strings.HasPrefix(rest, "0x") {
		_, after, _ := strings.Cut(rest, " ")
		if rest = strings.TrimPrefix(after, "in "); rest == after {
			return raise.Frame{}, true // no name is known
		}
	}
	return called(rest), true
}

// called reads "f (a=1) at a.c:12", "f(int) /a.c:12:5" and "f + 0x6a (0x… in lib.so)".
func called(s string) raise.Frame {
	if at := strings.LastIndex(s, " at "); at > 0 {
		if f, ok := location(s[at+4:]); ok {
			f.Function = functionName(strings.TrimSpace(s[:at]))
			return f
		}
	}
	if at := strings.LastIndexByte(s, ' '); at > 0 {
		if f, ok := location(s[at+1:]); ok && strings.ContainsAny(f.Path, "./") {
			f.Function = functionName(strings.TrimSpace(s[:at]))
			return f
		}
	}
	if name, _, ok := strings.Cut(s, " + 0x"); ok {
		s = name
	} else if name, _, ok := strings.Cut(s, " from "); ok {
		s = name
	}
	if i := strings.IndexByte(s, '('); i > 0 {
		s = strings.TrimSpace(s[:i])
	}
	return raise.Frame{Function: functionName(s)}
}

// location reads "a.c:12" and "a.c:12:5".
func location(s string) (raise.Frame, bool) {
	path, n, ok := trace.CutNumber(s, ":")
	if more, line, two := trace.CutNumber(path, ":"); two {
		path, n = more, line
	}
	return raise.Frame{Path: path, Line: n}, ok && n > 0 && !strings.ContainsAny(path, " \"'`")
}
