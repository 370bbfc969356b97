package lease

// free is a set of free items, as bits. It looks for runs, since neighbouring items move as one copy.
type free struct {
	bits  []uint64
	total int
	left  int
	next  int // where the search for a run begins: behind the last one, so that freed items lie fallow for a while
}

// newFree returns the set of items 0..n-1.
func newFree(n int64) *free {
	f := &free{bits: make([]uint64, (n+63)/64), total: int(n), left: int(n)}
	for i := range f.total {
		f.bits[i/64] |= 1 << (i % 64)
	}
	return f
}

func (f *free) has(i int) bool { return f.bits[i/64]&(1<<(i%64)) != 0 }

// take removes n items, which must be there: a run if there is one, else the first that are free from where the search began.
func (f *free) take(n int) []int32 {
	if n == 0 {
		return nil
	}
	out := make([]int32, 0, n)
	if at, ok := f.run(n); ok {
		for i := range n {
			out = append(out, int32(at+i))
		}
		f.next = (at + n) % f.total
	} else {
		for i := f.next; len(out) < n; i = (i + 1) % f.total {
			if f.has(i) {
				out = append(out, int32(i))
			}
		}
		f.next = (int(out[n-1]) + 1) % f.total
	}
	for _, i := range out {
		f.bits[i/64] &^= 1 << (i % 64)
	}
	f.left -= n
	return out
}

// run finds n neighbours, looking from next to the end and then from the beginning.
func (f *free) run(n int) (int, bool) {
	if at, ok := f.runIn(n, f.next, f.total); ok {
		return at, true
	}
	return f.runIn(n, 0, min(f.next+n-1, f.total))
}

// runIn finds n neighbours in from..to-1.
func (f *free) runIn(n, from, to int) (int, bool) {
	length := 0
	for i := from; i < to; i++ {
		if i%64 == 0 && f.bits[i/64] == 0 { // a full word at once
			i += 63
			length = 0
			continue
		}
		if !f.has(i) {
			length = 0
			continue
		}
		if length++; length == n {
			return i - n + 1, true
		}
	}
	return 0, false
}

// put adds items back.
func (f *free) put(items []int32) {
	for _, i := range items {
		f.bits[i/64] |= 1 << (i % 64)
	}
	f.left += len(items)
}
