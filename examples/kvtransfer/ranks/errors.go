package ranks

import "fmt"

// RankError reports a size or rank out of its range.
type RankError struct {
	Name            string
	Value, Min, Max int
}

func (e *RankError) Error() string {
	return fmt.Sprintf("ranks: %s is %d, an engine can have %d to %d", e.Name, e.Value, e.Min, e.Max)
}

// DecodeCPError reports a decode engine with context parallelism. The text is SGLang's AssertionError.
type DecodeCPError struct{ CP int }

func (e *DecodeCPError) Error() string {
	return fmt.Sprintf("Decode cp size (%d) should be equal to 1", e.CP)
}

// PPError reports a decode engine with several stages that are not prefill's. The text is SGLang's AssertionError.
type PPError struct{ Decode, Prefill int }

func (e *PPError) Error() string {
	return fmt.Sprintf("Decode pp size (%d) should be equal to prefill pp size (%d) or 1", e.Decode, e.Prefill)
}

// TPError reports tensor-parallel sizes of which neither divides the other. SGLang does not look, and later asks for a rank
// that does not exist.
type TPError struct{ Prefill, Decode int }

func (e *TPError) Error() string {
	return fmt.Sprintf("prefill TP size %d and decode TP size %d do not divide each other", e.Prefill, e.Decode)
}

// HeadError reports KV heads that cannot be shared out evenly on both sides.
type HeadError struct{ Heads, SrcTP, DstTP int }

func (e *HeadError) Error() string {
	return fmt.Sprintf("%d KV heads cannot be shared evenly among %d source ranks and %d destination ranks", e.Heads, e.SrcTP, e.DstTP)
}
