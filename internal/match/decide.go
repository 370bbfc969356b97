package match

import (
	"math"
	"slices"
	"strings"

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
//
//	bits      what literal words and kinds of values say, at most maxBits
//	letters   the letters and digits of the literal text that were seen, at most maxLetters
//	covered   their share of the message's letters and digits
//	anchored  the message begins with literal text
//	strained  a quoted value ends before its place does
//	loose     the text was cut, redacted, or fits only with other white space
//	fixed     the message is the template's text to the letter, and at least minFixed letters and digits long
//	type      what the type says
//	located   a frame names the site's line
//
// The weights were fitted on errors that really happened and on messages of other projects; bench/accuracy.md shows how often
// answers of each probability are right.
const (
	weightBase     = -4.6
	weightBits     = 0.107
	weightLetters  = 0.115
	weightCovered  = 3.6
	weightAnchored = 1.6
	weightLoose    = -0.95
	weightStrained = -4
	weightFixed    = 2.5
	weightType     = 0.5
	weightLocated  = 8
	maxBits        = 30
	maxLetters     = 40
	minFixed       = 3
)

// prior is the probability that the best fitting template did print the message at all.
func prior(o *option, covered, typeBits float64) float64 {
	m, pieces := &o.hit.Match, o.variant.Template.Pieces
	loose := m.Cut || m.Redacted || m.Folded
	z := weightBase + weightBits*min(o.hit.Bits+o.hit.Fits, maxBits) + weightCovered*covered + weightType*typeBits +
		weightLetters*float64(min(m.Weight, maxLetters))
	if len(pieces) > 0 && pieces[0].Hole == nil {
		z += weightAnchored
	}
	if loose {
		z += weightLoose
	}
	if o.hit.Strained {
		z += weightStrained
	}
	if o.variant.Template.HoleCount() == 0 && !loose && m.Weight >= minFixed {
		z = max(z, weightFixed)
	}
	if o.located {
		z += weightLocated
	}
	return 1 / (1 + math.Exp(-z))
}

// option is a place with the hit that led to it.
type option struct {
	place
	hit  Hit
	bits float64 // all evidence together
	prob float64
	// composed says that the errors that it wraps were looked up.
	composed bool
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
	all := prior(top, covered, top.fitsType(e))
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
