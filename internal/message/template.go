package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Template is the message of a site: literal pieces and holes in the order of the text. Two literal pieces never stand side by
// side and none is empty, so that equal messages have equal templates. A template is immutable; copies share their pieces.
type Template struct {
	Pieces []Piece
}

// Piece is literal text, or a hole if Hole is not nil.
type Piece struct {
	Text string
	Hole *Hole
}

// Hole is a place of a message that a value fills at run time.
type Hole struct {
	// Expr is the value's expression; nil in a template that was parsed or decoded, and where no value is given.
	Expr *expr.Expr
	// Text is the expression as it is shown.
	Text string
	// Format is the conversion as written ("%q", "!r:>10", ":.2f"), without argument numbers; empty for the default one.
	Format string
	// Kind is what the printed value looks like.
	Kind Kind
	// Width is the least number of characters that the value is padded to, 0 for none, 1 where it is computed.
	Width int
	// Values are the texts that the hole can print, where Kind is Enum.
	Values []string
}

// Literal returns the template of a fixed text.
func Literal(text string) Template {
	if text == "" {
		return Template{}
	}
	return Template{Pieces: []Piece{{Text: text}}}
}

// normal merges neighbouring literals and drops empty ones.
func normal(pieces []Piece) Template {
	out := make([]Piece, 0, len(pieces))
	for _, p := range pieces {
		last := len(out) - 1
		switch {
		case p.Hole != nil:
			out = append(out, p)
		case p.Text == "":
		case last >= 0 && out[last].Hole == nil:
			out[last].Text += p.Text
		default:
			out = append(out, p)
		}
	}
	return Template{Pieces: slices.Clip(out)}
}

// Holes returns the holes in the order of the text.
func (t Template) Holes() []*Hole {
	var out []*Hole
	for _, p := range t.Pieces {
		if p.Hole != nil {
			out = append(out, p.Hole)
		}
	}
	return out
}

// HoleCount returns the number of holes.
func (t Template) HoleCount() int {
	n := 0
	for i := range t.Pieces {
		if t.Pieces[i].Hole != nil {
			n++
		}
	}
	return n
}

// Key is the literal text with a NUL byte for each hole: what makes two messages the same error. Expressions and formats of the
// holes are not part of it, so that a renamed variable changes nothing. A NUL in the literal text stands as U+2400.
func (t Template) Key() string {
	var b strings.Builder
	for _, p := range t.Pieces {
		if p.Hole != nil {
			b.WriteByte(0)
		} else {
			b.WriteString(strings.ReplaceAll(p.Text, "\x00", "\u2400"))
		}
	}
	return b.String()
}

// Display prints the template for users: the expressions in braces, without formats; literal braces stand as they are.
func (t Template) Display() string {
	var b strings.Builder
	for _, p := range t.Pieces {
		if p.Hole != nil {
			b.WriteString("{" + expr.Fold(p.Hole.Text) + "}")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Weight is the number of letters and digits in the literal text: how much a match of the template says.
func (t Template) Weight() int {
	n := 0
	for _, p := range t.Pieces {
		if p.Hole == nil {
			n += weight(p.Text)
		}
	}
	return n
}

// weight counts the letters and digits of s.
func weight(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9':
			n++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
			i += size - 1
		}
	}
	return n
}

// Token is a word of the literal text.
type Token struct {
	Text string
	// Whole says that the word ends where the token ends on both sides: no hole can make it longer.
	Whole bool
}

// Tokens calls yield for each word of the literal text, until it returns false. A word is a run of letters, digits and "_".
func (t Template) Tokens(yield func(Token) bool) {
	for i, p := range t.Pieces {
		if p.Hole == nil && !tokens(p.Text, i > 0, i < len(t.Pieces)-1, yield) {
			return
		}
	}
}

// tokens splits one literal; openLeft and openRight say that a hole stands beside it.
func tokens(s string, openLeft, openRight bool, yield func(Token) bool) bool {
	start := -1
	for i := 0; i <= len(s); {
		r, size := rune(' '), 1
		if i < len(s) {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		word := i < len(s) && wordRune(r)
		if word && start < 0 {
			start = i
		}
		if !word && start >= 0 {
			cut := start == 0 && openLeft || i == len(s) && openRight
			if !yield(Token{s[start:i], !cut}) {
				return false
			}
			start = -1
		}
		i += size
	}
	return true
}

// wordRune reports whether r belongs to a word.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return wordByte(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// wordByte is wordRune for ASCII; other bytes are in no word.
func wordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}

// Specific reports whether the literal text says enough to know the message by: two words of at least eight letters and digits
// together, or one of at least twelve. Templates below that floor match too much noise to be looked for without other evidence.
func (t Template) Specific() bool {
	words, total, longest := 0, 0, 0
	for tok := range t.Tokens {
		n := weight(tok.Text)
		if n > 1 {
			words++
		}
		total += n
		longest = max(longest, n)
	}
	return words >= 2 && total >= 8 || longest >= 12
}
