package layout

import "fmt"

// RegionID identifies a region within one pool: its position among all regions of the pool, the KV list first, then the state
// components in order, then the aux list. Ids go over the wire in place of addresses.
type RegionID uint32

// Kind says what the items of a region hold.
type Kind string

// The kinds of regions.
const (
	KindK            Kind = "k"              // keys of one layer
	KindV            Kind = "v"              // values of one layer
	KindLatent       Kind = "latent"         // the joint latent of MLA
	KindC4           Kind = "c4.kv"          // latents compressed 4:1
	KindC4Index      Kind = "c4.index"       // indexer keys of a 4:1 layer
	KindC128         Kind = "c128.kv"        // latents compressed 128:1
	KindWindow       Kind = "window"         // latents of the attention window
	KindWindowK      Kind = "window.k"       // keys of the attention window
	KindWindowV      Kind = "window.v"       // values of the attention window
	KindC4State      Kind = "c4.state"       // what the 4:1 compressor carries on with
	KindC4IndexState Kind = "c4.index.state" // the same for the indexer of that layer
	KindC128State    Kind = "c128.state"     // what the 128:1 compressor carries on with
	KindRing         Kind = "ring"           // window rows of a unified layer buffer
	KindIndexK       Kind = "index.k"        // indexer keys of sparse attention
	KindConv         Kind = "conv"           // convolution state of a linear-attention layer
	KindTemporal     Kind = "temporal"       // recurrent state of a linear-attention layer
	KindAux          Kind = "aux"            // one metadata field, an item per request slot
)

// NoLayer is the layer of a region that belongs to no layer.
const NoLayer = -1

// Region is one buffer of a pool: Items items of ItemLen bytes, item i at offset i*ItemLen.
type Region struct {
	ID   RegionID `json:"id"`
	Name string   `json:"name"` // list, kind and layer, as in "kv/c4.kv/17"; unique in its pool and equal on both peers
	Kind Kind     `json:"kind"`
	// Layer is the global layer, NextN layers counted on behind the model's own; NoLayer where there is none.
	Layer int `json:"layer"`
	// ItemLen is the length of one item in bytes: a page, a row, a slot. At least Rows*RowLen; the rest is padding.
	ItemLen int64 `json:"item_len"`
	// Items is how many items the region holds.
	Items int64 `json:"items"`
	// Rows and RowLen divide an item into equal rows, where something may move by rows: the tokens of a page. 1 and
	// ItemLen where an item is indivisible.
	Rows   int64 `json:"rows"`
	RowLen int64 `json:"row_len"`
}

// Size is the length of the region in bytes.
func (r Region) Size() int64 { return r.ItemLen * r.Items }

// String prints the region for a person: its name, count and item length.
func (r Region) String() string {
	return fmt.Sprintf("%s: %d items of %d bytes", r.Name, r.Items, r.ItemLen)
}
