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
		for _, read := range []func(*report, int, string, int) (raise.Observation, bool){bracketed, uncaughtLine, processWarning} {
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
	body := strings.TrimSuffix(strings.TrimSuffix(line, " {"), ",")
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
	if !ok || t.start != 0 {
		return raise.Observation{}, false
	}
	if t.typ == "UnhandledPromiseRejectionWarning" {
		if inner, ok := typed(rest[t.message:]); ok && inner.start == 0 {
			inner.message += t.message
			t = inner
			t.start = t.message - len(t.typ) - 2
		}
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
	for k := i + 1; k < min(r.len(), i+60); k++ {
		text, textAt, in := r.line(k)
		if value, ok := strings.CutPrefix(text, "message: "); ok && in > indent {
			o.Message = unquoted(strings.TrimSuffix(value, ","))
			o.Span.End = textAt + len(text)
		}
		if value, ok := strings.CutPrefix(text, "code: '"); ok && in > indent {
			o.Code = strings.TrimSuffix(strings.TrimSuffix(value, ","), "'")
		}
		if f, _, ok := vitestFrame(text); ok {
			o.Frames = append(o.Frames, f)
		} else if len(o.Frames) > 0 {
			break
		}
	}
	return o, o.Message != ""
}
