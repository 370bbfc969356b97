package layout

// Family is the attention family of a model: which rule cuts the peer's list to a stage.
type Family string

// The families.
const (
	MHA        Family = "mha"        // a K and a V buffer per layer
	MLA        Family = "mla"        // one latent buffer per layer
	Compressed Family = "compressed" // MLA whose layers keep compressed latents: DeepSeek V4
)

// Form is the version of the state lists of a compressed model.
type Form string

// The forms. Peers of different forms cannot pair.
const (
	New Form = "new" // since 2026-06-30: C128 states are a component of their own
	Old Form = "old" // before: compress states of both ratios stand in the SWA list, mixed in layer order
)

// Model describes a model as far as its KV cache goes. The zero value of a field takes the default that is named with it.
type Model struct {
	Name   string `json:"name,omitempty"` // for people; no part of the layout
	Family Family `json:"family"`
	// Layers counts the model's own layers. With Ratios it may be left out: all of them but the NextN ones.
	Layers int `json:"layers,omitempty"`
	// NextN counts the layers of the draft model, which follow the model's own. With Ratios they are its last entries.
	NextN int `json:"next_n,omitempty"`
	// Draft tells that the process runs the draft model, so that its buffers exist.
	Draft bool `json:"draft,omitempty"`
	// PageSize is in tokens; a multiple of 128 for a compressed model. Default 256 for it, else 64.
	PageSize int `json:"page_size,omitempty"`

	// Ratios is the compression ratio of every layer, NextN layers included: 0 (window only), 4 or 128. Compressed only.
	Ratios []int `json:"ratios,omitempty"`

	KVHeads int `json:"kv_heads,omitempty"` // MHA: KV heads of the whole model. Default 8
	// HeadDim is in elements. MHA: of a key head, default 128. MLA: of the latent without its rotary part, default 512.
	// Compressed: of the latent with it, default 512.
	HeadDim  int `json:"head_dim,omitempty"`
	ValueDim int `json:"value_dim,omitempty"` // MHA: elements of a value head. Default HeadDim
	RopeDim  int `json:"rope_dim,omitempty"`  // MLA, compressed: elements of the rotary part. Default 64
	ItemSize int `json:"item_size,omitempty"` // bytes of an element of the plain pools. Default 2
	// IndexDim is the width of an indexer key. Compressed: default 128. MLA: with it the model has a DSA component.
	IndexDim int `json:"index_dim,omitempty"`
	// IndexFP4 keeps indexer keys in 4 bits per element, not 8.
	IndexFP4 bool `json:"index_fp4,omitempty"`

	// Window is the attention window in tokens. Default 128 for a compressed model; with it an MHA model is a window hybrid.
	Window int `json:"window,omitempty"`
	// WindowPage is the page size of the window pool; it divides PageSize. Default 128 for a compressed model, else PageSize.
	WindowPage int `json:"window_page,omitempty"`
	// RingStride is how many window rows a request has in a unified buffer; at least Window. Default Window.
	RingStride int `json:"ring_stride,omitempty"`
	// WindowLayers lists the layers of an MHA window hybrid that see the window only.
	WindowLayers []int `json:"window_layers,omitempty"`
	// LinearLayers lists the layers of a linear hybrid that keep no KV cache but a recurrent state.
	LinearLayers  []int `json:"linear_layers,omitempty"`
	ConvBytes     int   `json:"conv_bytes,omitempty"`     // a slot of convolution state
	TemporalBytes int   `json:"temporal_bytes,omitempty"` // a slot of recurrent state

	// Unified keeps window rows and compressed rows of a layer in one buffer (compressed only).
	Unified bool `json:"unified,omitempty"`
	// OnlineC128 keeps one running row per request as C128 state, not a ring of rows.
	OnlineC128 bool `json:"online_c128,omitempty"`
	// StateItemSize is the bytes of an element of a compress state. Default 4.
	StateItemSize int `json:"state_item_size,omitempty"`
	// DraftPool describes the draft model's own pools where they differ from what follows from the model.
	DraftPool *DraftPool `json:"draft_pool,omitempty"`
	// Hidden is the width of the hidden states in the aux list, in elements of ItemSize bytes. Default 0: none.
	Hidden int `json:"hidden,omitempty"`
	// Form is the version of the state lists. Default New.
	Form Form `json:"form,omitempty"`
}

// DraftPool is how the draft model of a compressed model lays its window out; it must agree with the model's.
type DraftPool struct {
	Ratios     []int `json:"ratios,omitempty"` // one per NextN layer, all 0; may be left out
	Unified    bool  `json:"unified"`
	RingStride int   `json:"ring_stride"`
	WindowPage int   `json:"window_page"`
}

// Capacity is how much a process holds of each kind of item.
type Capacity struct {
	Pages       int64 `json:"pages"`        // pages of the KV cache
	WindowPages int64 `json:"window_pages"` // pages of the window pool
	Slots       int64 `json:"slots"`        // requests at once: aux slots, state slots, rings
}
