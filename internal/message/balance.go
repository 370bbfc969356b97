package message

import "strings"

// maxNesting bounds the brackets that balance remembers; text nested deeper counts as unbalanced.
const maxNesting = 64

// balance is fits if every bracket and quote that opens in s closes in it, and split if not. An apostrophe inside or behind a word
// is none; one before a word that never closes costs less, as it may be one. A quote that is enclosing, the quote that stands on
// both sides of the hole, would have ended the value.
func balance(s string, enclosing byte) cost {
	var stack [maxNesting]byte
	depth := 0
	total := fits
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '(', '[', '{':
			if depth == maxNesting {
				return split
			}
			stack[depth] = closer(c)
			depth++
		case ')', ']', '}':
			if depth == 0 || stack[depth-1] != c {
				return split
			}
			depth--
		case '"', '\'', '`':
			word := i > 0 && wordByte(s[i-1])
			if c == enclosing && !(word && i+1 < len(s) && wordByte(s[i+1])) {
				return split
			}
			end := closing(s, i)
			switch {
			case word && c == '\'':
			case end > 0:
				i = end
			case c == '"':
				return split
			default:
				total = lone
			}
		case '\\':
			i++
		}
	}
	if depth != 0 {
		return split
	}
	return total
}

// closer is the bracket that closes c.
func closer(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// closing returns the index of the quote that ends the one at i, or -1.
func closing(s string, i int) int {
	q := s[i]
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case q:
			return j
		case '\\':
			if q != '`' {
				j++
			}
		}
	}
	return -1
}

// quotedWhole reports whether s is one quoted string from end to end, with a prefix letter or two before the quote ("b'x'").
func quotedWhole(s string) bool {
	i := 0
	for i < len(s) && i < 2 && 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z' {
		i++
	}
	if i >= len(s) || s[i] != '"' && s[i] != '\'' && s[i] != '`' {
		return false
	}
	return closing(s, i) == len(s)-1
}

// isRedaction reports whether s is what scrubbers put in the place of a value.
func isRedaction(s string) bool {
	if s == "" || wordByte(s[0]) && strings.IndexByte("rfmhsRFMHS", s[0]) < 0 {
		return false
	}
	if len(s) >= 3 && strings.Trim(s, "*") == "" {
		return true
	}
	s = strings.Trim(s, "<>[](){}\"'")
	switch {
	case strings.EqualFold(s, "redacted"), strings.EqualFold(s, "filtered"), strings.EqualFold(s, "masked"),
		strings.EqualFold(s, "hidden"), strings.EqualFold(s, "removed"), strings.EqualFold(s, "secret"):
		return true
	}
	return len(s) >= 3 && strings.Trim(s, "*") == "" || len(s) >= 9 && strings.Trim(s, "•█") == ""
}
