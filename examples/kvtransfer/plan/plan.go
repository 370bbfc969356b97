package plan

import (
	"iter"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
)

// Copy moves Length bytes from one region to another. Offsets are bytes from the beginning of the region.
type Copy struct {
	SrcRegion layout.RegionID `json:"src_region"`
	SrcOffset int64           `json:"src_offset"`
	DstRegion layout.RegionID `json:"dst_region"`
	DstOffset int64           `json:"dst_offset"`
	Length    int64           `json:"length"`
}

// Entry is a pair of regions that hold the same thing. Unit u of the source begins at SrcBase+u*SrcStride; Length bytes of it move.
type Entry struct {
	Src, Dst             layout.RegionID
	SrcBase, DstBase     int64
	SrcStride, DstStride int64
	Length               int64
}

// dense tells that consecutive units are consecutive bytes on both sides, so that a run of them is one copy.
func (e *Entry) dense() bool { return e.Length == e.SrcStride && e.Length == e.DstStride }

// Group is the product of entries and runs: every run is copied for every entry.
type Group struct {
	Entries []Entry
	Runs    []pages.Run // in units of the entries: pages, rows or slots
}

// Plan is a list of bounds-checked copies, kept as products so that its size does not grow with entries times runs. Groups share their
// entries with the pairing they come from: they are for reading.
type Plan struct {
	Groups []Group
	copies int
	bytes  int64
}

// add appends a group whose runs have that many units in sum.
func (p *Plan) add(g Group, units int64) {
	p.Groups = append(p.Groups, g)
	for _, e := range g.Entries {
		p.bytes += e.Length * units
		if e.dense() {
			p.copies += len(g.Runs)
		} else {
			p.copies += int(units)
		}
	}
}

// Add appends the groups of another plan, which must not change any more.
func (p *Plan) Add(q *Plan) {
	p.Groups = append(p.Groups, q.Groups...)
	p.copies += q.copies
	p.bytes += q.bytes
}

// Len is the number of copies.
func (p *Plan) Len() int { return p.copies }

// Bytes is the sum of their lengths.
func (p *Plan) Bytes() int64 { return p.bytes }

// All yields the copies: group by group, within it entry by entry, within it run by run.
func (p *Plan) All() iter.Seq[Copy] {
	return func(yield func(Copy) bool) {
		for _, g := range p.Groups {
			if !g.each(yield) {
				return
			}
		}
	}
}

// Copies lists them all.
func (p *Plan) Copies() []Copy {
	out := make([]Copy, 0, p.copies)
	for c := range p.All() {
		out = append(out, c)
	}
	return out
}

// each yields the copies of the group and tells whether the consumer wants more. Dense entries, which are nearly all, have a loop of
// their own: a fragmented request has hundreds of thousands of copies.
func (g Group) each(yield func(Copy) bool) bool {
	for i := range g.Entries {
		e := &g.Entries[i]
		if e.dense() {
			for _, r := range g.Runs {
				if !yield(Copy{e.Src, e.SrcBase + r.Src*e.SrcStride, e.Dst, e.DstBase + r.Dst*e.DstStride, e.Length * r.Count}) {
					return false
				}
			}
			continue
		}
		for _, r := range g.Runs {
			if !e.units(r, yield) {
				return false
			}
		}
	}
	return true
}

// units yields a copy for every unit of a run.
func (e *Entry) units(r pages.Run, yield func(Copy) bool) bool {
	c := Copy{e.Src, e.SrcBase + r.Src*e.SrcStride, e.Dst, e.DstBase + r.Dst*e.DstStride, e.Length}
	for range r.Count {
		if !yield(c) {
			return false
		}
		c.SrcOffset += e.SrcStride
		c.DstOffset += e.DstStride
	}
	return true
}
