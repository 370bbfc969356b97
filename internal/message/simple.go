package message

import "strings"

// maxSimple bounds the holes of what simple lays.
const maxSimple = 8

// simple lays the template along the whole text where there is nothing to choose: every literal stands in one place alone. sure is
// false if there is something to choose, or the template is not simple; nothing is known then. It is what nearly all matches
// take, and gives the same result as a layout.
func (t Template) simple(text string) (m Match, ok, sure bool) {
	first, last := 0, len(t.Pieces)
	begin, end := 0, len(text)
	if p := &t.Pieces[0]; p.Hole == nil {
		if !strings.HasPrefix(text, p.Text) {
			return m, false, true
		}
		if last == 1 {
			m.End, m.Weight = end, weight(text)
			return m, end == len(p.Text), true
		}
		first, begin = 1, len(p.Text)
	}
	if p := &t.Pieces[last-1]; p.Hole == nil {
		if !strings.HasSuffix(text[begin:], p.Text) {
			return m, false, true
		}
		last--
		end -= len(p.Text)
	}
	var at [maxSimple]int
	seps, ok, sure := t.places(&at, first, last, text[:end], begin)
	if !ok || !sure {
		return m, false, sure
	}
	pos := begin
	for i := 0; i <= seps; i++ {
		stop, next := end, end
		if i < seps {
			stop = at[i]
			next = stop + len(t.Pieces[first+2*i+1].Text)
		}
		if !t.Pieces[first+2*i].Hole.takes(text[pos:stop]) {
			return m, false, true
		}
		pos = next
	}
	m = t.found(&at, first, seps, text, begin, end)
	return m, true, true
}

// places finds the literals between the first and last hole, which must take turns with the holes and stand in one place alone.
func (t Template) places(at *[maxSimple]int, first, last int, text string, begin int) (seps int, ok, sure bool) {
	pos := begin
	for i := first; i < last; i += 2 {
		if t.Pieces[i].Hole == nil || seps == maxSimple {
			return 0, false, false
		}
		if i+1 == last {
			break
		}
		p := &t.Pieces[i+1]
		if p.Hole != nil {
			return 0, false, false
		}
		found := strings.Index(text[pos:], p.Text)
		if found < 0 {
			return 0, false, true
		}
		at[seps] = pos + found
		pos += found + len(p.Text)
		seps++
	}
	limit := len(text)
	for i := seps - 1; i >= 0; i-- {
		if strings.Contains(text[at[i]+1:limit], t.Pieces[first+2*i+1].Text) {
			return 0, false, false
		}
		limit = at[i]
	}
	return seps, true, true
}

// found is the match with the literals at these places.
func (t Template) found(at *[maxSimple]int, first, seps int, text string, begin, end int) Match {
	m := Match{End: len(text), Bindings: make([]Binding, seps+1)}
	pos := begin
	for i := range m.Bindings {
		start, stop := pos, end
		if i < seps {
			stop = at[i]
			pos = stop + len(t.Pieces[first+2*i+1].Text)
		}
		if t.Pieces[first+2*i].Hole.Width > 0 {
			start, stop = trimmed(text, start, stop)
		}
		m.Bindings[i] = Binding{Hole: i, Value: text[start:stop], Start: start, End: stop}
	}
	m.Weight = t.Weight()
	return m
}
