package match

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// eachWord calls f for each word of s with its place and hash: a run of letters, digits and "_". A letter of a script that is
// written without blanks is a word by itself. The hash is never 0.
func eachWord(s string, f func(start, end int, hash uint32)) {
	start, hash := -1, uint32(offset)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if class[c] {
				if start < 0 {
					start, hash = i, offset
				}
				hash = (hash ^ uint32(c)) * prime
			} else if start >= 0 {
				f(start, i, finish(hash))
				start = -1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == utf8.RuneError:
			if start >= 0 {
				f(start, i, finish(hash))
				start = -1
			}
		case unspaced(r):
			if start >= 0 {
				f(start, i, finish(hash))
				start = -1
			}
			f(i, i+size, finish(wordHash(s[i:i+size])))
		default:
			if start < 0 {
				start, hash = i, offset
			}
			for j := range size {
				hash = (hash ^ uint32(s[i+j])) * prime
			}
		}
		i += size
	}
	if start >= 0 {
		f(start, len(s), finish(hash))
	}
}

// eachBroken calls f with the hash of each word that a line break may have cut in two.
func eachBroken(s string, f func(hash uint32)) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return
		}
		left, right := at+i, at+i+1
		at = right
		for left > 0 && (s[left-1] == '\r' || s[left-1] == ' ') {
			left--
		}
		for right < len(s) && (s[right] == ' ' || s[right] == '\t') {
			right++
		}
		start, end := left, right
		for start > 0 && s[start-1] < utf8.RuneSelf && class[s[start-1]] {
			start--
		}
		for end < len(s) && s[end] < utf8.RuneSelf && class[s[end]] {
			end++
		}
		if start < left && end > right {
			f(finish(wordHash(s[start:left] + s[right:end])))
		}
	}
}

// The 32-bit FNV-1a hash.
const (
	offset = 2166136261
	prime  = 16777619
)

// finish spreads the bits, since tables take the low ones, and keeps 0 free to mean "none".
func finish(h uint32) uint32 {
	h ^= h >> 15
	h *= 0x85ebca6b
	h ^= h >> 13
	return max(h, 1)
}

// pair is the hash of two neighbouring words.
func pair(a, b uint32) uint32 { return finish(a*31 + b) }

// bit is the word's bit in a signature.
func bit(hash uint32) uint64 { return 1 << (hash >> 26) }

// unspaced reports whether a letter's script is written without blanks between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// class says which bytes below 0x80 belong to words.
var class = [utf8.RuneSelf]bool{'_': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true,
	'l': true, 'm': true, 'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true,
	'w': true, 'x': true, 'y': true, 'z': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true,
	'L': true, 'M': true, 'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true,
	'W': true, 'X': true, 'Y': true, 'Z': true}
