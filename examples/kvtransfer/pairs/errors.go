package pairs

import "fmt"

// The texts of these errors are those of SGLang's RuntimeErrors.

// OneSidedError reports that only one side says the layers of its entries, where there are several stages.
type OneSidedError struct{ Src bool } // Src: the side that does is the source

func (e *OneSidedError) Error() string {
	return "Layer metadata must be provided by both PD peers or neither"
}

// CountError reports a list of layers that is not one per entry.
type CountError struct{ SrcLayers, SrcEntries, DstLayers, DstEntries int }

func (e *CountError) Error() string {
	return fmt.Sprintf("Layer metadata length must match transfer entries: src metadata=%d entries=%d, dst metadata=%d entries=%d",
		e.SrcLayers, e.SrcEntries, e.DstLayers, e.DstEntries)
}

// MissingError reports a layer of the source that the destination does not have, or not as often.
type MissingError struct{ Layer int }

func (e *MissingError) Error() string {
	return fmt.Sprintf("Decode peer is missing a transfer entry for model layer %d", e.Layer)
}

// PositionError reports lists that cannot be paired by position.
type PositionError struct{ Src, Dst int }

func (e *PositionError) Error() string {
	return fmt.Sprintf("PP-heterogeneous transfer requires layer ids on both peers; got src=%d dst=%d entries", e.Src, e.Dst)
}
