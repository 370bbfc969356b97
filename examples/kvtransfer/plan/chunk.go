package plan

import (
	"strings"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// Chunk is some pages of a request.
type Chunk struct {
	Src []int32 // the source's pages
	// Dst is the destination's pages for them, one for one. With decode context parallelism it is the rank's pages for all that is sent
	// of the request, and the fields below say which part of it this is.
	Dst    []int32
	Prefix int // tokens that decode has already
	Offset int // pages of the request behind the prefix that went before
	Tokens int // tokens of this chunk
}

// Chunk plans a chunk of the KV list. Errors: [*BoundsError], *pages.LengthError, those of dcp.Chunk.
func (p *Pairing) Chunk(c Chunk) (*Plan, error) {
	if p.relayout {
		rows, err := dcp.Chunk{
			PageSize: p.pageSize, To: p.opt.DstDCP, Prefix: c.Prefix, Offset: c.Offset, Tokens: c.Tokens, Src: c.Src, Dst: c.Dst,
		}.Rows()
		if err != nil {
			return nil, err
		}
		return p.KV.plan(rows)
	}
	runs, err := pages.Runs(c.Src, c.Dst)
	if err != nil {
		return nil, err
	}
	if err := empty(c.Src, c.Dst); err != nil {
		return nil, err
	}
	for i := range runs {
		runs[i].Src *= p.KV.per
		runs[i].Dst *= p.KV.per
		runs[i].Count *= p.KV.per
	}
	return p.KV.plan(runs)
}

// empty refuses that one side alone has no pages: SGLang sends nothing then, and says nothing.
func empty(src, dst []int32) error {
	if len(src) != len(dst) {
		return &EmptyError{len(src), len(dst)}
	}
	return nil
}

// State plans component i of the source with its index lists. Lists of unequal length are an error; in compatible mode, for types
// where SGLang does so, they are cut to the shorter.
func (p *Pairing) State(i int, src, dst []int32) (*Plan, error) {
	if i < 0 || i >= len(p.States) {
		return nil, &NoComponentError{i, len(p.States)}
	}
	list := &p.States[i]
	if len(src) != len(dst) {
		fixed := list.Type == layout.SWARing || list.Type == layout.C128State || list.Type == layout.Mamba
		if fixed || p.opt.Mode == slice.Strict {
			return nil, &StateIndexError{strings.ToUpper(string(list.Type)), len(src), len(dst)}
		}
		n := min(len(src), len(dst))
		src, dst = src[:n], dst[:n]
	}
	if list.Type == layout.Mamba && len(src) != 1 {
		return nil, &MambaIndexError{len(src)}
	}
	runs, err := pages.Runs(src, dst)
	if err != nil {
		return nil, err
	}
	return list.plan(runs)
}

// Slot plans the metadata of a request: one slot of every aux buffer.
func (p *Pairing) Slot(src, dst int32) (*Plan, error) {
	return p.Aux.plan([]pages.Run{{Src: int64(src), Dst: int64(dst), Count: 1}})
}

// plan makes the product of the list's entries and runs of units, every one of which must lie inside every region.
func (l *List) plan(runs []pages.Run) (*Plan, error) {
	p := &Plan{}
	if len(l.Entries) == 0 || len(runs) == 0 {
		return p, nil
	}
	var units int64
	for _, r := range runs {
		if err := within("source", l.src, r.Src, r.Count, l.per); err != nil {
			return nil, err
		}
		if err := within("destination", l.dst, r.Dst, r.Count, l.per); err != nil {
			return nil, err
		}
		units += r.Count
	}
	p.add(Group{l.Entries, runs}, units)
	return p, nil
}

// within refuses a run of units, per of them in an item, that does not lie inside a region. Lists are bounded, so sums do not overflow.
func within(side string, r layout.Region, from, count, per int64) error {
	if from < 0 || from+count > r.Items*per {
		return &BoundsError{side, r.Name, from / per, (from + count - 1) / per, r.Items}
	}
	return nil
}
