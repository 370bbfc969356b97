package source

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"time"
)

// A memo is what was hashed of a folder, so that the next listing reads only what changed. About 45 bytes a file:
//
//	"wfmemo1"                             the form
//	4 bytes                               recipe of the language table, little-endian
//	uvarint n, then n names               languages that a first line told; each a uvarint length and the bytes
//	uvarint n, then n files, by path:
//	    uvarint, uvarint, bytes           bytes shared with the path before, length of the rest, the rest
//	    uvarint size, uvarint inode
//	    varint changed (ns)               varint changed minus modified (ns)
//	    byte                              0: language by the name, 1: none by the first line, 2+i: language i
//	    20 bytes                          blob id; absent where the byte is 1
//	4 bytes                               CRC-32 of all before, little-endian
//
// A memo that cannot be read is no memo: everything is hashed again.
type memo map[string]memoEntry

// memoEntry is what is known of one file.
type memoEntry struct {
	stat     stat // without the mode
	hash     Hash
	language string // told by the first line; "" if the name tells it
	none     bool   // the first line told that it is in no language that is read
}

const memoForm = "wfmemo1"

// clockStep is the coarsest resolution of the times of file systems in use (FAT: 2 s). A file that was written within it before the
// listing began may be written again without a change of its times, and so is not remembered.
const clockStep = 2 * time.Second

// find returns what is known of a file that has not changed since.
func (m memo) find(name string, now stat) (memoEntry, bool) {
	e, ok := m[name]
	now.mode = 0
	return e, ok && e.stat == now
}

// add remembers a file, unless a change of it could pass unnoticed. began is when the listing began.
func (m memo) add(name string, e memoEntry, began time.Time) {
	if e.stat.newest().After(began.Add(-clockStep)) {
		return
	}
	e.stat.mode = 0
	m[name] = e
}

// encode writes a memo that was made with a language table of this recipe.
func (m memo) encode(recipe uint32) []byte {
	paths := make([]string, 0, len(m))
	var languages []string
	for p, e := range m {
		paths = append(paths, p)
		if e.language != "" && !slices.Contains(languages, e.language) {
			languages = append(languages, e.language)
		}
	}
	slices.Sort(paths)
	slices.Sort(languages)
	out := make([]byte, 0, len(memoForm)+64*len(m)+64)
	out = append(out, memoForm...)
	out = binary.LittleEndian.AppendUint32(out, recipe)
	out = binary.AppendUvarint(out, uint64(len(languages)))
	for _, l := range languages {
		out = append(binary.AppendUvarint(out, uint64(len(l))), l...)
	}
	out = binary.AppendUvarint(out, uint64(len(paths)))
	last := ""
	for _, p := range paths {
		out = m[p].append(out, last, p, languages)
		last = p
	}
	return sum(out)
}

// sum adds the sum of a memo at its end.
func sum(memo []byte) []byte { return binary.LittleEndian.AppendUint32(memo, crc32.ChecksumIEEE(memo)) }

// append adds the entry of a path, which follows last, to a memo.
func (e memoEntry) append(out []byte, last, path string, languages []string) []byte {
	shared := 0
	for shared < min(len(last), len(path)) && last[shared] == path[shared] {
		shared++
	}
	out = binary.AppendUvarint(out, uint64(shared))
	out = binary.AppendUvarint(out, uint64(len(path)-shared))
	out = append(out, path[shared:]...)
	out = binary.AppendUvarint(out, uint64(e.stat.size))
	out = binary.AppendUvarint(out, uint64(e.stat.inode))
	out = binary.AppendVarint(out, e.stat.changed)
	out = binary.AppendVarint(out, e.stat.changed-e.stat.modified)
	switch {
	case e.none:
		return append(out, 1)
	case e.language != "":
		out = append(out, byte(2+slices.Index(languages, e.language)))
	default:
		out = append(out, 0)
	}
	return append(out, e.hash[:]...)
}

// readMemo reads a memo; what is none yields an empty one. Of a memo that was made with another language table, what first lines told is
// left out.
func readMemo(data []byte, recipe uint32) memo {
	m := memo{}
	body := len(data) - 4
	head := len(memoForm) + 4
	if body < head || string(data[:len(memoForm)]) != memoForm || crc32.ChecksumIEEE(data[:body]) != binary.LittleEndian.Uint32(data[body:]) {
		return m
	}
	same := binary.LittleEndian.Uint32(data[len(memoForm):]) == recipe
	d := &memoReader{data: data[head:body]}
	languages := make([]string, 0, 8)
	for n := d.count(1); n > 0 && d.err == nil; n-- {
		languages = append(languages, string(d.bytes(d.count(1))))
	}
	n := d.count(7) // the least that a file takes
	m = make(memo, n)
	last := ""
	for ; n > 0 && d.err == nil; n-- {
		shared := int(d.uvarint())
		if shared > len(last) {
			return memo{}
		}
		path := strings.Join([]string{last[:shared], string(d.bytes(d.count(1)))}, "")
		if e := d.entry(languages); same || !e.none && e.language == "" {
			m[path] = e
		}
		last = path
	}
	if d.err != nil || len(d.data) > 0 {
		return memo{}
	}
	return m
}

// errMemo says that a memo does not keep to its form.
var errMemo = errors.New("damaged memo")

// memoReader reads the parts of a memo; after a fault it yields zeros.
type memoReader struct {
	data []byte
	err  error
}

// entry reads all of an entry but its path.
func (d *memoReader) entry(languages []string) (e memoEntry) {
	e.stat.size, e.stat.inode = int64(d.uvarint()), int64(d.uvarint())
	e.stat.changed = d.varint()
	e.stat.modified = e.stat.changed - d.varint()
	switch kind := d.bytes(1); {
	case len(kind) == 0:
		return e
	case kind[0] == 1:
		e.none = true
		return e
	case kind[0] >= 2:
		if int(kind[0]-2) >= len(languages) {
			d.err = errMemo
			return e
		}
		e.language = languages[kind[0]-2]
	}
	copy(e.hash[:], d.bytes(len(e.hash)))
	return e
}

func (d *memoReader) uvarint() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.data, d.err = nil, errMemo
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *memoReader) varint() int64 {
	v, n := binary.Varint(d.data)
	if n <= 0 {
		d.data, d.err = nil, errMemo
		return 0
	}
	d.data = d.data[n:]
	return v
}

// count reads a number of things that take at least size bytes each, so that a damaged number cannot ask for much memory.
func (d *memoReader) count(size int) int {
	v := d.uvarint()
	if v > uint64(len(d.data)/size) {
		d.data, d.err = nil, errMemo
		return 0
	}
	return int(v)
}

// bytes reads n bytes, which are the memo's own.
func (d *memoReader) bytes(n int) []byte {
	if n > len(d.data) {
		d.data, d.err = nil, errMemo
		return nil
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}
