package layout

import "fmt"

// RangeError reports a number of a description that is out of bounds.
type RangeError struct {
	Field    string
	Value    int64
	Min, Max int64
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("layout: %s is %d, but must lie between %d and %d", e.Field, e.Value, e.Min, e.Max)
}

// MultipleError reports a size that has to be a multiple of another and is not.
type MultipleError struct {
	Field string
	Value int
	Of    int
}

func (e *MultipleError) Error() string {
	return fmt.Sprintf("layout: %s is %d, which must be a multiple of %d", e.Field, e.Value, e.Of)
}

// FamilyError reports an attention family that does not exist.
type FamilyError struct{ Family Family }

func (e *FamilyError) Error() string {
	return fmt.Sprintf("layout: unknown attention family %q, want mha, mla or compressed", string(e.Family))
}

// FormError reports a form of the state lists that does not exist.
type FormError struct{ Form Form }

func (e *FormError) Error() string {
	return fmt.Sprintf("layout: unknown form %q of the state lists, want new or old", string(e.Form))
}

// FieldError reports a field that has no meaning for the family of the model.
type FieldError struct {
	Field  string
	Family Family
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("layout: %s has no meaning for a model of family %s", e.Field, e.Family)
}

// RatioError reports a compression ratio other than 0, 4 and 128. The text is SGLang's; the layer is ours.
type RatioError struct{ Layer, Ratio int }

func (e *RatioError) Error() string {
	return fmt.Sprintf("Unsupported compression ratio: %d (layer %d)", e.Ratio, e.Layer)
}

// LayerCountError reports a ratio list that does not have one ratio per layer.
type LayerCountError struct{ Ratios, Layers, NextN int }

func (e *LayerCountError) Error() string {
	return fmt.Sprintf("layout: %d compression ratios for %d layers and %d NextN layers", e.Ratios, e.Layers, e.NextN)
}

// LayerListError reports a list of layers that is not ascending within the model.
type LayerListError struct {
	Field  string
	Index  int
	Layer  int
	Layers int
}

func (e *LayerListError) Error() string {
	return fmt.Sprintf("layout: %s[%d] is layer %d; the list must ascend within the %d layers", e.Field, e.Index, e.Layer, e.Layers)
}

// DraftRatioError reports a NextN layer that compresses. The text is SGLang's; the layer and ratio are ours.
type DraftRatioError struct{ Layer, Ratio int }

func (e *DraftRatioError) Error() string {
	return fmt.Sprintf("DSV4 draft state transfer expects SWA-only NextN layers; layer %d has ratio %d", e.Layer, e.Ratio)
}

// DraftUnifiedError reports a draft model whose buffers are unified where the model's are not, or the reverse.
type DraftUnifiedError struct{ Target, Draft bool }

func (e *DraftUnifiedError) Error() string {
	return fmt.Sprintf("DSV4 target and draft pools must use the same unified-KV mode: target=%t, draft=%t", e.Target, e.Draft)
}

// DraftRingError reports a draft model whose rings have another stride.
type DraftRingError struct{ Target, Draft int }

func (e *DraftRingError) Error() string {
	return fmt.Sprintf("DSV4 target and draft pools must share SWA ring geometry: target=%d, draft=%d", e.Target, e.Draft)
}

// DraftPageError reports a draft model whose window pages have another size.
type DraftPageError struct{ Target, Draft int }

func (e *DraftPageError) Error() string {
	return fmt.Sprintf("DSV4 target and draft pools must share paged SWA geometry: target=%d, draft=%d", e.Target, e.Draft)
}

// HeadsError reports a number of ranks that KV heads cannot be shared among evenly.
type HeadsError struct{ Heads, TP int }

func (e *HeadsError) Error() string {
	return fmt.Sprintf("layout: %d KV heads cannot be shared evenly among %d tensor-parallel ranks", e.Heads, e.TP)
}

// StageError reports a stage that is not a range of the model's layers.
type StageError struct{ Start, End, Layers int }

func (e *StageError) Error() string {
	return fmt.Sprintf("layout: stage %d:%d is not a range of the %d layers of the model", e.Start, e.End, e.Layers)
}

// SizeError reports a region larger than any process may declare.
type SizeError struct {
	Name    string
	Items   int64
	ItemLen int64
	Max     int64
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("layout: region %s of %d items of %d bytes is larger than %d bytes", e.Name, e.Items, e.ItemLen, e.Max)
}

// ReadError reports a description that is not the JSON of a model.
type ReadError struct{ Err error }

func (e *ReadError) Error() string {
	return fmt.Sprintf("layout: cannot read the model description: %v", e.Err)
}

// Unwrap returns what the reader or the JSON decoder reported.
func (e *ReadError) Unwrap() error { return e.Err }

// DigestError reports text that is not a layout digest.
type DigestError struct{ Text string }

func (e *DigestError) Error() string {
	return fmt.Sprintf("layout: %q is not a layout digest of 64 hex digits", e.Text)
}

// PoolError reports a pool, as a peer sent it, in which something cannot be.
type PoolError struct {
	Where string // "pool", or the name of a region
	Field string
	Value int64
}

func (e *PoolError) Error() string {
	return fmt.Sprintf("layout: invalid pool: %s of %q is %d", e.Field, e.Where[:min(len(e.Where), 100)], e.Value)
}
