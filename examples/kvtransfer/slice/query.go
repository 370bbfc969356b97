package slice

import "github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"

// Rule is the version of the rule for compressed MLA.
type Rule string

// The rules. They agree on the KV list and differ on state lists.
const (
	// New is the rule since 2026-06-30. State lists say their type; 128:1 states are a list of their own.
	New Rule = "new"
	// Old is the rule from 2026-05-15 on. It knows no types: a list is the KV list if its length says so, else the state
	// list, in which the states of both ratios stand mixed.
	Old Rule = "old"
)

// Mode says what happens to a slice that cannot be right.
type Mode string

// The modes.
const (
	// Compatible returns it, as SGLang does.
	Compatible Mode = "compatible"
	// Strict refuses it.
	Strict Mode = "strict"
)

// Query is one question. Rule and Mode default to New and Compatible.
type Query struct {
	Family layout.Family    // which rule cuts the list
	Type   layout.StateType // what the list was registered as
	Ratios []int            // Compressed: the ratio of every layer of the full model
	Stage  layout.Stage     // the layers of the source; only Compressed reads the end
	Src    int              // entries of the source's list
	Dst    int              // entries of the destination's list
	// Layers counts the layers of the whole model without draft layers; 0 where it is not known. MHA needs it in strict mode,
	// to tell draft layers from an uneven split.
	Layers int
	Rule   Rule
	Mode   Mode
}

// Reading is how a destination list was understood.
type Reading string

// The readings.
const (
	AsIs     Reading = "unchanged"  // both lists have one length: entry i goes with entry i
	AsKV     Reading = "kv_data"    // 4:1 pages, 4:1 indexer pages, 128:1 pages
	AsState  Reading = "state_data" // window, 4:1 states, 4:1 indexer states
	AsC128   Reading = "c128_state" // 128:1 states
	AsRing   Reading = "swa_ring"   // ring rows by layer
	AsLayers Reading = "layers"     // one entry by layer: plain MLA
	AsHalves Reading = "halves"     // keys of all layers, then values
	// AsHalvesDraft is keys, values, then the draft model's: what MHA takes an uneven length to mean.
	AsHalvesDraft Reading = "halves with draft layers"
)

// Range is the entries From..To-1 of a destination list.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Len is the number of entries.
func (r Range) Len() int { return r.To - r.From }

// Result is the answer: ranges of the destination list, whose entries in order go with the source's entries.
type Result struct {
	Reading Reading
	// Ranges are in the source's order; an empty one keeps its place. For MHA they are keys, then values.
	Ranges []Range
}

// Len is the number of entries of all ranges.
func (r Result) Len() int {
	n := 0
	for _, x := range r.Ranges {
		n += x.Len()
	}
	return n
}

// Indices lists the entries.
func (r Result) Indices() []int {
	out := make([]int, 0, r.Len())
	for _, x := range r.Ranges {
		for i := x.From; i < x.To; i++ {
			out = append(out, i)
		}
	}
	return out
}

// maxEntries bounds list lengths and layers, so that sums cannot overflow.
const maxEntries = 1 << 30

// Destination answers the query. Errors are the typed ones of this package.
func (q Query) Destination() (Result, error) {
	if err := q.check(); err != nil {
		return Result{}, err
	}
	if q.Src == q.Dst && q.Family != layout.MHA {
		return q.cut(AsIs, Range{0, q.Dst}), nil // before anything else, whatever the type and the ratios
	}
	return q.ruled()
}

// ruled applies the rule of the family, and the mode.
func (q *Query) ruled() (Result, error) {
	var res Result
	var err error
	switch q.Family {
	case layout.MHA:
		res, err = q.halves()
	case layout.Compressed:
		res, err = q.compressed()
	default:
		res = q.cut(AsLayers, Range{q.Stage.Start, q.Stage.Start + q.Src})
	}
	if err == nil && q.Mode == Strict {
		err = q.judge(res)
	}
	if err != nil {
		return Result{}, err
	}
	return res, nil
}

// check refuses numbers that no list has.
func (q *Query) check() error {
	if q.Rule == "" {
		q.Rule = New
	}
	if q.Mode == "" {
		q.Mode = Compatible
	}
	for _, f := range []struct {
		name       string
		value, min int
	}{
		{"source length", q.Src, 0},
		{"destination length", q.Dst, 0},
		{"stage start", q.Stage.Start, 0},
		{"stage end", q.Stage.End, layout.Unset},
		{"number of layers", q.Layers, 0},
	} {
		if f.value < f.min || f.value > maxEntries {
			return &ArgumentError{f.name, f.value}
		}
	}
	return nil
}

// cut is ranges clipped to the destination list: a range outside of it is empty, never an error.
func (q *Query) cut(as Reading, ranges ...Range) Result {
	for i, r := range ranges {
		r.From = min(r.From, q.Dst)
		ranges[i] = Range{r.From, max(r.From, min(r.To, q.Dst))}
	}
	return Result{as, ranges}
}

// judge refuses a slice of another length than the source: entries would be sent to the wrong place, or to none.
func (q *Query) judge(res Result) error {
	if res.Len() != q.Src {
		return &MismatchError{Type: q.Type, Reading: res.Reading, Stage: q.Stage, Src: q.Src, Dst: q.Dst, Slice: res.Len()}
	}
	return nil
}
