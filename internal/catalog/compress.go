package catalog

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxPlain bounds what one stored value may unpack to, against damaged or hostile catalogs.
const maxPlain = 1 << 30

// packer packs and unpacks stored values. It is safe for concurrent use.
type packer struct {
	w *zstd.Encoder
	r *zstd.Decoder
}

// newPacker uses the default level: a tenth smaller than the fastest, at a cost that indexing does not notice. Each value has a sum, so
// that a damaged one is told from a good one.
func newPacker() (packer, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(true), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return packer{}, err
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxPlain))
	return packer{w, r}, err
}

func (p packer) pack(plain []byte) []byte {
	if len(plain) == 0 {
		return []byte{}
	}
	return p.w.EncodeAll(plain, nil)
}

// unpack appends the plain value to into; an error is an [ErrDamaged].
func (p packer) unpack(into, data []byte) ([]byte, error) {
	if len(data) == 0 {
		return into, nil
	}
	plain, err := p.r.DecodeAll(data, into)
	if err != nil {
		return nil, fmt.Errorf("%w: a stored value: %w", ErrDamaged, err)
	}
	return plain, nil
}
