package pairs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestByLayer holds pairing to its table.
func TestByLayer(t *testing.T) {
	l := func(layers ...int) Side { return Side{layers, len(layers)} }
	n := func(entries int) Side { return Side{nil, entries} }
	for _, c := range []struct {
		src, dst Side
		stages   int
		want     []Pair
		err      string
	}{
		{src: l(3, 7, 3, 7), dst: l(3, 7, 11, 3, 7, 11), stages: 2, want: []Pair{{0, 0}, {1, 1}, {2, 3}, {3, 4}}},
		{src: l(7, 3), dst: l(3, 7), stages: 1, want: []Pair{{0, 1}, {1, 0}}},
		{src: n(2), dst: n(2), stages: 4, want: []Pair{{0, 0}, {1, 1}}},
		{src: n(2), dst: n(3), stages: 1, want: []Pair{{0, 0}, {1, 1}}},
		{src: l(3, 7), dst: n(2), stages: 1, want: []Pair{{0, 0}, {1, 1}}},
		{src: n(2), dst: n(3), stages: 2, err: "PP-heterogeneous transfer requires layer ids on both peers; got src=2 dst=3 entries"},
		{src: n(3), dst: n(2), stages: 1, err: "PP-heterogeneous transfer requires layer ids on both peers; got src=3 dst=2 entries"},
		{src: l(3, 7), dst: n(2), stages: 2, err: "Layer metadata must be provided by both PD peers or neither"},
		{src: n(2), dst: l(3, 7), stages: 2, err: "Layer metadata must be provided by both PD peers or neither"},
		{src: Side{[]int{3}, 2}, dst: l(3, 7), stages: 1, err: "Layer metadata length must match transfer entries: src metadata=1 entries=2, dst metadata=2 entries=2"},
		{src: l(3, 4), dst: l(3, 7), stages: 1, err: "Decode peer is missing a transfer entry for model layer 4"},
		{src: l(3, 3), dst: l(3, 7), stages: 1, err: "Decode peer is missing a transfer entry for model layer 3"},
	} {
		got, err := ByLayer(c.src, c.dst, c.stages)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%v | %v: %v, want %s", c.src, c.dst, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v | %v: %v, %v, want %v", c.src, c.dst, got, err, c.want)
		}
	}
}

// TestOccurrences pairs random stages, tensor by tensor, and holds layer and tensor of each pair to be the same.
func TestOccurrences(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for range 2000 {
		layers, tensors := rng.Perm(1+rng.IntN(12)), 1+rng.IntN(3)
		slices.Sort(layers)
		from := rng.IntN(len(layers))
		stage := layers[from : from+1+rng.IntN(len(layers)-from)]
		var src, dst []int
		for range tensors {
			src, dst = append(src, stage...), append(dst, layers...)
		}
		got, err := ByLayer(Side{src, len(src)}, Side{dst, len(dst)}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range got {
			if p.Src != i || src[p.Src] != dst[p.Dst] || p.Src/len(stage) != p.Dst/len(layers) {
				t.Fatalf("%v | %v: %v", src, dst, got)
			}
		}
	}
}
