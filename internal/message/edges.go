package message

import (
	"strings"
	"unicode/utf8"
)

// bounded reports whether the kind itself says where a value ends.
func (h *Hole) bounded() bool {
	switch h.Kind {
	case Int, Float, Quoted, Hex, Char, Bool, Pointer, Enum:
		return true
	}
	return false
}

// maxValue bounds how far the end of a value of a bounded kind is looked for.
const maxValue = 4 << 10

// ends calls add with the places at which a value of a bounded kind that begins at begin may end, until it returns false.
func (h *Hole) ends(text string, begin int, add func(int) bool) bool {
	if begin > len(text) {
		return true
	}
	rest := text[begin:min(len(text), begin+maxValue)]
	if h.Width > 0 {
		// What pads the value belongs to it.
		pad := len(rest) - len(strings.TrimLeft(rest, " "))
		if pad > 0 && pad < len(rest) {
			unpadded := Hole{Kind: h.Kind, Format: h.Format, Values: h.Values}
			return unpadded.ends(text, begin+pad, add)
		}
	}
	switch h.Kind {
	case Enum:
		for _, v := range h.Values {
			if strings.HasPrefix(rest, v) && !add(begin+len(v)) {
				return false
			}
		}
	case Char:
		_, size := utf8.DecodeRuneInString(rest)
		return add(begin + size)
	case Bool:
		for _, w := range []string{"true", "false"} {
			if len(rest) >= len(w) && strings.EqualFold(rest[:len(w)], w) && !add(begin+len(w)) {
				return false
			}
		}
		return word(rest, begin, add)
	case Quoted:
		if q := strings.IndexAny(rest, "\"'`"); q >= 0 && q <= 2 {
			if end := closing(rest, q); end > 0 {
				return add(begin + end + 1)
			}
		}
	default:
		return h.numberEnds(rest, begin, add)
	}
	return true
}

// word adds the end of the word at the start of rest.
func word(rest string, begin int, add func(int) bool) bool {
	i := 0
	for i < len(rest) && wordByte(rest[i]) {
		i++
	}
	return add(begin + i)
}

// numberEnds adds the ends of the numbers that rest begins with, longest first: "12.5e3" may be read as 12.5e3, 12.5 or 12.
func (h *Hole) numberEnds(rest string, begin int, add func(int) bool) bool {
	const inside = "+-.,_'%"
	end := 0
	for end < len(rest) && end < 64 && (wordByte(rest[end]) || strings.IndexByte(inside, rest[end]) >= 0) {
		end++
	}
	for ; end > 0; end-- {
		if (end == len(rest) || class(rest[end]) != class(rest[end-1]) || h.Kind == Int) && h.admits(rest[:end]) {
			if !add(begin + end) {
				return false
			}
		}
	}
	return true
}

// trailing is where a value at the end of a message in a longer text ends; at most at end, the end of the line.
func trailing(h *Hole, text string, begin, end int) int {
	if begin > end {
		return -1
	}
	if !h.bounded() {
		// White space at the end of a line belongs to no message.
		for end > begin && isSpace(text[end-1]) {
			end--
		}
		return end
	}
	if h.admits(text[begin:end]) {
		return end
	}
	longest := -1
	h.ends(text[:end], begin, func(at int) bool {
		if at > longest && h.admits(strings.Trim(text[begin:at], " ")) && (at == len(text) || !wordByte(text[at]) || at > begin && !wordByte(text[at-1])) {
			longest = at
		}
		return true
	})
	return longest
}

// leading is where a value at the start of a message in a longer text begins, if it ends at end: at the word that it ends with,
// or further left where a bracket or quote that closes in it was opened. -1 if the kind fits nothing.
func leading(h *Hole, text string, end int) int {
	line := strings.LastIndexByte(text[:end], '\n') + 1
	line = max(line, end-maxValue)
	begin, found := end, -1
	for range maxWords {
		for begin > line && isSpace(text[begin-1]) {
			begin--
		}
		for begin > line && !isSpace(text[begin-1]) {
			begin--
		}
		s := text[begin:end]
		switch {
		case h.bounded():
			if h.admits(s) {
				return begin
			}
			if at := h.tailOf(text, begin, end); at >= 0 {
				return at
			}
		case quotedWhole(s):
			return begin
		case found < 0 && balance(s, 0) == fits:
			if found = begin; s == "" || !isQuote(s[len(s)-1]) {
				return begin
			}
		}
		if begin == line {
			break
		}
	}
	if found < 0 && !h.bounded() {
		return line
	}
	return found
}

// maxWords bounds how far to the left the start of a value is looked for.
const maxWords = 8

// tailOf looks for a value of a bounded kind behind punctuation in the word from begin to end ("size=15", "(15").
func (h *Hole) tailOf(text string, begin, end int) int {
	for i := begin + 1; i < end; i++ {
		if !wordByte(text[i-1]) && text[i-1] != '.' && text[i-1] != '-' && h.admits(text[i:end]) {
			return i
		}
	}
	return -1
}
