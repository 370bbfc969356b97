package ecmascript

import (
	"strings"
	"unicode"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// style is how a runtime or a test tool writes the frames of a stack.
type style struct {
	name string
	// frame reads a trimmed line. mark is what stood before the frame that is no part of it.
	frame func(line string) (f raise.Frame, mark string, ok bool)
}

// styles are those that traces are looked for in.
func styles() []style {
	return []style{{"V8", v8Frame}, {"Gecko", geckoFrame}, {"Vitest", vitestFrame}, {"TAP", tapFrame}}
}

// maxMark bounds what may stand before "at" on the line of a frame.
const maxMark = 60

// v8Frame reads "at fn (file:line:col)" and its kin, which V8, Bun, Deno, Jest and Mocha print.
func v8Frame(line string) (raise.Frame, string, bool) {
	head := line[:min(len(line), maxMark+3)]
	for from := 0; ; {
		i := strings.Index(head[from:], "at ")
		if i < 0 {
			return raise.Frame{}, "", false
		}
		i += from
		if i == 0 || head[i-1] == ' ' || head[i-1] == '\t' {
			mark := strings.TrimSpace(line[:i])
			if f, ok := v8Call(strings.TrimRight(line[i+3:], " {,")); ok && markLike(mark) {
				return f, mark, true
			}
		}
		from = i + 3
	}
}

// markLike reports whether a text before a frame is a stream's mark rather than a sentence: it has a sign that words have not.
func markLike(s string) bool {
	for _, c := range s {
		if !identRune(c) && c != ' ' && c != '.' && c != ',' {
			return true
		}
	}
	return s == ""
}

// v8Call reads what follows "at ".
func v8Call(s string) (raise.Frame, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "async ")
	if !strings.HasSuffix(s, ")") {
		path, line, ok := location(s)
		return raise.Frame{Path: path, Line: line}, ok && line > 0 && !strings.Contains(path, " ")
	}
	open := openingParen(s)
	if open < 1 || s[open-1] != ' ' {
		return raise.Frame{}, false
	}
	function, place := strings.TrimSpace(s[:open]), s[open+1:len(s)-1]
	if i := strings.Index(function, " [as "); i > 0 {
		function = function[:i]
	}
	if strings.Count(function, " ") > 2 {
		return raise.Frame{}, false
	}
	f := raise.Frame{Function: function}
	switch {
	case place == "<anonymous>", place == "native", place == "native code", strings.HasPrefix(place, "index "):
		f.Path = place
		return f, true
	case strings.HasPrefix(place, "eval at "):
		// eval at fn (file:1:2), <anonymous>:3:4: the file that evaluates is the one that can be found.
		if i := strings.LastIndexByte(place, '('); i >= 0 {
			if j := strings.IndexByte(place[i:], ')'); j > 0 {
				place = place[i+1 : i+j]
			}
		}
	}
	var ok bool
	f.Path, f.Line, ok = location(place)
	return f, ok
}

// openingParen finds the parenthesis that the last one closes; -1 if there is none.
func openingParen(s string) int {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// location splits "file:line:col". A query that a bundler put behind the path falls away.
func location(s string) (path string, line int, ok bool) {
	path, last, ok := cutNumber(s)
	if !ok {
		return s, 0, false
	}
	line = last
	if p, n, two := cutNumber(path); two {
		path, line = p, n
	}
	if i := strings.IndexByte(path, '?'); i > 0 {
		path = path[:i]
	}
	return path, line, path != ""
}

// cutNumber splits ":123" off the end.
func cutNumber(s string) (rest string, n int, ok bool) {
	i := len(s)
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	if i == len(s) || i < 2 || s[i-1] != ':' || len(s)-i > 9 {
		return s, 0, false
	}
	for _, c := range []byte(s[i:]) {
		n = n*10 + int(c-'0')
	}
	return s[:i-1], n, true
}

// geckoFrame reads "fn@file:line:col", which SpiderMonkey and JavaScriptCore print, the console's "fn @ file:line", and
// Firefox's console form "fn https://host/file.js:line:col".
func geckoFrame(line string) (raise.Frame, string, bool) {
	if i := strings.LastIndexByte(line, '@'); i >= 0 {
		place := strings.TrimSpace(line[i+1:])
		function := strings.TrimSpace(line[:i])
		if place == "[native code]" && !strings.ContainsAny(function, ":;,\"'") {
			return raise.Frame{Path: place, Function: function}, "", true
		}
		path, n, ok := location(place)
		if ok && n > 0 && strings.Count(function, " ") < 3 && fileLike(path) {
			return raise.Frame{Path: path, Line: n, Function: function}, "", true
		}
		return raise.Frame{}, "", false
	}
	i := strings.LastIndexByte(line, ' ')
	if !strings.Contains(line[i+1:], "://") || strings.Count(line, " ") > 1 {
		return raise.Frame{}, "", false
	}
	path, n, ok := location(line[i+1:])
	function := strings.TrimSpace(line[:max(i, 0)])
	if !ok || n == 0 || !fileLike(path) || !callable(function) || function == "at" || function == "async" {
		return raise.Frame{}, "", false
	}
	return raise.Frame{Path: path, Line: n, Function: function}, "", true
}

// callable reports whether a word can be a function's name in a stack.
func callable(s string) bool {
	for _, c := range s {
		if (!identRune(c) || c >= 0x80 && !unicode.IsLetter(c)) && !strings.ContainsRune(".<>/*[]#", c) {
			return false
		}
	}
	return true
}

// fileLike reports whether a path looks like a script's: it has an ending or a scheme.
func fileLike(path string) bool {
	if strings.ContainsAny(path, "\"'`{}<>") || strings.HasSuffix(path, " ") {
		return false
	}
	dot := strings.LastIndexByte(path, '.')
	return strings.Contains(path, "://") || dot > 0 && dot >= len(path)-6 || strings.HasPrefix(path, "/")
}

// vitestFrame reads "❯ fn file:line:col" of Vitest.
func vitestFrame(line string) (raise.Frame, string, bool) { return arrowFrame(line, "❯ ") }

// arrowFrame reads a frame behind a sign.
func arrowFrame(line, arrow string) (raise.Frame, string, bool) {
	rest, ok := strings.CutPrefix(line, arrow)
	if !ok {
		return raise.Frame{}, "", false
	}
	rest = strings.TrimSpace(rest)
	i := strings.LastIndexByte(rest, ' ')
	path, n, ok := location(rest[i+1:])
	if !ok || n == 0 {
		return raise.Frame{}, "", false
	}
	return raise.Frame{Path: path, Line: n, Function: strings.TrimSpace(rest[:max(i, 0)])}, "", true
}

// tapFrame reads the frames of a stack in the YAML of node's test runner: "fn (file:line:col)" or a place alone, without "at".
func tapFrame(line string) (raise.Frame, string, bool) {
	if strings.HasPrefix(line, "at ") || strings.Count(line, " ") > 4 {
		return raise.Frame{}, "", false
	}
	if !strings.HasSuffix(line, ")") {
		path, n, ok := location(line)
		place := ok && n > 0 && (strings.HasPrefix(path, "node:") || strings.HasPrefix(path, "file:") || strings.HasPrefix(path, "/"))
		return raise.Frame{Path: path, Line: n}, "", place
	}
	f, ok := v8Call(line)
	return f, "", ok
}
