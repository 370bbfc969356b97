package message

import (
	"slices"
	"strings"
)

// folding is a text with other white space, and where each of its bytes stood.
type folding struct {
	text string
	from []int32 // for each byte of text its offset in the original, and one more for the end
}

// breaks says what becomes of a line break when a text is folded.
type breaks uint8

const (
	breakBlank  breaks = iota // a break was a blank, as when words are wrapped
	breakNone                 // a break was put in between any two characters, as by a terminal of fixed width
	breakTokens               // none where that makes a word of the template, a blank elsewhere
)

// fold makes each run of white space one blank, and takes it off both ends.
func fold(text string, how breaks, t Template) folding {
	f := folding{from: make([]int32, 0, len(text)+1)}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isSpace(text[j]) {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			f.from = append(f.from, int32(i))
			i++
			continue
		}
		if b.Len() > 0 && j < len(text) && !joins(text, i, j, how, t) {
			b.WriteByte(' ')
			f.from = append(f.from, int32(i))
		}
		i = j
	}
	f.text = b.String()
	f.from = append(f.from, int32(len(text)))
	return f
}

// joins reports whether the white space from i to j was put into a word.
func joins(text string, i, j int, how breaks, t Template) bool {
	if how == breakBlank || !strings.Contains(text[i:j], "\n") || isSpace(text[i]) && text[i] != '\n' && text[i] != '\r' {
		return false
	}
	if how == breakNone {
		return true
	}
	left, right := i, j
	for left > 0 && wordByte(text[left-1]) {
		left--
	}
	for right < len(text) && wordByte(text[right]) {
		right++
	}
	if left == i || right == j {
		return false
	}
	joined := text[left:i] + text[j:right]
	for tok := range t.Tokens {
		if tok.Text == joined {
			return true
		}
	}
	return false
}

// folded lays the template along the text with white space that differs.
func (t Template) folded(text string, how How) (Match, bool) {
	even := Template{Pieces: make([]Piece, 0, len(t.Pieces))}
	for i, p := range t.Pieces {
		if p.Hole == nil {
			p.Text = foldLiteral(p.Text, i == 0, i == len(t.Pieces)-1)
			if p.Text == "" {
				continue
			}
		}
		even.Pieces = append(even.Pieces, p)
	}
	if len(even.Pieces) == 0 {
		return Match{}, false
	}
	var tried []string
	if t.String() == even.String() {
		tried = append(tried, text)
	}
	strict := how & Inside
	for _, how := range []How{strict, how &^ Folded} {
		for _, b := range []breaks{breakBlank, breakTokens, breakNone} {
			f := fold(text, b, t)
			if how == strict && slices.Contains(tried, f.text) {
				continue
			}
			tried = append(tried, f.text)
			if m, ok := even.MatchIn(f.text, how); ok {
				return f.original(m), true
			}
		}
	}
	return Match{}, false
}

// original is a match of the folded text as one of the original.
func (f folding) original(m Match) Match {
	m.Folded = true
	m.Start, m.End = f.span(m.Start, m.End)
	for i := range m.Bindings {
		v := &m.Bindings[i]
		v.Start, v.End = f.span(v.Start, v.End)
	}
	return m
}

// span is a part of the folded text in the original.
func (f folding) span(start, end int) (int, int) {
	if start == end {
		at := int(f.from[start])
		return at, at
	}
	return int(f.from[start]), int(f.from[end-1]) + 1
}

// foldLiteral folds the white space of a literal piece; at the ends of the message it falls away.
func foldLiteral(s string, first, last bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && isSpace(s[j]) {
			j++
		}
		if j == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		if !(i == 0 && first || j == len(s) && last) {
			b.WriteByte(' ')
		}
		i = j
	}
	return b.String()
}
