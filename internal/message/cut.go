package message

import "strings"

// cutMarks are what stands for the part of a text that was left out at its end, longest first.
func cutMarks() []string {
	return []string{"(truncated)", "[truncated]", "<truncated>", "[...]", "(...)", "[…]", "...", "…"}
}

// withoutMark takes the marks of a cut off the end of a text.
func withoutMark(text string) (body string, marked bool) {
	body = strings.TrimRight(text, " \t\r\n")
	for range 4 {
		before := body
		for _, mark := range cutMarks() {
			body = strings.TrimRight(strings.TrimSuffix(body, mark), " \t\r\n")
		}
		if body == before {
			break
		}
		marked = true
	}
	if !marked {
		return text, false
	}
	return body, true
}

// trimCut takes the mark of a cut off the last value, if the message ends with it.
func (m *Match) trimCut() {
	n := len(m.Bindings)
	if n == 0 || m.Bindings[n-1].End != m.End {
		return
	}
	last := &m.Bindings[n-1]
	body, marked := withoutMark(last.Value)
	if !marked {
		return
	}
	last.Value, last.End, last.Cut = body, last.Start+len(body), true
	m.Cut = true
}

// cut lays the beginning of the template along a text that ends early. Of the literals those that are all there are laid; the next
// one is cut if the text ends with its beginning, otherwise the hole before it is.
func (t Template) cut(text string, how How) (Match, bool) {
	body, marked := withoutMark(text)
	if body == "" || !marked && how&Short == 0 {
		return Match{}, false
	}
	how &= OpenStart
	k, pos := t.reached(body, how)
	if k == len(t.Pieces) {
		// Everything is there: the mark stands behind the message.
		k--
	}
	if p := t.Pieces[k]; p.Hole == nil {
		for n := overlap(body[pos:], p.Text); n > 0; n = shorter(p.Text, n) {
			part := normal(append(append([]Piece{}, t.Pieces[:k]...), Piece{Text: p.Text[:n]}))
			if m, ok := part.exact(body, how); ok && m.Weight > 0 {
				m.Cut = true
				return m, true
			}
		}
	}
	for k > 0 && t.Pieces[k].Hole == nil {
		k--
	}
	if t.Pieces[k].Hole == nil {
		return Match{}, false
	}
	return Template{Pieces: t.Pieces[:k+1]}.openEnded(body, how)
}

// openEnded lays a template along a text that ends inside its last hole.
func (t Template) openEnded(body string, how How) (Match, bool) {
	l := layout{open: true}
	if !l.init(t.Pieces, body, how) || !l.place() {
		return Match{}, false
	}
	m := l.match()
	m.Weight = t.Weight()
	if m.Weight == 0 {
		return Match{}, false
	}
	m.Cut = true
	m.Bindings[len(m.Bindings)-1].Cut = true
	return m, true
}

// reached counts the pieces up to the first literal that the text does not hold, and says where the last one that it holds ends.
func (t Template) reached(body string, how How) (k, pos int) {
	for i, p := range t.Pieces {
		if p.Hole != nil {
			continue
		}
		at := strings.Index(body[pos:], p.Text)
		if at < 0 || at > 0 && i == 0 && how&OpenStart == 0 {
			return i, pos
		}
		pos += at + len(p.Text)
	}
	return len(t.Pieces), pos
}

// overlap is the length of the longest beginning of lit, short of all of it, that s ends with.
func overlap(s, lit string) int {
	for n := min(len(lit)-1, len(s)); n > 0; n-- {
		if s[len(s)-n:] == lit[:n] && weight(lit[:n]) > 0 {
			return n
		}
	}
	return 0
}

// shorter is the next shorter overlap of a text that ends with lit[:n].
func shorter(lit string, n int) int {
	return overlap(lit[:n], lit[:n])
}
