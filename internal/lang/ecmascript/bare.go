package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// bare finds errors that are printed without a stack: "Uncaught TypeError: x", "[TypeError: x] { code: … }", warnings of the
// process, rejections with a reason that is no error, and AVA's objects. Where a stack does follow, the stack's form reports the
// same span with frames.
func bare(text string) []raise.Observation {
	r := newReport(text)
	var out []raise.Observation
	for i := range r.len() {
		line, at, indent := r.line(i)
		if line == "" {
			continue
		}
		for _, read := range []func(*report, int, string, int) (raise.Observation, bool){bracketed, uncaughtLine, uncaughtValue, processWarning} {
			if o, ok := read(r, i, line, at); ok {
				o.Of, o.Form, o.Language = -1, "Node", "JavaScript"
				out = append(out, o)
				break
			}
		}
		if strings.HasSuffix(line, " {") && indent > 0 {
			if o, ok := avaObject(r, i, line, at, indent); ok {
				out = append(out, o)
			}
		}
	}
	return out
}

// bracketed reads "[TypeError: x]", as an error without a stack is inspected, and the code of its properties.
func bracketed(r *report, i int, line string, at int) (raise.Observation, bool) {
	body, rest, _ := strings.Cut(line, "] {")
	if body != line {
		body += "]"
	}
	body = strings.TrimSuffix(body, ",")
	if len(body) < 4 || body[0] != '[' || body[len(body)-1] != ']' {
		return raise.Observation{}, false
	}
	t, ok := typed(body[1 : len(body)-1])
	if !ok || t.start != 0 || 1+t.message >= len(body)-1 {
		return raise.Observation{}, false
	}
	o := raise.Observation{Type: t.typ, Code: t.code, Message: body[1+t.message : len(body)-1],
		Span: raise.Span{Start: at + 1, End: at + len(body) - 1}}
	if reason, start, ok := rejected(o.Message); ok {
		from := o.Span.End - len(o.Message) + start
		o.Type, o.Message, o.Span = "", reason, raise.Span{Start: from, End: from + len(reason)}
	}
	if _, value, ok := strings.Cut(rest, " code: '"); ok && o.Code == "" {
		o.Code, _, _ = strings.Cut(value, "'")
	}
	if strings.HasSuffix(line, "{") {
		o.Code = codeProperty(r, i+1, o.Code)
	}
	return o, true
}

// rejected finds the reason in the text that node prints for a rejection with something that is no error.
func rejected(message string) (reason string, start int, ok bool) {
	const before = `The promise rejected with the reason "`
	i := strings.Index(message, before)
	j := strings.LastIndex(message, `".`)
	if i < 0 || j < i+len(before) {
		return "", 0, false
	}
	return message[i+len(before) : j], i + len(before), true
}

// codeProperty finds the code among the properties that stand from line i on.
func codeProperty(r *report, i int, code string) string {
	for k := i; k < min(r.len(), i+20); k++ {
		text, _, _ := r.line(k)
		if text == "}" {
			break
		}
		if value, ok := strings.CutPrefix(text, "code: '"); ok && code == "" {
			return strings.TrimSuffix(strings.TrimSuffix(value, ","), "'")
		}
	}
	return code
}

// uncaughtLine reads what consoles print for an uncaught error or value.
func uncaughtLine(_ *report, _ int, line string, at int) (raise.Observation, bool) {
	i := strings.Index(line[:min(len(line), 200)], "Uncaught ")
	if i < 0 {
		return raise.Observation{}, false
	}
	rest := strings.TrimPrefix(line[i+len("Uncaught "):], "(in promise) ")
	at += len(line) - len(rest)
	if t, ok := typed(rest); ok && t.start == 0 {
		return raise.Observation{Type: t.typ, Code: t.code, Message: rest[t.message:], Span: raise.Span{Start: at, End: at + len(rest)}}, true
	}
	if t, ok := weaklyTyped(rest); ok {
		return raise.Observation{Type: t.typ, Message: rest[t.message:], Span: raise.Span{Start: at, End: at + len(rest)}}, true
	}
	bare := strings.Trim(rest, `'"`)
	if bare == "" || len(rest)-len(bare) == 0 && i > 0 {
		return raise.Observation{}, false
	}
	start := at + strings.Index(rest, bare)
	return raise.Observation{Message: bare, Span: raise.Span{Start: start, End: start + len(bare)}}, true
}

// uncaughtValue reads what node prints for a thrown value that is no error: place, source line, caret and the value, with a hint
// below.
func uncaughtValue(r *report, i int, line string, _ int) (raise.Observation, bool) {
	if !strings.HasPrefix(line, "(Use `node --trace-uncaught") {
		return raise.Observation{}, false
	}
	low := max(0, i-20)
	for k := i - 1; k > low+2; k-- {
		caret, _, _ := r.line(k - 1)
		if caret == "" || strings.Trim(caret, "^") != "" {
			continue
		}
		_, at, _ := r.line(k)
		end := len(strings.TrimRight(r.text[:r.starts[i]], " \n\r"))
		o := raise.Observation{Message: strings.Trim(r.text[at:max(at, end)], "'"), Span: raise.Span{Start: at, End: max(at, end)}}
		source, _, _ := r.line(k - 2)
		place, _, _ := r.line(k - 3)
		if path, n, ok := location(place); ok {
			o.Frames = []raise.Frame{{Path: path, Line: n, Source: source}}
		}
		return o, o.Message != ""
	}
	return raise.Observation{}, false
}

// processWarning reads "(node:123) [DEP0005] DeprecationWarning: text".
func processWarning(_ *report, _ int, line string, at int) (raise.Observation, bool) {
	rest, ok := strings.CutPrefix(line, "(node:")
	if !ok {
		return raise.Observation{}, false
	}
	i := strings.Index(rest, ") ")
	if i < 0 || i > 12 {
		return raise.Observation{}, false
	}
	rest = rest[i+2:]
	code := ""
	if j := strings.Index(rest, "] "); j > 1 && rest[0] == '[' && codeLike(rest[1:j]) {
		code, rest = rest[1:j], rest[j+2:]
	}
	t, ok := typed(rest)
	if !ok || t.start > len("UnhandledPromiseRejectionWarning: ") {
		return raise.Observation{}, false
	}
	if strings.HasPrefix(rest[t.message:], "Unhandled promise rejection") {
		return raise.Observation{}, false // says nothing of the error
	}
	if code == "" {
		code = t.code
	}
	start := at + len(line) - len(rest) + t.start
	return raise.Observation{Type: t.typ, Code: code, Message: rest[t.message:], Span: raise.Span{Start: start, End: at + len(line)}}, true
}

// avaObject reads "TypeError {" with "message: 'x'" among its properties, and the place below it.
func avaObject(r *report, i int, line string, at, indent int) (raise.Observation, bool) {
	typ := strings.TrimSuffix(line, " {")
	if !errorLike(typ) || strings.ContainsAny(typ, " :") {
		return raise.Observation{}, false
	}
	o := raise.Observation{Type: typ, Span: raise.Span{Start: at, End: at + len(typ)}, Of: -1, Form: "AVA", Language: "JavaScript"}
	closed := 0
	for k := i + 1; k < min(r.len(), i+60) && closed < 4; k++ {
		text, textAt, in := r.line(k)
		if f, _, ok := arrowFrame(text, "› "); ok && closed > 0 {
			o.Frames = append(o.Frames, f)
			continue
		}
		if closed > 0 || text == "}" && in <= indent {
			if closed++; closed > 1 && text != "" {
				break
			}
			continue
		}
		if value, ok := strings.CutPrefix(text, "message: "); ok {
			o.Message = unquoted(strings.TrimSuffix(value, ","))
			o.Span.End = textAt + len(text)
		}
		if value, ok := strings.CutPrefix(text, "code: '"); ok {
			o.Code = strings.TrimSuffix(strings.TrimSuffix(value, ","), "'")
		}
	}
	return o, o.Message != ""
}
