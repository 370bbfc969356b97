package plan

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
)

// These tests move bytes. Memory is filled by what a byte means: its region's name, which of a request's items, which row of it, which
// head. The copies of a plan are made, and then every byte of the destination must mean what its place says, or be untouched.

// ringStride is the rows of a ring of the models below.
const ringStride = 20

// canary fills memory that nothing may write to.
const canary = 0xA5

// side is a pool with memory, and the items that a request has of each list.
type side struct {
	pool   *layout.Pool
	memory [][]byte
	kv     []int32
	state  [][]int32
	slot   int32
	dcp    dcp.Place
}

// build lays a stage out and allocates it, all canary.
func build(t testing.TB, m layout.Model, st layout.Stage, at layout.Parallel) *side {
	t.Helper()
	p, err := layout.Build(m, st, at, layout.Capacity{Pages: 24, WindowPages: 12, Slots: 3})
	if err != nil {
		t.Fatal(err)
	}
	s := &side{pool: p, dcp: dcp.Place{Size: 1}}
	for _, r := range p.Regions() {
		mem := make([]byte, r.Size())
		for i := range mem {
			mem[i] = canary
		}
		s.memory = append(s.memory, mem)
	}
	return s
}

// choose picks random items: n pages, and of every state component as many items as both sides will have.
func (s *side) choose(rng *rand.Rand, n int, slot int32) {
	s.kv, s.slot, s.state = perm(rng, 24)[:n], slot, nil
	for _, c := range s.pool.State {
		switch c.Type {
		case layout.SWARing:
			s.state = append(s.state, pages.RingRows(int(slot), ringStride, 37, 20))
		case layout.Mamba, layout.C128State:
			s.state = append(s.state, []int32{slot})
		case layout.DSA:
			s.state = append(s.state, s.kv)
		default:
			s.state = append(s.state, perm(rng, 12)[:3])
		}
	}
}

// perm is 0..n-1 in random order, with some neighbours left together so that there are runs.
func perm(rng *rand.Rand, n int) []int32 {
	var out []int32
	for _, block := range rng.Perm(n / 2) {
		out = append(out, int32(2*block), int32(2*block+1))
	}
	return out
}

// byteAt is what a byte means, as one byte that is never the canary. The name comes hashed.
func byteAt(name uint64, item, row, head, offset int) byte {
	h := name
	for _, v := range [...]int{item, row, head, offset} {
		h = (h ^ uint64(v)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	if b := byte(h); b != canary {
		return b
	}
	return canary + 1
}

// each visits the bytes of the request's items in a region: where they are, and what they mean. Items are numbered by their position in
// the request, rows and heads globally.
func (s *side) each(r layout.Region, items []int32, visit func(at int64, want byte)) {
	heads, first := 1, 0
	if r.Kind == layout.KindK || r.Kind == layout.KindV {
		tp := s.pool.Parallel
		heads = layout.HeadsPerRank(s.pool.KVHeads, tp.TP)
		first = tp.TPRank / max(1, tp.TP/s.pool.KVHeads) * heads
	}
	rows, rowLen := int(r.Rows), int(r.RowLen)
	if rows*rowLen != int(r.ItemLen) {
		rows, rowLen = 1, int(r.ItemLen) // padded items move whole
	}
	per := rowLen / heads
	hash := fnv.New64a()
	hash.Write([]byte(r.Name))
	name := hash.Sum64()
	for i, item := range items {
		for row := range rows {
			for b := range rowLen {
				item2, row2 := s.logical(r, i, row)
				visit(int64(item)*r.ItemLen+int64(row*rowLen+b), byteAt(name, item2, row2, first+b/per, b%per))
			}
		}
	}
}

// logical is the item and row of the whole sequence that row row of the i-th item holds: with context parallelism, every N-th token.
func (s *side) logical(r layout.Region, i, row int) (int, int) {
	if r.Kind != layout.KindLatent || s.dcp.Size == 1 {
		return i, row
	}
	n := int(r.Rows)
	q := (i*n+row)*s.dcp.Size + s.dcp.Rank
	return q / n, q % n
}

// lists visits the regions of every list with the request's items in it.
func (s *side) lists(visit func(r layout.Region, items []int32)) {
	for _, r := range s.pool.KV {
		visit(r, s.kv)
	}
	for i, c := range s.pool.State {
		for _, r := range c.Regions {
			visit(r, s.state[i])
		}
	}
	for _, r := range s.pool.Aux {
		visit(r, []int32{s.slot})
	}
}

// fill writes the request's data.
func (s *side) fill() {
	s.lists(func(r layout.Region, items []int32) {
		s.each(r, items, func(at int64, want byte) { s.memory[r.ID][at] = want })
	})
}

// verify holds every byte of the side to its meaning or to the canary.
func (s *side) verify(t *testing.T) {
	t.Helper()
	seen := make(map[layout.RegionID][]bool)
	s.lists(func(r layout.Region, items []int32) {
		seen[r.ID] = make([]bool, r.Size())
		s.each(r, items, func(at int64, want byte) {
			seen[r.ID][at] = true
			if got := s.memory[r.ID][at]; got != want {
				t.Fatalf("%s: byte %d is %x, want %x", r.Name, at, got, want)
			}
		})
	})
	for id, mem := range s.memory {
		for at, b := range mem {
			if b != canary && !seen[layout.RegionID(id)][at] {
				t.Fatalf("region %d: byte %d was written", id, at)
			}
		}
	}
}

// move makes the copies of a plan and counts them.
func move(t *testing.T, p *Plan, from, to *side) {
	t.Helper()
	n, bytes := 0, int64(0)
	for c := range p.All() {
		n++
		bytes += c.Length
		copy(to.memory[c.DstRegion][c.DstOffset:c.DstOffset+c.Length], from.memory[c.SrcRegion][c.SrcOffset:c.SrcOffset+c.Length])
	}
	if n != p.Len() || bytes != p.Bytes() || n != len(p.Copies()) {
		t.Fatalf("%d copies of %d bytes, announced %d of %d", n, bytes, p.Len(), p.Bytes())
	}
}

// send moves a request from one process to another, in two chunks, the states and metadata after the last.
func send(t *testing.T, from, to *side, stages int) {
	t.Helper()
	p, err := Pair(from.pool, to.pool, Options{Stages: stages, SrcDCP: from.dcp, DstDCP: to.dcp})
	if err != nil {
		t.Fatal(err)
	}
	half, size := len(from.kv)/2, from.pool.PageSize
	for _, c := range []pages.Range{{From: 0, To: half}, {From: half, To: len(from.kv)}} {
		chunk := Chunk{Src: from.kv[c.From:c.To], Offset: c.From, Tokens: c.Len() * size}
		if chunk.Dst = to.kv; to.dcp.Size == 1 {
			chunk.Dst = to.kv[c.From:c.To]
		}
		plan, err := p.Chunk(chunk)
		if err != nil {
			t.Fatal(err)
		}
		move(t, plan, from, to)
	}
	rest := &Plan{}
	for i := range from.pool.State {
		plan, err := p.State(i, from.state[i], to.state[i])
		if err != nil {
			t.Fatal(err)
		}
		rest.Add(plan)
	}
	plan, err := p.Slot(from.slot, to.slot)
	if err != nil {
		t.Fatal(err)
	}
	rest.Add(plan)
	move(t, rest, from, to)
}

// small models of every family, with lengths that fit a test.
func models() map[string]layout.Model {
	v4 := layout.Model{Family: layout.Compressed, Ratios: []int{0, 0, 4, 128, 4, 128, 4, 0}, NextN: 1, PageSize: 128, HeadDim: 8, RopeDim: 4,
		IndexDim: 4, WindowPage: 16, Window: 20, OnlineC128: true}
	with := func(m layout.Model, edit func(*layout.Model)) layout.Model { edit(&m); return m }
	return map[string]layout.Model{
		"mha":                 {Family: layout.MHA, Layers: 8, PageSize: 4, KVHeads: 4, HeadDim: 4, ValueDim: 2},
		"mla":                 {Family: layout.MLA, Layers: 8, PageSize: 4, HeadDim: 6, RopeDim: 2, ItemSize: 1},
		"mla, sparse, draft":  {Family: layout.MLA, Layers: 8, PageSize: 4, HeadDim: 6, RopeDim: 2, IndexDim: 4, NextN: 2, Draft: true},
		"linear hybrid":       {Family: layout.MLA, Layers: 8, PageSize: 4, HeadDim: 6, RopeDim: 2, LinearLayers: []int{0, 1, 3, 4, 5}, ConvBytes: 9, TemporalBytes: 5},
		"linear hybrid, mha":  {Family: layout.MHA, Layers: 8, PageSize: 4, KVHeads: 2, HeadDim: 4, LinearLayers: []int{0, 1, 3, 4, 5}, TemporalBytes: 5},
		"compressed":          v4,
		"compressed, draft":   with(v4, func(m *layout.Model) { m.Draft = true }),
		"compressed, unified": with(v4, func(m *layout.Model) { m.Draft, m.Unified = true, true }),
		"compressed, offline": with(v4, func(m *layout.Model) { m.OnlineC128 = false }),
	}
}

// TestMoveStages moves requests of every model from 1, 2 and 4 stages into one decode process.
func TestMoveStages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	one := layout.Parallel{TP: 1}
	for name, m := range models() {
		for _, stages := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%s/%d", name, stages), func(t *testing.T) {
				whole := layout.Stage{End: 8}
				if m.Family != layout.Compressed {
					whole.End += m.NextN
				}
				to := build(t, m, whole, one)
				to.choose(rng, 7, 2)
				for i := range stages {
					st := layout.Stage{Start: i * 8 / stages, End: (i + 1) * 8 / stages}
					if i == stages-1 {
						st.End = whole.End
					}
					from := build(t, m, st, one)
					from.choose(rng, 7, 1)
					from.fill()
					send(t, from, to, stages)
				}
				to.verify(t)
			})
		}
	}
}

// TestMoveHeads moves requests of an MHA model between engines of unequal tensor parallelism, with fewer and with more ranks than heads.
func TestMoveHeads(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	m := models()["mha"]
	for _, srcTP := range []int{1, 2, 4, 8} {
		for _, dstTP := range []int{1, 2, 4, 8} {
			for rank := range dstTP {
				to := build(t, m, layout.Stage{End: 8}, layout.Parallel{TP: dstTP, TPRank: rank})
				to.choose(rng, 7, 2)
				mapping, err := ranks.Map(ranks.Decode{Sizes: ranks.Sizes{TP: dstTP, CP: 1, PP: 1}, Rank: rank},
					ranks.Prefill{Sizes: ranks.Sizes{TP: srcTP, CP: 1, PP: 2}})
				if err != nil {
					t.Fatal(err)
				}
				for _, target := range mapping.Targets {
					st := layout.Stage{Start: 4 * target.PP, End: 4*target.PP + 4}
					from := build(t, m, st, layout.Parallel{TP: srcTP, TPRank: target.TP})
					from.choose(rng, 7, 1)
					from.fill()
					send(t, from, to, 2)
				}
				to.verify(t)
			}
		}
	}
}

// TestMoveTokens deals requests of latent models out to context-parallel decode ranks.
func TestMoveTokens(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, name := range []string{"mla", "linear hybrid"} {
		m := models()[name]
		for _, size := range []int{2, 3, 4} {
			for rank := range size {
				to := build(t, m, layout.Stage{End: 8}, layout.Parallel{TP: 1})
				to.dcp = dcp.Place{Size: size, Rank: rank}
				to.choose(rng, 12/size, 2)
				for i := range 2 {
					from := build(t, m, layout.Stage{Start: 4 * i, End: 4*i + 4}, layout.Parallel{TP: 1})
					from.choose(rng, 12, 1)
					from.fill()
					send(t, from, to, 2)
				}
				to.verify(t)
			}
		}
	}
}
