package prefill

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// framer gathers copies into data frames: as many as fit, and a copy that does not fit is continued in the next frame.
type framer struct {
	limit int // bytes of data in a frame
	// send is called with each full frame. The slices are used again afterwards.
	send func(copies []wire.Copy, src [][]byte, size int) error

	copies []wire.Copy
	src    [][]byte
	size   int
}

// add adds bytes that go to an offset of a region.
func (f *framer) add(region layout.RegionID, offset int64, b []byte) error {
	for len(b) > 0 {
		n := min(len(b), f.limit-f.size)
		f.copies = append(f.copies, wire.Copy{Region: region, Length: uint32(n), Offset: uint64(offset)})
		f.src = append(f.src, b[:n])
		f.size += n
		b, offset = b[n:], offset+int64(n)
		if f.size == f.limit || len(f.copies) == wire.MaxCopies {
			if err := f.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush sends what has been gathered.
func (f *framer) flush() error {
	if len(f.copies) == 0 {
		return nil
	}
	err := f.send(f.copies, f.src, f.size)
	f.copies, f.src, f.size = f.copies[:0], f.src[:0], 0
	return err
}
