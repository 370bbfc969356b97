// Package pairs finds which entries of two lists belong together where lists say the layer of every entry.
//
// Layers repeat in a list, once for each kind of buffer (keys and values, or several tensors of state), in the same order of kinds on
// both sides: so the k-th entry of a layer goes with the k-th entry of that layer.
package pairs

// Side is one list: how many entries it has, and the layer of each, or nil where the side does not say.
type Side struct {
	Layers  []int
	Entries int
}

// Pair is an entry of the source and the entry of the destination that belongs to it.
type Pair struct{ Src, Dst int }

// ByLayer pairs every entry of the source. Without layers on either side, or with one stage on one side only, entries are paired by
// position. stages is the number of pipeline stages of the source. Errors are the typed ones of this package.
func ByLayer(src, dst Side, stages int) ([]Pair, error) {
	switch {
	case src.Layers == nil && dst.Layers == nil:
		return byPosition(src, dst, stages)
	case src.Layers == nil || dst.Layers == nil:
		if stages > 1 {
			return nil, &OneSidedError{src.Layers != nil}
		}
		return byPosition(src, dst, stages)
	case len(src.Layers) != src.Entries || len(dst.Layers) != dst.Entries:
		return nil, &CountError{len(src.Layers), src.Entries, len(dst.Layers), dst.Entries}
	}
	at := make(map[int][]int) // layer -> entries of the destination that no source entry has yet
	for i, l := range dst.Layers {
		at[l] = append(at[l], i)
	}
	out := make([]Pair, len(src.Layers))
	for i, l := range src.Layers {
		if len(at[l]) == 0 {
			return nil, &MissingError{l}
		}
		out[i] = Pair{i, at[l][0]}
		at[l] = at[l][1:]
	}
	return out, nil
}

// byPosition pairs entry i with entry i; with several stages only lists of equal length.
func byPosition(src, dst Side, stages int) ([]Pair, error) {
	if dst.Entries < src.Entries || stages > 1 && dst.Entries != src.Entries {
		return nil, &PositionError{src.Entries, dst.Entries}
	}
	out := make([]Pair, src.Entries)
	for i := range out {
		out[i] = Pair{i, i}
	}
	return out, nil
}
