// Package dcp relays the tokens of a request out for decode context parallelism.
//
// With N decode ranks the token at position q of a sequence lives on rank q mod N, in local slot q/N, so that each rank holds every N-th
// token in pages of its own. Prefill holds whole sequences. A plan for one chunk says which rows of the source's pages go to which rows
// of one rank's pages. It serves models whose token is one latent row; lengths are in rows, whatever a row is long.
package dcp

import "github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"

// Place is the place of a process in its context-parallel group.
type Place struct {
	Size int `json:"size"` // at least 1
	Rank int `json:"rank"` // below Size
}

// Relayout tells whether tokens change places between two groups (true) or pages are copied as they are. Groups of one size copy between
// equal ranks; from one process to several, tokens are dealt out; nothing else is possible. Errors: *RankError, *TopologyError.
func Relayout(src, dst Place) (bool, error) {
	switch {
	case src.Size == dst.Size && src.Rank != dst.Rank:
		return false, &RankError{src.Rank, dst.Rank}
	case src.Size == dst.Size:
		return false, nil
	case src.Size == 1 && dst.Size > 1:
		return true, nil
	}
	return false, &TopologyError{src.Size, dst.Size}
}

// Chunk is a chunk of a request on its way to one rank.
type Chunk struct {
	PageSize int     // tokens
	To       Place   // the destination
	Prefix   int     // tokens that decode has already; whole pages of every rank
	Offset   int     // pages of the request behind the prefix that earlier chunks have moved
	Tokens   int     // tokens of this chunk
	Src      []int32 // the source's pages of this chunk
	Dst      []int32 // the destination's pages of all that is sent behind the prefix, of all chunks
}

// Rows lists the rows that move, one by one in the order of positions: row r of page p is p*PageSize+r. Neighbours on one side are not
// neighbours on the other, so there are no runs to look for. Errors are the typed ones of this package.
func (c Chunk) Rows() ([]pages.Run, error) {
	n, size := c.To.Size, c.PageSize
	if err := c.check(); err != nil {
		return nil, err
	}
	start := c.Prefix + c.Offset*size
	first := ((c.To.Rank-start)%n + n) % n // the first position of the chunk that the rank owns
	if first >= c.Tokens {
		return nil, nil
	}
	count := (c.Tokens - first + n - 1) / n
	if need := pages.Count((c.Offset*size+first+(count-1)*n)/n+1, size); need > len(c.Dst) {
		return nil, &PagesError{need, len(c.Dst), c.Offset, c.To.Rank}
	}
	runs := make([]pages.Run, 0, count)
	for o := first; o < c.Tokens; o += n {
		slot := (c.Offset*size + o) / n
		runs = append(runs, pages.Run{
			Src:   int64(c.Src[o/size])*int64(size) + int64(o%size),
			Dst:   int64(c.Dst[slot/size])*int64(size) + int64(slot%size),
			Count: 1,
		})
	}
	return runs, nil
}

// maxTokens bounds what one chunk may have, so that products cannot overflow.
const maxTokens = 1 << 30

// check refuses chunks that do not fit their pages.
func (c Chunk) check() error {
	for _, f := range []struct {
		name            string
		value, min, max int
	}{
		{"page size", c.PageSize, 1, 1 << 16},
		{"group size", c.To.Size, 1, 1 << 16},
		{"rank", c.To.Rank, 0, c.To.Size - 1},
		{"prefix", c.Prefix, 0, maxTokens},
		{"page offset", c.Offset, 0, maxTokens / max(1, c.PageSize)},
		{"number of tokens", c.Tokens, 0, maxTokens},
	} {
		if f.value < f.min || f.value > f.max {
			return &ArgumentError{f.name, f.value, f.min, f.max}
		}
	}
	if virtual := c.PageSize * c.To.Size; c.Prefix%virtual != 0 {
		return &PrefixError{virtual, c.Prefix}
	}
	if have := len(c.Src) * c.PageSize; c.Tokens > have {
		return &CapacityError{c.Tokens, have}
	}
	return nil
}
