package slice

import "github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"

// Counts are the figures of a ratio list that lengths are compared with.
type Counts struct {
	C4    int `json:"c4"`    // layers of ratio 4: two KV entries, and two states
	C128  int `json:"c128"`  // layers of ratio 128: one KV entry, and one state
	Total int `json:"total"` // layers
}

// Count counts a ratio list.
func Count(ratios []int) Counts {
	c := before(ratios, len(ratios))
	c.Total = len(ratios)
	return c
}

// KVData is the length of the whole KV list.
func (c Counts) KVData() int { return 2*c.C4 + c.C128 }

// States is how many entries a state list has beside its window entries.
func (c Counts) States(rule Rule) int {
	if rule == Old {
		return 2*c.C4 + c.C128
	}
	return 2 * c.C4
}

// before counts the first n layers; n beyond the list counts them all.
func before(ratios []int, n int) Counts {
	c := Counts{Total: n}
	for _, r := range ratios[:min(n, len(ratios))] {
		switch r {
		case 4:
			c.C4++
		case 128:
			c.C128++
		}
	}
	return c
}

// nonZero counts the layers that compress.
func (c Counts) nonZero() int { return c.C4 + c.C128 }

// compressed applies the rule for compressed MLA: the type of the list first, then its length.
func (q *Query) compressed() (Result, error) {
	if q.Stage.End == layout.Unset {
		return Result{}, &EndUnsetError{}
	}
	all := Count(q.Ratios)
	if q.Mode == Strict && (q.Stage.End > all.Total || q.Stage.Start > q.Stage.End) {
		return Result{}, &StageError{q.Stage, all.Total}
	}
	from, to := before(q.Ratios, q.Stage.Start), before(q.Ratios, q.Stage.End)
	if q.Rule == Old {
		return q.old(all, from, to)
	}
	switch {
	case q.Type == layout.C128State:
		return q.cut(AsC128, Range{from.C128, to.C128}), nil
	case q.Type == layout.SWARing:
		return q.cut(AsRing, Range{from.Total, to.Total}), nil
	case q.Type != layout.SWA && q.Dst == all.KVData():
		return q.kvData(all, from, to), nil
	case q.Mode == Strict && q.Type == layout.KVData:
		return Result{}, q.lengthOrMisread(all)
	}
	window, err := q.window(all)
	if err != nil {
		return Result{}, err
	}
	return q.cut(AsState,
		Range{min(from.Total, window), min(to.Total, window)},
		Range{window + from.C4, window + to.C4},
		Range{window + all.C4 + from.C4, window + all.C4 + to.C4}), nil
}

// kvData cuts the three sections of a KV list.
func (q *Query) kvData(all, from, to Counts) Result {
	return q.cut(AsKV,
		Range{from.C4, to.C4},
		Range{all.C4 + from.C4, all.C4 + to.C4},
		Range{2*all.C4 + from.C128, 2*all.C4 + to.C128})
}

// window is how many window entries a state list has: what its states leave of its length. There may be fewer than layers, since a
// pool need not build the window of NextN layers, and none in a unified pool; there cannot be more, nor less than none.
func (q *Query) window(all Counts) (int, error) {
	states := all.States(q.Rule)
	w := q.Dst - states
	if w < 0 || w > all.Total {
		return 0, &LengthError{Length: q.Dst, KVData: all.KVData(), States: states, Counts: all, Rule: q.Rule, Type: q.Type}
	}
	return w, nil
}

// lengthOrMisread is the error of a KV list whose length is not that of the whole KV list: that no list can have this
// length, or that SGLang would take it for a state list.
func (q *Query) lengthOrMisread(all Counts) error {
	w, err := q.window(all)
	if err != nil {
		return err
	}
	return &MisreadError{Dst: q.Dst, KVData: all.KVData(), Window: w}
}

// old applies the rule before 2026-06-30.
func (q *Query) old(all, from, to Counts) (Result, error) {
	if q.Dst == all.KVData() {
		return q.kvData(all, from, to), nil
	}
	window, err := q.window(all)
	if err != nil {
		return Result{}, err
	}
	if to.Total > window {
		return Result{}, &WindowError{to.Total, window}
	}
	index := window + all.nonZero()
	return q.cut(AsState,
		Range{from.Total, to.Total},
		Range{window + from.nonZero(), window + to.nonZero()},
		Range{index + from.C4, index + to.C4}), nil
}
