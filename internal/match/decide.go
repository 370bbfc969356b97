package match

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Certain is the probability from which on an answer says "found".
const Certain = 0.9

// evidence is what an observation says besides its message.
type evidence struct {
	typ    string
	weak   bool // the type may be a part of the message: it was split off a line, not printed by a trace
	frames []raise.Frame
	length int // letters and digits of the message
}

// fits says what an observed type adds for a type that the site raises, in bits. A site whose type is not known stays possible.
func (e *evidence) fits(typ string) float64 {
	switch {
	case e.typ == "" || typ == "":
		return 0
	case lastPart(e.typ) == lastPart(typ):
		return 3
	case word(e.typ) || word(typ):
		return 0
	case e.weak:
		return -4
	}
	return -9
}

// word reports whether a type is a plain word such as "panic" or "error": how something was raised, not what.
func word(typ string) bool {
	last := lastPart(typ)
	return last != "" && last[0] >= 'a' && last[0] <= 'z' && !strings.ContainsAny(last, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
}

// The model of the probability that the message was printed by a site of the catalog that fits it best: a logistic function of
// features, each at most its bound. The weights were fitted on errors that really happened, on messages of other projects and on
// changed ones; bench/accuracy.md shows how often answers of each probability are right.
const (
	featureBits     = iota // what literal words and kinds of values say
	featureCovered         // their share of the message's letters and digits
	featureWords           // literal words of at least three letters
	featureStart           // the message begins with literal text
	featureLoose           // the text was cut, redacted, or fits only with other white space
	featureStrained        // a quoted value ends before its place does
	featureFixed           // the message is the template's text to the letter
	featureTokens          // no value holds blanks outside of quotes and brackets: a template with little text takes any prose
	featureTyped           // every value has a kind that most texts have not: quoted, a number
	featureHoles           // values
	featureComposed        // a value is the known text of another error
	featureType            // what the type says
	featureLocated         // a frame names the site's line
	// Features is how many there are.
	Features
)

const (
	maxBits  = 30
	minFixed = 3 // letters and digits that a message without values must have
)

// leastFixed is the least that the model gives a message that is a template's text to the letter: it is that template's, if perhaps
// also that of a program which the catalog does not hold.
const leastFixed = 2.5

// composing is what it costs, in bits, to explain a message by two sites where one would do.
const composing = 6

// pinning is what it says, in bits, that the innermost frame names a site's line and function: more than any text.
const pinning = 60

// weightBase is the weight of the model that no feature has.
const weightBase = -3.5

// weightOf are the weights of the features. Those of damaged texts, types and frames were set by hand: the errors that happened
// have too few of these.
func weightOf() [Features]float64 {
	return [Features]float64{featureBits: 0.144, featureCovered: 0.68, featureWords: 0.6, featureStart: 0.14, featureTokens: 1.66,
		featureTyped: 0.34, featureHoles: -0.26, featureComposed: 0.83, featureLoose: -0.95, featureStrained: -8, featureType: 0.5,
		featureLocated: 8}
}

// features are what the model looks at.
func (o *option) features(covered, typeBits float64) [Features]float64 {
	m, t := &o.hit.Match, &o.variant.Template
	f := [Features]float64{featureBits: min(o.hit.Bits+o.hit.Fits, maxBits), featureCovered: covered, featureType: typeBits, featureHoles: float64(min(values(t), 4))}
	set := func(feature int, holds bool) {
		if holds {
			f[feature] = 1
		}
	}
	loose := m.Cut || m.Redacted || m.Folded
	set(featureStart, len(t.Pieces) > 0 && t.Pieces[0].Hole == nil)
	set(featureLoose, loose)
	set(featureStrained, o.hit.Strained)
	set(featureFixed, t.HoleCount() == 0 && !loose && m.Weight >= minFixed)
	set(featureComposed, len(o.wrapped) > 0)
	set(featureLocated, o.located)
	words, tokens := 0, true
	for _, p := range t.Pieces {
		if p.Hole == nil {
			words += longWords(p.Text)
		}
	}
	for _, b := range m.Bindings {
		// What an error prints is prose, and stands where errors stand.
		tokens = tokens && (slices.Contains(o.wrapped, b.Hole) || t.Holes()[b.Hole].Kind == message.Error || !prose(b.Value))
	}
	set(featureTokens, tokens)
	set(featureTyped, typed(t, m))
	f[featureWords] = float64(min(words, 6))
	return f
}

// values counts the values of a template: holes with nothing, or a blank, between them are one, as a request is of its method and its
// address.
func values(t *message.Template) int {
	n, behind := 0, false
	for _, p := range t.Pieces {
		switch {
		case p.Hole == nil:
			behind = behind && (p.Text == "" || p.Text == " ")
		case !behind:
			n, behind = n+1, true
		}
	}
	return n
}

// prose reports whether a value holds a blank outside quotes and brackets, as words do and a text, list or object that was printed
// as one does not.
func prose(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ':
			if depth == 0 {
				return true
			}
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth = max(depth-1, 0)
		case '"', '\'', '`':
			if i > 0 && isLetter(s[i-1]) {
				break // an apostrophe
			}
			if j := strings.IndexByte(s[i+1:], c); j >= 0 {
				i += j + 1
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// typed reports whether every value is visibly of a kind: a quoted text, a number, a list, an object, the known text of an error.
func typed(t *message.Template, m *message.Match) bool {
	holes := t.Holes()
	for _, b := range m.Bindings {
		switch holes[b.Hole].Kind {
		case message.Any, message.Error, message.Type:
			return false
		case message.Repr:
			if b.Value == "" || isLetter(b.Value[0]) {
				return false
			}
		}
	}
	return true
}

// longWords counts the words of at least three letters.
func longWords(s string) int {
	n := 0
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(w) >= 3 {
			n++
		}
	}
	return n
}

// prior is the probability that the best fitting template did print the message at all.
func (o *option) prior(covered, typeBits float64) float64 {
	o.weighed = o.features(covered, typeBits)
	z := weightBase
	for i, w := range weightOf() {
		z += w * o.weighed[i]
	}
	if o.weighed[featureFixed] > 0 {
		z = max(z, leastFixed)
	}
	return 1 / (1 + math.Exp(-z))
}

// option is a place with the hit that led to it.
type option struct {
	place
	hit  Hit
	bits float64 // all evidence together
	prob float64
	// composed says that the errors that it wraps were looked up; wrapped are the holes that hold a known one.
	composed bool
	wrapped  []int
	// others are the same site in other revisions, as far as its unit differs there.
	others []place
	// pinned says that the frames alone lead to it.
	pinned bool
	// weighed are the features of the best option.
	weighed [Features]float64
}

// rank gives every option its probability: the prior of the best, shared among all by what each says more or less than the best.
// The options come back in falling probability.
func rank(options []option, e *evidence) []option {
	if len(options) == 0 {
		return nil
	}
	best, product := math.Inf(-1), math.Inf(-1)
	for i := range options {
		o := &options[i]
		o.weigh(e.frames)
		o.bits = min(o.hit.Bits, 200) + o.hit.Fits + o.fitsType(e) + o.score
		if o.hit.Match.Ambiguous {
			o.bits--
		}
		if o.hit.Strained {
			o.bits -= 20
		}
		if len(o.wrapped) > 0 {
			o.bits -= composing
		}
		if o.pinned {
			o.bits += pinning
		}
		if o.product() {
			product = max(product, o.bits)
		}
	}
	for i := range options {
		o := &options[i]
		// A test that spells out what the product prints says no more than the product's own template.
		if !o.product() && product > 0 {
			o.bits = min(o.bits, product)
		}
		best = max(best, o.bits)
	}
	slices.SortStableFunc(options, func(a, b option) int {
		switch {
		case a.bits > b.bits:
			return -1
		case a.bits < b.bits:
			return 1
		}
		return compareSites(&a, &b)
	})
	top := &options[0]
	covered := 1.0
	if e.length > 0 {
		covered = min(1, float64(top.hit.Match.Weight)/float64(e.length))
	}
	all := top.prior(covered, top.fitsType(e))
	sum := 0.0
	for i := range options {
		sum += math.Exp2(max(options[i].bits-best, -60))
	}
	for i := range options {
		options[i].prob = all * math.Exp2(max(options[i].bits-best, -60)) / sum
	}
	return options
}

func (o *option) fitsType(e *evidence) float64 { return e.fits(o.variant.Type) }

// product reports whether a site is in code that people ask about first: no test, example, generated or vendored copy.
func (o *option) product() bool { return o.unit.File.Kind == "product" }

// compareSites orders equals so that every run prints the same: product code first, then by repository, path and line.
func compareSites(a, b *option) int {
	if a.product() != b.product() {
		if a.product() {
			return -1
		}
		return 1
	}
	if c := strings.Compare(a.repo.Name, b.repo.Name); c != 0 {
		return c
	}
	if c := strings.Compare(a.unit.File.Path, b.unit.File.Path); c != 0 {
		return c
	}
	return a.site.Line - b.site.Line
}
