package dcp

import "fmt"

// The texts of all but the last of these errors are SGLang's.

// RankError reports groups of equal size of which different ranks were connected.
type RankError struct{ Prefill, Decode int }

func (e *RankError) Error() string {
	return fmt.Sprintf("PD peers must connect matching DCP ranks, got prefill=%d, decode=%d", e.Prefill, e.Decode)
}

// TopologyError reports group sizes between which tokens cannot be dealt out.
type TopologyError struct{ Prefill, Decode int }

func (e *TopologyError) Error() string {
	return fmt.Sprintf("Unsupported PD DCP topology: %d -> %d", e.Prefill, e.Decode)
}

// PrefixError reports a prefix that does not end with a page on every rank.
type PrefixError struct {
	Virtual int // tokens of a page of every rank
	Prefix  int
}

func (e *PrefixError) Error() string {
	return fmt.Sprintf("PD DCP transfer requires decode_prefix_len to align to the virtual DCP page size (%d), got %d", e.Virtual, e.Prefix)
}

// CapacityError reports more tokens than the source's pages hold.
type CapacityError struct{ Tokens, Capacity int }

func (e *CapacityError) Error() string {
	return fmt.Sprintf("num_kv_tokens must fit in the provided source pages, got tokens=%d, capacity=%d", e.Tokens, e.Capacity)
}

// PagesError reports fewer destination pages than the rank's tokens need.
type PagesError struct{ Required, Provided, Offset, Rank int }

func (e *PagesError) Error() string {
	return fmt.Sprintf("Insufficient destination DCP pages: required=%d, provided=%d, src_page_offset=%d, dcp_rank=%d",
		e.Required, e.Provided, e.Offset, e.Rank)
}

// ArgumentError reports a number that no chunk has.
type ArgumentError struct {
	Name            string
	Value, Min, Max int
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("dcp: %s of a chunk is %d, but must lie between %d and %d", e.Name, e.Value, e.Min, e.Max)
}
