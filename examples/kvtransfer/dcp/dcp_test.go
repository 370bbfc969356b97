package dcp

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// expand lists the rows of runs.
func expand(t *testing.T, c Chunk) (src, dst []int) {
	t.Helper()
	runs, err := c.Rows()
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	for _, r := range runs {
		for i := range r.Count {
			src, dst = append(src, int(r.Src+i)), append(dst, int(r.Dst+i))
		}
	}
	return src, dst
}

// TestRows holds relayouts to their table.
func TestRows(t *testing.T) {
	whole := Chunk{PageSize: 2, To: Place{Size: 4}, Tokens: 8, Src: []int32{5, 2, 11, 4}, Dst: []int32{7}}
	second := Chunk{PageSize: 2, To: Place{Size: 2}, Prefix: 4, Offset: 1, Tokens: 4, Src: []int32{9, 3}, Dst: []int32{4, 6}}
	odd := Chunk{PageSize: 4, To: Place{Size: 2}, Tokens: 5, Src: []int32{0, 1}, Dst: []int32{0}}
	for _, c := range []struct {
		chunk    Chunk
		rank     int
		src, dst []int
	}{
		{whole, 0, []int{10, 22}, []int{14, 15}}, {whole, 1, []int{11, 23}, []int{14, 15}},
		{whole, 2, []int{4, 8}, []int{14, 15}}, {whole, 3, []int{5, 9}, []int{14, 15}},
		{second, 0, []int{18, 6}, []int{9, 12}}, {second, 1, []int{19, 7}, []int{9, 12}},
		{odd, 0, []int{0, 2, 4}, []int{0, 1, 2}}, {odd, 1, []int{1, 3}, []int{0, 1}},
	} {
		c.chunk.To.Rank = c.rank
		if src, dst := expand(t, c.chunk); !slices.Equal(src, c.src) || !slices.Equal(dst, c.dst) {
			t.Errorf("%+v: %v -> %v, want %v -> %v", c.chunk, src, dst, c.src, c.dst)
		}
	}
	if runs, err := (Chunk{PageSize: 4, To: Place{Size: 2, Rank: 1}, Tokens: 1, Src: []int32{0}}).Rows(); err != nil || runs != nil {
		t.Errorf("a chunk without a token of the rank: %v, %v", runs, err)
	}
}

// TestDeal deals random requests out in random chunks and holds every token to be where it must be: position q on rank q mod N, slot q/N.
func TestDeal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		size, n := 1+rng.IntN(5), 1+rng.IntN(4)
		prefix := size * n * rng.IntN(3)
		tokens := 1 + rng.IntN(50)
		src := perm(rng, (tokens+size-1)/size)
		for rank := range n {
			dst := perm(rng, (tokens+size*n-1)/(size*n))
			at := map[int]int{} // destination row -> position
			for offset := 0; offset < len(src); {
				take := min(1+rng.IntN(4), len(src)-offset)
				c := Chunk{size, Place{n, rank}, prefix, offset, min(take*size, tokens-offset*size), src[offset : offset+take], dst}
				from, to := expand(t, c)
				for i := range from {
					page := slices.Index(src, int32(from[i]/size))
					at[to[i]] = prefix + page*size + from[i]%size
				}
				offset += take
			}
			for q := prefix; q < prefix+tokens; q++ {
				slot := q/n - prefix/n
				row := -1
				if q%n == rank {
					row = int(dst[slot/size])*size + slot%size
				}
				if got, ok := at[row]; row >= 0 && (!ok || got != q) {
					t.Fatalf("page %d, rank %d of %d, prefix %d, tokens %d: row %d has %d, want %d", size, rank, n, prefix, tokens, row, got, q)
				}
				delete(at, row)
			}
			if len(at) > 0 {
				t.Fatalf("rows too many: %v", at)
			}
		}
	}
}

// perm is n page numbers in random order, with gaps.
func perm(rng *rand.Rand, n int) []int32 {
	out := make([]int32, 0, n)
	for _, p := range rng.Perm(2 * n)[:n] {
		out = append(out, int32(p))
	}
	return out
}

// TestErrors holds refusals to their messages.
func TestErrors(t *testing.T) {
	good := Chunk{PageSize: 2, To: Place{Size: 2}, Tokens: 4, Src: []int32{1, 2}, Dst: []int32{4}}
	edit := func(f func(*Chunk)) error { c := good; f(&c); _, err := c.Rows(); return err }
	place := func(src, dst Place) error { _, err := Relayout(src, dst); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{edit(func(c *Chunk) { c.Prefix = 6 }), "PD DCP transfer requires decode_prefix_len to align to the virtual DCP page size (4), got 6"},
		{edit(func(c *Chunk) { c.Tokens = 5 }), "num_kv_tokens must fit in the provided source pages, got tokens=5, capacity=4"},
		{edit(func(c *Chunk) { c.Offset = 2 }), "Insufficient destination DCP pages: required=2, provided=1, src_page_offset=2, dcp_rank=0"},
		{edit(func(c *Chunk) { c.Tokens, c.Src = 5, []int32{1, 2, 3} }), "Insufficient destination DCP pages: required=2, provided=1, src_page_offset=0, dcp_rank=0"},
		{edit(func(c *Chunk) { c.PageSize = 0 }), "dcp: page size of a chunk is 0, but must lie between 1 and 65536"},
		{edit(func(c *Chunk) { c.To.Rank = 2 }), "dcp: rank of a chunk is 2, but must lie between 0 and 1"},
		{place(Place{2, 0}, Place{2, 1}), "PD peers must connect matching DCP ranks, got prefill=0, decode=1"},
		{place(Place{2, 0}, Place{4, 1}), "Unsupported PD DCP topology: 2 -> 4"},
		{place(Place{4, 0}, Place{1, 0}), "Unsupported PD DCP topology: 4 -> 1"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	for _, c := range []struct {
		src, dst Place
		want     bool
	}{{Place{1, 0}, Place{1, 0}, false}, {Place{2, 1}, Place{2, 1}, false}, {Place{1, 0}, Place{4, 3}, true}} {
		if got, err := Relayout(c.src, c.dst); got != c.want || err != nil {
			t.Errorf("%v -> %v: %t, %v", c.src, c.dst, got, err)
		}
	}
}
