package pages

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRuns holds grouping to its table.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		src, dst []int32
		want     []Run
	}{
		{[]int32{3, 4, 5, 9, 10}, []int32{7, 8, 9, 20, 21}, []Run{{3, 7, 3}, {9, 20, 2}}},
		{[]int32{3, 4, 5, 6}, []int32{7, 8, 20, 21}, []Run{{3, 7, 2}, {5, 20, 2}}},
		{[]int32{3, 2, 1}, []int32{9, 8, 7}, []Run{{3, 9, 1}, {2, 8, 1}, {1, 7, 1}}},
		{[]int32{3, 4, 9}, []int32{7, 8, 2}, []Run{{3, 7, 2}, {9, 2, 1}}},
		{[]int32{1}, []int32{1}, []Run{{1, 1, 1}}},
		{nil, []int32{1, 2}, nil},
		{[]int32{1}, nil, nil},
	} {
		got, err := Runs(c.src, c.dst)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v | %v: %v, %v, want %v", c.src, c.dst, got, err, c.want)
		}
	}
	_, err := Runs([]int32{1, 2}, []int32{1})
	if want := "group_concurrent_contiguous requires equal-length src/dst index arrays, got 2 and 1"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzRuns holds runs to the pairs they came from, in order, with no two runs that could be one.
func FuzzRuns(f *testing.F) {
	f.Add([]byte{3, 4, 5, 9, 10}, []byte{7, 8, 9, 20, 21})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		n := min(len(a), len(b))
		src, dst := make([]int32, n), make([]int32, n)
		for i := range n {
			src[i], dst[i] = int32(a[i]), int32(b[i])
		}
		runs, err := Runs(src, dst)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for k, r := range runs {
			if r.Count < 1 || k > 0 && r.Src == runs[k-1].Src+runs[k-1].Count && r.Dst == runs[k-1].Dst+runs[k-1].Count {
				t.Fatalf("%v | %v: %v", src, dst, runs)
			}
			for j := range r.Count {
				if i >= n || int64(src[i]) != r.Src+j || int64(dst[i]) != r.Dst+j {
					t.Fatalf("%v | %v: %v", src, dst, runs)
				}
				i++
			}
		}
		if i != n {
			t.Fatalf("%v | %v: %v", src, dst, runs)
		}
	})
}

// TestChunks sends random requests chunk by chunk: every page once, in order, all of them with the last.
func TestChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		page := 1 + rng.IntN(9)
		prefix := page * rng.IntN(4)
		input := prefix + rng.IntN(60)
		next, sent, ready := 0, prefix, prefix
		for last := false; !last; {
			ready = min(input, ready+1+rng.IntN(20))
			last = ready == input
			var r Range
			if r, sent = Chunk(prefix, sent, ready, page, last); r.From != next || r.To < r.From {
				t.Fatalf("page %d, prefix %d, input %d: %v after page %d", page, prefix, input, r, next)
			}
			next = r.To
		}
		if next != Count(input-prefix, page) || sent != input {
			t.Fatalf("page %d, prefix %d, input %d: %d pages, %d tokens sent", page, prefix, input, next, sent)
		}
	}
}

// TestShare holds the shares of ranks to their table, and to being a partition.
func TestShare(t *testing.T) {
	for rank, want := range []Range{{0, 4}, {4, 7}, {7, 10}} {
		if got := Share(10, 3, rank); got != want {
			t.Errorf("rank %d: %v, want %v", rank, got, want)
		}
	}
	for n := range 20 {
		for ranks := 1; ranks < 9; ranks++ {
			at := 0
			for rank := range ranks {
				s := Share(n, ranks, rank)
				if s.From != at || s.Len() < n/ranks || s.Len() > n/ranks+1 {
					t.Fatalf("%d pages, %d ranks: rank %d has %v", n, ranks, rank, s)
				}
				at = s.To
			}
			if at != n {
				t.Fatalf("%d pages, %d ranks: shares end at %d", n, ranks, at)
			}
		}
	}
	for _, c := range []struct{ chunk, share, want Range }{
		{Range{2, 6}, Range{4, 7}, Range{4, 6}}, {Range{2, 6}, Range{7, 10}, Range{2, 2}}, {Range{2, 6}, Range{0, 2}, Range{2, 2}},
		{Range{2, 6}, Range{0, 10}, Range{2, 6}},
	} {
		if got := c.chunk.Within(c.share); got != c.want {
			t.Errorf("%v within %v: %v, want %v", c.chunk, c.share, got, c.want)
		}
	}
}

// TestState holds the items of state to their tables.
func TestState(t *testing.T) {
	for _, c := range []struct {
		slot, tokens, ring int
		online             bool
		want               []int32
	}{
		{3, 0, 128, false, nil}, {3, 128, 128, false, nil}, {3, 256, 100, true, nil},
		{3, 257, 0, true, []int32{3}}, {3, 257, 256, false, []int32{6}}, {3, 129, 256, false, []int32{7}}, {3, 127, 128, false, []int32{3}},
	} {
		got, err := C128State(c.slot, c.tokens, c.ring, c.online)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	for ring, want := range map[int]string{100: "C128 ring_size must be 128-aligned, got 100", 0: "C128 ring_size must be 128-aligned, got 0"} {
		if _, err := C128State(3, 129, ring, false); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got, want := RingRows(2, 5, 7, 4), []int32{13, 14, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("ring rows %v, want %v", got, want)
	}
	if got := RingRows(1, 5, 2, 4); !slices.Equal(got, []int32{5, 6}) {
		t.Errorf("ring rows of a short sequence: %v", got)
	}
	for _, c := range []struct {
		tokens, window, page int
		want                 Range
	}{{300, 128, 128, Range{1, 3}}, {256, 128, 128, Range{1, 2}}, {100, 128, 128, Range{0, 1}}, {0, 128, 128, Range{0, 0}}, {257, 128, 64, Range{2, 5}}} {
		if got := Window(c.tokens, c.window, c.page); got != c.want {
			t.Errorf("window of %+v: %v", c, got)
		}
	}
}
