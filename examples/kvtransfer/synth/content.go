package synth

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// content knows what the rows of a pool's regions hold.
type content struct {
	model *layout.Model // complete
	pool  *layout.Pool
	mem   *memory.Memory
	keys  []uint64 // by region
}

func newContent(m *layout.Model, p *layout.Pool, mem *memory.Memory) content {
	c := content{model: m, pool: p, mem: mem}
	for _, r := range p.Regions() {
		c.keys = append(c.keys, regionKey(r.Name))
	}
	return c
}

// headStart is where in a full row, that of all heads, the rank's row begins.
func (c *content) headStart(r layout.Region) uint64 {
	switch r.Kind {
	case layout.KindK, layout.KindV, layout.KindWindowK, layout.KindWindowV:
	default:
		return 0
	}
	tp, heads := c.pool.Parallel.TP, c.pool.KVHeads
	own := layout.HeadsPerRank(heads, tp)
	first := c.pool.Parallel.TPRank / max(1, tp/heads) * own
	return uint64(first) * uint64(r.RowLen/int64(own))
}

// piece is some bytes of memory, what they should be, and where they lie.
type piece struct {
	bytes []byte
	want  stream
	at    uint64

	region    *layout.Region
	item, off int64 // the item, and where in it
}

// item calls f for the rows and the padding of one item of a region, which is the request's n-th. It stops where f says false.
func (c *content) item(id room.ID, r layout.Region, item int32, n int, f func(piece) bool) bool {
	b := c.mem.Region(r.ID)[int64(item)*r.ItemLen:][:r.ItemLen]
	key, start := c.keys[r.ID], c.headStart(r)
	for i := range r.Rows {
		s := row(id, key, uint64(n)*uint64(r.Rows)+uint64(i))
		if !f(piece{b[i*r.RowLen:][:r.RowLen], s, start, &r, int64(item), i * r.RowLen}) {
			return false
		}
	}
	// The padding moves with its item; it has a stream that no row has.
	pad := row(id, key, ^uint64(n))
	return f(piece{b[r.Rows*r.RowLen:], pad, 0, &r, int64(item), r.Rows * r.RowLen})
}

// items calls f for items of all regions of a list. The first of them is the request's from-th.
func (c *content) items(id room.ID, regions []layout.Region, items []int32, from int, f func(piece) bool) bool {
	for _, r := range regions {
		for i, item := range items {
			if !c.item(id, r, item, from+i, f) {
				return false
			}
		}
	}
	return true
}

// states calls f for the items of all state lists of a request.
func (c *content) states(id room.ID, l *lease.Lease, tokens int, f func(piece) bool) error {
	for _, s := range c.pool.State {
		items, err := l.Indices(c.model, s.Type, tokens)
		if err != nil {
			return err
		}
		if !c.items(id, s.Regions, items, 0, f) {
			return nil
		}
	}
	return nil
}

// tokens calls f for the rows that a context-parallel rank holds of positions from..to-1: every Size-th, in its own pages.
func (c *content) tokens(id room.ID, at dcp.Place, pages []int32, from, to int, f func(piece) bool) bool {
	for _, r := range c.pool.KV {
		b := c.mem.Region(r.ID)
		for q := from; q < to; q++ {
			if q%at.Size != at.Rank {
				continue
			}
			slot := int64((q - from) / at.Size)
			item, off := int64(pages[slot/r.Rows]), slot%r.Rows*r.RowLen
			if !f(piece{b[item*r.ItemLen+off:][:r.RowLen], row(id, c.keys[r.ID], uint64(q)), 0, &r, item, off}) {
				return false
			}
		}
	}
	return true
}

// aux calls f for the metadata of a request. The tag, which holds no made-up bytes, is left out unless it is asked for.
func (c *content) aux(id room.ID, slot int32, tag bool, f func(piece) bool) bool {
	for _, r := range c.pool.Aux {
		if (tag || r.Name != memory.TagRegion) && !c.item(id, r, slot, 0, f) {
			return false
		}
	}
	return true
}

// Filler plays the model: it writes what a request's rows hold. Its methods may run at once for different leases.
type Filler struct{ content }

// NewFiller returns a filler for the pool's memory. The model must be complete.
func NewFiller(m *layout.Model, p *layout.Pool, mem *memory.Memory) *Filler {
	return &Filler{newContent(m, p, mem)}
}

// put writes a piece.
func put(p piece) bool {
	p.want.fill(p.bytes, p.at)
	return true
}

// Chunk writes what computing tokens from..to-1 of a request makes: their pages, and with the last of its tokens the rest. from is the
// beginning of a page.
func (f *Filler) Chunk(id room.ID, l *lease.Lease, from, to, tokens int) error {
	page := f.model.PageSize
	f.Pages(id, l, from/page, (to+page-1)/page)
	if to == tokens {
		return f.Finish(id, l, tokens)
	}
	return nil
}

// Pages writes pages from..to-1 of a request, in all regions that have one item per page.
func (f *Filler) Pages(id room.ID, l *lease.Lease, from, to int) {
	f.items(id, f.pool.KV, l.Pages[from:to], from, put)
}

// Finish writes the states and the metadata of a request, all but the tag, which is the sender's.
func (f *Filler) Finish(id room.ID, l *lease.Lease, tokens int) error {
	if err := f.states(id, l, tokens, put); err != nil {
		return err
	}
	f.aux(id, l.Slot, false, put)
	return nil
}
