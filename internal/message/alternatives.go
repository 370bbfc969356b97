package message

import (
	"slices"
	"strings"
)

// templates multiplies the choices of a text out.
func templates(s seq) []Template {
	var out []Template
	var seen []string
	for _, pieces := range wholes(s, maxTexts) {
		t := limited(normal(pieces))
		key := t.String()
		if !slices.Contains(seen, key) {
			seen = append(seen, key)
			out = append(out, t)
		}
	}
	return out
}

// maxRun bounds the holes that stand side by side: of more nothing can be told apart.
const maxRun = 6

// limited makes one hole of more than maxRun that stand side by side, and of all that stands behind the last hole that matching can
// take.
func limited(t Template) Template {
	holes, run := 0, 0
	out := t.Pieces[:0:0]
	for i, p := range t.Pieces {
		if p.Hole == nil {
			run = 0
			out = append(out, p)
			continue
		}
		run++
		rest := Piece{Hole: &Hole{Text: "…"}}
		switch {
		case run > maxRun:
			out[len(out)-1] = rest
			continue
		case holes == maxHoles-1 && i+1 < len(t.Pieces):
			return Template{Pieces: append(out, rest)}
		}
		holes++
		out = append(out, p)
	}
	return Template{Pieces: slices.Clip(out)}
}

// wholes is the alternatives of a message. A message that is a choice as a whole has those of all its arms, up to limit.
func wholes(s seq, limit int) [][]Piece {
	if len(s) != 1 || s[0].choice == nil {
		return multiplied(s)
	}
	var out [][]Piece
	for _, arm := range s[0].choice.arms {
		if len(out) >= limit {
			break
		}
		out = append(out, wholes(arm, limit-len(out))...)
	}
	return out[:min(len(out), limit)]
}

// multiplied is the alternatives of a text with choices inside it: all combinations, as long as these are at most
// MaxAlternatives. Before there are more, the choice that says least becomes a hole.
func multiplied(s seq) [][]Piece {
	options := make([][][]Piece, len(s))
	for i, it := range s {
		options[i] = optionsOf(it)
	}
	for count(options) > MaxAlternatives {
		least, says := -1, 0
		for i, all := range options {
			if n := literalBytes(all); len(all) > 1 && (least < 0 || n < says) {
				least, says = i, n
			}
		}
		options[least] = [][]Piece{{{Hole: closed(s[least].choice.all, options[least])}}}
	}
	out := [][]Piece{nil}
	for _, all := range options {
		var longer [][]Piece
		for _, head := range out {
			for _, tail := range all {
				longer = append(longer, append(slices.Clip(head), tail...))
			}
		}
		out = longer
	}
	return out
}

// optionsOf lists the ways in which an item can go; of a choice those of all its arms.
func optionsOf(it item) [][]Piece {
	switch {
	case it.hole != nil:
		return [][]Piece{{{Hole: it.hole}}}
	case it.choice == nil:
		return [][]Piece{{{Text: it.text}}}
	}
	var all [][]Piece
	for _, arm := range it.choice.arms {
		all = append(all, multiplied(arm)...)
	}
	return all
}

// count is the number of combinations, up to a million.
func count(options [][][]Piece) int {
	n := 1
	for _, all := range options {
		n = min(n*len(all), 1<<20)
	}
	return n
}

// literalBytes is how much literal text a choice can say.
func literalBytes(all [][]Piece) int {
	n := 0
	for _, pieces := range all {
		for _, p := range pieces {
			n += len(p.Text)
		}
	}
	return n
}

// closed is the hole that stands for a choice: an Enum if all its texts are known.
func closed(whole *Hole, all [][]Piece) *Hole {
	h := *whole
	if len(all) > maxValues {
		return &h
	}
	var values []string
	for _, pieces := range all {
		var text strings.Builder
		for _, p := range pieces {
			if p.Hole != nil {
				return &h
			}
			text.WriteString(p.Text)
		}
		values = append(values, text.String())
	}
	h.Kind, h.Values, h.Width = Enum, values, 0
	return &h
}
