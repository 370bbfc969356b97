package python

import (
	"slices"
	"sort"

	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Bounds on what is worth leaving out: the bytes of one body, and the share of a file.
const (
	minElided = 32
	minShare  = 8 // one part in so many
)

// part is a stretch of what is parsed: where it stands there and in the file. A part that is not the file's stands for a body that was left out: it lies, with no length, at the body's end.
type part struct {
	in, at, size int
	stub         bool
}

type parts []part

// stub is the statement that stands for a body.
const stub = "pass\n"

// elided says whether a region is left out.
func (r *region) elided() bool { return !r.keep && r.end-r.start >= minElided }

// join appends to a buffer what is parsed of the file: all but the bodies of the functions that need not be. nil parts stand for all.
func (s *skimmer) join(buffer []byte) ([]byte, parts) {
	var out parts
	at, gone := 0, 0
	for i := range s.regions {
		r := &s.regions[i]
		if !r.elided() {
			continue
		}
		out = append(out, part{in: len(buffer), at: at, size: r.start - at})
		buffer = append(buffer, s.src[at:r.start]...)
		out = append(out, part{in: len(buffer), at: r.last, size: len(r.indent) + len(stub), stub: true})
		buffer = append(append(buffer, r.indent...), stub...)
		gone += r.end - r.start
		at = r.end
	}
	if gone*minShare < len(s.src) {
		return buffer, nil
	}
	out = append(out, part{in: len(buffer), at: at, size: len(s.src) - at})
	return append(buffer, s.src[at:]...), out
}

// spread moves the nodes of what was joined to where they stand in the file; their rows stay. tree-sitter itself can parse parts of a text, but not put
// a statement in the place of others.
func (p parts) spread(nodes []syntax.Node) {
	i := 0
	for n := range nodes {
		node := &nodes[n]
		start, end := int(node.Start), int(node.End)
		for i+1 < len(p) && start >= p[i+1].in {
			i++ // nodes stand in order of their starts
		}
		node.Start = uint32(p[i].place(start))
		j := i
		if end > p[i].in+p[i].size {
			j = i + sort.Search(len(p)-i-1, func(k int) bool { return end <= p[i+k].in+p[i+k].size })
		}
		node.End = max(uint32(p[j].place(end)), node.Start)
	}
}

func (p *part) place(at int) int {
	if p.stub {
		return p.at
	}
	return at - p.in + p.at
}

// bodies maps where the functions begin whose bodies were left out to their regions.
func (s *skimmer) bodies() map[int]*region {
	out := map[int]*region{}
	for i := range s.regions {
		if r := &s.regions[i]; r.elided() {
			out[r.at] = r
		}
	}
	return out
}

// skimmedCalls gives a function whose body was left out the calls that the skimmer saw.
func (b *body) skimmedCalls(r *region) {
	// In the order of the tree: a call before those in it, the last of a chain before the first.
	slices.SortFunc(r.calls, func(a, c callToken) int {
		if a.start != c.start {
			return a.start - c.start
		}
		return c.end - a.end
	})
	seen := map[string]bool{}
	for _, c := range r.calls {
		if name := b.calleeName(b.src[c.start:c.end]); name != "" && !seen[name] {
			seen[name] = true
			f := &b.facts.Functions[b.function]
			f.Calls = append(f.Calls, raise.Call{Callee: name, Line: b.lineAt(c.start)})
		}
	}
}
