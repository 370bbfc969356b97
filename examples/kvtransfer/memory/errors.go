package memory

import (
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// MapError reports that the system has no memory to give.
type MapError struct {
	Bytes int64
	Cause error
}

func (e *MapError) Error() string {
	return fmt.Sprintf("pool memory of %d bytes cannot be had: %v", e.Bytes, e.Cause)
}

// Unwrap gives the system's error.
func (e *MapError) Unwrap() error { return e.Cause }

// RangeError reports bytes that a region does not have.
type RangeError struct {
	Region         layout.RegionID
	Offset, Length int64
	Size           int64 // of the region; 0 where there is none with that id
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("bytes %d to %d lie outside region %d, which has %d", e.Offset, e.Offset+e.Length, e.Region, e.Size)
}
