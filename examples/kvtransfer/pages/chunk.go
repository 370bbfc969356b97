package pages

// Range is the positions From..To-1 of a list of pages.
type Range struct{ From, To int }

// Len is the number of positions.
func (r Range) Len() int { return r.To - r.From }

// Count is how many pages a number of tokens needs.
func Count(tokens, pageSize int) int { return (tokens + pageSize - 1) / pageSize }

// Chunk cuts what is to be sent next of a request whose decode side already has prefix tokens: tokens sent..ready-1 exist and are not
// sent. It gives the positions of their pages behind the prefix, and the token up to which everything is then sent. A chunk
// that is not the last is cut down to whole pages, the rest goes with the next one; so a page is sent once. The prefix is whole pages.
func Chunk(prefix, sent, ready, pageSize int, last bool) (r Range, upTo int) {
	from, to := sent-prefix, ready-prefix
	if !last {
		to = from + (to-from)/pageSize*pageSize
	}
	return Range{from / pageSize, Count(to, pageSize)}, prefix + to
}

// Share is the part of n pages that one of several context-parallel ranks sends: even parts in order, the first ranks
// one page more where they do not divide.
func Share(n, ranks, rank int) Range {
	each, more := n/ranks, n%ranks
	from := rank*each + min(rank, more)
	to := from + each
	if rank < more {
		to++
	}
	return Range{from, to}
}

// Within is the part of a chunk that lies in a share: nothing, at the chunk's beginning, if they do not meet.
func (r Range) Within(share Range) Range {
	from, to := max(r.From, share.From), min(r.To, share.To)
	if from >= to {
		return Range{r.From, r.From}
	}
	return Range{from, to}
}

// Window is the pages that the last window tokens of a sequence lie on.
func Window(tokens, window, pageSize int) Range {
	return Range{max(0, tokens-window) / pageSize, Count(tokens, pageSize)}
}
