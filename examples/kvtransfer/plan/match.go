package plan

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pairs"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// kv pairs the KV lists: by layer ids where a side publishes them, else by the slicing rule.
func (m *matcher) kv(relayout bool) (List, error) {
	list := List{Type: layout.KVData, per: 1}
	var at []int
	var err error
	if m.src.KVLayerIDs != nil || m.dst.KVLayerIDs != nil {
		list.Reading = AsIDs
		at, err = byLayer(m.src.KV, m.src.KVLayerIDs, m.dst.KV, m.dst.KVLayerIDs, m.opt.Stages)
	} else {
		list.Reading, at, err = m.slice(layout.KVData, len(m.src.KV), len(m.dst.KV))
	}
	if err != nil {
		return List{}, err
	}
	switch {
	case relayout:
		err = m.tokens(&list, at)
	case m.unequalTP():
		err = m.heads(&list, at)
	default:
		err = m.items(&list, m.src.KV, m.dst.KV, at)
	}
	return list, err
}

// slice asks the rule which entries of the destination's list match, and holds the answer to the source's length.
func (m *matcher) slice(t layout.StateType, src, dst int) (slice.Reading, []int, error) {
	q := m.query(t, src, dst)
	res, err := q.Destination()
	if err != nil {
		return "", nil, &ListError{q, err}
	}
	if res.Len() < src {
		return "", nil, &ShortError{t, res.Len(), src}
	}
	return res.Reading, res.Indices()[:src], nil
}

// byLayer pairs two lists by the layers of their entries; the answer is an index of the destination for each entry of the source.
func byLayer(src []layout.Region, srcIDs []int, dst []layout.Region, dstIDs []int, stages int) ([]int, error) {
	paired, err := pairs.ByLayer(pairs.Side{Layers: srcIDs, Entries: len(src)}, pairs.Side{Layers: dstIDs, Entries: len(dst)}, stages)
	if err != nil {
		return nil, err
	}
	at := make([]int, len(src))
	for _, p := range paired {
		at[p.Src] = p.Dst
	}
	return at, nil
}

// state pairs component i of the source.
func (m *matcher) state(i int) (List, error) {
	c := m.src.State[i]
	d, err := m.component(i)
	if err != nil {
		return List{}, err
	}
	list := List{Type: c.Type, per: 1}
	var at []int
	switch {
	case m.unequalTP():
		return List{}, &StateTPError{c.Type, m.src.Parallel.TP, m.dst.Parallel.TP}
	case c.LayerIDs != nil || d.LayerIDs != nil:
		list.Reading = AsIDs
		at, err = byLayer(c.Regions, c.LayerIDs, d.Regions, d.LayerIDs, m.opt.Stages)
	default:
		list.Reading, at, err = m.slice(c.Type, len(c.Regions), len(d.Regions))
	}
	if err != nil {
		return List{}, err
	}
	return list, m.items(&list, c.Regions, d.Regions, at)
}

// component finds the destination's counterpart of component i: in strict mode the k-th of its type for the k-th of it, else the one
// in its place.
func (m *matcher) component(i int) (layout.Component, error) {
	if m.opt.Mode != slice.Strict {
		if i >= len(m.dst.State) {
			return layout.Component{}, &ComponentError{len(m.src.State), len(m.dst.State)}
		}
		return m.dst.State[i], nil
	}
	want := m.src.State[i].Type
	skip := 0
	for _, c := range m.src.State[:i] {
		if c.Type == want {
			skip++
		}
	}
	nth := skip + 1
	for _, c := range m.dst.State {
		if c.Type != want {
			continue
		}
		if skip == 0 {
			return c, nil
		}
		skip--
	}
	return layout.Component{}, &MissingStateError{want, nth}
}

// aux pairs the metadata buffers one to one.
func (m *matcher) aux() (List, error) {
	list := List{Type: "aux", Reading: slice.AsIs, per: 1}
	if len(m.src.Aux) != len(m.dst.Aux) {
		return List{}, &AuxError{len(m.src.Aux), len(m.dst.Aux)}
	}
	at := make([]int, len(m.src.Aux))
	for i := range at {
		at[i] = i
	}
	return list, m.items(&list, m.src.Aux, m.dst.Aux, at)
}

// items makes entries that move whole items: src[i] goes with dst[at[i]].
func (m *matcher) items(list *List, src, dst []layout.Region, at []int) error {
	return m.entries(list, src, dst, at, func(s, d layout.Region) (Entry, error) {
		if s.ItemLen != d.ItemLen {
			return Entry{}, &ItemError{s.Name, s.ItemLen, d.ItemLen}
		}
		return Entry{SrcStride: s.ItemLen, DstStride: d.ItemLen, Length: s.ItemLen}, nil
	})
}

// entries makes an entry for each pair of regions and notes the smallest region of either side.
func (m *matcher) entries(list *List, src, dst []layout.Region, at []int, entry func(s, d layout.Region) (Entry, error)) error {
	list.Entries = make([]Entry, 0, len(src))
	for i, s := range src {
		d := dst[at[i]]
		if m.opt.Mode == slice.Strict && s.Name != d.Name {
			return &NameError{s.Name, d.Name}
		}
		e, err := entry(s, d)
		if err != nil {
			return err
		}
		e.Src, e.Dst = s.ID, d.ID
		list.Entries = append(list.Entries, e)
		if i == 0 || s.Items < list.src.Items {
			list.src = s
		}
		if i == 0 || d.Items < list.dst.Items {
			list.dst = d
		}
	}
	return nil
}

// tokens makes entries that move single tokens, for decode context parallelism.
func (m *matcher) tokens(list *List, at []int) error {
	if m.src.Family != layout.MLA {
		return &DCPPoolError{}
	}
	list.per = int64(m.src.PageSize)
	return m.entries(list, m.src.KV, m.dst.KV, at, func(s, d layout.Region) (Entry, error) {
		for _, r := range []layout.Region{s, d} {
			if r.Rows != list.per || r.Rows*r.RowLen != r.ItemLen {
				return Entry{}, &AlignError{r.Name, r.ItemLen, m.src.PageSize}
			}
		}
		if s.RowLen != d.RowLen {
			return Entry{}, &TokenError{s.RowLen, d.RowLen}
		}
		return Entry{SrcStride: s.RowLen, DstStride: d.RowLen, Length: s.RowLen}, nil
	})
}

// heads makes entries that move the heads which two ranks share of every token, for unequal tensor parallelism.
func (m *matcher) heads(list *List, at []int) error {
	from, to, heads := m.src.Parallel, m.dst.Parallel, m.src.KVHeads
	cut, err := ranks.Slice(heads, from.TP, from.TPRank, to.TP, to.TPRank)
	if err != nil {
		return err
	}
	list.per = int64(m.src.PageSize)
	srcHeads, dstHeads := int64(layout.HeadsPerRank(heads, from.TP)), int64(layout.HeadsPerRank(heads, to.TP))
	return m.entries(list, m.src.KV, m.dst.KV, at, func(s, d layout.Region) (Entry, error) {
		head := s.RowLen / srcHeads
		if head*srcHeads != s.RowLen || head*dstHeads != d.RowLen || s.Rows != list.per || d.Rows != list.per {
			return Entry{}, &HeadItemError{s.Name, s.RowLen, srcHeads, d.RowLen, dstHeads}
		}
		return Entry{
			SrcBase: int64(cut.SrcStart) * head, DstBase: int64(cut.DstStart) * head,
			SrcStride: s.RowLen, DstStride: d.RowLen, Length: int64(cut.Count) * head,
		}, nil
	})
}
