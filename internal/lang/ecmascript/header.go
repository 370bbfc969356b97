package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// header is what stands above the frames of a stack.
type header struct {
	typ, code, message string
	span               raise.Span
	indent             int
	label              string // of the property that holds the error: "[cause]"
	causedBy           bool
	frame              raise.Frame // of the excerpt that node prints above an uncaught error
	excerpt            raise.Frame // of the excerpt that a test tool prints below the message
}

// typedText says where in a line an error's type and message stand.
type typedText struct {
	start     int
	typ, code string
	message   int
}

// errorNames are the endings of types that are errors by their name.
func errorNames() []string {
	return []string{"Error", "Exception", "Warning", "Failure", "Fault", "Violation", "Rejection"}
}

// errorLike reports whether the last part of a type's name says that it is an error.
func errorLike(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, ending := range errorNames() {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}

func identRune(c rune) bool {
	return c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= 0x80
}

func identByte(c byte) bool { return identRune(rune(c)) }

// typed finds the first type of an error in a line that is followed by ":" and the message, or by the end of the line.
func typed(s string) (typedText, bool) {
	for i := 0; i < len(s); {
		if !identByte(s[i]) {
			i++
			continue
		}
		start := i
		for i < len(s) && (identByte(s[i]) || s[i] == '.' && i+1 < len(s) && identByte(s[i+1])) {
			i++
		}
		if i-start > 100 || !errorLike(s[start:i]) {
			continue
		}
		if t, ok := typedAt(s, start, i); ok {
			if inner, ok := typed(s[t.message:]); ok && t.typ == "UnhandledPromiseRejectionWarning" && inner.start == 0 {
				inner.start, inner.message = inner.start+t.message, inner.message+t.message
				return inner, true
			}
			return t, true
		}
	}
	return typedText{}, false
}

// typedAt reads the code and the colon behind the type at s[start:end].
func typedAt(s string, start, end int) (typedText, bool) {
	t := typedText{start: start, typ: s[start:end]}
	rest := s[end:]
	for _, pair := range []string{"[]", "()"} {
		if strings.HasPrefix(rest, " "+pair[:1]) {
			j := strings.IndexByte(rest, pair[1])
			if j > 2 && j < 80 && codeLike(rest[2:j]) {
				t.code = rest[2:j]
				rest = rest[j+1:]
				break
			}
			if j > 2 && j < 80 && errorLike(rest[2:j]) && callable(rest[2:j]) {
				rest = rest[j+1:] // an error of another realm: RangeError [Error]
				break
			}
		}
	}
	switch {
	case strings.HasPrefix(rest, ": "):
		rest = rest[2:]
	case rest == ":", rest == "" && start == 0:
		rest = ""
	default:
		return t, false
	}
	if t.typ == "Violation" && strings.HasSuffix(s[:start], "Invariant ") {
		t.start -= len("Invariant ")
		t.typ = "Invariant Violation"
	}
	t.message = len(s) - len(rest)
	return t, true
}

// codeLike reports whether a text is a code as runtimes print it beside the type: ERR_X, E0308, ENOENT.
func codeLike(s string) bool {
	for _, c := range []byte(s) {
		if c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// header finds the type and the message above the frames that begin on line first.
func (a *assembler) header(first int, mark string) header {
	if a.style.name == "TAP" {
		return a.yamlHeader(first)
	}
	low := max(a.floor, first-maxHeader)
	end, excerpt := a.messageEnd(first, low, mark)
	title, causedBy := -1, false
	for k := end - 1; k >= low; k-- {
		text, _, _ := a.rest(k, mark)
		if text == "Cause:" {
			title, causedBy = k, true
			break
		}
		if strings.HasPrefix(text, "● ") || strings.HasPrefix(text, "✖ ") || strings.HasPrefix(text, "✕ ") {
			title = k
			break
		}
		if t, ok := typed(text); ok && (t.message < len(text) || k == end-1 || end-k < 8) {
			h := a.headerAt(k, end, mark, t)
			h.excerpt = excerpt
			above, _, _ := a.rest(max(k-1, 0), mark)
			h.causedBy = h.causedBy || above == "Cause:"
			return h
		}
	}
	h := a.untyped(title, low, end, mark)
	h.excerpt = excerpt
	h.causedBy = h.causedBy || causedBy
	return h
}

// messageEnd skips the blank lines and the excerpt that stand between message and frames, and returns the line behind the message.
func (a *assembler) messageEnd(first, low int, mark string) (end int, excerpt raise.Frame) {
	end = first
	for end > low {
		text, _, _ := a.rest(end-1, mark)
		n, source, code := codeFrame(text)
		if strings.HasPrefix(text, ">") && n > 0 {
			excerpt = raise.Frame{Line: n, Source: source}
		}
		if carets := text != "" && strings.Trim(text, "^~") == ""; carets && end-2 > low {
			// A source line with carets under it, between message and frames.
			excerpt.Source, _, _ = a.rest(end-2, mark)
			end -= 2
			continue
		}
		if !code && text != "" {
			break
		}
		end--
	}
	return end, excerpt
}

// headerAt makes the header of the type found on line k and the message from there to line end.
func (a *assembler) headerAt(k, end int, mark string, t typedText) header {
	text, at, indent := a.rest(k, mark)
	h := header{typ: t.typ, code: t.code, indent: indent, span: raise.Span{Start: at + t.start, End: at + len(text)}}
	before := strings.TrimSpace(text[:t.start])
	if strings.HasSuffix(before, ":") && !strings.Contains(before, " ") {
		h.label = strings.TrimSuffix(before, ":")
	}
	h.causedBy = strings.EqualFold(h.label, "cause") || strings.HasSuffix(strings.ToLower(before), "caused by:")
	from := k
	lines := []string{text[t.message:]}
	for k++; k < a.differing(from, end, mark); k++ {
		more, moreAt, in := a.rest(k, mark)
		if more != "" {
			more = strings.Repeat(" ", max(0, in-indent)) + more
			h.span.End = moreAt + len(strings.TrimLeft(more, " "))
		}
		lines = append(lines, more)
	}
	h.message = strings.TrimRight(strings.Join(lines, "\n"), " \n")
	h.frame = a.uncaught(from, mark)
	return h
}

// differing is the line on which a test tool begins to show how expected and actual value differ, which is no part of the message;
// end if it does not.
func (a *assembler) differing(from, end int, mark string) int {
	for k := from + 1; k < end; k++ {
		text, _, _ := a.rest(k, mark)
		if text == "+ expected - actual" {
			return k
		}
		if next, _, _ := a.rest(min(k+1, end-1), mark); strings.HasPrefix(text, "- Expected") &&
			(strings.HasPrefix(next, "+ Received") || text == "- Expected:") {
			return k
		}
	}
	return end
}

// uncaught reads the place, source line and caret that node prints above an uncaught error on line k.
func (a *assembler) uncaught(k int, mark string) raise.Frame {
	for caret := k - 1; caret >= max(a.floor, k-3, 2); caret-- {
		text, _, _ := a.rest(caret, mark)
		if text == "" {
			continue
		}
		if strings.Trim(text, "^") != "" {
			return raise.Frame{}
		}
		source, _, _ := a.rest(caret-1, mark)
		place, _, _ := a.rest(caret-2, mark)
		path, line, ok := location(place)
		if !ok || strings.Contains(path, ": ") {
			return raise.Frame{}
		}
		return raise.Frame{Path: path, Line: line, Source: source}
	}
	return raise.Frame{}
}

// untyped makes a header of a message without a type: what stands below a test's title, or the line above the frames.
func (a *assembler) untyped(title, low, end int, mark string) header {
	from := end - 1
	typ := ""
	if title >= 0 {
		from = title + 1
		for from < end-1 && a.blank(from) {
			from++
		}
		typ = "Error" // the test tool cuts this type, and no other, from the text
	}
	if from < low || from >= end {
		at := a.starts[min(end, a.len()-1)]
		return header{span: raise.Span{Start: at, End: at}}
	}
	text, at, _ := a.rest(from, mark)
	if t, ok := weaklyTyped(text); ok && title < 0 {
		return a.headerAt(from, end, mark, t)
	}
	h := a.headerAt(from, end, mark, typedText{typ: typ})
	if strings.HasPrefix(h.message, "expect(") {
		h.typ = ""
	}
	if _, _, ok := a.style.frame(text); ok || strings.Trim(text, "^~ ") == "" {
		return header{span: raise.Span{Start: at, End: at}}
	}
	return h
}

// weaklyTyped reads "Name: message" where the name is a capitalised word that does not say that it is an error, and "error: …".
func weaklyTyped(s string) (typedText, bool) {
	i := 0
	for i < len(s) && i < 80 && (identByte(s[i]) || s[i] == '.') {
		i++
	}
	if i == 0 || !strings.HasPrefix(s[i:], ": ") {
		return typedText{}, false
	}
	if s[:i] == "error" {
		return typedText{typ: "Error", message: i + 2}, true
	}
	return typedText{typ: s[:i], message: i + 2}, s[0] >= 'A' && s[0] <= 'Z'
}

// yamlHeader reads the keys of the YAML block that a TAP producer writes above the stack.
func (a *assembler) yamlHeader(first int) header {
	h := header{typ: "Error", span: raise.Span{Start: a.starts[first], End: a.starts[first]}}
	for k := first - 1; k >= max(a.floor, first-maxHeader); k-- {
		text, at, indent := a.line(k)
		key, value, _ := strings.Cut(text, ": ")
		switch {
		case text == "---":
			return h
		case key == "name":
			h.typ = unquoted(value)
		case key == "code" && h.code == "" && value != "'ERR_TEST_FAILURE'":
			h.code = unquoted(value)
		case key == "error" && strings.HasPrefix(value, "|"):
			h.message, h.span = a.yamlText(k+1, indent)
		case key == "error":
			h.message = unquoted(value)
			h.span = raise.Span{Start: at + len("error: "), End: at + len(text)}
			if h.message != value {
				h.span.Start, h.span.End = h.span.Start+1, h.span.End-1
			}
		}
	}
	return h
}

// yamlText reads a block of text that is indented more than its key.
func (a *assembler) yamlText(k, outer int) (string, raise.Span) {
	var lines []string
	span := raise.Span{}
	base := -1
	for ; k < a.len() && len(lines) < maxHeader; k++ {
		text, at, indent := a.line(k)
		if text != "" && indent <= outer {
			break
		}
		if base < 0 {
			base = indent
			span.Start = at
		}
		if text != "" {
			span.End = at + len(text)
		}
		if text != "" {
			text = strings.Repeat(" ", max(0, indent-base)) + text
		}
		lines = append(lines, text)
	}
	if span.End < span.Start {
		span.End = span.Start
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n"), span
}

func unquoted(s string) string {
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		quote := s[:1]
		return strings.ReplaceAll(s[1:len(s)-1], quote+quote, quote)
	}
	return s
}
