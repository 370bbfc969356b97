package lower

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unescape decodes the escape sequences that most languages share: \n and its like, \x41, \u0041, \u{41}, \U00000041, octal numbers, a
// line break, and a backslash before any mark. What is none stays as it is.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if j := strings.IndexByte("ntrbfavse0", c); j >= 0 && (c != '0' || i+1 == len(s) || s[i+1] < '0' || s[i+1] > '7') {
			b.WriteByte("\n\t\r\b\f\a\v \x1b\x00"[j])
			continue
		}
		switch {
		case c == 'x' || c == 'u' || c == 'U':
			value, size := number(s[i:])
			if size == 0 {
				b.WriteByte('\\')
				b.WriteByte(c)
				continue
			}
			if c == 'x' && value > 0x7f && value <= 0xff {
				b.WriteByte(byte(value))
			} else {
				b.WriteRune(value)
			}
			i += size - 1
		case c >= '0' && c <= '7':
			size := 1
			for size < 3 && i+size < len(s) && s[i+size] >= '0' && s[i+size] <= '7' {
				size++
			}
			if v, err := strconv.ParseUint(s[i:i+size], 8, 16); err == nil {
				b.WriteRune(rune(v))
			}
			i += size - 1
		case c == '\n':
		case c < utf8.RuneSelf && !isWord(c):
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// number reads x41, u0041, u{41} or U00000041, and says how many bytes that took; 0 if it is none.
func number(s string) (rune, int) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	hex, skip := s[1:], 1
	if s[0] == 'u' {
		more := strings.TrimLeft(hex, "u")
		skip += len(hex) - len(more)
		hex = more
	}
	if inside, ok := strings.CutPrefix(hex, "{"); ok {
		text, _, closed := strings.Cut(inside, "}")
		v, err := strconv.ParseUint(text, 16, 32)
		if !closed || err != nil {
			return 0, 0
		}
		return rune(v), skip + len(text) + 2
	}
	n := 0
	for n < digits && n < len(hex) && strings.IndexByte("0123456789abcdefABCDEF", hex[n]) >= 0 {
		n++
	}
	if n == 0 || n < digits && s[0] != 'x' {
		return 0, 0
	}
	v, err := strconv.ParseUint(hex[:n], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(v), skip + n
}

// Dedent takes the first line break, the indentation that all lines share, and what stands on the last line before the closing mark off
// a raw text of several lines.
func Dedent(s string) string {
	_, body, several := strings.Cut(s, "\n")
	if !several {
		return s
	}
	lines := strings.Split(body, "\n")
	indent := -1
	for i, l := range lines {
		blank := strings.TrimLeft(l, " \t")
		if blank == "" && i < len(lines)-1 {
			continue
		}
		if n := len(l) - len(blank); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(indent, 0), len(l)):]
	}
	if len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}
