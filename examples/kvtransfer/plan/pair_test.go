package plan

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// pool lays a stage out with room for 24 pages.
func pool(t testing.TB, m layout.Model, start, end int, at ...layout.Parallel) *layout.Pool {
	t.Helper()
	place := layout.Parallel{TP: 1}
	if len(at) > 0 {
		place = at[0]
	}
	p, err := layout.Build(m, layout.Stage{Start: start, End: end}, place, layout.Capacity{Pages: 24, WindowPages: 12, Slots: 3})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBytes holds the copies of a stage to their byte ranges: five regions of three item lengths, pages 3, 4 and 9 to 7, 8 and 2.
func TestBytes(t *testing.T) {
	list := func(lens ...int64) *layout.Pool {
		p := &layout.Pool{Family: layout.Compressed, Stage: layout.Stage{Start: 4, End: 8}, Parallel: layout.Parallel{TP: 1}, PageSize: 128,
			Ratios: []int{0, 0, 4, 128, 4, 128, 4, 0}, Layers: 8}
		for i, n := range lens {
			p.KV = append(p.KV, layout.Region{ID: layout.RegionID(i), ItemLen: n, Items: 10, Rows: 1, RowLen: n})
		}
		return p
	}
	pairing, err := Pair(list(100, 100, 30, 30, 20), list(100, 100, 100, 30, 30, 30, 20, 20), Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pairing.Chunk(Chunk{Src: []int32{3, 4, 9}, Dst: []int32{7, 8, 2}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Copy{
		{0, 300, 1, 700, 200}, {0, 900, 1, 200, 100},
		{1, 300, 2, 700, 200}, {1, 900, 2, 200, 100},
		{2, 90, 4, 210, 60}, {2, 270, 4, 60, 30},
		{3, 90, 5, 210, 60}, {3, 270, 5, 60, 30},
		{4, 60, 7, 140, 40}, {4, 180, 7, 40, 20},
	}
	if got := plan.Copies(); !slices.Equal(got, want) || plan.Len() != 10 || plan.Bytes() != 840 {
		t.Errorf("%v, %d bytes, want %v", got, plan.Bytes(), want)
	}
	for range plan.All() {
		break // a consumer that wants no more is not called again
	}
}

// TestHeadBytes holds the copies of unequal tensor parallelism to their byte ranges: two heads of 16 bytes of each token of page 1.
func TestHeadBytes(t *testing.T) {
	m := layout.Model{Family: layout.MHA, Layers: 1, KVHeads: 8, HeadDim: 16, ItemSize: 1, PageSize: 2}
	pairing, err := Pair(pool(t, m, 0, 1, layout.Parallel{TP: 2}), pool(t, m, 0, 1, layout.Parallel{TP: 4, TPRank: 1}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pairing.Chunk(Chunk{Src: []int32{1}, Dst: []int32{3}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Copy{{0, 160, 0, 192, 32}, {0, 224, 0, 224, 32}, {1, 160, 1, 192, 32}, {1, 224, 1, 224, 32}}
	if got := plan.Copies(); !slices.Equal(got, want) || plan.Len() != 4 || plan.Bytes() != 128 {
		t.Errorf("%v, want %v", got, want)
	}
	for range plan.All() {
		break
	}
}

// TestNames pairs every stage of random compressed models with the whole, in strict mode, which holds names to be equal; and old peers
// with old peers. In compatible mode the same must come out.
func TestNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 128))
	pairs := 0
	for range 2000 {
		m := layout.Model{Family: layout.Compressed, NextN: rng.IntN(3), Draft: rng.IntN(3) == 0, Unified: rng.IntN(3) == 0}
		for range 1 + rng.IntN(10) {
			m.Ratios = append(m.Ratios, []int{0, 4, 128}[rng.IntN(3)])
		}
		layers := len(m.Ratios)
		m.Ratios = append(m.Ratios, make([]int, m.NextN)...)
		m.Draft = m.Draft && m.NextN > 0
		opt := Options{Stages: 3}
		if !m.Unified && !m.Draft && rng.IntN(4) == 0 {
			m.Form, opt.Rule = layout.Old, slice.Old
		}
		start := rng.IntN(layers)
		end := start + 1 + rng.IntN(layers-start)
		if end == layers && m.Draft {
			end = len(m.Ratios)
		}
		whole := pool(t, m, 0, len(m.Ratios))
		if m.Form == layout.Old && len(whole.State[0].Regions) == len(whole.KV) {
			continue // the old rule takes the state list for the KV list
		}
		strict, err := Pair(pool(t, m, start, end), whole, opt)
		if err != nil {
			t.Fatalf("%+v %d:%d: %v", m, start, end, err)
		}
		opt.Mode = slice.Compatible
		loose, err := Pair(pool(t, m, start, end), whole, opt)
		if err != nil || !reflect.DeepEqual(loose.KV, strict.KV) || !reflect.DeepEqual(loose.States, strict.States) {
			t.Fatalf("%+v %d:%d: compatible mode gives %+v, %v", m, start, end, loose, err)
		}
		pairs++
	}
	if pairs < 1900 {
		t.Errorf("only %d pairs", pairs)
	}
}

// TestPairErrors holds every refusal of a pair to its message.
func TestPairErrors(t *testing.T) {
	v4 := layout.Model{Family: layout.Compressed, Ratios: []int{0, 0, 4, 128, 4, 128, 4, 0}}
	old := v4
	old.Form = layout.Old
	unified := v4
	unified.Unified = true
	one := layout.Model{Family: layout.Compressed, Ratios: []int{0, 4, 128, 4}}
	mha := layout.Model{Family: layout.MHA, Layers: 8}
	mla := layout.Model{Family: layout.MLA, Layers: 8}
	sparse := layout.Model{Family: layout.MLA, Layers: 8, IndexDim: 128}
	window := layout.Model{Family: layout.MHA, Layers: 4, Window: 64, WindowLayers: []int{1, 3}}
	draft := layout.Model{Family: layout.MHA, Layers: 8, NextN: 1, Draft: true}
	edit := func(p *layout.Pool, f func(*layout.Pool)) *layout.Pool { f(p); return p }
	tp := func(n, rank int) layout.Parallel { return layout.Parallel{TP: n, TPRank: rank} }
	loose := Options{Mode: slice.Compatible, Stages: 2}
	for name, c := range map[string]struct {
		src, dst *layout.Pool
		opt      Options
		want     string
	}{
		"mixed versions": {pool(t, v4, 0, 4), pool(t, old, 0, 8), Options{},
			`prefill and decode lay the model out differently, in 8 fields; first form: "new" on prefill, "old" on decode`},
		"mixed versions, as in the field": {pool(t, v4, 0, 4), pool(t, old, 0, 8), loose,
			"pairing swa lists of 6 and 16 entries: Unexpected compressed-MLA dst_kv_ptrs length 16; expected either 8 (kv_data) or swa_L + 6 (state_data) given compression_ratios (c4=3, c128=2, total=8)."},
		"unified on one side, as in the field": {pool(t, unified, 0, 4), pool(t, v4, 0, 8), loose,
			"items of kv/c4.kv/2 have 65536 bytes on prefill and 37440 on decode"},
		"no signature": {pool(t, mla, 0, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.Digest, p.Signature = layout.Digest{1}, nil }), Options{},
			`prefill and decode lay the model out differently, in 22 fields; first family: "mla" on prefill, "" on decode`},
		"page size": {pool(t, mla, 0, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.PageSize = 1 }), loose,
			"Page size mismatch: prefill server has page_size=64, but decode server has page_size=1."},
		"ranks that do not meet": {pool(t, mha, 0, 4, tp(4, 3)), pool(t, mha, 0, 8, tp(2, 0)), Options{},
			"prefill rank 3 of 4 has no KV heads of decode rank 0 of 2"},
		"short": {pool(t, mla, 6, 8), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV, p.Aux = p.KV[:7], nil }), loose,
			"list index out of range: the slice of the kv list has 1 entries for 2 of the source"},
		"short, strict": {pool(t, mla, 6, 8), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV, p.Aux = p.KV[:7], nil }), Options{},
			`pairing kv lists of 2 and 7 entries: slice of a list of type "kv" for the stage from layer 6 has 1 entries for 2 of the source: destination length 7, read as layers`},
		"names": {pool(t, mla, 2, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV[2].Name = "kv/latent/9" }), Options{},
			"kv/latent/2 of prefill would be written to kv/latent/9 of decode"},
		"window hybrid in stages": {pool(t, window, 2, 4), pool(t, window, 0, 4), Options{},
			"pairing kv lists of 2 and 4 entries: keys of layers 2:3 reach into the values, which begin at entry 2 of the destination"},
		"draft in stages": {pool(t, draft, 4, 9), pool(t, draft, 0, 9), Options{},
			"pairing kv lists of 10 and 18 entries: keys of layers 4:9 reach into the values, which begin at entry 5 of the destination"},
		"items": {pool(t, mla, 2, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV[2].ItemLen *= 2 }), Options{},
			"items of kv/latent/2 have 73728 bytes on prefill and 147456 on decode"},
		"heads": {pool(t, mha, 0, 4, tp(2, 0)), edit(pool(t, mha, 0, 8, tp(4, 0)), func(p *layout.Pool) { p.KV[0].RowLen = 100 }), Options{},
			"rows of kv/k/0 have 1024 bytes for 4 heads on prefill and 100 bytes for 2 heads on decode"},
		"head rows": {pool(t, mha, 0, 4, tp(2, 0)), edit(pool(t, mha, 0, 8, tp(4, 0)), func(p *layout.Pool) { p.KV[0].Rows = 32 }), Options{},
			"rows of kv/k/0 have 1024 bytes for 4 heads on prefill and 512 bytes for 2 heads on decode"},
		"head counts": {edit(pool(t, mha, 0, 4, tp(2, 0)), func(p *layout.Pool) { p.KVHeads = 3 }), pool(t, mha, 0, 8, tp(4, 0)), Options{},
			"3 KV heads cannot be shared evenly among 2 source ranks and 4 destination ranks"},
		"window hybrid, unequal TP": {pool(t, window, 0, 4, tp(2, 0)), pool(t, window, 0, 4, tp(4, 0)), Options{},
			"PD Disaggregation does NOT support PD different TP sizes for non-MLA swa hybrid models yet (prefill=2, decode=4)."},
		"components": {pool(t, v4, 0, 4), edit(pool(t, v4, 0, 8), func(p *layout.Pool) { p.State, p.Aux = p.State[:1], nil }), loose,
			"PD state transfer failed: state component count mismatch (local=2, remote=1)"},
		"component type": {pool(t, v4, 0, 4), edit(pool(t, v4, 0, 8), func(p *layout.Pool) { p.State[1].Type = layout.SWA }), Options{},
			"Missing destination state: decode has no component number 1 of type c128"},
		"aux": {pool(t, one, 0, 2), edit(pool(t, one, 0, 4), func(p *layout.Pool) { p.Aux = p.Aux[:3] }), Options{},
			"prefill has 9 metadata buffers and decode 3"},
		"dcp rank": {pool(t, mla, 0, 4), pool(t, mla, 0, 8), Options{SrcDCP: dcp.Place{Size: 2}, DstDCP: dcp.Place{Size: 2, Rank: 1}},
			"PD peers must connect matching DCP ranks, got prefill=0, decode=1"},
		"dcp of heads": {pool(t, mha, 0, 4), pool(t, mha, 0, 8), Options{DstDCP: dcp.Place{Size: 2}},
			"PD decode DCP requires an MLA or hybrid-MLA KV pool."},
		"dcp of states": {pool(t, sparse, 0, 4), pool(t, sparse, 0, 8), Options{DstDCP: dcp.Place{Size: 2}},
			"state component dsa cannot be dealt out to context-parallel decode ranks"},
		"dcp rows": {pool(t, mla, 0, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV[0].Rows = 32 }), Options{DstDCP: dcp.Place{Size: 2}},
			"PD DCP pack requires page-aligned kv_item_lens, got 73728 for pages of 64 tokens of kv/latent/0"},
		"dcp padding": {pool(t, mla, 0, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV[0].ItemLen += 64 }), Options{DstDCP: dcp.Place{Size: 2}},
			"PD DCP pack requires page-aligned kv_item_lens, got 73792 for pages of 64 tokens of kv/latent/0"},
		"dcp tokens": {pool(t, mla, 0, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV[0].RowLen, p.KV[0].ItemLen = 1000, 64000 }),
			Options{DstDCP: dcp.Place{Size: 2}}, "PD DCP source/destination KV geometry differs: src=1152, dst=1000"},
		"peer": {pool(t, mla, 0, 4), edit(pool(t, mla, 0, 8), func(p *layout.Pool) { p.KV[0].Items = 1 << 60 }), Options{},
			`layout: invalid pool: items of "kv/latent/0" is 1152921504606846976`},
	} {
		if _, err := Pair(c.src, renumber(c.dst), c.opt); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
}

// renumber gives regions the ids of their positions, after an edit of lists.
func renumber(p *layout.Pool) *layout.Pool {
	id := layout.RegionID(0)
	number := func(list []layout.Region) {
		for i := range list {
			list[i].ID = id
			id++
		}
	}
	number(p.KV)
	for _, c := range p.State {
		number(c.Regions)
	}
	number(p.Aux)
	return p
}

// TestLayerIDs pairs a linear hybrid by its layers: pages of full attention, states tensor by tensor.
func TestLayerIDs(t *testing.T) {
	m := layout.Model{Family: layout.MHA, Layers: 6, LinearLayers: []int{0, 2, 4}, ConvBytes: 8, TemporalBytes: 8}
	p, err := Pair(pool(t, m, 2, 6), pool(t, m, 0, 6), Options{Stages: 2})
	if err != nil {
		t.Fatal(err)
	}
	var got []layout.RegionID
	for _, list := range []List{p.KV, p.States[0]} {
		if list.Reading != AsIDs {
			t.Errorf("read as %s", list.Reading)
		}
		for _, e := range list.Entries {
			got = append(got, e.Dst)
		}
	}
	if want := []layout.RegionID{1, 2, 4, 5, 7, 8, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := Pair(pool(t, m, 2, 6), pool(t, m, 0, 2), Options{Stages: 2}); err == nil || err.Error() != "Decode peer is missing a transfer entry for model layer 3" {
		t.Error(err)
	}
}

// TestOneSided pairs by position where only one side publishes layers: with one stage, which is the default, and not with more.
func TestOneSided(t *testing.T) {
	m := layout.Model{Family: layout.MHA, Layers: 6, LinearLayers: []int{0, 2, 4}, TemporalBytes: 8}
	dst := pool(t, m, 0, 6)
	dst.KVLayerIDs = nil
	p, err := Pair(pool(t, m, 0, 6), dst, Options{})
	if err != nil || len(p.KV.Entries) != 6 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err = Pair(pool(t, m, 0, 6), dst, Options{Stages: 2}); err == nil || err.Error() != "Layer metadata must be provided by both PD peers or neither" {
		t.Error(err)
	}
}

// TestChunkErrors holds refusals of pages and indices to their messages.
func TestChunkErrors(t *testing.T) {
	m := layout.Model{Family: layout.Compressed, Ratios: []int{0, 4, 128, 4}}
	hybrid := layout.Model{Family: layout.MLA, Layers: 4, LinearLayers: []int{1}, TemporalBytes: 8}
	p, err := Pair(pool(t, m, 0, 2), pool(t, m, 0, 4), Options{})
	if err != nil {
		t.Fatal(err)
	}
	loose, err := Pair(pool(t, m, 0, 2), pool(t, m, 0, 4), Options{Mode: slice.Compatible})
	if err != nil {
		t.Fatal(err)
	}
	linear, err := Pair(pool(t, hybrid, 0, 2), pool(t, hybrid, 0, 4), Options{Stages: 2})
	if err != nil {
		t.Fatal(err)
	}
	chunk := func(src, dst []int32) error { _, err := p.Chunk(Chunk{Src: src, Dst: dst}); return err }
	state := func(p *Pairing, i int, src, dst []int32) error { _, err := p.State(i, src, dst); return err }
	slot := func(src, dst int32) error { _, err := p.Slot(src, dst); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{chunk([]int32{22, 23, 24}, []int32{1, 2, 3}), "items 22 to 24 of the source lie outside of kv/c4.kv/1, which has 24"},
		{chunk([]int32{1, 2}, []int32{-1, 2}), "items -1 to -1 of the destination lie outside of kv/c4.kv/1, which has 24"},
		{chunk([]int32{1, 2}, []int32{1}), "group_concurrent_contiguous requires equal-length src/dst index arrays, got 2 and 1"},
		{chunk([]int32{1, 2}, nil), "chunk of 2 source pages for 0 destination pages would move nothing"},
		{slot(0, 3), "items 3 to 3 of the destination lie outside of aux/output_ids, which has 3"},
		{state(p, 0, []int32{1, 2}, []int32{3}), "SWA state index length mismatch: prefill=2, dst=1"},
		{state(loose, 1, []int32{1, 2}, []int32{3}), "C128 state index length mismatch: prefill=2, dst=1"},
		{state(p, 2, nil, nil), "no state component 2: the source has 2"},
		{state(linear, 0, []int32{1, 2}, []int32{1, 2}), "Mamba should have single state index, got 2"},
		{state(loose, 0, []int32{1, 2}, []int32{3}), ""},
		{state(p, 1, nil, nil), ""},
		{chunk(nil, nil), ""},
		{slot(0, 2), ""},
	} {
		if got := message(c.err); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// message is an error's text, empty for none.
func message(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// FuzzPeer changes pools as a peer might send them, field by field, and holds every copy that still comes out to lie inside its regions. An
// edit is ten bytes: which region, which field, which value.
func FuzzPeer(f *testing.F) {
	all := models()
	names := slices.Sorted(maps.Keys(all))
	for i := range names {
		f.Add(uint8(i), []byte{}, int32(3), int32(5), true)
		f.Add(uint8(i), []byte{1, 1, 255, 255, 255, 255, 255, 255, 255, 127, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0}, int32(1<<30), int32(-5), false)
	}
	f.Fuzz(func(t *testing.T, model uint8, edits []byte, from, to int32, strict bool) {
		m := all[names[int(model)%len(names)]]
		src, dst := pool(t, m, 0, 4), pool(t, m, 0, 8)
		for ; len(edits) >= 10; edits = edits[10:] {
			editPool([]*layout.Pool{src, dst}[edits[0]&1], int(edits[0]>>1), edits[1], int64(binary.LittleEndian.Uint64(edits[2:])))
		}
		opt := Options{Stages: 2}
		if !strict {
			opt.Mode = slice.Compatible
		}
		p, err := Pair(src, dst, opt)
		if err != nil {
			return
		}
		plans := []func() (*Plan, error){
			func() (*Plan, error) { return p.Chunk(Chunk{Src: []int32{from, from + 1}, Dst: []int32{to, to + 1}}) },
			func() (*Plan, error) { return p.Slot(from, to) },
		}
		for i := range p.States {
			plans = append(plans, func() (*Plan, error) { return p.State(i, []int32{from}, []int32{to}) })
		}
		for _, make := range plans {
			if plan, err := make(); err == nil {
				insideRegions(t, plan, src, dst)
			}
		}
	})
}

// editPool sets one field of a pool.
func editPool(p *layout.Pool, region int, field byte, value int64) {
	lists := [][]layout.Region{p.KV, p.Aux}
	for _, c := range p.State {
		lists = append(lists, c.Regions)
	}
	list := lists[region%len(lists)]
	if len(list) == 0 {
		return
	}
	r := &list[region/len(lists)%len(list)]
	switch field % 10 {
	case 0:
		r.ItemLen = value
	case 1:
		r.Items = value
	case 2:
		r.Rows = value
	case 3:
		r.RowLen = value
	case 4:
		r.ID = layout.RegionID(value)
	case 5:
		p.Stage.Start = int(value)
	case 6:
		p.Stage.End = int(value)
	case 7:
		p.Parallel = layout.Parallel{TP: int(value), TPRank: int(value >> 8)}
	case 8:
		p.KVHeads = int(value)
	case 9:
		p.PageSize = int(value)
	}
}

// insideRegions holds every copy to its two regions.
func insideRegions(t *testing.T, plan *Plan, src, dst *layout.Pool) {
	t.Helper()
	left := 1 << 16
	for c := range plan.All() {
		s, ok1 := src.Region(c.SrcRegion)
		d, ok2 := dst.Region(c.DstRegion)
		if !ok1 || !ok2 || c.Length < 1 || c.SrcOffset < 0 || c.DstOffset < 0 || c.SrcOffset+c.Length > s.Size() || c.DstOffset+c.Length > d.Size() {
			t.Fatalf("%+v lies outside of %+v or %+v", c, s, d)
		}
		if left--; left == 0 {
			return
		}
	}
}
