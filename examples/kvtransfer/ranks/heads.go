package ranks

import "github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"

// Heads is the part of a token that moves between two ranks: Count heads from SrcStart of the source's on, to DstStart of the
// destination's on.
type Heads struct{ SrcStart, Count, DstStart int }

// Slice says which heads move between a source rank and a destination rank of a model with that many KV heads. Where a side has more ranks
// than heads, neighbouring ranks hold copies of one head. Ranks are taken modulo their sizes.
func Slice(heads, srcTP, srcRank, dstTP, dstRank int) (Heads, error) {
	for _, tp := range []int{srcTP, dstTP} {
		if heads < 1 || tp < 1 || heads%tp != 0 && tp%heads != 0 {
			return Heads{}, &HeadError{heads, srcTP, dstTP}
		}
	}
	src, dst := layout.HeadsPerRank(heads, srcTP), layout.HeadsPerRank(heads, dstTP)
	if srcTP > dstTP { // the source's heads are a part of the destination's
		copies := max(1, srcTP/heads)
		return Heads{0, src, srcRank % srcTP / copies * src % dst}, nil
	}
	copies := max(1, dstTP/heads)
	return Heads{dstRank % dstTP / copies * dst % src, dst, 0}, nil
}
