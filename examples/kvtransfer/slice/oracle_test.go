package slice

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// The oracle. Lists are built from names that say what each entry is; the slice of the whole list must then be, name by name, the list
// of the stage. The lists are built here from their description in prose, not by package layout, so that both can be wrong
// only independently.

// named is one entry: what it holds, of which layer.
type named struct {
	what  string
	layer int
}

// model is a compressed model and a stage of it.
type model struct {
	ratios     []int
	nextN      int // trailing layers whose window is not built
	start, end int
}

// ofRatio names an entry for every layer from..to-1 with one of the ratios.
func (m model) ofRatio(what string, ratios ...int) func(from, to int) []named {
	return func(from, to int) []named {
		var out []named
		for l := from; l < to; l++ {
			if slices.Contains(ratios, m.ratios[l]) {
				out = append(out, named{what, l})
			}
		}
		return out
	}
}

// built names an entry for every layer whose window is built.
func (m model) built(what string) func(from, to int) []named {
	return func(from, to int) []named {
		var out []named
		for l := from; l < min(to, len(m.ratios)-m.nextN); l++ {
			out = append(out, named{what, l})
		}
		return out
	}
}

// kinds are the lists a model registers: section by section, each in layer order.
func (m model) kinds() []struct {
	name     string
	typ      layout.StateType
	rule     Rule
	sections []func(from, to int) []named
} {
	c4, index, c128 := m.ofRatio("c4", 4), m.ofRatio("index", 4), m.ofRatio("c128", 128)
	type s = []func(from, to int) []named
	return []struct {
		name     string
		typ      layout.StateType
		rule     Rule
		sections []func(from, to int) []named
	}{
		{"kv", layout.KVData, New, s{c4, index, c128}},
		{"window", layout.SWA, New, s{m.built("window"), c4, index}},
		{"unified window", layout.SWA, New, s{c4, index}},
		{"ring", layout.SWARing, New, s{m.built("ring")}},
		{"128:1 state", layout.C128State, New, s{c128}},
		{"kv, old", layout.KVData, Old, s{c4, index, c128}},
		{"window, old", layout.SWA, Old, s{m.built("window"), m.ofRatio("state", 4, 128), index}},
	}
}

// list is a list of the layers from..to-1.
func list(sections []func(from, to int) []named, from, to int) []named {
	var out []named
	for _, s := range sections {
		out = append(out, s(from, to)...)
	}
	return out
}

// check holds every list of the model to the oracle and returns how many it compared.
func (m model) check(t testing.TB) int {
	compared := 0
	for _, k := range m.kinds() {
		whole, want := list(k.sections, 0, len(m.ratios)), list(k.sections, m.start, m.end)
		q := Query{Family: layout.Compressed, Type: k.typ, Ratios: m.ratios, Stage: layout.Stage{Start: m.start, End: m.end},
			Src: len(want), Dst: len(whole), Rule: k.rule, Mode: Strict}
		if k.name == "window, old" && (m.end > len(m.ratios)-m.nextN || len(whole) == Count(m.ratios).KVData()) {
			continue // the old rule asserts against the first, and takes the second for a KV list
		}
		res, err := q.Destination()
		if err != nil {
			t.Fatalf("%+v %s: %v", m, k.name, err)
		}
		var got []named
		for _, i := range res.Indices() {
			got = append(got, whole[i])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v %s: %v, want %v", m, k.name, got, want)
		}
		loose, err := q.with(k.rule, Compatible).Destination()
		if err != nil || !slices.Equal(loose.Ranges, res.Ranges) {
			t.Fatalf("%+v %s: compatible mode gives %v, %v, strict mode %v", m, k.name, loose, err, res)
		}
		compared++
	}
	return compared
}

// TestOracle holds 20,000 random models of up to twelve layers to the oracle.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 128))
	compared := 0
	for range 20_000 {
		m := model{ratios: make([]int, 1+rng.IntN(12))}
		for l := range m.ratios {
			m.ratios[l] = []int{0, 4, 128}[rng.IntN(3)]
		}
		for m.nextN = rng.IntN(3); m.nextN > len(m.ratios)-1; m.nextN-- {
		}
		clear(m.ratios[len(m.ratios)-m.nextN:])
		m.start = rng.IntN(len(m.ratios))
		m.end = m.start + 1 + rng.IntN(len(m.ratios)-m.start)
		compared += m.check(t)
	}
	if compared < 100_000 {
		t.Errorf("compared %d lists only", compared)
	}
}

// FuzzOracle lets the fuzzer choose the model: one byte a layer, its NextN layers, its stage.
func FuzzOracle(f *testing.F) {
	f.Add([]byte{0, 1, 2, 1}, uint8(0), uint8(1), uint8(3))
	f.Add([]byte{0, 0, 1, 2, 1, 2, 1, 0}, uint8(1), uint8(4), uint8(8))
	f.Add([]byte{2, 1, 2, 1, 2, 1}, uint8(0), uint8(2), uint8(4))
	f.Fuzz(func(t *testing.T, layers []byte, nextN, start, end uint8) {
		if len(layers) == 0 || len(layers) > 128 || int(end) > len(layers) || start > end || int(nextN) >= len(layers) {
			t.Skip()
		}
		m := model{nextN: int(nextN), start: int(start), end: int(end)}
		for _, b := range layers {
			m.ratios = append(m.ratios, []int{0, 4, 128}[b%3])
		}
		clear(m.ratios[len(layers)-m.nextN:])
		m.check(t)
	})
}

// FuzzStrict holds strict mode to its promise for any numbers: an answer is as long as the source, inside the destination, and what
// compatible mode answers. MHA answers are also held to names.
func FuzzStrict(f *testing.F) {
	f.Add(uint8(0), uint8(0), []byte{0, 1, 2, 1}, 1, 3, 3, 5, 0)
	f.Add(uint8(1), uint8(0), []byte{}, 0, 0, 14, 30, 15)
	f.Add(uint8(1), uint8(0), []byte{}, 2, 0, 4, 10, 4)
	f.Add(uint8(2), uint8(0), []byte{}, 6, 0, 3, 8, 0)
	f.Fuzz(func(t *testing.T, family, typ uint8, ratios []byte, start, end, src, dst, known int) {
		if len(ratios) > 64 || src > 1000 || dst > 1000 {
			t.Skip()
		}
		types := []layout.StateType{none, layout.KVData, layout.SWA, layout.SWARing, layout.C128State, layout.DSA}
		q := Query{
			Family: []layout.Family{layout.Compressed, layout.MHA, layout.MLA}[family%3], Type: types[int(typ)%len(types)],
			Stage: layout.Stage{Start: start, End: end}, Src: src, Dst: dst, Layers: known, Mode: Strict,
		}
		for _, r := range ratios {
			q.Ratios = append(q.Ratios, int(r))
		}
		strict, err := q.Destination()
		if err != nil {
			return
		}
		loose, err := q.with(q.Rule, Compatible).Destination()
		if err != nil || !slices.Equal(strict.Ranges, loose.Ranges) || strict.Len() != src {
			t.Fatalf("%+v: strict %v, compatible %v, %v", q, strict, loose, err)
		}
		for _, i := range strict.Indices() {
			if i < 0 || i >= dst {
				t.Fatalf("%+v: index %d", q, i)
			}
		}
		if q.Family == layout.MHA && known > 0 && src != dst && src > 0 {
			namesOfHalves(t, q, strict)
		}
	})
}

// namesOfHalves holds an MHA answer to names, where what the destination has beside the known layers is draft layers.
func namesOfHalves(t *testing.T, q Query, res Result) {
	var whole []string
	for _, part := range []struct {
		name string
		n    int
	}{{"k", q.Layers}, {"v", q.Layers}, {"draft", q.Dst - 2*q.Layers}} {
		for l := range part.n {
			whole = append(whole, fmt.Sprintf("%s%d", part.name, l))
		}
	}
	for i, at := range res.Indices() {
		want := fmt.Sprintf("%c%d", "kv"[i/(q.Src/2)], q.Stage.Start+i%(q.Src/2))
		if whole[at] != want {
			t.Fatalf("%+v: entry %d is %s, want %s", q, i, whole[at], want)
		}
	}
}

// TestAccepted holds the accepted lengths to the rule itself, length by length.
func TestAccepted(t *testing.T) {
	for _, q := range []Query{
		ask("R2", 0, 4, layout.KVData, 3, 5), ask("R2", 0, 4, layout.SWA, 6, 16), ask("R2", 0, 4, layout.C128State, 1, 0),
		ask("R2", 4, 8, layout.SWARing, 4, 0), ask("R1", 1, 3, layout.DSA, 4, 0), ask("R4", 0, 1, layout.SWA, 1, 9),
		ask("R3", 2, 4, layout.SWA, 4, 0).with(Old, ""), plain(layout.MLA, 2, 3, 0), plain(layout.MHA, 2, 4, 0), plain(layout.MHA, 0, 6, 0),
		plain(layout.MHA, 0, 5, 0), plain(layout.MHA, 0, 0, 0),
		plain(layout.MHA, 4, 4, 0), plain(layout.MHA, 1, 8, 0),
		{Family: layout.MHA, Stage: layout.Stage{Start: 3}, Src: 6, Layers: 6}, {Family: layout.MHA, Stage: layout.Stage{Start: 2}, Src: 4, Layers: 6},
		{Family: layout.MHA, Src: 8, Layers: 8}, {Family: layout.MHA, Stage: layout.Stage{Start: 1}, Src: 2, Layers: 3}, {Family: layout.MHA, Src: 8, Layers: 6},
	} {
		for _, mode := range []Mode{Compatible, Strict} {
			q := q.with(q.Rule, mode)
			accepted := q.Accepted()
			for q.Dst = 0; q.Dst < 64; q.Dst++ {
				_, err := q.Destination()
				if in := contains(accepted, q.Dst); in != (err == nil) {
					t.Errorf("%+v: listed %t, %v: %+v", q, in, err, accepted)
				}
			}
		}
	}
}

// contains tells whether a length is one of those listed.
func contains(list []Accepted, n int) bool {
	return slices.ContainsFunc(list, func(a Accepted) bool {
		return n >= a.Min && (a.Max == NoLimit || n <= a.Max) && (a.Step == 0 || n%a.Step == 0)
	})
}
