package match

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The match index
//
// One file beside the catalog, made from all templates of all repositories and mapped into memory; nothing is read on opening
// but the head. All numbers are little-endian, every section begins at a multiple of 8:
//
//	head       magic, format, generation of the catalog, and (offset, length) of each section
//	blob       the encoded templates, one after the other (package message); holes keep kind and values, not their expressions
//	offsets    uint32 for each template and one more: where in blob it begins
//	sigs       uint64 for each template: a bit for each of its whole words, for a first quick no
//	infos      uint16 for each template: sixteenths of a bit that its words say in this catalog (the sum of log2 N/df)
//	firsts     uint32 for each template and one more: its first error
//	errors     for each error: id uint64, type uint32 (in strings), repo uint16, language uint16
//	keys       an open hash table, a power of two: hash uint32, first posting uint32, number of postings uint32
//	postings   uint32 template numbers
//	words      an open hash table: hash uint32, bits uint32 (sixteenths), for what a word says
//	strings    types, languages and repositories: number, then for each its length and bytes (uvarint)
//
// A template is posted once: under its rarest whole word, or, where that is common, under its rarest pair of neighbouring words.
// With 100,000 templates of real code that is a handful of candidates for a message.

const (
	magic    = "whfrmix3"
	sections = 10
)

const (
	secBlob = iota
	secOffsets
	secSigs
	secInfos
	secFirsts
	secErrors
	secKeys
	secPostings
	secWords
	secStrings
)

// ErrStale is returned for an index that does not belong to the catalog's state, or is damaged: it has to be built again.
var ErrStale = errors.New("match index does not belong to this state of the catalog")

type errorRef struct {
	id       uint64
	typ      uint32
	repo     uint16
	language uint16
}

type keySlot struct{ hash, first, count uint32 }

type wordSlot struct{ hash, bits uint32 }

// Index is an open match index. It is safe for concurrent use until it is closed.
type Index struct {
	mapped   []byte
	unmap    func() error
	blob     string
	offsets  []uint32
	sigs     []uint64
	infos    []uint16
	firsts   []uint32
	errs     []errorRef
	keys     []keySlot
	postings []uint32
	words    []wordSlot
	strings  []string
}

// Open maps the index at path, which must belong to the given generation of the catalog.
func Open(path, generation string) (*Index, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStale, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(headSize) || info.Size() > 1<<40 {
		return nil, ErrStale
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	x, err := load(data, generation)
	if err != nil {
		return nil, errors.Join(err, unix.Munmap(data))
	}
	x.unmap = func() error { return unix.Munmap(data) }
	return x, nil
}

// Close releases the index. Nothing that it returned may be used afterwards.
func (x *Index) Close() error {
	if x.unmap == nil {
		return nil
	}
	return x.unmap()
}

const (
	generationSize = 32
	headSize       = len(magic) + generationSize + sections*16
)

// load reads an index from memory.
func load(data []byte, generation string) (*Index, error) {
	if len(data) < headSize || string(data[:len(magic)]) != magic || string(data[len(magic):len(magic)+generationSize]) != padded(generation) {
		return nil, ErrStale
	}
	var part [sections][]byte
	for i := range part {
		at := len(magic) + generationSize + i*16
		start, size := binary.LittleEndian.Uint64(data[at:]), binary.LittleEndian.Uint64(data[at+8:])
		if start%8 != 0 || start > uint64(len(data)) || size > uint64(len(data))-start {
			return nil, ErrStale
		}
		part[i] = data[start : start+size]
	}
	x := &Index{mapped: data, blob: unsafe.String(unsafe.SliceData(part[secBlob]), len(part[secBlob])),
		offsets: view[uint32](part[secOffsets]), sigs: view[uint64](part[secSigs]), infos: view[uint16](part[secInfos]),
		firsts: view[uint32](part[secFirsts]), errs: view[errorRef](part[secErrors]), keys: view[keySlot](part[secKeys]),
		postings: view[uint32](part[secPostings]), words: view[wordSlot](part[secWords])}
	n := len(x.sigs)
	if len(x.offsets) != n+1 || len(x.firsts) != n+1 || len(x.infos) != n || !powerOfTwo(len(x.keys)) || !powerOfTwo(len(x.words)) {
		return nil, ErrStale
	}
	var err error
	x.strings, err = readStrings(part[secStrings])
	return x, err
}

func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }

// padded is the generation as the head holds it: cut or filled to its place.
func padded(generation string) string {
	var b [generationSize]byte
	copy(b[:], generation)
	return string(b[:])
}

// view sees the bytes of a section as values. The machine's byte order is the file's on every platform that Go builds this for
// (amd64, arm64); a test holds that.
func view[T any](data []byte) []T {
	var zero T
	n := len(data) / int(unsafe.Sizeof(zero))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}

func bytesOf[T any](values []T) []byte {
	var zero T
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

func readStrings(data []byte) ([]string, error) {
	n, size := binary.Uvarint(data)
	if size <= 0 || n > uint64(len(data)) {
		return nil, ErrStale
	}
	data = data[size:]
	out := make([]string, 0, n)
	for range n {
		length, size := binary.Uvarint(data)
		if size <= 0 || length > uint64(len(data)-size) {
			return nil, ErrStale
		}
		out = append(out, string(data[size:size+int(length)]))
		data = data[size+int(length):]
	}
	return out, nil
}

// Len is the number of distinct templates.
func (x *Index) Len() int { return len(x.sigs) }

// Bytes is the size of the index.
func (x *Index) Bytes() int { return len(x.mapped) }
