package pages

import "fmt"

// LengthError reports lists of items that cannot be paired one to one. The text is SGLang's ValueError.
type LengthError struct{ Src, Dst int }

func (e *LengthError) Error() string {
	return fmt.Sprintf("group_concurrent_contiguous requires equal-length src/dst index arrays, got %d and %d", e.Src, e.Dst)
}

// RingError reports a ring of 128:1 state that is not whole blocks. The text is SGLang's AssertionError.
type RingError struct{ Ring int }

func (e *RingError) Error() string {
	return fmt.Sprintf("C128 ring_size must be 128-aligned, got %d", e.Ring)
}
