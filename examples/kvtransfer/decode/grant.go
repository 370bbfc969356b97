package decode

import (
	"slices"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// listed says where a region stands in its pool.
type listed struct {
	list    int // 0 is the KV list, then the state lists, then aux
	itemLen uint64
}

// listing is that of every region, by id.
type listing []listed

// newListing goes through the lists of a pool.
func newListing(p *layout.Pool) listing {
	var l listing
	add := func(list int, regions []layout.Region) {
		for _, r := range regions {
			l = append(l, listed{list, uint64(r.ItemLen)})
		}
	}
	add(0, p.KV)
	for i, c := range p.State {
		add(1+i, c.Regions)
	}
	add(1+len(p.State), p.Aux)
	return l
}

// run is items from..to-1.
type run struct{ from, to uint64 }

// grant is what may be written for a room: runs of items for each list, ascending.
type grant [][]run

// runs groups items, in any order, into ascending runs.
func runs(items []int32) []run {
	sorted := slices.Sorted(slices.Values(items))
	var out []run
	for _, i := range sorted {
		n := uint64(i)
		if k := len(out) - 1; k >= 0 && out[k].to == n {
			out[k].to++
			continue
		}
		out = append(out, run{n, n + 1})
	}
	return out
}

// allows tells whether bytes off..off+n-1 of a region lie in granted items. n is at least 1.
func (g grant) allows(at listed, off, n uint64) bool {
	if at.list >= len(g) || off+n < off {
		return false
	}
	first, last := off/at.itemLen, (off+n-1)/at.itemLen
	list := g[at.list]
	// The run that may hold first is the last one that begins at or before it.
	i, found := slices.BinarySearchFunc(list, first, func(r run, item uint64) int {
		switch {
		case r.from < item:
			return -1
		case r.from > item:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	return i >= 0 && list[i].to > last
}
