package message

import (
	"slices"
	"strings"
)

// Bounds on choosing: of the places that one separator may have, and of the bytes of hole values that are judged.
const (
	maxPlaces  = 32
	maxChecked = 1 << 20
)

// spot is a place that a separator may have, with the cheapest way to lay everything behind it.
type spot struct {
	at   int32
	next int32 // index of the following separator's spot on that way
	cost cost  // of all holes behind the separator, or never
	many bool  // several ways cost the same
}

// choose finds the cheapest way to place the separators, from the last to the first, so that what follows a spot is known when it
// is judged. Ties go to the leftmost spot, for parts of paths to the rightmost.
func (l *layout) choose() bool {
	var few [24]spot
	spots := few[:0]
	l.ambiguous = false
	var first [maxHoles + 1]int32 // index in spots of each separator's first one
	for i := range l.seps {
		first[i] = int32(len(spots))
		spots = l.spots(spots, i, &first)
	}
	first[l.seps] = int32(len(spots))
	budget := maxChecked
	for i := l.seps - 1; i >= 0; i-- {
		for j := first[i]; j < first[i+1]; j++ {
			s := &spots[j]
			var after []spot
			if i+1 < l.seps {
				after = spots[first[i+1]:first[i+2]]
			}
			l.judge(s, i+1, int(s.at)+len(l.sep(i)), after, &budget)
			s.next += first[i+1]
		}
	}
	var root spot
	l.judge(&root, 0, l.begin, spots[:first[1]], &budget)
	if root.cost == never {
		return false
	}
	l.total = root.cost
	l.ambiguous = l.ambiguous || root.many || budget <= 0
	for i, next := 0, root.next; i < l.seps; i++ {
		l.at[i] = spots[next].at
		next = spots[next].next
	}
	return true
}

// judge finds the cheapest spot for the end of hole i that begins at begin; after are the spots of the separator behind it.
func (l *layout) judge(s *spot, i, begin int, after []spot, budget *int) {
	if i >= l.seps {
		switch {
		case i >= l.holes:
			s.cost = fits
		case begin > l.end:
			s.cost = never
		default:
			s.cost = l.affordable(i, begin, l.end, budget)
		}
		return
	}
	s.cost = never
	for j := range after {
		a := &after[j]
		if int(a.at) < begin || a.cost == never {
			continue
		}
		c := l.affordable(i, begin, int(a.at), budget)
		if c == never {
			continue
		}
		switch c += a.cost; {
		case s.cost == never || c < s.cost:
			s.cost, s.next, s.many = c, int32(j), a.many
		case c == s.cost:
			s.many = true
			if joinsPath(l.sep(i)) {
				s.next = int32(j)
			}
		}
	}
}

// joinsPath reports whether a separator joins the parts of a path or a qualified name.
func joinsPath(sep string) bool {
	switch sep {
	case ".", "/", "\\", "::":
		return true
	}
	return false
}

// affordable judges a value as long as the budget lasts. Afterwards, only kinds of short values are told from others.
func (l *layout) affordable(i, begin, end int, budget *int) cost {
	if end-begin <= *budget {
		*budget -= end - begin
		return l.fit(i, begin, end)
	}
	*budget = 0
	switch l.hole(i).Kind {
	case Any, Repr, Error, Type, JSON, Quoted:
		return fits
	}
	if end-begin > 64 {
		return never
	}
	return l.fit(i, begin, end)
}

// spots lists where separator i may stand: what occurs from the left, and from the right if that is too much.
func (l *layout) spots(spots []spot, i int, first *[maxHoles + 1]int32) []spot {
	low, high := int(l.low[i]), int(l.high[i])
	s := l.sep(i)
	if s == "" {
		return l.seams(spots, i, first)
	}
	limit := high + len(s)
	n := len(spots)
	for at := low; len(spots)-n < maxPlaces*3/4; {
		if i < l.holes-1 || l.edge(at+len(s)) {
			spots = append(spots, spot{at: int32(at)})
		}
		next := strings.Index(l.text[at+1:limit], s)
		if next < 0 {
			return spots
		}
		at += 1 + next
	}
	l.ambiguous = true
	left := int(spots[len(spots)-1].at)
	m := len(spots)
	for at := high; at > left && len(spots)-n < maxPlaces; {
		spots = append(spots, spot{at: int32(at)})
		at = left + 1 + strings.LastIndex(l.text[left+1:at+len(s)-1], s)
	}
	slices.Reverse(spots[m:])
	return spots
}

// seams lists where hole i may end if another one follows at once: where its kind ends, and where the character class changes.
func (l *layout) seams(spots []spot, i int, first *[maxHoles + 1]int32) []spot {
	low, high := int(l.low[i]), int(l.high[i])
	n := len(spots)
	add := func(at int) bool {
		if at >= low && at <= high && !slices.ContainsFunc(spots[n:], func(s spot) bool { return int(s.at) == at }) {
			spots = append(spots, spot{at: int32(at)})
		}
		return len(spots)-n < maxPlaces
	}
	add(low)
	add(high)
	h := l.hole(i)
	if !h.bounded() && i+1 < l.holes && !l.hole(i+1).bounded() && low < high {
		l.ambiguous = true
	}
	if h.bounded() {
		if i == 0 {
			h.ends(l.text[:l.end], l.begin, add)
		}
		for j := n - 1; i > 0 && j >= int(first[i-1]); j-- {
			if !h.ends(l.text[:l.end], int(spots[j].at)+len(l.sep(i-1)), add) {
				break
			}
		}
	}
	for at := low + 1; at < high && at-low < maxChecked; at++ {
		if class(l.text[at]) != class(l.text[at-1]) && !add(at) {
			break
		}
	}
	slices.SortFunc(spots[n:], func(a, b spot) int { return int(a.at) - int(b.at) })
	return spots
}

// class sorts bytes into blanks, digits, letters and the rest.
func class(c byte) int {
	switch {
	case isSpace(c):
		return 0
	case '0' <= c && c <= '9':
		return 1
	case wordByte(c), c >= 0x80:
		return 2
	}
	return 3
}
