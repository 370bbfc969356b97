package raise

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/pack"
)

// Head is what tells whether the facts of a file have to be read for a question, in few bytes: its module, and which names stand in it.
type Head struct {
	Module  string
	Expects bool   // has tests that expect errors with a text
	names   []byte // a Bloom filter
}

// Of is what a name stands in a file for.
type Of byte

// What names stand for.
const (
	OfCall     Of = 'f' // last names of functions that are defined or called, and of the types that functions belong to
	OfDefined  Of = 'd' // names of functions, with their owner and a dot before them, of types and of values that are defined
	OfHandler  Of = 'h' // last names of what errors are asked for
	OfExpected Of = 'x' // words of texts that tests expect; see [Words]
)

// EncodeHead returns the head of the facts.
func EncodeHead(f *Facts) []byte {
	all := map[uint64]bool{}
	add := func(of Of, name string) {
		if name != "" {
			all[hashOf(of, name)] = true
		}
	}
	for i := range f.Functions {
		fn := &f.Functions[i]
		add(OfCall, fn.Name)
		add(OfCall, lastName(fn.Owner))
		add(OfDefined, strings.TrimPrefix(fn.Owner+"."+fn.Name, "."))
		for _, c := range fn.Calls {
			add(OfCall, lastName(c.Callee))
		}
	}
	for i := range f.Types {
		add(OfDefined, f.Types[i].Name)
	}
	for i := range f.Values {
		add(OfDefined, f.Values[i].Name)
	}
	for i := range f.Handlers {
		for _, t := range f.Handlers[i].Types {
			add(OfHandler, lastName(t))
		}
	}
	expects := false
	for i := range f.Expectations {
		x := &f.Expectations[i]
		if !x.Message.Is(expr.String) || x.Negated {
			continue
		}
		expects = true
		for _, w := range Words(x.Message.Text) {
			add(OfExpected, w)
		}
	}
	h := Head{names: make([]byte, bloomBytes(len(all)))}
	for hash := range all {
		h.bits(hash, func(at int, bit byte) bool { h.names[at] |= bit; return true })
	}
	e := pack.NewEncoder()
	e.Str(f.Module)
	e.Bool(expects)
	e.Str(string(h.names))
	return e.Finish()
}

// DecodeHead reads what [EncodeHead] wrote.
func DecodeHead(data []byte) (Head, error) {
	d := pack.NewDecoder(data)
	h := Head{Module: strings.Clone(d.Str()), Expects: d.Bool()}
	h.names = []byte(d.Str())
	return h, d.Err()
}

// May reports whether a name may stand in the file for something; false is certain, and one in a hundred of the others is wrong.
func (h *Head) May(of Of, name string) bool {
	if len(h.names) == 0 || name == "" {
		return false
	}
	return h.bits(hashOf(of, name), func(at int, bit byte) bool { return h.names[at]&bit != 0 })
}

// minWord is the length of the shortest word of a text that is noted.
const minWord = 4

// Words are the words of a message, or of what is expected of one as text or regular expression, that are long enough to be looked for.
func Words(text string) []string {
	text = escapes.Replace(text)
	var out []string
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return !(c|0x20 >= 'a' && c|0x20 <= 'z') && !(c >= '0' && c <= '9') }) {
		if len(w) >= minWord {
			out = append(out, w)
		}
	}
	return out
}

// escapes are what stands in regular expressions for classes of characters and edges of words.
var escapes = strings.NewReplacer(`\b`, " ", `\B`, " ", `\d`, " ", `\D`, " ", `\w`, " ", `\W`, " ", `\s`, " ", `\S`, " ", `\A`, " ", `\z`, " ", `\Z`, " ", `\n`, " ")

// bloomBytes is the size of a filter for n names: 10 bits each.
func bloomBytes(n int) int { return (10*n + 7) / 8 }

// bits calls f with the places of a hash in the filter, as long as it returns true, and reports whether it always did.
func (h *Head) bits(hash uint64, f func(at int, bit byte) bool) bool {
	n := uint64(8 * len(h.names))
	step := hash>>32 | 1
	for range 5 {
		at := hash % n
		if !f(int(at/8), 1<<(at%8)) {
			return false
		}
		hash += step
	}
	return true
}

// hashOf is the FNV-1a hash of a name with what it stands for, stirred.
func hashOf(of Of, name string) uint64 {
	h := (uint64(14695981039346656037) ^ uint64(of)) * 1099511628211
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
