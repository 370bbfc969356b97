package pages

// Run is Count consecutive items that move to consecutive items.
type Run struct{ Src, Dst, Count int64 }

// Runs groups pairs of items, src[i] with dst[i], into runs: a run ends where either side does not step by exactly one. Lists that
// descend never merge. An empty list on either side gives no runs; otherwise lengths must be equal, else a *LengthError.
func Runs(src, dst []int32) ([]Run, error) {
	if len(src) == 0 || len(dst) == 0 {
		return nil, nil
	}
	if len(src) != len(dst) {
		return nil, &LengthError{len(src), len(dst)}
	}
	// Counting first costs little beside growing a list of thousands.
	n := 1
	for i := 1; i < len(src); i++ {
		if src[i] != src[i-1]+1 || dst[i] != dst[i-1]+1 {
			n++
		}
	}
	runs := make([]Run, 0, n)
	run := Run{int64(src[0]), int64(dst[0]), 1}
	for i := 1; i < len(src); i++ {
		if src[i] == src[i-1]+1 && dst[i] == dst[i-1]+1 {
			run.Count++
			continue
		}
		runs = append(runs, run)
		run = Run{int64(src[i]), int64(dst[i]), 1}
	}
	return append(runs, run), nil
}
