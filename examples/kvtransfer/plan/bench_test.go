package plan

import (
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// large is a model of the size of DeepSeek V4: 61 layers and a NextN layer; behind two window-only layers, ratios 4 and 128 alternate.
func large() layout.Model {
	m := layout.Model{Family: layout.Compressed, Ratios: make([]int, 62), NextN: 1}
	for l := 2; l < 61; l++ {
		m.Ratios[l] = []int{4, 128}[l%2]
	}
	return m
}

// largePools are all of its layers on one prefill process and on one decode process, 4,096 pages each.
func largePools(b *testing.B) (src, dst *layout.Pool) {
	room := layout.Capacity{Pages: 4096, WindowPages: 512, Slots: 64}
	src, err := layout.Build(large(), layout.Stage{End: 61}, layout.Parallel{TP: 1}, room)
	if err != nil {
		b.Fatal(err)
	}
	dst, err = layout.Build(large(), layout.Stage{End: 62}, layout.Parallel{TP: 1}, room)
	if err != nil {
		b.Fatal(err)
	}
	return src, dst
}

// whole is a request of 4,096 pages; with step 1 they are one run, with step 2 no two of them are neighbours.
func whole(step int32) Chunk {
	c := Chunk{Src: make([]int32, 4096), Dst: make([]int32, 4096)}
	for i := range int32(4096) {
		c.Src[i] = i * step % 4096
		c.Dst[i] = c.Src[i]
		if i >= 2048 && step == 2 {
			c.Src[i]++
			c.Dst[i]++
		}
	}
	return c
}

// BenchmarkPair pairs the two pools: once per peer.
func BenchmarkPair(b *testing.B) {
	src, dst := largePools(b)
	for b.Loop() {
		if _, err := Pair(src, dst, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// benchmarkChunk plans a request and, if walk is set, visits every copy of the plan.
func benchmarkChunk(b *testing.B, c Chunk, walk bool) {
	src, dst := largePools(b)
	p, err := Pair(src, dst, Options{})
	if err != nil {
		b.Fatal(err)
	}
	copies := 0
	for b.Loop() {
		plan, err := p.Chunk(c)
		if err != nil {
			b.Fatal(err)
		}
		copies = plan.Len()
		if !walk {
			continue
		}
		var sum int64
		for c := range plan.All() {
			sum += c.Length
		}
		if sum != plan.Bytes() {
			b.Fatal(sum)
		}
	}
	b.ReportMetric(float64(copies), "copies")
}

func BenchmarkChunkOneRun(b *testing.B)       { benchmarkChunk(b, whole(1), false) }
func BenchmarkChunkNoRuns(b *testing.B)       { benchmarkChunk(b, whole(2), false) }
func BenchmarkChunkOneRunCopies(b *testing.B) { benchmarkChunk(b, whole(1), true) }
func BenchmarkChunkNoRunsCopies(b *testing.B) { benchmarkChunk(b, whole(2), true) }
