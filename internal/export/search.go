package export

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// The index of the search is a set of shards. An error is filed under its rarest word, in the shard that the hash of that word names.
// A script that looks a text up loads the shards of its words, and lays the templates that it finds under them along the text.

// entry is an error in the index: its template in literal pieces between holes, and where it is raised.
type entry struct {
	ID     string   `json:"i"`
	Pieces []string `json:"p"` // literals; a hole stands between two, before an empty first one and behind an empty last one
	Type   string   `json:"t,omitempty"`
	Place  string   `json:"l"`
}

// hole is what stands in braces in a displayed template: a value, or braces of the text itself, which look the same. Both are laid along
// a text as a hole, since the text in braces matches that too.
var hole = regexp.MustCompile(`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`)

// entryOf is the entry of an error.
func entryOf(p *api.Page) entry {
	e := entry{ID: p.ID, Type: p.Type}
	if len(p.Sites) > 0 {
		e.Place = fmt.Sprintf("%s:%d", p.Sites[0].Path, p.Sites[0].Line)
	}
	at := 0
	for _, m := range hole.FindAllStringIndex(p.Template, -1) {
		e.Pieces = append(e.Pieces, p.Template[at:m[0]])
		at = m[1]
	}
	e.Pieces = append(e.Pieces, p.Template[at:])
	// What is pasted has no blanks around it.
	last := len(e.Pieces) - 1
	e.Pieces[0] = strings.TrimLeftFunc(e.Pieces[0], unicode.IsSpace)
	e.Pieces[last] = strings.TrimRightFunc(e.Pieces[last], unicode.IsSpace)
	return e
}

// word is what texts are looked up by: a letter of a script that is written without blanks, or at least two other letters or digits.
var word = regexp.MustCompile(`[` + unspaced + `]|(?:[\p{N}_]|[^\P{L}` + unspaced + `]){2,}`)

// alone is a letter that is a word wherever it stands.
var alone = regexp.MustCompile(`^[` + unspaced + `]$`)

// unspaced are the scripts that are written without blanks between words.
const unspaced = `\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}`

// words are the whole words of a template's literals, in lower case: one that touches a hole may be part of a longer one.
func (e *entry) words() []string {
	var out []string
	for i, piece := range e.Pieces {
		for _, m := range word.FindAllStringIndex(piece, -1) {
			w := piece[m[0]:m[1]]
			if (m[0] == 0 && i > 0 || m[1] == len(piece) && i < len(e.Pieces)-1) && !alone.MatchString(w) {
				continue
			}
			out = append(out, strings.ToLower(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shardBytes is how large a shard is on average: small enough for a text of fifty words.
const shardBytes = 5000

// fnv is the 32-bit FNV-1a hash of a word's UTF-16 code units, as the script computes it.
func fnv(s string) uint32 {
	h := uint32(2166136261)
	for _, r := range s {
		for _, unit := range utf16(r) {
			h = (h ^ uint32(unit)) * 16777619
		}
	}
	return h
}

func utf16(r rune) []uint16 {
	if r < 0x10000 {
		return []uint16{uint16(r)}
	}
	r -= 0x10000
	return []uint16{uint16(0xd800 + r>>10), uint16(0xdc00 + r&0x3ff)}
}

// search writes the index.
func (x *export) search() error {
	df := map[string]int{}
	size := 0
	for i := range x.entries {
		for _, w := range x.entries[i].words() {
			df[w]++
		}
		data, err := json.Marshal(&x.entries[i])
		if err != nil {
			return err
		}
		size += len(data)
	}
	n := 1
	for n*shardBytes < size {
		n *= 2
	}
	shards := make([]map[string][]entry, n)
	for i := range x.entries {
		e := &x.entries[i]
		key, least := "", math.MaxInt
		for _, w := range e.words() {
			if df[w] < least || df[w] == least && len(w) > len(key) {
				key, least = w, df[w]
			}
		}
		if key == "" {
			continue // nothing but values: no text finds it
		}
		at := fnv(key) % uint32(n)
		if shards[at] == nil {
			shards[at] = map[string][]entry{}
		}
		shards[at][key] = append(shards[at][key], *e)
	}
	for i, shard := range shards {
		data, err := json.Marshal(shard)
		if err != nil {
			return err
		}
		if shard == nil {
			data = []byte("{}")
		}
		x.summary.SearchBytes += int64(len(data))
		x.summary.LargestShard = max(x.summary.LargestShard, int64(len(data)))
		if err := x.put(fmt.Sprintf("search/%d.json", i), data); err != nil {
			return err
		}
	}
	head, err := json.Marshal(map[string]any{"shards": n, "base": x.base()})
	if err != nil {
		return err
	}
	return x.put("search/index.json", head)
}
