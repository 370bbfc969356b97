package ecmascript

import (
	"sort"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Bounds on what is worth leaving out: the bytes of one body, and the share of a file.
const (
	minElided = 48
	minShare  = 8 // one part in so many
)

// settle keeps the functions that only the whole file says must be parsed: those that make errors by the names of its classes, that
// call its helpers with a text, and that compare an error's message.
func (s *skimmer) settle() {
	errors := map[string]bool{}
	for range 4 {
		for _, h := range s.heirs {
			if errorLike(h[1]) || codeName(h[1]) || errors[h[1]] {
				errors[h[0]] = true
			}
		}
	}
	for i := range s.regions {
		if r := &s.regions[i]; !r.keep && s.needed(r, errors) {
			s.current = i
			s.keep()
		}
	}
}

func (s *skimmer) needed(r *region, errors map[string]bool) bool {
	if r.message && r.compares {
		return true
	}
	for _, name := range r.made {
		if errors[name] {
			return true
		}
	}
	for _, c := range r.calls {
		name := lastName(c.path)
		switch s.raising(name) {
		case raisesGiven:
			if c.handy {
				return true
			}
		case raisesComparing:
			if c.handy && strings.HasPrefix(c.path, "assert.") || strings.Contains(c.path, "rejects") {
				return true
			}
		}
		if c.handy && s.raisers[name] {
			return true
		}
	}
	return false
}

// part is a stretch of a file that is parsed: its offset in the file, and where it stands among the parts.
type part struct{ at, in, size int }

type parts []part

// include are the parts of the file that are parsed: all but the insides of the functions that need not be. nil stands for all.
func (s *skimmer) include() parts {
	var out parts
	at, in, elided := 0, 0, 0
	add := func(end int) {
		out = append(out, part{at, in, end - at})
		in += end - at
	}
	for i := range s.regions {
		r := &s.regions[i]
		if r.keep || r.start < at || r.end-r.start < minElided {
			continue
		}
		add(r.start + 1)
		elided += r.end - r.start
		at = r.end - 1
	}
	if elided*minShare < len(s.src) {
		return nil
	}
	add(len(s.src))
	return out
}

// join appends the parts of the file to a buffer.
func (p parts) join(buffer, src []byte) []byte {
	for _, q := range p {
		buffer = append(buffer, src[q.at:q.at+q.size]...)
	}
	return buffer
}

// spread moves the nodes of the joined parts to where they stand in the file. tree-sitter itself can parse parts of a text, but
// then looks through all of them for every token.
func (p parts) spread(nodes []syntax.Node) {
	i := 0
	for n := range nodes {
		node := &nodes[n]
		start, end := int(node.Start), int(node.End)
		for i+1 < len(p) && start >= p[i+1].in {
			i++ // nodes stand in order of their starts
		}
		node.Start = uint32(start - p[i].in + p[i].at)
		if end <= p[i].in+p[i].size {
			node.End = uint32(end - p[i].in + p[i].at)
		} else {
			j := i + sort.Search(len(p)-i, func(k int) bool { return end <= p[i+k].in+p[i+k].size })
			j = min(j, len(p)-1)
			node.End = uint32(end - p[j].in + p[j].at)
		}
		node.End = max(node.End, node.Start)
	}
}

// bodies maps the offsets of the bodies that were left out to their regions.
func (s *skimmer) bodies() map[int]int {
	out := map[int]int{}
	at := 0
	for i := range s.regions {
		if r := &s.regions[i]; !r.keep && r.start >= at && r.end-r.start >= minElided {
			out[r.start] = i
			at = r.end - 1
		}
	}
	return out
}

// addSkimmed gives a function whose body was left out its calls, and adds the functions in it that have a name. What functions
// without a name call, the function around them calls.
func (f *file) addSkimmed(index, r int) {
	s := f.skimmer
	for _, c := range s.regions[r].calls {
		f.addCallee(index, c.path, f.lineAt(c.at))
	}
	for i := r + 1; i < len(s.regions) && s.regions[i].start < s.regions[r].end; i++ {
		inner := &s.regions[i]
		if inner.parent != r {
			continue
		}
		if inner.name == "" {
			f.addSkimmed(index, i)
			continue
		}
		fn := raise.Function{Name: inner.name, Owner: f.qualified(index) + locals, Parent: index,
			Line: f.lineAt(inner.line), EndLine: f.lineAt(inner.end - 1)}
		f.facts.Functions = append(f.facts.Functions, fn)
		f.functions = append(f.functions, -1)
		f.addSkimmed(len(f.facts.Functions)-1, i)
	}
}
