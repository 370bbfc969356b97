// Package match answers reports: it finds the sites that can have printed a message, says how probable each is, binds the values
// and judges the condition, or refuses.
//
// Three steps. The [Index] finds the templates that fit a text: by their rarest words, then by laying the template along the text.
// The [Finder] turns fitting templates into sites of the catalog and weighs them with all that the report says: type, frames,
// version. What remains equal is a tie and is called one; what says too little is refused. Only literal text carries weight, by
// its rarity in the catalog; the text of holes carries none.
package match

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/message"
)

// Hit is a template that fits a text.
type Hit struct {
	Template int // number in the index
	Match    message.Match
	// Bits is how much the template's literal words say in this catalog, in bits; less if the text was cut or redacted.
	Bits float64
	// Fits is how much the values say by their kinds, in bits: digits where only digits can stand, quotes where they must.
	Fits float64
	// Strained says that a value is none that its hole can have printed as one: a quoted text that ends before the value does.
	Strained bool
}

// Searcher holds what a search needs; it is for one goroutine and can be used again and again.
type Searcher struct {
	index    *Index
	words    []uint32
	template message.Template
	tried    []uint32
	seen     []uint64 // a bit for each template in tried
}

// NewSearcher returns a searcher of the index.
func NewSearcher(x *Index) *Searcher {
	return &Searcher{index: x, seen: make([]uint64, (len(x.sigs)+63)/64)}
}

// Bounds on the work for one text.
const (
	maxWords = 2000 // of a text that are looked at
	maxTried = 5000 // templates that are laid along it
)

// Search appends the templates that fit the text to hits, those that say most first.
func (s *Searcher) Search(hits []Hit, text string, how message.How) []Hit {
	x := s.index
	how = how.Narrow(text)
	s.words = s.words[:0]
	var sig uint64
	eachWord(text, func(_, _ int, hash uint32) {
		if len(s.words) < maxWords {
			s.words = append(s.words, hash)
			sig |= bit(hash)
		}
	})
	switch {
	case how&(message.Cut|message.Redacted) != 0:
		sig = ^uint64(0) // words of the template may be missing
	case how&message.Folded != 0:
		eachBroken(text, func(hash uint32) {
			if len(s.words) < maxWords {
				s.words = append(s.words, hash)
				sig |= bit(hash)
			}
		})
	}
	for _, n := range s.tried {
		s.seen[n/64] = 0
	}
	s.tried = s.tried[:0]
	start := len(hits)
	var last uint32
	for _, h := range s.words {
		hits = s.try(hits, x.lookup(h), sig, text, how)
		if last != 0 {
			hits = s.try(hits, x.lookup(pair(last, h)), sig, text, how)
		}
		last = h
	}
	found := hits[start:]
	slices.SortFunc(found, func(a, b Hit) int {
		switch {
		case a.Bits != b.Bits:
			return int(16 * (b.Bits - a.Bits))
		case a.Match.Weight != b.Match.Weight:
			return b.Match.Weight - a.Match.Weight
		}
		return a.Template - b.Template
	})
	return hits
}

// try lays the templates of a posting list along the text.
func (s *Searcher) try(hits []Hit, list []uint32, sig uint64, text string, how message.How) []Hit {
	x := s.index
	for _, n := range list {
		if int(n) >= len(x.sigs) || x.sigs[n]&^sig != 0 || s.seen[n/64]&(1<<(n%64)) != 0 || len(s.tried) >= maxTried {
			continue
		}
		s.seen[n/64] |= 1 << (n % 64)
		s.tried = append(s.tried, n)
		if _, err := s.template.Consume(x.blob[x.offsets[n]:x.offsets[n+1]]); err != nil {
			continue
		}
		m, ok := s.template.MatchIn(text, how)
		if !ok {
			continue
		}
		bits := float64(x.infos[n]) / 16
		if full := s.template.Weight(); m.Weight < full && full > 0 {
			bits *= float64(m.Weight) / float64(full)
		}
		hits = append(hits, Hit{int(n), m, bits, kindBits(&s.template), strained(&s.template, &m)})
	}
	return hits
}

// lookup returns the templates that are posted under a key.
func (x *Index) lookup(hash uint32) []uint32 {
	mask := uint32(len(x.keys) - 1)
	for i, left := hash&mask, len(x.keys); left > 0; i, left = (i+1)&mask, left-1 {
		k := x.keys[i]
		if k.count == 0 {
			break
		}
		if k.hash == hash {
			if uint64(k.first)+uint64(k.count) > uint64(len(x.postings)) {
				return nil
			}
			return x.postings[k.first : k.first+k.count]
		}
	}
	return nil
}

// bits is how much a word says; a word that stands in no template says nothing.
func (x *Index) bits(hash uint32) float64 {
	mask := uint32(len(x.words) - 1)
	for i, left := hash&mask, len(x.words); left > 0; i, left = (i+1)&mask, left-1 {
		w := x.words[i]
		if w.hash == 0 {
			break
		}
		if w.hash == hash {
			return float64(w.bits) / 16
		}
	}
	return 0
}

// ErrorRef names an error that has a template.
type ErrorRef struct {
	ID       uint64
	Type     string
	Repo     string
	Language string
}

// Errors lists the errors that have a template.
func (x *Index) Errors(template int) []ErrorRef {
	var out []ErrorRef
	for _, e := range x.errs[x.firsts[template]:x.firsts[template+1]] {
		out = append(out, ErrorRef{e.id, x.text(e.typ), x.text(uint32(e.repo)), x.text(uint32(e.language))})
	}
	return out
}

func (x *Index) text(n uint32) string {
	if int(n) < len(x.strings) {
		return x.strings[n]
	}
	return ""
}

// Template decodes a template; its holes have no expressions.
func (x *Index) Template(n int) (message.Template, error) {
	return message.Decode([]byte(x.blob[x.offsets[n]:x.offsets[n+1]]))
}

// kindBits is what it says that every value of a template has the kind that its hole prints.
func kindBits(t *message.Template) float64 {
	sum := 0.0
	for _, p := range t.Pieces {
		if p.Hole == nil {
			continue
		}
		switch p.Hole.Kind {
		case message.Int, message.Quoted, message.Float, message.Bool:
			sum += 2
		case message.Hex, message.Enum, message.Char, message.JSON:
			sum += 3
		case message.Pointer:
			sum += 4
		case message.Repr, message.Type:
			sum++
		}
	}
	return min(sum, 6)
}

// strained reports whether a hole that prints quoted texts was laid over more than one.
func strained(t *message.Template, m *message.Match) bool {
	n := 0
	for _, p := range t.Pieces {
		if p.Hole == nil {
			continue
		}
		if (p.Hole.Kind == message.Repr || p.Hole.Kind == message.Quoted) && n < len(m.Bindings) && endsEarly(m.Bindings[n].Value) {
			return true
		}
		n++
	}
	return false
}

// endsEarly reports whether the quote that opens a text closes before its end.
func endsEarly(s string) bool {
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i < len(s)-1
		}
	}
	return false
}
