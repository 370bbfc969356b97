package message

import "strings"

// Redacted messages
//
// Where scrubbers cut words out of a message, a mark stands for any part of it. The text is then a pattern as well, and the two
// are laid along each other so that as many literal bytes as possible are seen: for every byte of the text and every state of the
// template, a state being the number of its bytes and holes that are behind, the table keeps how many literal bytes the best way
// there saw. A byte takes a state over an equal literal byte, or stays in a hole; a mark takes it to any later state. The way is
// read back from the end.

// Bounds on the table of states.
const (
	maxStates = 1 << 12
	maxCells  = 1 << 21
	maxMarks  = 32
)

// unit is a byte of the text or a mark.
type unit struct {
	at, end int
	mark    bool
}

// redacted lays the template along a text in which marks stand for any part of the message.
func (t Template) redacted(text string, how How) (Match, bool) {
	units, marks := unitsOf(text)
	states := t.states()
	if marks == 0 || marks > maxMarks || len(states) > maxStates || len(states)*len(units) > maxCells {
		return Match{}, false
	}
	r := run{template: t, text: text, units: units, states: states}
	r.forward(how)
	return r.back(how)
}

// unitsOf splits a text into bytes and marks.
func unitsOf(text string) (units []unit, marks int) {
	for i := 0; i < len(text); {
		if n := markLength(text[i:]); n > 0 {
			units = append(units, unit{i, i + n, true})
			marks++
			i += n
			continue
		}
		units = append(units, unit{i, i + 1, false})
		i++
	}
	return units, marks
}

// redactedSomewhere reports whether a text holds a redaction mark.
func redactedSomewhere(text string) bool {
	for i := range len(text) {
		if markLength(text[i:]) > 0 {
			return true
		}
	}
	return false
}

// markLength is the length of the redaction mark at the start of s, or 0.
func markLength(s string) int {
	switch s[0] {
	case '*':
		n := len(s) - len(strings.TrimLeft(s, "*"))
		if n >= 3 {
			return n
		}
	case '<', '[', '{', '(':
		end := strings.IndexByte(s[:min(len(s), 24)], closerOf(s[0]))
		if end > 1 && isRedaction(s[:end+1]) {
			return end + 1
		}
	}
	return 0
}

// closerOf is closer for the brackets that marks stand in.
func closerOf(c byte) byte {
	if c == '<' {
		return '>'
	}
	return closer(c)
}

// step is one state: the literal byte that leaves it, or the hole that it is in.
type step struct {
	c    byte
	hole int // number of the hole, -1 for a literal byte
}

// states lists the states of a template, up to one more than are laid.
func (t Template) states() []step {
	var out []step
	holes := 0
	for _, p := range t.Pieces {
		if p.Hole != nil {
			out = append(out, step{hole: holes})
			holes++
			continue
		}
		for i := 0; i < len(p.Text) && len(out) <= maxStates; i++ {
			out = append(out, step{p.Text[i], -1})
		}
	}
	return out
}

// run is the table: a row for what is reached before each unit, and one for the end. What is not reached is 0, so that the number
// of literal bytes is one less than an entry.
type run struct {
	template Template
	text     string
	units    []unit
	states   []step
	seen     []int16
}

// row is what is reached before unit i.
func (r *run) row(i int) []int16 {
	n := len(r.states) + 1
	return r.seen[i*n : (i+1)*n]
}

// forward fills the table from the start of the text. An open message may begin at any word.
func (r *run) forward(how How) {
	r.seen = make([]int16, (len(r.states)+1)*(len(r.units)+1))
	for i, u := range r.units {
		row, next := r.row(i), r.row(i+1)
		if i == 0 || how&OpenStart != 0 && wordEdge(r.text, u.at, r.text[u.at]) {
			row[0] = max(row[0], 1)
		}
		r.skipHoles(row)
		if u.mark {
			copy(next, row)
			for s := 1; s < len(next); s++ {
				next[s] = max(next[s], next[s-1])
			}
			continue
		}
		for s, n := range row[:len(r.states)] {
			switch {
			case n == 0:
			case r.states[s].hole >= 0:
				next[s] = max(next[s], n)
			case r.states[s].c == r.text[u.at]:
				next[s+1] = max(next[s+1], n+1)
			}
		}
	}
	r.skipHoles(r.row(len(r.units)))
}

// skipHoles adds the states that are reached by leaving a hole as it is.
func (r *run) skipHoles(row []int16) {
	for s := range r.states {
		if r.states[s].hole >= 0 {
			row[s+1] = max(row[s+1], row[s])
		}
	}
}

// back reads the way back from the end of the text, or from the place where the most was seen if text may follow. A mark stands for
// as little as it can.
func (r *run) back(how How) (Match, bool) {
	last, end := len(r.states), len(r.units)
	for i := end - 1; how&OpenEnd != 0 && i >= 0; i-- {
		if r.row(i)[last] > r.row(end)[last] {
			end = i
		}
	}
	if r.row(end)[last] <= 1 {
		return Match{}, false
	}
	m := Match{Redacted: true, Ambiguous: true, Bindings: make([]Binding, r.template.HoleCount())}
	for i := range m.Bindings {
		m.Bindings[i] = Binding{Hole: i, Start: -1}
	}
	m.End = r.at(end)
	s, i := last, end
	for s > 0 || i > 0 && how&OpenStart == 0 {
		s, i = r.before(&m, s, i)
	}
	m.Start = r.at(i)
	return m, m.Weight > 0 && r.finish(&m)
}

// at is the offset of unit i, or the end of the text.
func (r *run) at(i int) int {
	if i < len(r.units) {
		return r.units[i].at
	}
	return len(r.text)
}

// before takes one step back from state s before unit i: over a literal byte, inside a hole, out of a hole, or over a mark.
func (r *run) before(m *Match, s, i int) (int, int) {
	n := r.row(i)[s]
	var row []int16
	var u unit
	if i > 0 {
		row, u = r.row(i-1), r.units[i-1]
	}
	switch {
	case row != nil && !u.mark && s > 0 && r.states[s-1].hole < 0 && r.states[s-1].c == r.text[u.at] && row[s-1] > 0 && row[s-1]+1 == n:
		m.Weight += weight(r.text[u.at:u.end])
		return s - 1, i - 1
	case s > 0 && r.states[s-1].hole >= 0 && r.row(i)[s-1] == n:
		r.value(m, s-1, i, i)
		return s - 1, i
	case row != nil && s < len(r.states) && r.states[s].hole >= 0 && row[s] == n:
		r.value(m, s, i-1, i)
		return s, i - 1
	case row != nil && u.mark:
		for from := s; from >= 0; from-- {
			if row[from] != n {
				continue
			}
			if from > 0 && r.states[from-1].hole >= 0 && row[from-1] == n {
				// The value before it is part of what it stands for.
				from--
				r.value(m, from, i-1, i)
			}
			return from, i - 1
		}
	}
	// Every entry has a way; if one had not, there is nothing further to read.
	return 0, 0
}

// value extends the value of the hole that state s is in over the units from i to j.
func (r *run) value(m *Match, s, i, j int) {
	if r.states[s].hole < 0 {
		return
	}
	b := &m.Bindings[r.states[s].hole]
	start, end := r.at(i), r.at(j)
	if b.Start < 0 {
		b.End = end
	}
	b.Start = start
}

// finish fills the values in and checks them against their kinds. A hole that a mark swallowed has no value and no span.
func (r *run) finish(m *Match) bool {
	holes := r.template.Holes()
	kept := m.Bindings[:0]
	for _, b := range m.Bindings {
		if b.Start < 0 {
			continue
		}
		b.Value = r.text[b.Start:b.End]
		if _, marks := unitsOf(b.Value); marks == 0 && holes[b.Hole].fit(b.Value, 0, 0) == never {
			return false
		}
		kept = append(kept, b)
	}
	m.Bindings = kept
	return true
}
