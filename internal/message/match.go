package message

import "strings"

// Matching
//
// A template matches a text if its pieces can be laid along it from end to end: literals where they stand, each hole over what
// lies between. Where several ways exist, the one that a careful reader takes wins:
//
//  1. every hole can have printed what it gets (digits for %d, a quoted string for %q, a member of an enum);
//  2. brackets and quotes that open inside a hole close inside it: in "f(a, b), c" with "{}, {}" the comma inside f() cuts nothing;
//  3. holes are not empty, and have no white space at their ends;
//  4. among equals each hole, from the left, is as short as it can be: in "open a: b: c" with "open {}: {}" the path is "a" and the
//     rest is the cause, which is how messages are chained; the last hole takes what remains. Only what is joined by a mere "." or
//     "/" is cut at the last one, as paths and qualified names are: "{module}.{name}" finds the name behind the last point.
//
// If rule 4 had to decide, the match says that it is ambiguous.
//
// The work is linear in the text: literals are searched from the left and from the right, and only between these two findings is
// there anything to choose. Choices are bounded by maxPlaces for each literal and maxChecked bytes for all; beyond that the
// leftmost fitting places win and the match says that it is ambiguous.

// How says how a text may differ from the whole of what the template prints.
type How uint8

// The ways; they combine.
const (
	// OpenStart allows text before the message. A hole at the start of the template then begins at the word that it stands at.
	OpenStart How = 1 << iota
	// OpenEnd allows text behind the message. A hole at the end of the template then ends with its line, or where its kind does.
	OpenEnd
	// Cut allows a text that ends early, inside a literal or a hole, and says so by "…", "..." or "[truncated]" at its end.
	Cut
	// Short allows a text that ends early without saying so.
	Short
	// Folded lets any white space stand for any other, and a line break stand where there is none.
	Folded
	// Redacted lets a redaction mark ("***", "[REDACTED]") stand for any part of the message, literals too. In the place of a
	// hole's value such marks are always taken.
	Redacted
	// Inside is text anywhere in a longer one.
	Inside = OpenStart | OpenEnd
)

// Narrow drops the ways that a text gives no reason for: nothing is redacted without a mark, and nothing cut that does not say so.
// What it returns leads to the same matches in less time. Folded stays, since a template may have the white space that a text lost.
func (h How) Narrow(text string) How {
	if h&Redacted != 0 && !redactedSomewhere(text) {
		h &^= Redacted
	}
	if _, marked := withoutMark(text); h&Cut != 0 && !marked {
		h &^= Cut
	}
	return h
}

// Match is a template laid along a text.
type Match struct {
	Bindings []Binding
	// Start and End are the byte offsets of the message in the text.
	Start, End int
	// Weight is the number of literal letters and digits that were seen: Template.Weight unless the text was cut or redacted.
	Weight int
	// Ambiguous says that other ways to lay the template were as good, so that the values may be others.
	Ambiguous bool
	// Cut says that the text ended early, Redacted that a mark stands for literal text, Folded that white space differs.
	Cut, Redacted, Folded bool
}

// Binding is the value of one hole.
type Binding struct {
	Hole       int    // number of the hole, from 0
	Value      string // as printed, without the padding
	Start, End int    // byte offsets in the text
	Cut        bool   // the text ended inside the value
}

// Match lays the template along the whole text.
func (t Template) Match(text string) (Match, bool) { return t.MatchIn(text, 0) }

// MatchIn lays the template along the text as far as how allows the two to differ. Stricter ways are tried first.
func (t Template) MatchIn(text string, how How) (Match, bool) {
	if len(t.Pieces) == 0 {
		return Match{}, text == ""
	}
	if m, ok := t.exact(text, how&Inside); ok {
		if how&Cut != 0 {
			m.trimCut()
		}
		return m, true
	}
	if how == how&Inside || len(text) > maxLoose {
		return Match{}, false
	}
	if m, ok := t.damaged(text, how); ok {
		return m, true
	}
	if how&Folded != 0 && (unevenSpace(text) || t.unevenSpace()) {
		return t.folded(text, how)
	}
	return Match{}, false
}

// unevenSpace reports whether a text has white space other than single blanks between words: without it in text and template, folding
// changes nothing.
func unevenSpace(s string) bool {
	blank := true
	for i := range len(s) {
		switch {
		case !isSpace(s[i]):
			blank = false
		case blank || s[i] != ' ':
			return true
		default:
			blank = true
		}
	}
	return blank && s != ""
}

// unevenSpace reports whether a literal of the template has white space that folding changes.
func (t Template) unevenSpace() bool {
	for i, p := range t.Pieces {
		if p.Hole != nil {
			continue
		}
		s := p.Text
		if i > 0 {
			s = strings.TrimPrefix(s, " ")
		}
		if i < len(t.Pieces)-1 {
			s = strings.TrimSuffix(s, " ")
		}
		if s != "" && unevenSpace(s) {
			return true
		}
	}
	return false
}

// damaged lays the template along a text of which a part is missing.
func (t Template) damaged(text string, how How) (Match, bool) {
	if how&Redacted != 0 {
		if m, ok := t.redacted(text, how); ok {
			return m, true
		}
	}
	if how&(Cut|Short) != 0 {
		return t.cut(text, how)
	}
	return Match{}, false
}

// maxLoose bounds the texts that are matched in the ways that are not exact; longer ones are no single messages.
const maxLoose = 1 << 16

// maxHoles bounds the holes of a template that is matched; [FromExpr] makes no longer ones.
const maxHoles = 64

// exact lays the template along the text with every literal as it is.
func (t Template) exact(text string, how How) (Match, bool) {
	if how == 0 {
		if m, ok, sure := t.simple(text); sure {
			return m, ok
		}
	}
	return t.laid(text, how)
}

// laid is exact by a layout, which takes every template and every way.
func (t Template) laid(text string, how How) (Match, bool) {
	var l layout
	if !l.init(t.Pieces, text, how) || !l.place() {
		return Match{}, false
	}
	m := l.match()
	m.Weight = t.Weight()
	return m, true
}
