package synth

import (
	"bytes"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/memory"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Checker compares what a pool holds with what it should hold.
type Checker struct {
	content
	dcp dcp.Place
}

// NewChecker returns a checker for the pool's memory. The model must be complete. A zero place is no context parallelism.
func NewChecker(m *layout.Model, p *layout.Pool, mem *memory.Memory, at dcp.Place) *Checker {
	at.Size = max(1, at.Size)
	return &Checker{newContent(m, p, mem), at}
}

// Request compares every byte that a request of that many tokens should have received: all behind the first prefix tokens, the
// states and the metadata. What lies before the prefix must be as it was: canary. It returns the number of bytes compared. The
// error is a *WrongByteError.
func (c *Checker) Request(id room.ID, l *lease.Lease, prefix, tokens int) (int64, error) {
	had := prefix / c.model.PageSize / c.dcp.Size
	ck := &comparison{of: c}
	ck.untouched(l.Pages[:had])
	if c.dcp.Size > 1 {
		c.tokens(id, c.dcp, l.Pages[had:], prefix, tokens, ck.one)
	} else {
		c.items(id, c.pool.KV, l.Pages[had:], had, ck.one)
	}
	if err := c.states(id, l, tokens, ck.one); err != nil {
		return ck.bytes, err
	}
	c.aux(id, l.Slot, false, ck.one)
	return ck.bytes, ck.err
}

// comparison is the state of one check.
type comparison struct {
	of    *Checker
	bytes int64
	err   error
}

// one compares a piece; false ends the check.
func (k *comparison) one(p piece) bool {
	if k.err != nil {
		return false
	}
	if i := p.want.check(p.bytes, p.at); i >= 0 {
		k.err = &WrongByteError{Region: p.region.Name, Item: p.item, Offset: p.off + int64(i)}
		return false
	}
	k.bytes += int64(len(p.bytes))
	return true
}

// untouched holds pages to the canary.
func (k *comparison) untouched(pages []int32) {
	for _, r := range k.of.pool.KV {
		for _, item := range pages {
			b := k.of.mem.Region(r.ID)[int64(item)*r.ItemLen:][:r.ItemLen]
			if i := stray(b); i >= 0 && k.err == nil {
				k.err = &WrongByteError{Region: r.Name, Item: int64(item), Offset: int64(i)}
			}
		}
	}
}

// Scrub paints over all that a request holds. Call it before the lease is given back.
func (c *Checker) Scrub(l *lease.Lease, tokens int) error {
	line := canaries()
	paint := func(p piece) bool {
		for b := p.bytes; len(b) > 0; {
			b = b[copy(b, line[:]):]
		}
		return true
	}
	c.items(0, c.pool.KV, l.Pages, 0, paint)
	c.aux(0, l.Slot, true, paint)
	return c.states(0, l, tokens, paint)
}

// Clean tells whether all of the memory holds the canary, as it must when no request holds any of it. The error is a
// *WrongByteError that names the first stray byte.
func (c *Checker) Clean() error {
	for _, r := range c.pool.Regions() {
		if i := stray(c.mem.Region(r.ID)); i >= 0 {
			return &WrongByteError{Region: r.Name, Item: int64(i) / r.ItemLen, Offset: int64(i) % r.ItemLen}
		}
	}
	return nil
}

// stray returns the first position of b that is not canary, or -1.
func stray(b []byte) int {
	line := canaries()
	for at := 0; at < len(b); at += len(line) {
		part := b[at:min(at+len(line), len(b))]
		if bytes.Equal(part, line[:len(part)]) {
			continue
		}
		for i, v := range part {
			if v != Canary {
				return at + i
			}
		}
	}
	return -1
}

// canaries is a line of them.
func canaries() (line [4096]byte) {
	for i := range line {
		line[i] = Canary
	}
	return line
}
