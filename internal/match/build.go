package match

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/message"
)

// Entry is an error of the catalog, for building an index.
type Entry struct {
	ID       uint64
	Repo     string
	Language string
	Type     string
	Template []byte // encoded by package message
}

// maxCommon is how many templates may share a word before pairs of words are used instead.
const maxCommon = 24

// Write builds the index of the entries and puts it at path, in place of what was there only when it is complete.
// It belongs to the given generation of the catalog.
func Write(path, generation string, entries []Entry) (err error) {
	data, err := build(generation, entries)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write match index: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	for _, part := range data {
		if _, err = f.Write(part); err != nil {
			f.Close()
			return fmt.Errorf("write match index: %w", err)
		}
	}
	if err = f.Close(); err != nil {
		return fmt.Errorf("write match index: %w", err)
	}
	if err = os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// New builds an index in memory.
func New(entries []Entry) (*Index, error) {
	parts, err := build("", entries)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	words := make([]uint64, (size+7)/8) // aligned as a mapped file is
	data := bytesOf(words)[:0]
	for _, p := range parts {
		data = append(data, p...)
	}
	return load(data, "")
}

type builder struct {
	blob       []byte
	offsets    []uint32
	sigs       []uint64
	infos      []uint16
	firsts     []uint32
	errs       []errorRef
	tokens     [][]uint32 // hashes of the whole words of each template
	pairs      [][]uint32
	df         map[uint32]uint32
	background map[uint32]int
	strings    map[string]uint32
	names      []string
}

// build returns the parts of the file in order.
func build(generation string, entries []Entry) ([][]byte, error) {
	b := &builder{df: map[uint32]uint32{}, background: background(), strings: map[string]uint32{"": 0}, names: []string{""}}
	if err := b.templates(entries); err != nil {
		return nil, err
	}
	b.inform()
	keys, postings := b.post()
	parts := [sections][]byte{secBlob: b.blob, secOffsets: bytesOf(b.offsets), secSigs: bytesOf(b.sigs), secInfos: bytesOf(b.infos),
		secFirsts: bytesOf(b.firsts), secErrors: bytesOf(b.errs), secKeys: bytesOf(keys), secPostings: bytesOf(postings),
		secWords: bytesOf(b.wordTable()), secStrings: b.stringTable()}
	return layout(generation, parts), nil
}

func layout(generation string, parts [sections][]byte) [][]byte {
	head := append([]byte(magic), padded(generation)...)
	at := align(uint64(headSize))
	out := [][]byte{nil}
	for _, p := range parts {
		head = binary.LittleEndian.AppendUint64(head, at)
		head = binary.LittleEndian.AppendUint64(head, uint64(len(p)))
		next := align(at + uint64(len(p)))
		out = append(out, p, make([]byte, next-at-uint64(len(p))))
		at = next
	}
	out[0] = append(head, make([]byte, align(uint64(headSize))-uint64(headSize))...)
	return out
}

func align(n uint64) uint64 { return (n + 7) &^ 7 }

// templates takes each distinct template once, in the order of its encoding, with all its errors.
func (b *builder) templates(entries []Entry) error {
	type one struct {
		key   string
		entry *Entry
	}
	all := make([]one, 0, len(entries))
	var t message.Template
	for i := range entries {
		if _, err := t.Consume(string(entries[i].Template)); err != nil {
			return fmt.Errorf("error %016x: %w", entries[i].ID, err)
		}
		key := bare(t)
		if strings.Trim(t.Key(), "\x00") != "" {
			all = append(all, one{key, &entries[i]})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].key != all[j].key {
			return all[i].key < all[j].key
		}
		return all[i].entry.ID < all[j].entry.ID
	})
	for i, o := range all {
		if i == 0 || o.key != all[i-1].key {
			if uint64(len(b.blob))+uint64(len(o.key)) > math.MaxUint32 {
				return fmt.Errorf("match index: more than 4 GiB of templates")
			}
			b.offsets = append(b.offsets, uint32(len(b.blob)))
			b.firsts = append(b.firsts, uint32(len(b.errs)))
			b.blob = append(b.blob, o.key...)
			if err := b.words(o.key, &t); err != nil {
				return err
			}
		}
		e := o.entry
		b.errs = append(b.errs, errorRef{e.ID, b.str(e.Type), uint16(b.str(e.Repo)), uint16(b.str(e.Language))})
	}
	b.offsets = append(b.offsets, uint32(len(b.blob)))
	b.firsts = append(b.firsts, uint32(len(b.errs)))
	return nil
}

// bare encodes a template without what matching does not need, so that equal messages are stored once.
func bare(t message.Template) string {
	pieces := make([]message.Piece, len(t.Pieces))
	for i, p := range t.Pieces {
		pieces[i].Text = p.Text
		if p.Hole != nil {
			pieces[i].Hole = &message.Hole{Kind: p.Hole.Kind, Values: p.Hole.Values}
		}
	}
	return string(message.Template{Pieces: pieces}.Append(nil))
}

func (b *builder) str(s string) uint32 {
	n, ok := b.strings[s]
	if !ok {
		n = uint32(len(b.names))
		b.strings[s] = n
		b.names = append(b.names, s)
	}
	return n
}

// words notes the words of a template: single ones, and pairs of neighbours within one literal.
func (b *builder) words(encoded string, t *message.Template) error {
	if _, err := t.Consume(encoded); err != nil {
		return err
	}
	var tokens, pairs []uint32
	var sig uint64
	for i, p := range t.Pieces {
		if p.Hole != nil {
			continue
		}
		var last uint32
		eachWord(p.Text, func(start, end int, hash uint32) {
			whole := (start > 0 || i == 0) && (end < len(p.Text) || i == len(t.Pieces)-1)
			if !whole {
				last = 0
				return
			}
			tokens = append(tokens, hash)
			sig |= bit(hash)
			if last != 0 {
				pairs = append(pairs, pair(last, hash))
			}
			last = hash
		})
	}
	slices.Sort(tokens)
	tokens = slices.Compact(tokens)
	for _, h := range tokens {
		b.df[h]++
	}
	slices.Sort(pairs)
	b.tokens = append(b.tokens, tokens)
	b.pairs = append(b.pairs, slices.Compact(pairs))
	b.sigs = append(b.sigs, sig)
	return nil
}

// said is how much a word says, in bits: the rarer in the catalog and in messages at large, the more.
func (b *builder) said(hash uint32) float64 {
	octave, common := b.background[hash]
	if !common {
		octave = unlisted
	}
	return math.Log2(float64(len(b.sigs)+backgroundSize) / (float64(b.df[hash]) + math.Ldexp(backgroundSize, -octave)))
}

func (b *builder) inform() {
	b.infos = make([]uint16, len(b.sigs))
	for i, tokens := range b.tokens {
		sum := 0.0
		for _, h := range tokens {
			sum += b.said(h)
		}
		b.infos[i] = uint16(min(sum*16, math.MaxUint16))
	}
}

// post files every template under its rarest word or pair.
func (b *builder) post() ([]keySlot, []uint32) {
	pairs := map[uint32]uint32{}
	for i, tokens := range b.tokens {
		if b.rarest(tokens) > maxCommon {
			for _, p := range b.pairs[i] {
				pairs[p]++
			}
		}
	}
	lists := map[uint32][]uint32{}
	for i, tokens := range b.tokens {
		if len(tokens) == 0 {
			continue
		}
		key, count := tokens[0], b.df[tokens[0]]
		for _, h := range tokens {
			if b.df[h] < count {
				key, count = h, b.df[h]
			}
		}
		if count > maxCommon {
			for _, p := range b.pairs[i] {
				if pairs[p] < count {
					key, count = p, pairs[p]
				}
			}
		}
		lists[key] = append(lists[key], uint32(i))
	}
	table := make([]keySlot, tableSize(len(lists)))
	var postings []uint32
	keys := make([]uint32, 0, len(lists))
	for k := range lists {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		i := k & uint32(len(table)-1)
		for table[i].count != 0 {
			i = (i + 1) & uint32(len(table)-1)
		}
		table[i] = keySlot{k, uint32(len(postings)), uint32(len(lists[k]))}
		postings = append(postings, lists[k]...)
	}
	return table, postings
}

func (b *builder) rarest(tokens []uint32) uint32 {
	least := uint32(math.MaxUint32)
	for _, h := range tokens {
		least = min(least, b.df[h])
	}
	return least
}

// tableSize keeps the tables at most half full.
func tableSize(n int) int {
	size := 8
	for size < 2*n {
		size *= 2
	}
	return size
}

func (b *builder) wordTable() []wordSlot {
	table := make([]wordSlot, tableSize(len(b.df)))
	hashes := make([]uint32, 0, len(b.df))
	for h := range b.df {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	for _, h := range hashes {
		i := h & uint32(len(table)-1)
		for table[i].hash != 0 {
			i = (i + 1) & uint32(len(table)-1)
		}
		table[i] = wordSlot{h, uint32(b.said(h) * 16)}
	}
	return table
}

func (b *builder) stringTable() []byte {
	out := binary.AppendUvarint(nil, uint64(len(b.names)))
	for _, s := range b.names {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return out
}
