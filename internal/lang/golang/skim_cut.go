package golang

import (
	"sort"
	"strings"
)

// cut is a part of a file that was left out before parsing.
type cut struct {
	from, to int // its offsets in the file
	short    int // where it was in the shortened text
	function bool
	calls    []skimmedCall
}

// shorten leaves out what can hold no site. It returns the shortened text and what was cut, in order.
func (s *skimmer) shorten() (string, []cut) {
	if s.whole {
		return s.src, nil
	}
	errorTypes := map[string]bool{}
	for _, t := range s.errorTypes {
		errorTypes[t] = true
	}
	var cuts []cut
	var short strings.Builder
	end := 0
	for i := range s.regions {
		r := &s.regions[i]
		if r.start == r.end || s.keeps(r, errorTypes) {
			continue
		}
		if short.Cap() == 0 {
			short.Grow(len(s.src))
		}
		short.WriteString(s.src[end:r.start])
		c := cut{from: r.start, to: r.end, short: short.Len(), function: r.function}
		if r.function {
			c.calls = s.calls[r.calls[0]:r.calls[1]]
		}
		cuts = append(cuts, c)
		end = r.end
	}
	if cuts == nil {
		return s.src, nil
	}
	short.WriteString(s.src[end:])
	return short.String(), cuts
}

// keeps reports whether a region may hold something that is reported. It says so of everything of which the reading of the parsed
// file would.
func (s *skimmer) keeps(r *region, errorTypes map[string]bool) bool {
	switch {
	case r.function && textResult(r.name, r.results), r.sentinel, r.texts, !r.function && r.nested:
		return true
	}
	for _, t := range s.made[r.made[0]:r.made[1]] {
		if errorTypes[t] || errorName(t) {
			return true
		}
	}
	for i := r.calls[0]; i < r.calls[1]; i++ {
		if s.raises(&s.calls[i], errorTypes) {
			return true
		}
	}
	return false
}

// raises is raisingCall for a call that was skimmed.
func (s *skimmer) raises(c *skimmedCall, errorTypes map[string]bool) bool {
	name := strings.TrimPrefix(c.path, "().")
	if errorTypes[name] || name == "new" {
		return true
	}
	if s.imports["testing"] != "" || s.imports["assert"] != "" || s.imports["require"] != "" {
		last := name[strings.LastIndexByte(name, '.')+1:]
		_, fails := testMethods[last]
		_, asserts := assertions[strings.TrimSuffix(last, "f")]
		if fails || asserts || name == "errors.Is" || name == "errors.As" {
			return true
		}
	}
	first, rest, ok := strings.Cut(name, ".")
	if p := s.imports[first]; p != "" && ok && !strings.Contains(rest, ".") {
		name = packageName(p) + "." + rest
	}
	return raisingCallName(name, s.makers, func() bool { return c.text })
}

// cutAt finds what was left out at a place of the shortened text.
func cutAt(cuts []cut, short int) *cut {
	i := sort.Search(len(cuts), func(i int) bool { return cuts[i].short >= short })
	if i < len(cuts) && cuts[i].short == short {
		return &cuts[i]
	}
	return nil
}

// places finds offsets and lines of a file in its shortened text.
type places struct {
	src   string
	cuts  []cut
	lines []int // offsets at which lines begin
	last  int   // the line found last: what is asked next is near
}

func newPlaces(src string, cuts []cut) places {
	lines := make([]int, 1, 64+len(src)/24)
	for at := 0; ; {
		n := strings.IndexByte(src[at:], '\n')
		if n < 0 {
			return places{src: src, cuts: cuts, lines: lines}
		}
		at += n + 1
		lines = append(lines, at)
	}
}

// offset is the offset in the file of one in the shortened text.
func (p *places) offset(short int) int {
	i := sort.Search(len(p.cuts), func(i int) bool { return p.cuts[i].short > short })
	if i > 0 {
		c := &p.cuts[i-1]
		short += c.to - c.short
	}
	return min(max(short, 0), len(p.src))
}

// line is the line, from 1 on, of an offset in the file.
func (p *places) line(offset int) int {
	if p.lines[p.last] <= offset && (p.last+1 == len(p.lines) || offset < p.lines[p.last+1]) {
		return p.last + 1
	}
	p.last = sort.Search(len(p.lines), func(i int) bool { return p.lines[i] > offset }) - 1
	return p.last + 1
}
