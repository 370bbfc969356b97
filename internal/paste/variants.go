package paste

import (
	"strings"
	"unicode/utf8"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// minEscapes is how many line breaks a text with escapes needs to be laid out as one with lines.
const minEscapes = 2

// unfolded returns a view of v that has the texts with escaped line breaks, which stand in fields and quotations, laid out below it.
// What v itself holds is the first part of the result, len(v.Text) bytes.
func unfolded(v *View) View {
	var b builder
	b.keep(v.Text, 0)
	left := len(v.Text) // what is laid out is never longer than what it was made of
	for at := 0; at < len(v.Text) && left > 0; {
		end := at + lineLength(v.Text[at:])
		line := v.Text[at:end]
		if strings.Count(line, `\n`) >= minEscapes {
			for _, f := range folded(line) {
				if left -= f.end - f.start; left < 0 {
					break
				}
				b.put("\n\n", at+f.start, 0)
				b.unescape(line[f.start:f.end], at+f.start)
			}
		}
		at = end + 1
	}
	return b.view(len(v.Text), v)
}

// lineLength is the length of the first line of s, without its end.
func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// folded lists the parts of a line that hold escaped line breaks: fields, or all of it.
func folded(line string) []field {
	var out []field
	for _, f := range fieldsOf(line) {
		if f.escaped && strings.Count(line[f.start:f.end], `\n`) >= minEscapes {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		f := field{end: len(line)}
		if i := strings.IndexAny(line, `"'`); i >= 0 && i < strings.Index(line, `\n`) {
			f.start = i + 1
		}
		if i := strings.LastIndexAny(line, `"'`); i > strings.LastIndex(line, `\n`) {
			f.end = i
		}
		out = append(out, f)
	}
	return out
}

// variants lists other ways to see a view that differ from it: without what log lines begin with, with straight quotes, with lines
// joined that a terminal wrapped.
func (p *patterns) variants(v *View) []View {
	var out []View
	for _, variant := range []func(*View) (View, bool){p.stripped, straightened, unwrapped} {
		if other, ok := variant(v); ok {
			out = append(out, other)
		}
	}
	return out
}

// stripped is a view without the dates, levels and loggers at the start of lines. Only lines with a date are cut, so that a message
// keeps its own first words.
func (p *patterns) stripped(v *View) (View, bool) {
	var cuts []int
	cut := 0
	words := map[string]int{}
	for at := 0; at < len(v.Text); {
		end := at + lineLength(v.Text[at:])
		line := v.Text[at:min(end, at+maxLine)]
		n := p.dated(line)
		if n > 0 {
			cut++
			words[firstWord(line[n:])]++
		}
		cuts = append(cuts, n)
		at = end + 1
	}
	if cut < 2 {
		return View{}, false
	}
	var b builder
	last := ""
	for at, i := 0, 0; at < len(v.Text); i++ {
		end := at + lineLength(v.Text[at:])
		n := cuts[i]
		// A prefix that differs in more than its numbers begins another record.
		shape := strings.Trim(v.Text[at:at+n], "0123456789 ")
		if n > 0 && i > 0 && !alike(shape, last) {
			b.put("\n", at, 0)
		}
		last = shape
		// A word that follows the prefix again and again names the logger.
		if word := firstWord(v.Text[at+n : min(end, at+maxLine)]); n > 0 && word != "" && words[word] >= minRepeated {
			n += len(word) + 1
		}
		b.keep(v.Text[at+n:min(end+1, len(v.Text))], at+n)
		at = end + 1
	}
	return b.view(len(v.Text), v), true
}

// alike reports whether two texts are the same but for their digits.
func alike(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && !(digit(a[i]) && digit(b[i])) {
			return false
		}
	}
	return true
}

// minRepeated is how many lines have to begin with a word for it to be taken for the name of a logger.
const minRepeated = 3

// firstWord is the word that a line begins with, "" if it is one that frames begin with.
func firstWord(line string) string {
	word, _, ok := strings.Cut(line, " ")
	if !ok || len(word) > 60 || word == "at" || word == "from" || word == "in" || strings.ContainsAny(word, "\"'()#") {
		return ""
	}
	return word
}

// dated is the length of the prefixes of a line that has a date among them. It ends before what a trace form may know.
func (p *patterns) dated(line string) int {
	at, dated := 0, false
	for range maxPrefixes {
		rest := line[at:]
		if _, ok := typed(rest); ok || strings.HasPrefix(rest, "panic: ") || strings.HasPrefix(rest, "fatal error: ") {
			break
		}
		n, _, _ := p.stamp(rest)
		dated = dated || n > 0
		if n == 0 {
			var frames []raise.Frame
			if n, _, frames = p.prefix(rest); n == 0 || frames != nil || !dated {
				break
			}
		}
		at += n
	}
	if !dated {
		return 0
	}
	// The indentation behind a prefix is the program's.
	for at > 1 && line[at-1] == ' ' && line[at-2] == ' ' || at > 0 && line[at-1] == '\t' {
		at--
	}
	return at
}

// straightened is a view with straight quotes in place of those that word processors put.
func straightened(v *View) (View, bool) {
	if !strings.ContainsAny(v.Text, "“”‘’") {
		return View{}, false
	}
	var b builder
	rest, at := v.Text, 0
	for {
		i := strings.IndexAny(rest, "“”‘’")
		if i < 0 {
			break
		}
		b.keep(rest[:i], at)
		r, size := utf8.DecodeRuneInString(rest[i:])
		b.put(straight(r), at+i, size)
		rest, at = rest[i+size:], at+i+size
	}
	b.keep(rest, at)
	return b.view(len(v.Text), v), true
}

func straight(r rune) string {
	switch r {
	case '“', '”':
		return `"`
	}
	return "'"
}

// Widths of terminals at which lines are wrapped.
const (
	minWidth = 60
	maxWidth = 250
)

// unwrapped is a view in which the lines that are as wide as the widest are joined with what follows them, if they were wrapped by a
// terminal: no line is wider, and at least two are as wide, or the width is a usual one.
func unwrapped(v *View) (View, bool) {
	widest, count := 0, 0
	for at := 0; at < len(v.Text); {
		n := lineLength(v.Text[at:])
		if n > 4*maxWidth {
			return View{}, false
		}
		switch width := columns(v.Text[at : at+n]); {
		case width > widest:
			widest, count = width, 1
		case width == widest:
			count++
		}
		at += n + 1
	}
	usual := widest == 80 || widest == 100 || widest == 120 || widest == 132
	if widest < minWidth || widest > maxWidth || count < 2 && !usual {
		return View{}, false
	}
	var b builder
	for at := 0; at < len(v.Text); {
		n := lineLength(v.Text[at:])
		b.keep(v.Text[at:at+n], at)
		if end := at + n; end < len(v.Text) && columns(v.Text[at:end]) < widest {
			b.keep("\n", end)
		}
		at += n + 1
	}
	return b.view(len(v.Text), v), true
}

// columns is how wide a terminal shows a line.
func columns(line string) int {
	n := 0
	for _, r := range line {
		if n++; r == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return n
}
