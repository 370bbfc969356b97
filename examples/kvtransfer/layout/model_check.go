package layout

import (
	"encoding/json"
	"io"
)

// Limits on descriptions, well above every real model. They keep each product of sizes far from overflow.
const (
	maxLayers   = 4096
	maxDim      = 1 << 16
	maxPageSize = 1 << 16
	maxHeads    = 1 << 12
	maxSlot     = 1 << 30 // bytes of a recurrent state
	maxItems    = 1 << 40
	maxSlots    = 1 << 24
	maxRegion   = 1 << 52 // bytes
	maxJSON     = 1 << 20 // bytes of a description
)

// ReadModel reads a model description in JSON, at most 1 MiB of it. A name that is not a field of Model is an error, so that a
// misspelt field does not pass as its default. The error is a *ReadError.
func ReadModel(r io.Reader) (Model, error) {
	var m Model
	dec := json.NewDecoder(io.LimitReader(r, maxJSON))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Model{}, &ReadError{err}
	}
	return m, nil
}

// Complete returns the model with all defaults filled in, or the first thing that is wrong with it as one of the typed errors of
// this package.
func (m Model) Complete() (Model, error) {
	m.fill()
	for _, check := range []func() error{m.checkNames, m.checkUse, m.checkNumbers, m.checkRatios, m.checkLists, m.checkDraft} {
		if err := check(); err != nil {
			return Model{}, err
		}
	}
	return m, nil
}

// byFamily is the default of a field by family.
func (m *Model) byFamily(mha, mla, compressed int) int {
	switch m.Family {
	case MHA:
		return mha
	case MLA:
		return mla
	}
	return compressed
}

// fill sets defaults.
func (m *Model) fill() {
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	if m.Form == "" {
		m.Form = New
	}
	def(&m.Layers, len(m.Ratios)-m.NextN)
	def(&m.PageSize, m.byFamily(64, 64, 256))
	def(&m.KVHeads, m.byFamily(8, 0, 0))
	def(&m.HeadDim, m.byFamily(128, 512, 512))
	def(&m.ValueDim, m.byFamily(m.HeadDim, 0, 0))
	def(&m.RopeDim, m.byFamily(0, 64, 64))
	def(&m.ItemSize, 2)
	def(&m.IndexDim, m.byFamily(0, 0, 128))
	def(&m.Window, m.byFamily(0, 0, 128))
	def(&m.WindowPage, m.byFamily(m.PageSize, 0, min(m.PageSize, 128)))
	def(&m.RingStride, m.byFamily(0, 0, m.Window))
	def(&m.StateItemSize, m.byFamily(0, 0, 4))
}

// checkNames refuses unknown families and forms.
func (m *Model) checkNames() error {
	switch m.Family {
	case MHA, MLA, Compressed:
	default:
		return &FamilyError{m.Family}
	}
	if m.Form != New && m.Form != Old {
		return &FormError{m.Form}
	}
	return nil
}

// bound is one number and its limits.
type bound struct {
	field           string
	value, min, max int
}

// checkNumbers holds every number to its limits and to the divisors it must have.
func (m *Model) checkNumbers() error {
	compressed := 0 // the lower limit of what only a compressed model needs
	if m.Family == Compressed {
		compressed = 1
	}
	for _, b := range []bound{
		{"layers", m.Layers, 1, maxLayers},
		{"next_n", m.NextN, 0, maxLayers},
		{"page_size", m.PageSize, 1, maxPageSize},
		{"kv_heads", m.KVHeads, 0, maxHeads},
		{"head_dim", m.HeadDim, 1, maxDim},
		{"value_dim", m.ValueDim, 0, maxDim},
		{"rope_dim", m.RopeDim, 0, maxDim},
		{"item_size", m.ItemSize, 1, 16},
		{"index_dim", m.IndexDim, compressed, maxDim},
		{"window", m.Window, max(compressed, min(len(m.WindowLayers), 1)), 1 << 30},
		{"window_page", m.WindowPage, compressed, maxPageSize},
		{"ring_stride", m.RingStride, m.Window * compressed, 1 << 30},
		{"state_item_size", m.StateItemSize, compressed, 16},
		{"conv_bytes", m.ConvBytes, 0, maxSlot},
		{"temporal_bytes", m.TemporalBytes, min(len(m.LinearLayers), 1), maxSlot},
		{"hidden", m.Hidden, 0, 1 << 20},
	} {
		if b.value < b.min || b.value > b.max {
			return &RangeError{b.field, int64(b.value), int64(b.min), int64(b.max)}
		}
	}
	return m.checkDivisors()
}

// checkDivisors refuses pages that rows of 128 tokens or window pages do not fill.
func (m *Model) checkDivisors() error {
	if m.Family != Compressed {
		return nil
	}
	if m.RopeDim >= m.HeadDim {
		return &RangeError{"rope_dim", int64(m.RopeDim), 0, int64(m.HeadDim - 1)}
	}
	if m.PageSize%ratioC128 != 0 {
		return &MultipleError{"page_size", m.PageSize, ratioC128}
	}
	if m.PageSize%m.WindowPage != 0 {
		return &MultipleError{"page_size", m.PageSize, m.WindowPage}
	}
	return nil
}

// checkRatios holds the ratio list against the layers and the ratios that exist.
func (m *Model) checkRatios() error {
	if m.Family != Compressed {
		return nil
	}
	if len(m.Ratios) != m.Layers+m.NextN {
		return &LayerCountError{len(m.Ratios), m.Layers, m.NextN}
	}
	if err := CheckRatios(m.Ratios); err != nil {
		return err
	}
	return draftRatios(m.Ratios[m.Layers:], m.Layers)
}

// CheckRatios refuses a ratio list with anything but 0, 4 and 128 in it. The error is a *RatioError.
func CheckRatios(ratios []int) error {
	for l, r := range ratios {
		if r != 0 && r != ratioC4 && r != ratioC128 {
			return &RatioError{l, r}
		}
	}
	return nil
}

// draftRatios refuses NextN layers that compress; the first of them is layer base.
func draftRatios(ratios []int, base int) error {
	for k, r := range ratios {
		if r != 0 {
			return &DraftRatioError{base + k, r}
		}
	}
	return nil
}

// checkLists holds lists of layers against the model.
func (m *Model) checkLists() error {
	for _, list := range []struct {
		field  string
		layers []int
	}{{"window_layers", m.WindowLayers}, {"linear_layers", m.LinearLayers}} {
		last := -1
		for i, l := range list.layers {
			if l <= last || l >= m.Layers {
				return &LayerListError{list.field, i, l, m.Layers}
			}
			last = l
		}
	}
	return nil
}

// checkUse refuses fields that the family does not know: a description that says more than is laid out is a mistake.
func (m *Model) checkUse() error {
	mha, compressed := m.Family == MHA, m.Family == Compressed
	for _, f := range []struct {
		field string
		set   bool
		known bool
	}{
		{"ratios", len(m.Ratios) > 0, compressed},
		{"kv_heads", m.KVHeads != 0, mha},
		{"value_dim", m.ValueDim != 0, mha},
		{"rope_dim", m.RopeDim != 0, !mha},
		{"index_dim", m.IndexDim != 0, !mha},
		{"index_fp4", m.IndexFP4, m.IndexDim != 0},
		{"window", m.Window != 0, compressed || len(m.WindowLayers) > 0},
		{"window_layers", len(m.WindowLayers) > 0, mha && len(m.LinearLayers) == 0},
		{"linear_layers", len(m.LinearLayers) > 0, !compressed},
		{"unified", m.Unified, compressed},
		{"online_c128", m.OnlineC128, compressed},
		{"ring_stride", m.RingStride != 0, compressed},
		{"state_item_size", m.StateItemSize != 0, compressed},
		{"draft_pool", m.DraftPool != nil, compressed && m.Draft},
		{"draft", m.Draft, m.NextN > 0},
	} {
		if f.set && !f.known {
			return &FieldError{f.field, m.Family}
		}
	}
	return nil
}

// checkDraft holds the draft model's own pools against the model's.
func (m *Model) checkDraft() error {
	d := m.DraftPool
	if d == nil {
		return nil
	}
	if len(d.Ratios) != 0 && len(d.Ratios) != m.NextN {
		return &LayerCountError{len(d.Ratios), 0, m.NextN}
	}
	if err := draftRatios(d.Ratios, m.Layers); err != nil {
		return err
	}
	switch {
	case d.Unified != m.Unified:
		return &DraftUnifiedError{m.Unified, d.Unified}
	case m.Unified && d.RingStride != m.RingStride:
		return &DraftRingError{m.RingStride, d.RingStride}
	case !m.Unified && d.WindowPage != m.WindowPage:
		return &DraftPageError{m.WindowPage, d.WindowPage}
	}
	return nil
}
