package layout

// StateType is what a list of regions is registered as. Components of equal type on both sides belong together.
type StateType string

// The types of lists. KVData names the main list; it is not the type of a component.
const (
	KVData    StateType = "kv"       // the main list: pages of the KV cache
	SWA       StateType = "swa"      // the attention window; in a compressed model also the 4:1 compress states
	SWARing   StateType = "swa-ring" // window rows of unified layer buffers
	C128State StateType = "c128"     // the 128:1 compress states
	DSA       StateType = "dsa"      // indexer keys of sparse attention
	Mamba     StateType = "mamba"    // convolution and recurrent states of linear attention
)

// Component is one state list: its regions share an index list of their own.
type Component struct {
	Type    StateType `json:"type"`
	Regions []Region  `json:"regions"`
	// LayerIDs is the global layer of every region, or nil where the pool publishes none, which is not the same as an empty
	// list: with ids on both sides regions are paired by id, else by position.
	LayerIDs []int `json:"layer_ids"`
}

// Unset stands for a stage end that the prefill side did not fill in.
const Unset = -1

// Stage is the half-open range of global layers that one pipeline stage holds.
type Stage struct {
	Start int `json:"start"`
	End   int `json:"end"` // exclusive, or Unset
}

// Parallel is the place of one process in its engine.
type Parallel struct {
	TP     int `json:"tp"`      // attention tensor-parallel size, at least 1
	TPRank int `json:"tp_rank"` // below TP
}

// Pool is what one process registers: its lists of regions in protocol order, and what the rules of pairing need to know.
// It is plain data and safe for concurrent reading.
type Pool struct {
	Family   Family   `json:"family"`
	Stage    Stage    `json:"stage"`
	Parallel Parallel `json:"parallel"`
	PageSize int      `json:"page_size"` // tokens
	// Ratios is the compression ratio of every layer of the full model, nil unless Family is Compressed.
	Ratios []int `json:"ratios,omitempty"`
	// Layers counts the layers of the whole model, without NextN layers.
	Layers int `json:"layers"`
	// KVHeads counts the KV heads of the whole model; 0 where a layer has one latent.
	KVHeads int `json:"kv_heads,omitempty"`

	KV         []Region    `json:"kv"`
	KVLayerIDs []int       `json:"kv_layer_ids"` // as Component.LayerIDs
	State      []Component `json:"state,omitempty"`
	Aux        []Region    `json:"aux,omitempty"`

	// Signature says what the layout of the whole model is, whatever the stage and rank, and Digest stands for it: peers whose
	// digests differ must not pair, and their signatures tell why.
	Signature Signature `json:"signature,omitempty"`
	Digest    Digest    `json:"digest"`
}

// Regions lists all regions of the pool in the order of their ids.
func (p *Pool) Regions() []Region {
	all := append([]Region(nil), p.KV...)
	for _, c := range p.State {
		all = append(all, c.Regions...)
	}
	return append(all, p.Aux...)
}

// Region finds a region by id; false where the pool has none with that id.
func (p *Pool) Region(id RegionID) (Region, bool) {
	n := int(id)
	if n < len(p.KV) {
		return p.KV[n], true
	}
	n -= len(p.KV)
	for _, c := range p.State {
		if n < len(c.Regions) {
			return c.Regions[n], true
		}
		n -= len(c.Regions)
	}
	if n < len(p.Aux) {
		return p.Aux[n], true
	}
	return Region{}, false
}

// lists returns the lists of the pool in the order of ids.
func (p *Pool) lists() [][]Region {
	out := make([][]Region, 0, len(p.State)+2)
	out = append(out, p.KV)
	for _, c := range p.State {
		out = append(out, c.Regions)
	}
	return append(out, p.Aux)
}
