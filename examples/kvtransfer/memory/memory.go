// Package memory holds the bytes of a pool: one buffer per region, in host memory.
package memory

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// Kind says where the bytes come from.
type Kind int

// The kinds.
const (
	// Heap takes them from the collected heap, where the race detector sees them. For tests.
	Heap Kind = iota
	// Mapped takes them from the system. The collector lets garbage grow in proportion to the heap, so a pool of gigabytes
	// in it would cost as much again. For services.
	Mapped
)

// alignment of regions, in bytes: a cache line, so that two regions never share one.
const alignment = 64

// Memory is the bytes of one pool. What is read and written where is up to the caller; Memory only hands slices out.
type Memory struct {
	regions [][]byte
	all     []byte
	release func([]byte) error
}

// New returns zeroed memory for the regions of a pool. The error is a *MapError.
func New(pool *layout.Pool, kind Kind) (*Memory, error) {
	list := pool.Regions()
	var size int64
	for _, r := range list {
		size += align(r.Size())
	}
	m := &Memory{regions: make([][]byte, len(list))}
	var err error
	switch kind {
	case Mapped:
		m.all, m.release, err = mapped(size)
	default:
		m.all = make([]byte, size)
	}
	if err != nil {
		return nil, &MapError{Bytes: size, Cause: err}
	}
	var at int64
	for i, r := range list {
		m.regions[i] = m.all[at : at+r.Size() : at+r.Size()]
		at += align(r.Size())
	}
	return m, nil
}

// align rounds a size up to a whole number of lines.
func align(n int64) int64 { return (n + alignment - 1) / alignment * alignment }

// Bytes is the size of the memory.
func (m *Memory) Bytes() int64 { return int64(len(m.all)) }

// Region returns the bytes of a region, nil where there is none with that id.
func (m *Memory) Region(id layout.RegionID) []byte {
	if int(id) >= len(m.regions) {
		return nil
	}
	return m.regions[id]
}

// Slice returns n bytes from off on of a region. The error is a *RangeError where they do not lie in it.
func (m *Memory) Slice(id layout.RegionID, off, n int64) ([]byte, error) {
	r := m.Region(id)
	// Compared without a sum, which could overflow.
	if off < 0 || n < 0 || off > int64(len(r)) || n > int64(len(r))-off {
		return nil, &RangeError{Region: id, Offset: off, Length: n, Size: int64(len(r))}
	}
	return r[off : off+n : off+n], nil
}

// Fill sets every byte to v: the canary by which a test sees what was never written.
func (m *Memory) Fill(v byte) {
	if len(m.all) == 0 {
		return
	}
	m.all[0] = v
	for done := 1; done < len(m.all); done *= 2 {
		copy(m.all[done:], m.all[:done])
	}
}

// Close gives the memory back. Nothing may use its slices any more.
func (m *Memory) Close() error {
	all, release := m.all, m.release
	m.all, m.regions, m.release = nil, nil, nil
	if release == nil {
		return nil
	}
	return release(all)
}
