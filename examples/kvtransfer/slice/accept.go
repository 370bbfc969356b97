package slice

import "github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"

// NoLimit is the Max of lengths without an upper limit.
const NoLimit = -1

// Accepted is a range of lengths of the destination's list, limits included.
type Accepted struct {
	Reading Reading `json:"read_as"`
	Min     int     `json:"min"`
	Max     int     `json:"max"`            // NoLimit for none
	Step    int     `json:"step,omitempty"` // lengths are multiples of it; 0 for any
}

// Accepted lists the lengths of the destination's list with which the query, as it is otherwise, would have an answer: first the length of
// the source's list itself, then by what the rule would read the list as. Under strict mode they are the lengths that give a
// slice as long as the source.
func (q Query) Accepted() []Accepted {
	if q.check() != nil {
		return nil
	}
	if q.Family == layout.MHA && q.Mode == Strict && q.Src%2 != 0 {
		return nil
	}
	out := []Accepted{{Reading: AsIs, Min: q.Src, Max: q.Src}}
	if q.Family == layout.MHA {
		return append(out, q.acceptedHalves()...)
	}
	limit := q.interesting()
	var last *Accepted
	for q.Dst = 0; q.Dst <= limit; q.Dst++ {
		res, err := q.ruled()
		switch {
		case err != nil:
			last = nil
		case last != nil && last.Reading == res.Reading:
			last.Max = q.Dst
		default:
			out = append(out, Accepted{Reading: res.Reading, Min: q.Dst, Max: q.Dst})
			last = &out[len(out)-1]
		}
	}
	if last != nil {
		last.Max = NoLimit
	}
	return out
}

// interesting is a length beyond which the rule's answer no longer changes.
func (q *Query) interesting() int {
	if q.Family != layout.Compressed {
		return q.Stage.Start + q.Src + 1
	}
	all := Count(q.Ratios)
	return 2*(all.C4+all.C128) + all.Total + 1
}

// acceptedHalves lists lengths of MHA beside the source's own: those of the model if its layers are known, with room for fewer
// draft layers than the source has layers, else whatever the layers of the source divide.
func (q *Query) acceptedHalves() []Accepted {
	n, end := q.Src/2, q.Stage.Start+q.Src/2
	switch {
	case q.Mode != Strict:
		return []Accepted{{Reading: AsHalves, Min: 0, Max: NoLimit}}
	case n == 0:
		return []Accepted{{Reading: AsHalves, Min: 0, Max: NoLimit, Step: 2}}
	case q.Layers == 0:
		return []Accepted{{Reading: AsHalves, Min: 2 * roundUp(end, n), Max: NoLimit, Step: 2 * n}}
	case end > q.Layers || q.Layers%n != 0:
		return nil
	}
	whole := 2 * q.Layers
	out := []Accepted{{Reading: AsHalves, Min: whole, Max: whole}}
	if n > 1 {
		out = append(out, Accepted{Reading: AsHalvesDraft, Min: whole + 2, Max: whole + 2*(n-1), Step: 2})
	}
	return out
}

// roundUp is v rounded up to a multiple of to.
func roundUp(v, to int) int { return (v + to - 1) / to * to }
