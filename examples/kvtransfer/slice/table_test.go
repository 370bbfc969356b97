package slice

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// The models of the tables, by name.
var ratios = map[string][]int{
	"R1": {0, 4, 128, 4},
	"R2": {0, 0, 4, 128, 4, 128, 4, 0},
	"R3": {128, 4, 128, 4, 128, 4},
	"R4": {0, 0, 0},
	"R5": {4, 4, 4, 4},
	"R6": {128, 128},
}

const none layout.StateType = "" // a list without a type

// ask makes a query of a compressed model; stage is "start:end".
func ask(model string, start, end int, t layout.StateType, src, dst int) Query {
	return Query{Family: layout.Compressed, Type: t, Ratios: ratios[model], Stage: layout.Stage{Start: start, End: end}, Src: src, Dst: dst}
}

// plain makes a query of a model without ratios.
func plain(f layout.Family, start, src, dst int) Query {
	return Query{Family: f, Stage: layout.Stage{Start: start, End: layout.Unset}, Src: src, Dst: dst}
}

// with returns the query under a rule and a mode.
func (q Query) with(r Rule, m Mode) Query { q.Rule, q.Mode = r, m; return q }

// show prints indices as kvplan does.
func show(r Result) string { return strings.Trim(fmt.Sprint(r.Indices()), "[]") }

// TestGood holds every slice that is right to the indices it must have, in both modes: strict mode must not refuse what is right.
func TestGood(t *testing.T) {
	kv, swa, c128, ring := layout.KVData, layout.SWA, layout.C128State, layout.SWARing
	for i, c := range []struct {
		q    Query
		want string
		as   Reading
	}{
		{ask("R1", 1, 3, none, 3, 5), "0 2 4", AsKV},
		{ask("R1", 0, 2, kv, 2, 5), "0 2", AsKV},
		{ask("R1", 3, 4, kv, 2, 5), "1 3", AsKV},
		{ask("R2", 0, 4, kv, 3, 8), "0 3 6", AsKV},
		{ask("R2", 4, 8, kv, 5, 8), "1 2 4 5 7", AsKV},
		{ask("R2", 0, 2, kv, 0, 8), "", AsKV},
		{ask("R2", 0, 4, swa, 6, 14), "0 1 2 3 8 11", AsState},
		{ask("R2", 4, 8, swa, 8, 14), "4 5 6 7 9 10 12 13", AsState},
		{ask("R2", 4, 8, swa, 7, 13), "4 5 6 8 9 11 12", AsState},
		{ask("R2", 7, 8, swa, 0, 13), "", AsState},
		{ask("R2", 4, 8, swa, 4, 6), "1 2 4 5", AsState},
		{ask("R2", 0, 4, swa, 2, 6), "0 3", AsState},
		{ask("R2", 4, 8, c128, 1, 2), "1", AsC128},
		{ask("R2", 0, 3, c128, 0, 2), "", AsC128},
		{ask("R2", 4, 8, ring, 4, 8), "4 5 6 7", AsRing},
		{ask("R2", 4, 8, ring, 3, 7), "4 5 6", AsRing},
		{ask("R3", 2, 4, kv, 3, 9), "1 4 7", AsKV},
		{ask("R3", 2, 4, swa, 4, 12), "2 3 7 10", AsState},
		{ask("R3", 4, 6, swa, 4, 12), "4 5 8 11", AsState},
		{ask("R5", 1, 3, kv, 4, 8), "1 2 5 6", AsKV},
		{ask("R6", 1, 2, kv, 1, 2), "1", AsKV},
		{ask("R4", 1, 2, swa, 1, 3), "1", AsState},
		{ask("R1", 1, 3, swa, 4, 8), "1 2 4 6", AsState},
		{ask("R2", 4, 8, kv, 8, 8), "0 1 2 3 4 5 6 7", AsIs},
		{ask("R2", 4, 8, layout.DSA, 5, 8), "1 2 4 5 7", AsKV},
		{ask("R2", 0, 4, swa, 4, 8), "0 1 2 5", AsState},
		{plain(layout.MLA, 2, 3, 8), "2 3 4", AsLayers},
		{plain(layout.MHA, 2, 4, 8), "2 3 6 7", AsHalves},
		{plain(layout.MHA, 0, 30, 32), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29", AsHalvesDraft},
		{plain(layout.MHA, 2, 4, 10), "2 3 6 7", AsHalvesDraft},
		{plain(layout.MHA, 0, 4, 4), "0 1 2 3", AsIs},
	} {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			for _, mode := range []Mode{Compatible, Strict} {
				q := c.q.with(New, mode)
				switch c.as { // what strict mode has to be told
				case AsHalvesDraft:
					q.Layers = q.Src / 2 * (q.Dst / q.Src)
				}
				res, err := q.Destination()
				if err != nil {
					t.Fatalf("%s: %v", mode, err)
				}
				if got := show(res); got != c.want || res.Reading != c.as {
					t.Errorf("%s: %s read as %s, want %s read as %s", mode, got, res.Reading, c.want, c.as)
				}
			}
		})
	}
}

// TestUnchanged holds the fast path: equal lengths are not looked at, whatever the type, even where the rule would refuse them.
func TestUnchanged(t *testing.T) {
	for _, typ := range []layout.StateType{none, layout.KVData, layout.SWA, layout.SWARing, layout.C128State, layout.DSA} {
		for _, n := range []int{8, 3, 100} {
			q := ask("R2", 4, layout.Unset, typ, n, n)
			res, err := q.Destination()
			if err != nil || res.Reading != AsIs || len(res.Indices()) != n || res.Ranges[0] != (Range{0, n}) {
				t.Errorf("%q %d: %+v, %v", typ, n, res, err)
			}
		}
	}
}

// TestLengthError holds every refused length to the exact text and figures.
func TestLengthError(t *testing.T) {
	swa, dsa := layout.SWA, layout.DSA
	for i, c := range []struct {
		q                    Query
		k, states, c4, c128  int
		total, missing, over int
	}{
		{ask("R2", 0, 4, none, 3, 5), 8, 6, 3, 2, 8, 1, 0},
		{ask("R2", 0, 4, none, 3, 15), 8, 6, 3, 2, 8, 0, 1},
		{ask("R2", 4, 8, none, 5, 0), 8, 6, 3, 2, 8, 6, 0},
		{ask("R1", 0, 2, swa, 4, 3), 5, 4, 2, 1, 4, 1, 0},
		{ask("R1", 0, 2, swa, 4, 9), 5, 4, 2, 1, 4, 0, 1},
		{ask("R1", 1, 3, none, 3, 9), 5, 4, 2, 1, 4, 0, 1},
		{ask("R3", 0, 2, swa, 4, 13), 9, 6, 3, 3, 6, 0, 1},
		{ask("R3", 0, 2, swa, 4, 5), 9, 6, 3, 3, 6, 1, 0},
		{ask("R5", 0, 2, none, 4, 7), 8, 8, 4, 0, 4, 1, 0},
		{ask("R5", 0, 2, none, 4, 13), 8, 8, 4, 0, 4, 0, 1},
		{ask("R6", 0, 1, none, 1, 3), 2, 0, 0, 2, 2, 0, 1},
		{ask("R4", 0, 1, swa, 1, 4), 0, 0, 0, 0, 3, 0, 1},
		{ask("R2", 0, 4, swa, 6, 16), 8, 6, 3, 2, 8, 0, 2},
		{ask("R2", 4, 8, swa, 8, 15), 8, 6, 3, 2, 8, 0, 1},
		{ask("R2", 0, 4, dsa, 4, 5), 8, 6, 3, 2, 8, 1, 0},
		{ask("R2", 4, 8, swa, 1, 3), 8, 6, 3, 2, 8, 3, 0},
		// The old rule counts both ratios among the states.
		{ask("R2", 0, 4, swa, 6, 7).with(Old, ""), 8, 8, 3, 2, 8, 1, 0},
		{ask("R2", 0, 4, swa, 6, 17).with(Old, ""), 8, 8, 3, 2, 8, 0, 1},
		{ask("R1", 0, 2, none, 2, 4).with(Old, ""), 5, 5, 2, 1, 4, 1, 0},
		{ask("R1", 0, 2, none, 2, 10).with(Old, ""), 5, 5, 2, 1, 4, 0, 1},
		{ask("R3", 0, 2, none, 3, 16).with(Old, ""), 9, 9, 3, 3, 6, 0, 1},
	} {
		want := fmt.Sprintf("Unexpected compressed-MLA dst_kv_ptrs length %d; expected either %d (kv_data) or swa_L + %d (state_data) "+
			"given compression_ratios (c4=%d, c128=%d, total=%d).", c.q.Dst, c.k, c.states, c.c4, c.c128, c.total)
		for _, mode := range []Mode{Compatible, Strict} {
			_, err := c.q.with(c.q.Rule, mode).Destination()
			e, ok := err.(*LengthError)
			if !ok || err.Error() != want {
				t.Errorf("%d %s: %v\nwant %s", i+1, mode, err, want)
				continue
			}
			got := []int{e.Length, e.KVData, e.States, e.C4, e.C128, e.Total, e.Missing(), e.Surplus()}
			if w := []int{c.q.Dst, c.k, c.states, c.c4, c.c128, c.total, c.missing, c.over}; !reflect.DeepEqual(got, w) {
				t.Errorf("%d %s: figures %v, want %v", i+1, mode, got, w)
			}
		}
	}
}

// TestAssertions holds the two assertions to their texts.
func TestAssertions(t *testing.T) {
	const unset = "KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP"
	for _, typ := range []layout.StateType{none, layout.KVData, layout.SWA, layout.SWARing, layout.C128State} {
		for _, rule := range []Rule{New, Old} {
			_, err := ask("R2", 0, layout.Unset, typ, 3, 8).with(rule, "").Destination()
			if _, ok := err.(*EndUnsetError); !ok || err.Error() != unset {
				t.Errorf("%q %s: %v", typ, rule, err)
			}
		}
	}
	const exceeds = "prefill_end_layer (8) exceeds dst SWA pool buffer count (7); compression_ratios may include layers (e.g. nextn) " +
		"that the SWA pool does not cover."
	_, err := ask("R2", 4, 8, none, 8, 15).with(Old, "").Destination()
	if e, ok := err.(*WindowError); !ok || err.Error() != exceeds || *e != (WindowError{8, 7}) {
		t.Errorf("%v\nwant %s", err, exceeds)
	}
}

// TestOldGood holds the old rule to what it gave, and the new rule to its answer for one of them.
func TestOldGood(t *testing.T) {
	for i, c := range []struct {
		q    Query
		want string
	}{
		{ask("R2", 0, 4, none, 7, 16), "0 1 2 3 8 9 13"},
		{ask("R2", 4, 8, none, 9, 16), "4 5 6 7 10 11 12 14 15"},
		{ask("R3", 0, 2, none, 5, 15), "0 1 6 7 12"},
		{ask("R2", 0, 4, none, 7, 14), "0 1 2 3 6 7 11"},
		{ask("R1", 1, 3, none, 5, 9), "1 2 4 5 7"},
		{ask("R1", 1, 3, none, 3, 5), "0 2 4"},
	} {
		for _, mode := range []Mode{Compatible, Strict} {
			res, err := c.q.with(Old, mode).Destination()
			if got := show(res); err != nil || got != c.want {
				t.Errorf("%d: %s, %v, want %s", i+1, got, err, c.want)
			}
		}
	}
	res, err := ask("R2", 0, 4, layout.SWA, 6, 14).Destination()
	if got := show(res); err != nil || got != "0 1 2 3 8 11" {
		t.Errorf("new rule: %s, %v", got, err)
	}
}

// TestLate holds the slices that SGLang only fails on later, or never, to what it computes in compatible mode, and to a refusal in
// strict mode.
func TestLate(t *testing.T) {
	seven := plain(layout.MHA, 0, 14, 30)
	known := seven
	known.Layers = 15
	for i, c := range []struct {
		q      Query
		want   string // compatible
		strict string // the message
	}{
		{ask("R3", 2, 6, layout.C128State, 2, 1), "",
			`slice of a list of type "c128" for the stage from layer 2 has 0 entries for 2 of the source: destination length 1, read as c128_state`},
		{ask("R2", 4, 8, layout.SWARing, 4, 3), "",
			`slice of a list of type "swa-ring" for the stage from layer 4 has 0 entries for 4 of the source: destination length 3, read as swa_ring`},
		{ask("R2", 7, 8, layout.SWARing, 1, 7), "",
			`slice of a list of type "swa-ring" for the stage from layer 7 has 0 entries for 1 of the source: destination length 7, read as swa_ring`},
		{plain(layout.MLA, 6, 3, 8), "6 7",
			`slice of a list of type "" for the stage from layer 6 has 2 entries for 3 of the source: destination length 8, read as layers`},
		{plain(layout.MHA, 3, 4, 8), "3 4 7", "keys of layers 3:5 reach into the values, which begin at entry 4 of the destination"},
		{ask("R2", 0, 4, none, 3, 9), "0 1 2 3 6",
			`slice of a list of type "" for the stage from layer 0 has 5 entries for 3 of the source: destination length 9, read as state_data`},
		{ask("R2", 0, 4, layout.KVData, 5, 9), "0 1 2 3 6",
			"KV list of 9 entries would be read as a state list with 3 window entries; the KV list of the model has 8"},
		{ask("R1", 2, 9, layout.SWA, 3, 8), "2 3 5 7", "stage 2:9 is not a range of the 4 layers of the ratio list"},
		{ask("R1", 3, 1, layout.KVData, 3, 5), "", "stage 3:1 is not a range of the 4 layers of the ratio list"},
		{seven, "0 1 2 3 4 5 6 14 15 16 17 18 19 20",
			"7 layers of the source do not divide 15 of the destination: values may begin at entry 14 (draft layers) or 15 (uneven split)"},
		{known, "0 1 2 3 4 5 6 14 15 16 17 18 19 20", "values would be taken from entry 14 of the destination on, but the model has 15 layers"},
		{plain(layout.MHA, 0, 4, 5), "0 1 2 3 4", "MHA lists must have as many keys as values, got lengths 4 and 5"},
	} {
		res, err := c.q.Destination()
		if got := show(res); err != nil || got != c.want {
			t.Errorf("%d: %s, %v, want %s", i+1, got, err, c.want)
		}
		_, err = c.q.with("", Strict).Destination()
		if err == nil || err.Error() != c.strict {
			t.Errorf("%d strict: %v\nwant %s", i+1, err, c.strict)
		}
	}
}

// TestArguments holds numbers that no list has to an error instead of a panic or a huge slice.
func TestArguments(t *testing.T) {
	for _, q := range []Query{
		ask("R1", -1, 3, none, 3, 5), ask("R1", 1, -2, none, 3, 5), ask("R1", 1, 3, none, -3, 5), ask("R1", 1, 3, none, 3, -5),
		plain(layout.MHA, 0, 2, 1<<31),
	} {
		if _, err := q.Destination(); err == nil || reflect.TypeOf(err) != reflect.TypeFor[*ArgumentError]() {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
