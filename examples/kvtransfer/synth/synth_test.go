package synth

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
)

// A stream reads the same wherever it is entered, and check finds exactly the byte that differs.
func TestStream(t *testing.T) {
	s := row(7, regionKey("kv/k/0"), 3)
	whole := make([]byte, 100)
	s.fill(whole, 0)
	for from := range whole {
		part := make([]byte, len(whole)-from)
		s.fill(part, uint64(from))
		if !bytes.Equal(part, whole[from:]) {
			t.Fatalf("entered at %d it reads otherwise", from)
		}
		if i := s.check(part, uint64(from)); i != -1 {
			t.Fatalf("entered at %d: byte %d is said to differ", from, i)
		}
		for wrong := range part {
			part[wrong] ^= 0x10
			if i := s.check(part, uint64(from)); i != wrong {
				t.Fatalf("entered at %d: byte %d differs, found %d", from, wrong, i)
			}
			part[wrong] ^= 0x10
		}
	}
	other := make([]byte, 100)
	row(8, regionKey("kv/k/0"), 3).fill(other, 0)
	if bytes.Equal(whole[:16], other[:16]) {
		t.Error("two rooms hold the same bytes")
	}
}

// fixture is a model with memory and a lease.
type fixture struct {
	model layout.Model
	pool  *layout.Pool
	mem   *memory.Memory
	lease *lease.Lease
}

func build(t *testing.T, m layout.Model, at layout.Parallel, tokens int) fixture {
	t.Helper()
	m, err := m.Complete()
	if err != nil {
		t.Fatal(err)
	}
	room := layout.Capacity{Pages: 8, WindowPages: 4, Slots: 2}
	pool, err := layout.Build(m, m.Whole(), at, room)
	if err != nil {
		t.Fatal(err)
	}
	mem, err := memory.New(pool, memory.Heap)
	if err != nil {
		t.Fatal(err)
	}
	l, err := lease.NewAllocator(room).Take(context.Background(), lease.NeedsOf(&m, tokens))
	if err != nil {
		t.Fatal(err)
	}
	return fixture{m, pool, mem, l}
}

// What a filler writes a checker accepts, on every kind of model; every single wrong byte it finds; scrubbed memory is clean.
func TestFillCheckScrub(t *testing.T) {
	for name, m := range map[string]layout.Model{
		"compressed": {Family: layout.Compressed, Ratios: []int{0, 4, 128, 4}},
		"unified":    {Family: layout.Compressed, Ratios: []int{0, 4, 128}, Unified: true},
		"old form":   {Family: layout.Compressed, Ratios: []int{0, 4, 128}, Form: layout.Old},
		"mha":        {Family: layout.MHA, Layers: 3},
		"window":     {Family: layout.MHA, Layers: 3, Window: 64, WindowLayers: []int{1}},
		"mla index":  {Family: layout.MLA, Layers: 2, IndexDim: 128},
		"linear":     {Family: layout.MLA, Layers: 3, LinearLayers: []int{0, 2}, ConvBytes: 100, TemporalBytes: 200},
	} {
		t.Run(name, func(t *testing.T) {
			const tokens = 300
			f := build(t, m, layout.Parallel{TP: 1}, tokens)
			f.mem.Fill(Canary)
			ck := NewChecker(&f.model, f.pool, f.mem, dcp.Place{})
			if err := ck.Clean(); err != nil {
				t.Fatalf("untouched memory: %v", err)
			}
			fill := NewFiller(&f.model, f.pool, f.mem)
			fill.Pages(5, f.lease, 0, len(f.lease.Pages))
			if err := fill.Finish(5, f.lease, tokens); err != nil {
				t.Fatal(err)
			}
			n, err := ck.Request(5, f.lease, 0, tokens)
			if err != nil || n == 0 {
				t.Fatalf("%d bytes: %v", n, err)
			}
			for _, r := range f.pool.Regions() {
				if r.Name == memory.TagRegion || r.ItemLen == 0 {
					continue
				}
				hitEveryRegion(t, ck, f, r, tokens)
			}
			if _, err := ck.Request(6, f.lease, 0, tokens); err == nil {
				t.Error("another room's bytes pass")
			}
			if ck.Clean() == nil {
				t.Error("memory in use is said to be clean")
			}
			if err := ck.Scrub(f.lease, tokens); err != nil {
				t.Fatal(err)
			}
			if err := ck.Clean(); err != nil {
				t.Errorf("after Scrub: %v", err)
			}
		})
	}
}

// hitEveryRegion changes one byte that the request holds in region r and expects to see it found.
func hitEveryRegion(t *testing.T, ck *Checker, f fixture, r layout.Region, tokens int) {
	t.Helper()
	b := f.mem.Region(r.ID)
	at := -1
	for i := len(b) - 1; i >= 0; i-- { // the last byte of the region that is no canary is surely the request's
		if b[i] != Canary {
			at = i
			break
		}
	}
	if at < 0 {
		t.Errorf("%s holds nothing of the request", r.Name)
		return
	}
	b[at] ^= 1
	var wrong *WrongByteError
	if _, err := ck.Request(5, f.lease, 0, tokens); !errors.As(err, &wrong) || wrong.Region != r.Name ||
		wrong.Item*r.ItemLen+wrong.Offset != int64(at) {
		t.Errorf("%s: a wrong byte at %d: %v", r.Name, at, err)
	}
	b[at] ^= 1
}

// Two ranks hold the halves of what one rank holds.
func TestHeadsAreShared(t *testing.T) {
	m := layout.Model{Family: layout.MHA, Layers: 1, KVHeads: 4, HeadDim: 8, PageSize: 2}
	whole := build(t, m, layout.Parallel{TP: 1}, 2)
	NewFiller(&whole.model, whole.pool, whole.mem).Pages(5, whole.lease, 0, 1)
	for rank := range 2 {
		half := build(t, m, layout.Parallel{TP: 2, TPRank: rank}, 2)
		NewFiller(&half.model, half.pool, half.mem).Pages(5, half.lease, 0, 1)
		for _, r := range half.pool.KV {
			w := whole.pool.KV[r.ID]
			for tok := range r.Rows {
				got := half.mem.Region(r.ID)[tok*r.RowLen:][:r.RowLen]
				want := whole.mem.Region(w.ID)[tok*w.RowLen+int64(rank)*r.RowLen:][:r.RowLen]
				if !bytes.Equal(got, want) {
					t.Errorf("rank %d, %s, token %d differs", rank, r.Name, tok)
				}
			}
		}
	}
}

// The prefix must be left alone: a byte there is as wrong as a wrong byte elsewhere.
func TestPrefixIsHeldToTheCanary(t *testing.T) {
	f := build(t, layout.Model{Family: layout.MLA, Layers: 2, PageSize: 64}, layout.Parallel{TP: 1}, 200)
	f.mem.Fill(Canary)
	fill := NewFiller(&f.model, f.pool, f.mem)
	fill.Pages(5, f.lease, 1, len(f.lease.Pages))
	if err := fill.Finish(5, f.lease, 200); err != nil {
		t.Fatal(err)
	}
	ck := NewChecker(&f.model, f.pool, f.mem, dcp.Place{})
	if _, err := ck.Request(5, f.lease, 64, 200); err != nil {
		t.Errorf("%v", err)
	}
	fill.Pages(5, f.lease, 0, 1)
	if _, err := ck.Request(5, f.lease, 64, 200); err == nil {
		t.Error("a written prefix passes")
	}
}
