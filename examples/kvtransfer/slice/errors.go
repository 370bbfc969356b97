package slice

import (
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// LengthError reports a destination list that is neither a KV list nor a state list of the model. The text is SGLang's ValueError. With
// w = Length - States, a state list needs 0 <= w <= Total.
type LengthError struct {
	Length int `json:"length"`  // D: entries of the destination's list
	KVData int `json:"kv_data"` // K: entries of the whole KV list
	States int `json:"states"`  // entries of a state list beside its window: 2*c4, by the old rule 2*c4 + c128
	Counts
	Rule Rule             `json:"rule"`
	Type layout.StateType `json:"type"`
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("Unexpected compressed-MLA dst_kv_ptrs length %d; expected either %d (kv_data) or swa_L + %d (state_data) "+
		"given compression_ratios (c4=%d, c128=%d, total=%d).", e.Length, e.KVData, e.States, e.C4, e.C128, e.Total)
}

// Missing is how many entries the list falls short of the shortest state list; 0 if it does not.
func (e *LengthError) Missing() int { return max(0, e.States-e.Length) }

// Surplus is how many entries the list has more than the longest state list; 0 if it has not.
func (e *LengthError) Surplus() int { return max(0, e.Length-e.States-e.Total) }

// EndUnsetError reports a compressed model whose prefill side did not say where its stage ends. The text is SGLang's AssertionError.
type EndUnsetError struct{}

func (e *EndUnsetError) Error() string {
	return "KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP"
}

// WindowError reports, by the old rule, a stage that ends behind the window entries of a state list. The text is SGLang's AssertionError.
type WindowError struct {
	End    int `json:"end"`    // end of the stage
	Window int `json:"window"` // window entries of the list
}

func (e *WindowError) Error() string {
	return fmt.Sprintf("prefill_end_layer (%d) exceeds dst SWA pool buffer count (%d); compression_ratios may include layers "+
		"(e.g. nextn) that the SWA pool does not cover.", e.End, e.Window)
}

// MismatchError reports a slice with more or fewer entries than the source. SGLang fails later with an IndexError if there are
// fewer, and silently drops the rest if there are more.
type MismatchError struct {
	Type    layout.StateType `json:"type"`
	Reading Reading          `json:"read_as"`
	Stage   layout.Stage     `json:"stage"`
	Src     int              `json:"src"`   // entries of the source's list
	Dst     int              `json:"dst"`   // entries of the destination's list
	Slice   int              `json:"slice"` // entries of the slice
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("slice of a list of type %q for the stage from layer %d has %d entries for %d of the source: destination length %d, read as %s",
		string(e.Type), e.Stage.Start, e.Slice, e.Src, e.Dst, e.Reading)
}

// MisreadError reports a KV list that is not as long as the model's, and that SGLang would cut as if it were a state list.
type MisreadError struct {
	Dst    int `json:"dst"`     // entries of the destination's list
	KVData int `json:"kv_data"` // entries of the whole KV list
	Window int `json:"window"`  // window entries, were it a state list
}

func (e *MisreadError) Error() string {
	return fmt.Sprintf("KV list of %d entries would be read as a state list with %d window entries; the KV list of the model has %d",
		e.Dst, e.Window, e.KVData)
}

// StageError reports a stage beyond the ratio list.
type StageError struct {
	Stage layout.Stage `json:"stage"`
	Total int          `json:"total"` // layers of the ratio list
}

func (e *StageError) Error() string {
	return fmt.Sprintf("stage %d:%d is not a range of the %d layers of the ratio list", e.Stage.Start, e.Stage.End, e.Total)
}

// OddError reports MHA lists that are not as many keys as values.
type OddError struct {
	Src int `json:"src"`
	Dst int `json:"dst"`
}

func (e *OddError) Error() string {
	return fmt.Sprintf("MHA lists must have as many keys as values, got lengths %d and %d", e.Src, e.Dst)
}

// OverlapError reports an MHA stage whose keys reach into the destination's values.
type OverlapError struct {
	Start  int `json:"start"`
	End    int `json:"end"`
	Values int `json:"values"` // where values begin
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("keys of layers %d:%d reach into the values, which begin at entry %d of the destination", e.Start, e.End, e.Values)
}

// OffsetError reports that SGLang looks for the values of an MHA list behind a number of keys that is not the model's.
type OffsetError struct {
	Values int `json:"values"`
	Layers int `json:"layers"`
}

func (e *OffsetError) Error() string {
	return fmt.Sprintf("values would be taken from entry %d of the destination on, but the model has %d layers", e.Values, e.Layers)
}

// AmbiguousError reports MHA lengths that do not tell an uneven pipeline split from draft layers on the destination: SGLang
// assumes draft layers, and takes values of wrong layers if it is the other.
type AmbiguousError struct {
	Src    int `json:"src"`    // layers of the source
	Dst    int `json:"dst"`    // layers of the destination
	Values int `json:"values"` // where values would be taken from
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%d layers of the source do not divide %d of the destination: values may begin at entry %d (draft layers) or %d (uneven split)",
		e.Src, e.Dst, e.Values, e.Dst)
}

// ArgumentError reports a number that no list has.
type ArgumentError struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("slice was asked for a list with a %s of %d, which no list has", e.Name, e.Value)
}
