package layout

import "slices"

// unit says what the items of a section are counted in, and so which capacity they have.
type unit int

const (
	pages       unit = iota // pages of the KV cache
	windowPages             // pages of the window pool
	slots                   // one item per request
	rings                   // one item per window row of a request
	c128Pages               // the pages of 128:1 state of a request
)

// section is one buffer per layer, all of one kind and shape.
type section struct {
	kind   Kind
	unit   unit
	shape  shape
	layers []int
}

// list is one registered list: sections in order.
type list struct {
	typ      StateType
	prefix   string // of region names; the type, with "draft." before it for a draft model's list
	sections []section
	ids      bool // layer ids are published
}

// span is the layers of one pipeline stage: the model's own, and the draft model's, which live where the model ends.
type span struct{ own, draft []int }

// span cuts a stage to what is built there.
func (m *Model) span(st Stage) span {
	sp := span{own: seq(st.Start, min(st.End, m.Layers))}
	if m.Draft && st.End >= m.Layers {
		sp.draft = seq(m.Layers, m.Layers+m.NextN)
	}
	return sp
}

// seq is the layers from..to-1.
func seq(from, to int) []int {
	var out []int
	for l := from; l < to; l++ {
		out = append(out, l)
	}
	return out
}

// without is the layers that are not in out, which is ascending.
func without(layers, out []int) []int {
	return slices.DeleteFunc(slices.Clone(layers), func(l int) bool { _, in := slices.BinarySearch(out, l); return in })
}

// within is the layers that are in the ascending list in.
func within(layers, in []int) []int { return without(layers, without(layers, in)) }

// lists are the lists of one stage: the KV list, then the state components. Components exist by what the model is, not by what the stage
// holds of it, so that they stand at the same places on both sides; some may be empty. Those of the draft model come last, and
// only where it runs.
func (m *Model) lists(sp span, tp int) []list {
	switch m.Family {
	case MHA:
		return m.mhaLists(sp, tp)
	case MLA:
		return m.mlaLists(sp)
	}
	return m.compressedLists(sp)
}

// mhaLists are K and V of every layer, then those of the draft model. A window hybrid keeps only full-attention layers there, and
// the others in a component; a linear hybrid keeps states for the others.
func (m *Model) mhaLists(sp span, tp int) []list {
	heads := int64(HeadsPerRank(m.KVHeads, tp))
	page := func(tokens, dim int) shape { return rowsOf(int64(tokens), heads*int64(dim)*int64(m.ItemSize)) }
	k, v := page(m.PageSize, m.HeadDim), page(m.PageSize, m.ValueDim)
	full := without(without(sp.own, m.WindowLayers), m.LinearLayers)
	kv := list{KVData, "kv", []section{
		{KindK, pages, k, full}, {KindV, pages, v, full},
		{KindK, pages, k, sp.draft}, {KindV, pages, v, sp.draft},
	}, m.publishes()}
	out := []list{kv}
	if len(m.WindowLayers) > 0 {
		w := within(sp.own, m.WindowLayers)
		out = append(out, list{SWA, "swa", []section{
			{KindWindowK, windowPages, page(m.WindowPage, m.HeadDim), w},
			{KindWindowV, windowPages, page(m.WindowPage, m.ValueDim), w},
		}, false})
	}
	return append(out, m.linearLists(sp)...)
}

// mlaLists are one latent buffer per layer, and with sparse attention the indexer keys.
func (m *Model) mlaLists(sp span) []list {
	full := append(without(sp.own, m.LinearLayers), sp.draft...)
	page := rowsOf(int64(m.PageSize), m.latentToken())
	out := []list{{KVData, "kv", []section{{KindLatent, pages, page, full}}, m.publishes()}}
	if m.IndexDim > 0 {
		index := rowsOf(int64(m.PageSize), m.indexRow())
		out = append(out, list{DSA, "dsa", []section{{KindIndexK, pages, index, full}}, false})
	}
	return append(out, m.linearLists(sp)...)
}

// publishes tells whether the pool gives the layer of every KV entry: only a linear hybrid does, and only without a draft model.
func (m *Model) publishes() bool { return len(m.LinearLayers) > 0 && !m.Draft }

// linearLists is the component of recurrent states, tensor by tensor.
func (m *Model) linearLists(sp span) []list {
	if len(m.LinearLayers) == 0 {
		return nil
	}
	lin := within(sp.own, m.LinearLayers)
	var sections []section
	for _, s := range []section{
		{KindConv, slots, whole(int64(m.ConvBytes)), lin},
		{KindTemporal, slots, whole(int64(m.TemporalBytes)), lin},
	} {
		if s.shape.item > 0 {
			sections = append(sections, s)
		}
	}
	return []list{{Mamba, "mamba", sections, true}}
}

// withRatio is the layers of a span whose ratio is one of those given.
func (m *Model) withRatio(sp span, ratios ...int) []int {
	return slices.DeleteFunc(slices.Clone(sp.own), func(l int) bool { return !slices.Contains(ratios, m.Ratios[l]) })
}

// compressedLists are the three sections of compressed pages, the window with the 4:1 states, rings where buffers are
// unified, the 128:1 states, and the draft model's window.
func (m *Model) compressedLists(sp span) []list {
	c4, c128 := m.withRatio(sp, ratioC4), m.withRatio(sp, ratioC128)
	out := []list{{KVData, "kv", []section{
		{KindC4, pages, m.c4Page(), c4},
		{KindC4Index, pages, rowsOf(int64(m.PageSize/ratioC4), m.indexRow()), c4},
		{KindC128, pages, m.c128Page(), c128},
	}, false}}
	out = append(out, m.windowList(sp))
	ring := func(prefix string, layers []int) list {
		return list{SWARing, prefix, []section{{KindRing, rings, whole(m.ringRow()), layers}}, false}
	}
	if m.Unified {
		out = append(out, ring("swa-ring", sp.own))
	}
	if m.Form == New && slices.Contains(m.Ratios, ratioC128) {
		out = append(out, list{C128State, "c128", []section{{KindC128State, c128Pages, m.c128State(), c128}}, false})
	}
	switch {
	case len(sp.draft) == 0:
	case m.Unified:
		out = append(out, ring("draft.swa-ring", sp.draft))
	default:
		out = append(out, list{SWA, "draft.swa", []section{{KindWindow, windowPages, m.windowPage(), sp.draft}}, false})
	}
	return out
}

// windowList is the SWA component: window pages of every layer, unless they are in unified buffers, then the compress states. The old
// form has the states of both ratios, in layer order, before those of the indexer.
func (m *Model) windowList(sp span) list {
	l := list{typ: SWA, prefix: "swa"}
	if !m.Unified {
		l.sections = append(l.sections, section{KindWindow, windowPages, m.windowPage(), sp.own})
	}
	c4 := m.withRatio(sp, ratioC4)
	state, index := m.c4State(m.HeadDim), m.c4State(m.IndexDim)
	if m.Form == Old {
		for _, layer := range m.withRatio(sp, ratioC4, ratioC128) {
			s := section{KindC4State, windowPages, state, []int{layer}}
			if m.Ratios[layer] == ratioC128 {
				s.kind, s.shape = KindC128State, m.c128State()
			}
			l.sections = append(l.sections, s)
		}
	} else {
		l.sections = append(l.sections, section{KindC4State, windowPages, state, c4})
	}
	l.sections = append(l.sections, section{KindC4IndexState, windowPages, index, c4})
	return l
}

// auxList is the metadata of a request, one slot in each buffer. Every item has at least 64 bytes: RDMA transfers want that, and the
// layout is the same without RDMA.
func (m *Model) auxList() []auxField {
	out := []auxField{
		{"output_ids", 16 * 4}, {"cached_tokens", 16 * 4}, {"output_logprob_value", 16 * 4}, {"output_logprob_index", 16 * 4},
		{"top_logprobs_values", 128 * 4}, {"top_logprobs_indices", 128 * 4}, {"topk_p", 16 * 4}, {"topk_index", 16 * 8},
	}
	if m.Hidden > 0 {
		out = append(out, auxField{"hidden_states", max(64, int64(m.Hidden)*int64(m.ItemSize))})
	}
	return append(out, auxField{AuxRoom, 8 * 8})
}

// AuxRoom names the aux field that holds the room number of a request: the tag that tells whose data a slot has.
const AuxRoom = "bootstrap_room"

// auxField is one metadata buffer: its name and the bytes of a slot.
type auxField struct {
	name string
	item int64
}
