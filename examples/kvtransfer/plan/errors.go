package plan

import (
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// LayoutError reports two pools that lay the model out differently: versions or settings of the peers differ.
type LayoutError struct {
	Src, Dst    layout.Digest
	Differences []layout.Difference // source first; empty where a peer sent no signature
}

func (e *LayoutError) Error() string {
	first := layout.Difference{Name: "digest", Ours: e.Src.String(), Theirs: e.Dst.String()}
	if len(e.Differences) > 0 {
		first = e.Differences[0]
	}
	return fmt.Sprintf("prefill and decode lay the model out differently, in %d fields; first %s: %q on prefill, %q on decode",
		max(1, len(e.Differences)), first.Name, first.Ours, first.Theirs)
}

// ListError reports two lists of one type that cannot be paired by position, and the question that had no answer: its accepted
// lengths say what the destination's list might have been.
type ListError struct {
	Query slice.Query
	Err   error // of package slice
}

func (e *ListError) Error() string {
	return fmt.Sprintf("pairing %s lists of %d and %d entries: %v", e.Query.Type, e.Query.Src, e.Query.Dst, e.Err)
}

// Unwrap returns the error of package slice.
func (e *ListError) Unwrap() error { return e.Err }

// PageSizeError reports two pools with pages of different size. The text is SGLang's RuntimeError.
type PageSizeError struct{ Src, Dst int }

func (e *PageSizeError) Error() string {
	return fmt.Sprintf("Page size mismatch: prefill server has page_size=%d, but decode server has page_size=%d.", e.Src, e.Dst)
}

// PeerError reports, in strict mode, two ranks that share no KV heads.
type PeerError struct{ Src, Dst layout.Parallel }

func (e *PeerError) Error() string {
	return fmt.Sprintf("prefill rank %d of %d has no KV heads of decode rank %d of %d", e.Src.TPRank, e.Src.TP, e.Dst.TPRank, e.Dst.TP)
}

// ShortError reports, in compatible mode, a slice with fewer entries than the source. SGLang fails there with an IndexError.
type ShortError struct {
	Type  layout.StateType
	Slice int
	Src   int
}

func (e *ShortError) Error() string {
	return fmt.Sprintf("list index out of range: the slice of the %s list has %d entries for %d of the source", e.Type, e.Slice, e.Src)
}

// NameError reports, in strict mode, a pair of regions that do not hold the same thing.
type NameError struct{ Src, Dst string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%s of prefill would be written to %s of decode", e.Src, e.Dst)
}

// ItemError reports a pair of regions whose items differ in length.
type ItemError struct {
	Name     string // of the source's region
	Src, Dst int64  // bytes
}

func (e *ItemError) Error() string {
	return fmt.Sprintf("items of %s have %d bytes on prefill and %d on decode", e.Name, e.Src, e.Dst)
}

// HeadItemError reports regions whose rows are not a token's heads of their rank.
type HeadItemError struct {
	Name             string
	SrcRow, SrcHeads int64
	DstRow, DstHeads int64
}

func (e *HeadItemError) Error() string {
	return fmt.Sprintf("rows of %s have %d bytes for %d heads on prefill and %d bytes for %d heads on decode",
		e.Name, e.SrcRow, e.SrcHeads, e.DstRow, e.DstHeads)
}

// ComponentError reports, in compatible mode, that decode has fewer state components. The text is SGLang's RuntimeError.
type ComponentError struct{ Src, Dst int }

func (e *ComponentError) Error() string {
	return fmt.Sprintf("PD state transfer failed: state component count mismatch (local=%d, remote=%d)", e.Src, e.Dst)
}

// MissingStateError reports, in strict mode, a state component that decode does not have.
type MissingStateError struct {
	Type layout.StateType
	Nth  int // from 1
}

func (e *MissingStateError) Error() string {
	return fmt.Sprintf("Missing destination state: decode has no component number %d of type %s", e.Nth, e.Type)
}

// StateTPError reports states of a model with KV heads between ranks that share heads out differently. The text is SGLang's
// RuntimeError, the sizes are ours.
type StateTPError struct {
	Type     layout.StateType
	Src, Dst int
}

func (e *StateTPError) Error() string {
	return fmt.Sprintf("PD Disaggregation does NOT support PD different TP sizes for non-MLA %s hybrid models yet (prefill=%d, decode=%d).",
		e.Type, e.Src, e.Dst)
}

// AuxError reports metadata lists of different length.
type AuxError struct{ Src, Dst int }

func (e *AuxError) Error() string {
	return fmt.Sprintf("prefill has %d metadata buffers and decode %d", e.Src, e.Dst)
}

// BoundsError reports items that a region does not have.
type BoundsError struct {
	Side     string // "source" or "destination"
	Name     string // of the smallest region of the list
	From, To int64  // items, both included
	Items    int64
}

func (e *BoundsError) Error() string {
	return fmt.Sprintf("items %d to %d of the %s lie outside of %s, which has %d", e.From, e.To, e.Side, e.Name, e.Items)
}

// EmptyError reports a chunk for which one side has pages and the other none.
type EmptyError struct{ Src, Dst int }

func (e *EmptyError) Error() string {
	return fmt.Sprintf("chunk of %d source pages for %d destination pages would move nothing", e.Src, e.Dst)
}

// NoComponentError reports a state component that the source does not have.
type NoComponentError struct{ Index, Components int }

func (e *NoComponentError) Error() string {
	return fmt.Sprintf("no state component %d: the source has %d", e.Index, e.Components)
}

// StateIndexError reports index lists of a state component that differ in length. The text is SGLang's RuntimeError.
type StateIndexError struct {
	Type     string
	Src, Dst int
}

func (e *StateIndexError) Error() string {
	return fmt.Sprintf("%s state index length mismatch: prefill=%d, dst=%d", e.Type, e.Src, e.Dst)
}

// MambaIndexError reports recurrent state with other than one slot. The text is SGLang's AssertionError, the number is ours.
type MambaIndexError struct{ Indices int }

func (e *MambaIndexError) Error() string {
	return fmt.Sprintf("Mamba should have single state index, got %d", e.Indices)
}

// DCPPoolError reports decode context parallelism for a model without latents. The text is SGLang's RuntimeError.
type DCPPoolError struct{}

func (e *DCPPoolError) Error() string {
	return "PD decode DCP requires an MLA or hybrid-MLA KV pool."
}

// StateDCPError reports a state component that cannot be dealt out to context-parallel ranks.
type StateDCPError struct{ Type layout.StateType }

func (e *StateDCPError) Error() string {
	return fmt.Sprintf("state component %s cannot be dealt out to context-parallel decode ranks", e.Type)
}

// AlignError reports a region whose items are not one row per token. The text is SGLang's ValueError, the region is ours.
type AlignError struct {
	Name     string
	ItemLen  int64
	PageSize int
}

func (e *AlignError) Error() string {
	return fmt.Sprintf("PD DCP pack requires page-aligned kv_item_lens, got %d for pages of %d tokens of %s", e.ItemLen, e.PageSize, e.Name)
}

// TokenError reports tokens of different length on both sides of decode context parallelism. The text is SGLang's RuntimeError.
type TokenError struct{ Src, Dst int64 }

func (e *TokenError) Error() string {
	return fmt.Sprintf("PD DCP source/destination KV geometry differs: src=%d, dst=%d", e.Src, e.Dst)
}
