// Package synth stands in for a model: it makes the bytes of a KV cache up, so that any side can tell what any byte should be.
//
// What a row of a region holds depends on the room, the name of the region and the row's place in the sequence, and on nothing
// else: not on the page it lies in, the process or the parallel sizes. So the decode side checks what arrived without asking
// anybody. A [Filler] plays the model on the prefill side, a [Checker] compares on the decode side and paints over what requests give
// back, so that a stray write shows anywhere in the pool.
package synth

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Canary is the byte that nobody's data is made of on purpose: what memory holds that no request has.
const Canary = 0xc5

// stream is an endless sequence of bytes that can be entered anywhere.
type stream uint64

// Steps of the generator: odd constants of the SplitMix family.
const (
	step = 0x9e3779b97f4a7c15
	mixA = 0xbf58476d1ce4e5b9
	mixB = 0x94d049bb133111eb
)

// mix scatters the bits of a counter.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * mixA
	z = (z ^ z>>27) * mixB
	return z ^ z>>31
}

// word is bytes 8*n to 8*n+7 of the stream.
func (s stream) word(n uint64) uint64 { return mix(uint64(s) + n*step) }

// fill writes the stream's bytes from position at on into dst.
func (s stream) fill(dst []byte, at uint64) {
	var buf [8]byte
	if skip := at % 8; skip > 0 && len(dst) > 0 {
		binary.LittleEndian.PutUint64(buf[:], s.word(at/8))
		n := copy(dst, buf[skip:])
		dst, at = dst[n:], at+uint64(n)
	}
	n := at / 8
	for ; len(dst) >= 8; dst = dst[8:] {
		binary.LittleEndian.PutUint64(dst, s.word(n))
		n++
	}
	if len(dst) > 0 {
		binary.LittleEndian.PutUint64(buf[:], s.word(n))
		copy(dst, buf[:])
	}
}

// check returns the first position where got differs from the stream's bytes from at on, or -1.
func (s stream) check(got []byte, at uint64) int {
	var buf [8]byte
	for i := 0; i < len(got); {
		pos := at + uint64(i)
		if pos%8 == 0 && len(got)-i >= 8 {
			if binary.LittleEndian.Uint64(got[i:]) == s.word(pos/8) {
				i += 8
				continue
			}
		}
		binary.LittleEndian.PutUint64(buf[:], s.word(pos/8))
		if got[i] != buf[pos%8] {
			return i
		}
		i++
	}
	return -1
}

// row is the stream of one row of a region.
func row(id room.ID, region uint64, n uint64) stream {
	return stream(mix(mix(uint64(id)+region) + n*step))
}

// regionKey is the part of a row's key that the region's name gives.
func regionKey(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return h.Sum64()
}
