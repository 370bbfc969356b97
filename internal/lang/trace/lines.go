// Package trace is what the readers of printed stack traces share: a report seen as lines that know their places, and observations
// that are tied to each other.
package trace

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// MaxFrames is how many calls of one trace are kept; the others are read and left out.
const MaxFrames = 200

// MaxMessage is how many lines a message may have.
const MaxMessage = 200

// Line is one line of a report.
type Line struct {
	Text       string // without white space around it
	Start, End int    // of Text in the report
	Indent     int    // the bytes of white space before it
}

// At cuts n bytes off the start of the text, and the white space behind them.
func (l Line) At(n int) Line {
	rest := strings.TrimLeft(l.Text[n:], " \t")
	l.Indent += len(l.Text) - len(rest)
	l.Start += len(l.Text) - len(rest)
	l.Text = rest
	return l
}

// Blank reports whether nothing stands on the line.
func (l Line) Blank() bool { return l.Text == "" }

// Lines splits a report into its lines, in time linear in the text.
func Lines(text string) []Line {
	out := make([]Line, 0, strings.Count(text, "\n")+1)
	for at := 0; at < len(text); {
		end, next := len(text), len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		left := strings.TrimLeft(text[at:end], " \t\r\v\f")
		l := Line{Indent: end - at - len(left), Text: strings.TrimRight(left, " \t\r\v\f")}
		l.Start = at + l.Indent
		l.End = l.Start + len(l.Text)
		out = append(out, l)
		at = next
	}
	return out
}

// Number is the value of a run of digits, 0 for what is none or too large.
func Number(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || n > 1<<27 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// CutNumber splits digits off the end of s, with the separator before them; ok says that both are there and that something remains.
func CutNumber(s, separator string) (rest string, n int, ok bool) {
	i := len(s)
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	if i == len(s) || len(s)-i > 9 {
		return s, 0, false
	}
	rest, ok = strings.CutSuffix(s[:i], separator)
	return rest, Number(s[i:]), ok && rest != ""
}

// Chain ties errors that were read from the innermost to the outermost: they come back the outermost first, each the cause of the
// one before it. links[i] says how all[i] is tied to all[i+1].
func Chain(all []raise.Observation, links []string, base int) []raise.Observation {
	out := make([]raise.Observation, 0, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		o := all[i]
		o.Of, o.Link = -1, ""
		if len(out) > 0 {
			o.Of, o.Link = base+len(out)-1, links[i]
		}
		out = append(out, o)
	}
	return out
}

// TypeName reports whether s can be the name of a type: letters, digits, "_" and "$", joined by the separators.
func TypeName(s, separators string) bool {
	letters := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80:
			letters = true
		case c == '_' || c == '$' || c >= '0' && c <= '9' && i > 0:
		case strings.IndexByte(separators, c) >= 0 && i > 0 && i < len(s)-1:
		default:
			return false
		}
	}
	return letters && len(s) <= 300
}

// Joined is the text of several lines from the start of the first to the end of the last, without what indents all of them.
func Joined(lines []Line) string {
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return lines[0].Text
	}
	least := lines[0].Indent
	for _, l := range lines[1:] {
		if !l.Blank() {
			least = min(least, l.Indent)
		}
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
			b.WriteString(strings.Repeat(" ", max(0, min(l.Indent, 1000)-least)))
		}
		b.WriteString(l.Text)
	}
	return strings.TrimRight(b.String(), "\n ")
}
