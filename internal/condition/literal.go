package condition

import (
	"strings"
	"unicode/utf8"
)

// unquote reads one quoted string from end to end, in any of the usual quotes, with the escapes that languages share. Other escapes
// make it fail: what they mean differs.
func unquote(s string) (string, bool) {
	p := literalParser{text: s}
	v := p.quoted()
	return v, !p.bad && p.at == len(s)
}

// literalParser reads printed values as source code writes them: numbers, quoted strings, words, lists and maps of them.
type literalParser struct {
	text string
	at   int
	bad  bool
}

// maxNesting bounds lists in lists.
const maxNesting = 20

// peek is the next byte, 0 at the end.
func (p *literalParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// blanks skips the white space that printers put between elements.
func (p *literalParser) blanks() {
	for p.peek() == ' ' || p.peek() == '\n' {
		p.at++
	}
}

// value reads one value.
func (p *literalParser) value(depth int) Value {
	if depth > maxNesting || p.bad {
		p.bad = true
		return Value{}
	}
	switch c := p.peek(); {
	case c == '"' || c == '\'' || c == '`':
		return TextOf(p.quoted())
	case c == '[':
		return p.list(']', depth)
	case c == '(':
		return p.list(')', depth)
	case c == '{':
		return p.list('}', depth)
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return p.word()
	}
	p.bad = true
	return Value{}
}

// list reads elements up to end. Of a map the keys are its elements.
func (p *literalParser) list(end byte, depth int) Value {
	p.at++
	elems := []Value{}
	for {
		p.blanks()
		if p.peek() == end {
			p.at++
			v := ListOf(elems...)
			if end == '}' {
				v.text = unordered
			}
			return v
		}
		elems = append(elems, p.value(depth+1))
		p.blanks()
		if p.peek() == ':' && end == '}' {
			p.at++
			p.blanks()
			p.value(depth + 1)
			p.blanks()
		}
		if p.bad {
			return Value{}
		}
		switch p.peek() {
		case ',':
			p.at++
		case end:
		default:
			p.bad = true
			return Value{}
		}
	}
}

// number reads all that can belong to a number; a date or a version that begins like one is none.
func (p *literalParser) number() Value {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("0123456789abcdefxABCDEFX.+-", p.text[p.at]) >= 0 {
		p.at++
	}
	v, ok := parseNumber(p.text[start:p.at])
	p.bad = p.bad || !ok
	return v
}

// word reads a truth value, a word for no value, or the prefix letter of a quoted text.
func (p *literalParser) word() Value {
	start := p.at
	if q := strings.IndexAny(p.text[start:], `"'`); q == 1 {
		switch p.text[start] {
		case 'u', 'r':
			p.at++
			return TextOf(p.quoted())
		}
		p.bad = true // bytes are no text
		return Value{}
	}
	for c := p.peek(); 'a' <= c|0x20 && c|0x20 <= 'z'; c = p.peek() {
		p.at++
	}
	switch w := p.text[start:p.at]; w {
	case "true", "True":
		return BoolOf(true)
	case "false", "False":
		return BoolOf(false)
	default:
		v, ok := absent(w)
		p.bad = p.bad || !ok
		return v
	}
}

// quoted reads a string at a quote and returns its content.
func (p *literalParser) quoted() string {
	q := p.peek()
	if q != '"' && q != '\'' && q != '`' {
		p.bad = true
		return ""
	}
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if c == q {
			p.at++
			return b.String()
		}
		if c != '\\' || q == '`' {
			b.WriteByte(c)
			continue
		}
		p.at++
		p.escape(&b)
	}
	p.bad = true
	return ""
}

// escape reads what stands behind a backslash.
func (p *literalParser) escape(b *strings.Builder) {
	switch c := p.peek(); c {
	case '\\', '"', '\'', '`', '/':
		b.WriteByte(c)
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'x':
		p.hex(b, 2)
	case 'u':
		p.hex(b, 4)
	case 'U':
		p.hex(b, 8)
	default:
		p.bad = true
	}
}

// hex reads the digits of an escape; bytes that are no character of their own are not known as text.
func (p *literalParser) hex(b *strings.Builder, digits int) {
	if p.at+digits >= len(p.text) {
		p.bad = true
		return
	}
	var r rune
	for _, c := range []byte(p.text[p.at+1 : p.at+1+digits]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			p.bad = true
		}
	}
	p.at += digits
	if digits == 2 && r >= utf8.RuneSelf || !utf8.ValidRune(r) {
		p.bad = true
	}
	b.WriteRune(r)
}
