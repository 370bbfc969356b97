package layout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// room is a capacity whose figures tell which of them a region took.
var room = Capacity{Pages: 1000, WindowPages: 300, Slots: 7}

// alone is a process that shares nothing.
var alone = Parallel{TP: 1}

// build lays a whole model out, or the stage given.
func build(t *testing.T, m Model, stage ...Stage) *Pool {
	t.Helper()
	full, err := m.Complete()
	if err != nil {
		t.Fatal(err)
	}
	st := full.Whole()
	if len(stage) > 0 {
		st = stage[0]
	}
	p, err := Build(m, st, alone, room)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// names prints the regions of a list, without the prefix that they share.
func names(list []Region) string {
	var out []string
	for _, r := range list {
		_, rest, _ := strings.Cut(r.Name, "/")
		out = append(out, rest)
	}
	return strings.Join(out, " ")
}

// v4 is a compressed model of eight layers, the last of them NextN.
func v4() Model {
	return Model{Family: Compressed, Ratios: []int{0, 0, 4, 128, 4, 128, 4, 0}, NextN: 1}
}

// TestGeometry holds item lengths to the figures of DeepSeek V4.
func TestGeometry(t *testing.T) {
	for _, c := range []struct {
		edit func(*Model)
		kind Kind
		item int64
		rows int64
	}{
		{func(m *Model) {}, KindC4, 37_440, 64},
		{func(m *Model) {}, KindC4Index, 8_448, 64},
		{func(m *Model) {}, KindC128, 1_728, 2},
		{func(m *Model) {}, KindWindow, 74_880, 128},
		{func(m *Model) { m.IndexFP4 = true }, KindC4Index, 4_352, 64},
		{func(m *Model) { m.PageSize = 128 }, KindC4, 19_008, 32},
		{func(m *Model) { m.PageSize = 128 }, KindC4Index, 4_224, 32},
		{func(m *Model) { m.PageSize = 128 }, KindC128, 1_152, 1},
		{func(m *Model) { m.Unified = true }, KindC4, 64 * 1024, 64},
		{func(m *Model) { m.Unified = true }, KindRing, 1024, 1},
		{func(m *Model) {}, KindC4State, 2048 * 4 * 8, 1},
		{func(m *Model) { m.Draft = true }, KindC4State, 2048 * 4 * 16, 1},
		{func(m *Model) {}, KindC4IndexState, 512 * 4 * 8, 1},
		{func(m *Model) {}, KindC128State, 128 * 1024 * 4, 1},
		{func(m *Model) { m.OnlineC128 = true }, KindC128State, 1536 * 4, 1},
		{func(m *Model) { m.StateItemSize = 2 }, KindC4State, 2048 * 2 * 8, 1},
	} {
		m := v4()
		c.edit(&m)
		p := build(t, m)
		i := slices.IndexFunc(p.Regions(), func(r Region) bool { return r.Kind == c.kind })
		if i < 0 {
			t.Fatalf("no %s", c.kind)
		}
		r := p.Regions()[i]
		if r.ItemLen != c.item || r.Rows != c.rows || r.Rows*r.RowLen > r.ItemLen {
			t.Errorf("%s: %d bytes, %d rows of %d; want %d bytes, %d rows", r.Name, r.ItemLen, r.Rows, r.RowLen, c.item, c.rows)
		}
	}
}

// TestOrder holds the lists of every family to the order in which pools register their buffers.
func TestOrder(t *testing.T) {
	with := func(edit func(*Model)) Model { m := v4(); edit(&m); return m }
	hybrid := Model{Family: MLA, Layers: 4, LinearLayers: []int{0, 2}, ConvBytes: 10, TemporalBytes: 20}
	for _, c := range []struct {
		name  string
		m     Model
		stage Stage
		want  []string // the KV list, then every component with its type
	}{
		{"mha", Model{Family: MHA, Layers: 3}, Stage{1, 3}, []string{"k/1 k/2 v/1 v/2"}},
		{"mha with draft", Model{Family: MHA, Layers: 2, NextN: 1, Draft: true}, Stage{0, 3}, []string{"k/0 k/1 v/0 v/1 k/2 v/2"}},
		{"mha, draft on the last stage", Model{Family: MHA, Layers: 2, NextN: 1, Draft: true}, Stage{0, 1}, []string{"k/0 v/0"}},
		{"mha without its draft", Model{Family: MHA, Layers: 2, NextN: 1}, Stage{0, 3}, []string{"k/0 k/1 v/0 v/1"}},
		{"mha window hybrid", Model{Family: MHA, Layers: 4, WindowLayers: []int{0, 2}, Window: 64}, Stage{0, 4},
			[]string{"k/1 k/3 v/1 v/3", "swa: window.k/0 window.k/2 window.v/0 window.v/2"}},
		{"mla", Model{Family: MLA, Layers: 3}, Stage{1, 3}, []string{"latent/1 latent/2"}},
		{"mla with sparse attention and draft", Model{Family: MLA, Layers: 2, NextN: 1, Draft: true, IndexDim: 128}, Stage{0, 3},
			[]string{"latent/0 latent/1 latent/2", "dsa: index.k/0 index.k/1 index.k/2"}},
		{"linear hybrid", hybrid, Stage{0, 4}, []string{"latent/1 latent/3", "mamba: conv/0 conv/2 temporal/0 temporal/2"}},
		{"compressed", v4(), Stage{0, 8}, []string{
			"c4.kv/2 c4.kv/4 c4.kv/6 c4.index/2 c4.index/4 c4.index/6 c128.kv/3 c128.kv/5",
			"swa: window/0 window/1 window/2 window/3 window/4 window/5 window/6 c4.state/2 c4.state/4 c4.state/6 " +
				"c4.index.state/2 c4.index.state/4 c4.index.state/6",
			"c128: c128.state/3 c128.state/5"}},
		{"compressed stage", v4(), Stage{4, 8}, []string{"c4.kv/4 c4.kv/6 c4.index/4 c4.index/6 c128.kv/5",
			"swa: window/4 window/5 window/6 c4.state/4 c4.state/6 c4.index.state/4 c4.index.state/6", "c128: c128.state/5"}},
		{"window-only stage", v4(), Stage{0, 2}, []string{"", "swa: window/0 window/1", "c128: "}},
		{"draft", with(func(m *Model) { m.Draft = true }), Stage{7, 8}, []string{"", "swa: ", "c128: ", "swa: window/7"}},
		{"draft, another stage", with(func(m *Model) { m.Draft = true }), Stage{2, 3}, []string{"c4.kv/2 c4.index/2",
			"swa: window/2 c4.state/2 c4.index.state/2", "c128: "}},
		{"unified with draft", with(func(m *Model) { m.Draft, m.Unified = true, true }), Stage{5, 8}, []string{
			"c4.kv/6 c4.index/6 c128.kv/5", "swa: c4.state/6 c4.index.state/6", "swa-ring: ring/5 ring/6", "c128: c128.state/5", "swa-ring: ring/7"}},
		{"old form", with(func(m *Model) { m.Form = Old }), Stage{2, 5}, []string{"c4.kv/2 c4.kv/4 c4.index/2 c4.index/4 c128.kv/3",
			"swa: window/2 window/3 window/4 c4.state/2 c128.state/3 c4.state/4 c4.index.state/2 c4.index.state/4"}},
		{"no layer of ratio 128", Model{Family: Compressed, Ratios: []int{4, 0}}, Stage{0, 2},
			[]string{"c4.kv/0 c4.index/0", "swa: window/0 window/1 c4.state/0 c4.index.state/0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := build(t, c.m, c.stage)
			got := []string{names(p.KV)}
			for _, s := range p.State {
				got = append(got, string(s.Type)+": "+names(s.Regions))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestLayerIDs holds which lists say their layers: those of a linear hybrid, the KV list only without a draft model.
func TestLayerIDs(t *testing.T) {
	m := Model{Family: MLA, Layers: 4, NextN: 1, LinearLayers: []int{0, 2}, ConvBytes: 10, TemporalBytes: 20}
	p := build(t, m)
	if !slices.Equal(p.KVLayerIDs, []int{1, 3}) || !slices.Equal(p.State[0].LayerIDs, []int{0, 2, 0, 2}) {
		t.Errorf("ids %v and %v", p.KVLayerIDs, p.State[0].LayerIDs)
	}
	m.Draft = true
	if p = build(t, m); p.KVLayerIDs != nil || len(p.State[0].LayerIDs) != 4 {
		t.Errorf("with draft: ids %v and %v", p.KVLayerIDs, p.State[0].LayerIDs)
	}
	if p = build(t, m, Stage{0, 1}); p.State[0].LayerIDs == nil || build(t, m, Stage{1, 2}).State[0].LayerIDs == nil {
		t.Error("a stage without linear layers does not say so")
	}
	if p = build(t, v4()); p.KVLayerIDs != nil || p.State[0].LayerIDs != nil {
		t.Errorf("compressed: ids %v and %v", p.KVLayerIDs, p.State[0].LayerIDs)
	}
}

// TestCapacity holds item counts to what the items of a list are.
func TestCapacity(t *testing.T) {
	m := v4()
	m.Unified, m.Draft, m.RingStride = true, true, 130
	m.DraftPool = &DraftPool{Unified: true, RingStride: 130}
	want := map[Kind]int64{KindC4: 1000, KindC128: 1000, KindC4State: 300, KindRing: 7 * 130, KindC128State: 7 * 2, KindAux: 7}
	for _, r := range build(t, m).Regions() {
		if n, ok := want[r.Kind]; ok && r.Items != n {
			t.Errorf("%s has %d items, want %d", r.Name, r.Items, n)
		}
	}
	m.OnlineC128 = true
	if p := build(t, m); p.State[2].Regions[0].Items != 7 {
		t.Errorf("online: %v", p.State[2].Regions[0])
	}
}

// TestTensorParallel holds MHA pages to the heads of a rank, and the digest to the model.
func TestTensorParallel(t *testing.T) {
	m := Model{Family: MHA, Layers: 2, KVHeads: 8, HeadDim: 16, ValueDim: 4, PageSize: 32}
	whole := build(t, m)
	for tp, heads := range map[int]int64{1: 8, 2: 4, 8: 1, 16: 1} {
		p, err := Build(m, Stage{0, 2}, Parallel{TP: tp, TPRank: tp - 1}, room)
		if err != nil {
			t.Fatal(err)
		}
		k, v := p.KV[0], p.KV[2]
		if k.RowLen != heads*32 || k.ItemLen != 32*heads*32 || v.RowLen != heads*8 || k.Rows != 32 {
			t.Errorf("tp %d: %+v, %+v", tp, k, v)
		}
		if p.Digest != whole.Digest {
			t.Errorf("tp %d: digest differs", tp)
		}
	}
}

// TestAux holds the metadata list to its order and sizes.
func TestAux(t *testing.T) {
	m := Model{Family: MLA, Layers: 1, Hidden: 100}
	var got []string
	for _, r := range build(t, m).Aux {
		got = append(got, fmt.Sprintf("%s=%d", r.Name, r.ItemLen))
	}
	want := "aux/output_ids=64 aux/cached_tokens=64 aux/output_logprob_value=64 aux/output_logprob_index=64 aux/top_logprobs_values=512 " +
		"aux/top_logprobs_indices=512 aux/topk_p=64 aux/topk_index=128 aux/hidden_states=200 aux/bootstrap_room=64"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestErrors holds every refusal to its message.
func TestErrors(t *testing.T) {
	edit := func(f func(*Model)) Model { m := v4(); f(&m); return m }
	draft := func(d DraftPool) Model { m := v4(); m.Draft, m.DraftPool = true, &d; return m }
	for _, c := range []struct {
		m     Model
		stage Stage
		at    Parallel
		room  Capacity
		want  string
	}{
		{m: Model{Family: "gqa", Layers: 1}, want: `layout: unknown attention family "gqa", want mha, mla or compressed`},
		{m: edit(func(m *Model) { m.Form = "next" }), want: `layout: unknown form "next" of the state lists, want new or old`},
		{m: edit(func(m *Model) { m.PageSize = 200 }), want: "layout: page_size is 200, which must be a multiple of 128"},
		{m: edit(func(m *Model) { m.WindowPage = 96 }), want: "layout: page_size is 256, which must be a multiple of 96"},
		{m: edit(func(m *Model) { m.RopeDim = 512 }), want: "layout: rope_dim is 512, but must lie between 0 and 511"},
		{m: edit(func(m *Model) { m.RingStride = 100 }), want: "layout: ring_stride is 100, but must lie between 128 and 1073741824"},
		{m: edit(func(m *Model) { m.Ratios[1] = 8 }), want: "Unsupported compression ratio: 8 (layer 1)"},
		{m: edit(func(m *Model) { m.Layers = 8 }), want: "layout: 8 compression ratios for 8 layers and 1 NextN layers"},
		{m: edit(func(m *Model) { m.Ratios[7] = 4 }), want: "DSV4 draft state transfer expects SWA-only NextN layers; layer 7 has ratio 4"},
		{m: draft(DraftPool{Ratios: []int{128}, WindowPage: 128}), want: "DSV4 draft state transfer expects SWA-only NextN layers; layer 7 has ratio 128"},
		{m: draft(DraftPool{Ratios: []int{0, 0}, WindowPage: 128}), want: "layout: 2 compression ratios for 0 layers and 1 NextN layers"},
		{m: draft(DraftPool{Unified: true}), want: "DSV4 target and draft pools must use the same unified-KV mode: target=false, draft=true"},
		{m: draft(DraftPool{WindowPage: 64}), want: "DSV4 target and draft pools must share paged SWA geometry: target=128, draft=64"},
		{m: edit(func(m *Model) {
			m.Draft, m.Unified, m.DraftPool = true, true, &DraftPool{Unified: true, RingStride: 256}
		}),
			want: "DSV4 target and draft pools must share SWA ring geometry: target=128, draft=256"},
		{m: Model{Family: MLA, Layers: 2, WindowLayers: []int{1}}, want: "layout: window_layers has no meaning for a model of family mla"},
		{m: Model{Family: MHA, Layers: 2, Ratios: []int{4, 4}}, want: "layout: ratios has no meaning for a model of family mha"},
		{m: Model{Family: MHA, Layers: 2, Draft: true}, want: "layout: draft has no meaning for a model of family mha"},
		{m: Model{Family: MHA, Layers: 2, Window: 8, WindowLayers: []int{1, 1}}, want: "layout: window_layers[1] is layer 1; the list must ascend within the 2 layers"},
		{m: Model{Family: MLA, Layers: 2, LinearLayers: []int{2}, TemporalBytes: 1}, want: "layout: linear_layers[0] is layer 2; the list must ascend within the 2 layers"},
		{m: Model{Family: MHA, Layers: 2, WindowLayers: []int{1}}, want: "layout: window is 0, but must lie between 1 and 1073741824"},
		{m: Model{Family: MLA}, want: "layout: layers is 0, but must lie between 1 and 4096"},
		{m: v4(), stage: Stage{3, 9}, want: "layout: stage 3:9 is not a range of the 8 layers of the model"},
		{m: v4(), stage: Stage{3, Unset}, want: "layout: stage 3:-1 is not a range of the 8 layers of the model"},
		{m: v4(), at: Parallel{TP: 2, TPRank: 2}, want: "layout: tp_rank is 2, but must lie between 0 and 1"},
		{m: Model{Family: MHA, Layers: 1, KVHeads: 6}, at: Parallel{TP: 4}, want: "layout: 6 KV heads cannot be shared evenly among 4 tensor-parallel ranks"},
		{m: v4(), room: Capacity{Pages: -1}, want: "layout: pages is -1, but must lie between 0 and 1099511627776"},
		{m: v4(), stage: Stage{0, 8}, room: Capacity{Pages: 1 << 40}, want: "layout: region kv/c4.kv/2 of 1099511627776 items of 37440 bytes is larger than 4503599627370496 bytes"},
	} {
		if c.at.TP == 0 {
			c.at.TP = 1
		}
		p, err := Build(c.m, c.stage, c.at, c.room)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		} else if p != nil {
			t.Errorf("%v comes with a pool", err)
		}
	}
}

// TestRead holds reading to known fields and bounded size.
func TestRead(t *testing.T) {
	m, err := ReadModel(strings.NewReader(`{"family":"compressed","ratios":[0,4,128,4]}`))
	if err != nil || !reflect.DeepEqual(m, Model{Family: Compressed, Ratios: []int{0, 4, 128, 4}}) {
		t.Errorf("%+v, %v", m, err)
	}
	for _, bad := range []string{`{"famly":"mla"}`, `[`, ``, `{"ratios":"` + strings.Repeat("4", maxJSON) + `"}`} {
		var e *ReadError
		if _, err := ReadModel(strings.NewReader(bad)); !errors.As(err, &e) || errors.Unwrap(e) == nil {
			t.Errorf("%.20s: %v", bad, err)
		}
	}
}

// TestModels lays out the descriptions that come with the example.
func TestModels(t *testing.T) {
	files, _ := filepath.Glob("../models/*.json")
	if len(files) == 0 {
		t.Fatal("no models")
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ReadModel(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p := build(t, m); len(p.KV) < m.Layers || m.Name == "" {
			t.Errorf("%s: %d KV regions", name, len(p.KV))
		}
	}
}

// TestDigest holds the digest to the layout: equal for all stages and capacities, other for anything that moves a byte.
func TestDigest(t *testing.T) {
	base := build(t, v4())
	if p := build(t, v4(), Stage{2, 4}); p.Digest != base.Digest || p.Digest.IsZero() {
		t.Error("the digest depends on the stage")
	}
	named := v4()
	named.Name = "other"
	if build(t, named).Digest != base.Digest {
		t.Error("the digest depends on the name")
	}
	seen := map[Digest]string{base.Digest: "base"}
	for name, edit := range map[string]func(*Model){
		"form": func(m *Model) { m.Form = Old }, "page": func(m *Model) { m.PageSize = 128 }, "draft": func(m *Model) { m.Draft = true },
		"unified": func(m *Model) { m.Unified = true }, "online": func(m *Model) { m.OnlineC128 = true }, "fp4": func(m *Model) { m.IndexFP4 = true },
		"nextn": func(m *Model) { m.NextN = 0 }, "ratios": func(m *Model) { m.Ratios[0] = 4 }, "hidden": func(m *Model) { m.Hidden = 4096 },
		"window": func(m *Model) { m.Window = 256 }, "state": func(m *Model) { m.StateItemSize = 2 },
	} {
		m := v4()
		edit(&m)
		p := build(t, m)
		if other, dup := seen[p.Digest]; dup {
			t.Errorf("%s and %s share a digest", name, other)
		}
		seen[p.Digest] = name
		if len(base.Signature.Diff(p.Signature)) == 0 || len(p.Signature.Diff(base.Signature)) == 0 {
			t.Errorf("%s: signatures show no difference", name)
		}
	}
}

// TestDiff holds the explanation of a mixed pair to the fields that differ.
func TestDiff(t *testing.T) {
	old := v4()
	old.Form = Old
	var got []string
	for _, d := range build(t, v4()).Signature.Diff(build(t, old).Signature) {
		got = append(got, d.Name)
	}
	if !slices.Contains(got, "form") || !slices.Contains(got, "list 2 c128 section 0") || slices.Contains(got, "page_size") {
		t.Errorf("differences in %q", got)
	}
	a, b := Signature{{"x", "1"}}, Signature{{"y", "2"}}
	if d := a.Diff(b); !slices.Equal(d, []Difference{{"x", "1", ""}, {"y", "", "2"}}) {
		t.Errorf("%v", d)
	}
}

// TestDigestText holds digests to their text form.
func TestDigestText(t *testing.T) {
	d := build(t, v4()).Digest
	text, _ := d.MarshalText()
	var back Digest
	if err := back.UnmarshalText(text); err != nil || back != d {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{"", "12", strings.Repeat("z", 64), strings.Repeat("0", 1000)} {
		var e *DigestError
		if err := back.UnmarshalText([]byte(bad)); !errors.As(err, &e) || len(e.Error()) > 200 || back != d {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

// TestRandom holds any description, sensible or not, to: an error, or regions with unique names whose ids are their positions.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	built := 0
	for range 5000 {
		m := Model{Family: []Family{MHA, MLA, Compressed}[rng.IntN(3)], NextN: rng.IntN(3), Draft: rng.IntN(3) == 0, Unified: rng.IntN(9) == 0}
		if m.Layers = 1 + rng.IntN(9); m.Family == Compressed {
			for range m.Layers {
				m.Ratios = append(m.Ratios, []int{0, 4, 128}[rng.IntN(3)])
			}
			m.Ratios = append(m.Ratios, make([]int, m.NextN)...)
		}
		st := Stage{rng.IntN(12), rng.IntN(12)}
		p, err := Build(m, st, Parallel{TP: 1 + rng.IntN(4)}, room)
		if err != nil {
			continue
		}
		built++
		if err := p.Check(); err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		seen := map[string]bool{}
		for i, r := range p.Regions() {
			back, ok := p.Region(r.ID)
			if int(r.ID) != i || seen[r.Name] || !ok || back != r || r.ItemLen < 1 || r.Size() != r.ItemLen*r.Items {
				t.Fatalf("%+v: region %d is %+v", m, i, r)
			}
			seen[r.Name] = true
		}
		if _, ok := p.Region(RegionID(len(seen))); ok {
			t.Fatal("a region behind the last")
		}
	}
	if built < 500 {
		t.Errorf("only %d of the descriptions were sensible", built)
	}
}

// TestCheck holds pools from elsewhere to their bounds: every number that planning computes with.
func TestCheck(t *testing.T) {
	for want, edit := range map[string]func(*Pool){
		`page_size of "pool" is 0`:                      func(p *Pool) { p.PageSize = 0 },
		`stage start of "pool" is -1`:                   func(p *Pool) { p.Stage.Start = -1 },
		`stage end of "pool" is -2`:                     func(p *Pool) { p.Stage.End = -2 },
		`tp of "pool" is 0`:                             func(p *Pool) { p.Parallel.TP = 0 },
		`tp_rank of "pool" is 1`:                        func(p *Pool) { p.Parallel.TPRank = 1 },
		`id of "kv/c4.kv/2" is 9`:                       func(p *Pool) { p.KV[0].ID = 9 },
		`item_len of "kv/c4.kv/2" is 0`:                 func(p *Pool) { p.KV[0].ItemLen = 0 },
		`items of "kv/c4.kv/2" is -1`:                   func(p *Pool) { p.KV[0].Items = -1 },
		`items of "aux/output_ids" is 1125899906842624`: func(p *Pool) { p.Aux[0].Items = 1 << 50 },
		`rows of "c128/c128.state/3" is 0`:              func(p *Pool) { p.State[1].Regions[0].Rows = 0 },
		`row_len of "kv/c4.kv/2" is 37440`:              func(p *Pool) { p.KV[0].RowLen = 37440 },
		`number of layer ids of "pool" is 1`:            func(p *Pool) { p.State[0].LayerIDs = []int{4} },
		`number of components of "pool" is 257`:         func(p *Pool) { p.State = make([]Component, 257) },
		`number of regions of "pool" is 65558`:          func(p *Pool) { p.State[1].Regions = make([]Region, 65537) },
	} {
		p := build(t, v4())
		edit(p)
		if err := p.Check(); err == nil || err.Error() != "layout: invalid pool: "+want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCut holds stages to be even, gapless, and to leave the draft layers to the last.
func TestCut(t *testing.T) {
	m := Model{Family: Compressed, Ratios: []int{0, 4, 128, 4, 128, 0}, NextN: 1}
	var got []Stage
	for i := range 2 {
		st, err := Cut(m, 2, i)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, st)
	}
	if !slices.Equal(got, []Stage{{0, 2}, {2, 6}}) {
		t.Errorf("stages %v", got)
	}
	for _, bad := range [][2]int{{0, 0}, {6, 0}, {2, 2}, {2, -1}} {
		if st, err := Cut(m, bad[0], bad[1]); !errors.As(err, new(*RangeError)) {
			t.Errorf("stage %d of %d is %v: %v", bad[1], bad[0], st, err)
		}
	}
}
