package slice

// halves applies the rule of MHA, whose list is the keys of all layers, then the values. Lengths are halved rounding down. A source without
// layers gets nothing; SGLang divides by zero there.
func (q *Query) halves() (Result, error) {
	n, all, s := q.Src/2, q.Dst/2, q.Stage.Start
	strict := q.Mode == Strict
	if strict && (q.Src%2 != 0 || q.Dst%2 != 0) {
		return Result{}, &OddError{q.Src, q.Dst}
	}
	if n == all {
		return q.cut(AsIs, Range{0, n}, Range{n, q.Dst}), nil
	}
	reading, values := AsHalves, all
	if n > 0 && n < all && all%n != 0 {
		// The destination is taken to have draft layers behind a multiple of the source's layers.
		reading, values = AsHalvesDraft, n*(all/n)
	}
	if strict && n > 0 {
		if err := q.judgeHalves(n, all, values); err != nil {
			return Result{}, err
		}
	}
	return q.cut(reading, Range{s, s + n}, Range{values + s, values + s + n}), nil
}

// judgeHalves refuses keys that reach into the values, and values that are looked for where they are not: behind a
// number of layers that is not the model's, or that lengths alone do not prove.
func (q *Query) judgeHalves(n, all, values int) error {
	end := q.Stage.Start + n
	switch {
	case end > values:
		return &OverlapError{q.Stage.Start, end, values}
	case q.Layers > 0 && values != q.Layers:
		return &OffsetError{values, q.Layers}
	case q.Layers == 0 && values != all:
		return &AmbiguousError{n, all, values}
	}
	return nil
}
