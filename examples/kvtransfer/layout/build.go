package layout

import "fmt"

// Build lays out what one process of an engine holds: the regions of a stage of the model, as many items as the capacity says.
// Errors are the typed ones of this package: of the model, [*StageError], [*HeadsError], [*RangeError], [*SizeError].
func Build(model Model, stage Stage, at Parallel, room Capacity) (*Pool, error) {
	m, err := model.Complete()
	if err != nil {
		return nil, err
	}
	if total := m.Total(); stage.Start < 0 || stage.End > total || stage.Start > stage.End {
		return nil, &StageError{stage.Start, stage.End, total}
	}
	if err := m.checkPlace(at, room); err != nil {
		return nil, err
	}
	b := builder{model: &m, room: room}
	p := &Pool{Family: m.Family, Stage: stage, Parallel: at, PageSize: m.PageSize, Ratios: m.Ratios, Layers: m.Layers, KVHeads: m.KVHeads}
	for i, l := range m.lists(m.span(stage), at.TP) {
		regions, ids := b.list(l)
		if i == 0 {
			p.KV, p.KVLayerIDs = regions, ids
			continue
		}
		p.State = append(p.State, Component{l.typ, regions, ids})
	}
	for _, f := range m.auxList() {
		p.Aux = append(p.Aux, b.region("aux/"+f.name, KindAux, NoLayer, whole(f.item), slots))
	}
	if b.err != nil {
		return nil, b.err
	}
	p.Signature = m.signature()
	p.Digest = p.Signature.Digest()
	return p, nil
}

// Total counts the layers of the model with its NextN layers: what a stage may end at.
func (m *Model) Total() int {
	if m.Family == Compressed {
		return len(m.Ratios)
	}
	return m.Layers + m.NextN
}

// Whole is the stage of a process that holds the whole model.
func (m *Model) Whole() Stage { return Stage{0, m.Total()} }

// Cut is pipeline stage i of n of a model, of as many layers as the others or one less; draft layers are with the last. Errors are those
// of Complete, and a *RangeError for stages that the model has no layers for.
func Cut(m Model, n, i int) (Stage, error) {
	m, err := m.Complete()
	if err != nil {
		return Stage{}, err
	}
	if n < 1 || n > m.Layers {
		return Stage{}, &RangeError{Field: "stages", Value: int64(n), Min: 1, Max: int64(m.Layers)}
	}
	if i < 0 || i >= n {
		return Stage{}, &RangeError{Field: "stage", Value: int64(i), Min: 0, Max: int64(n - 1)}
	}
	st := Stage{Start: m.Layers * i / n, End: m.Layers * (i + 1) / n}
	if i == n-1 {
		st.End = m.Total()
	}
	return st, nil
}

// checkPlace holds a process's place and capacity to their limits.
func (m *Model) checkPlace(at Parallel, room Capacity) error {
	for _, b := range []struct {
		field           string
		value, min, max int64
	}{
		{"tp", int64(at.TP), 1, maxHeads},
		{"tp_rank", int64(at.TPRank), 0, int64(at.TP) - 1},
		{"pages", room.Pages, 0, maxItems},
		{"window_pages", room.WindowPages, 0, maxItems},
		{"slots", room.Slots, 0, maxSlots},
	} {
		if b.value < b.min || b.value > b.max {
			return &RangeError{b.field, b.value, b.min, b.max}
		}
	}
	if h := m.KVHeads; m.Family == MHA && h%at.TP != 0 && at.TP%h != 0 {
		return &HeadsError{h, at.TP}
	}
	return nil
}

// builder numbers regions and keeps the first error.
type builder struct {
	model *Model
	room  Capacity
	next  RegionID
	err   error
}

// list makes the regions of a list, and their layer ids if the list publishes them: not nil, even if there are none.
func (b *builder) list(l list) (regions []Region, ids []int) {
	if l.ids {
		ids = []int{}
	}
	for _, s := range l.sections {
		for _, layer := range s.layers {
			name := fmt.Sprintf("%s/%s/%d", l.prefix, s.kind, layer)
			regions = append(regions, b.region(name, s.kind, layer, s.shape, s.unit))
			if l.ids {
				ids = append(ids, layer)
			}
		}
	}
	return regions, ids
}

// region makes one region.
func (b *builder) region(name string, kind Kind, layer int, s shape, u unit) Region {
	r := Region{b.next, name, kind, layer, s.item, b.items(u), s.rows, s.rowLen}
	b.next++
	if r.ItemLen > 0 && r.Items > maxRegion/r.ItemLen && b.err == nil {
		b.err = &SizeError{name, r.Items, r.ItemLen, maxRegion}
	}
	return r
}

// items is the number of items of a unit.
func (b *builder) items(u unit) int64 {
	m := b.model
	switch u {
	case windowPages:
		return b.room.WindowPages
	case slots:
		return b.room.Slots
	case rings:
		return b.room.Slots * int64(m.RingStride)
	case c128Pages:
		if m.OnlineC128 {
			return b.room.Slots
		}
		return b.room.Slots * int64(m.C128Ring()/ratioC128)
	}
	return b.room.Pages
}
