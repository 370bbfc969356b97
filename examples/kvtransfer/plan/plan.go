package plan

import (
	"iter"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
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
func (e Entry) dense() bool { return e.Length == e.SrcStride && e.Length == e.DstStride }

// Run is Count consecutive units: pages, rows or slots.
type Run struct{ Src, Dst, Count int64 }

// Group is the product of entries and runs: every run is copied for every entry.
type Group struct {
	Entries []Entry
	Runs    []Run
}

// Plan is a list of bounds-checked copies, kept as products so that its size does not grow with entries times runs.
type Plan struct {
	Groups []Group
	copies int
	bytes  int64
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

// each yields the copies of the group and tells whether the consumer wants more.
func (g Group) each(yield func(Copy) bool) bool {
	for _, e := range g.Entries {
		for _, r := range g.Runs {
			if !e.run(r, yield) {
				return false
			}
		}
	}
	return true
}

// run yields the copies of one run of one entry: one if units are dense, else one per unit.
func (e Entry) run(r Run, yield func(Copy) bool) bool {
	c := Copy{
		SrcRegion: e.Src, SrcOffset: e.SrcBase + r.Src*e.SrcStride,
		DstRegion: e.Dst, DstOffset: e.DstBase + r.Dst*e.DstStride,
		Length: e.Length,
	}
	if e.dense() {
		c.Length *= r.Count
		return yield(c)
	}
	for range r.Count {
		if !yield(c) {
			return false
		}
		c.SrcOffset += e.SrcStride
		c.DstOffset += e.DstStride
	}
	return true
}
