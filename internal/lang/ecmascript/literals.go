package ecmascript

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape decodes the escape sequences of a string or template literal's content. What is no valid escape stays as it is.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\r':
			// A line break in a template is a line feed, however the file writes it.
			b.WriteByte('\n')
			if i++; i < len(s) && s[i] == '\n' {
				i++
			}
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
			i++
		default:
			text, n := escape(s[i:])
			b.WriteString(text)
			i += n
		}
	}
	return b.String()
}

// escape decodes the escape sequence that s begins with and says how long it is.
func escape(s string) (text string, n int) {
	switch c := s[1]; c {
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case 'b':
		return "\b", 2
	case 'f':
		return "\f", 2
	case 'v':
		return "\v", 2
	case '\n':
		return "", 2
	case '\r':
		if len(s) > 2 && s[2] == '\n' {
			return "", 3
		}
		return "", 2
	case 'x':
		return codePoint(s, 2, 4)
	case 'u':
		if len(s) > 2 && s[2] == '{' {
			if end := strings.IndexByte(s, '}'); end > 3 && end < 12 {
				text, _ := codePoint(s[:end], 3, end)
				return text, end + 1
			}
			return "u", 2
		}
		return surrogates(s)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		end := 2
		for end < len(s) && end < 4 && s[end] >= '0' && s[end] <= '7' {
			end++
		}
		v, err := strconv.ParseUint(s[1:end], 8, 8)
		if err != nil {
			return s[1:2], 2
		}
		return string(rune(v)), end
	}
	r, size := utf8.DecodeRuneInString(s[1:])
	if r == '\u2028' || r == '\u2029' {
		return "", 1 + size
	}
	return s[1 : 1+size], 1 + size
}

// codePoint decodes the hexadecimal digits s[from:to].
func codePoint(s string, from, to int) (string, int) {
	if len(s) < to {
		return s[1:2], 2
	}
	v, err := strconv.ParseUint(s[from:to], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return s[1:2], 2
	}
	return string(rune(v)), to
}

// surrogates decodes \uXXXX, and two of them where they are a pair.
func surrogates(s string) (string, int) {
	text, n := codePoint(s, 2, 6)
	if n != 6 {
		return text, n
	}
	high, err := strconv.ParseUint(s[2:6], 16, 32)
	if err != nil || high < 0xD800 || high > 0xDBFF || len(s) < 12 || s[6:8] != `\u` {
		return text, n
	}
	low, err := strconv.ParseUint(s[8:12], 16, 32)
	if err != nil || low < 0xDC00 || low > 0xDFFF {
		return text, n
	}
	return string(rune((high-0xD800)<<10 + (low - 0xDC00) + 0x10000)), 12
}

// number writes a numeric literal as strconv reads it with base 0: without separators and the mark of a big integer, octal with 0o.
func number(s string) string {
	s = strings.ReplaceAll(strings.TrimSuffix(s, "n"), "_", "")
	if len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		if strings.Trim(s, "01234567") == "" {
			return "0o" + s[1:]
		}
		return strings.TrimLeft(s[:len(s)-1], "0") + s[len(s)-1:]
	}
	return s
}

// dedented is a template's text without the indentation that its lines share and without blank first and last lines, as the
// usual tags make it.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	shared := -1
	for i, l := range lines {
		if i == 0 || strings.TrimSpace(l) == "" {
			continue
		}
		if n := len(l) - len(strings.TrimLeft(l, " \t")); shared < 0 || n < shared {
			shared = n
		}
	}
	for i := range lines {
		if i > 0 && shared > 0 {
			lines[i] = lines[i][min(shared, len(lines[i])-len(strings.TrimLeft(lines[i], " \t"))):]
		}
	}
	return strings.Join(lines, "\n")
}

// oneLine is a text with each run of white space that holds a line break folded to a blank.
func oneLine(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && (s[j] == ' ' || s[j] == '\t' || s[j] == '\n' || s[j] == '\r') {
			j++
		}
		switch {
		case j == i:
			b.WriteByte(s[i])
			i++
			continue
		case strings.ContainsAny(s[i:j], "\n\r"):
			b.WriteByte(' ')
		default:
			b.WriteString(s[i:j])
		}
		i = j
	}
	return b.String()
}
