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
	case e.weak:
		return -4
	}
	return -9
}

// The model of the probability that the message was printed by a site of the catalog that fits it best: a logistic function of
//
//	bits      what literal words and kinds of values say, at most maxBits
//	covered   the share of the message's letters and digits that are literal in the template
//	fixed     the message is the template's text to the letter, and at least minFixed letters and digits long
//	loose     the text was cut, redacted, or fits only with other white space
//	type      what the type says
//	located   a frame names the site's line
//
// The weights were fitted on errors that really happened and on messages of other projects; bench/accuracy.md shows how often
// answers of each probability are right.
const (
	weightBase    = -4.4
	weightBits    = 0.204
	weightCovered = 4.4
	weightLoose   = -1.1
	weightFixed   = 2.5
	weightType    = 0.5
	weightLocated = 8
	maxBits       = 30
	minFixed      = 3
)

// prior is the probability that the best fitting template did print the message at all.
func prior(h *Hit, fixed bool, covered, typeBits float64, located bool) float64 {
	z := weightBase + weightBits*min(h.Bits+h.Fits, maxBits) + weightCovered*covered + weightType*typeBits
	if h.Match.Cut || h.Match.Redacted || h.Match.Folded {
		z += weightLoose
	}
	if fixed && !h.Match.Cut && !h.Match.Redacted && h.Match.Weight >= minFixed {
		z = max(z, weightFixed)
	}
	if located {
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
	best := math.Inf(-1)
	for i := range options {
		o := &options[i]
		o.weigh(e.frames)
		o.bits = min(o.hit.Bits, 200) + o.hit.Fits + o.fitsType(e) + o.score - o.rarelyMeant()
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
	all := prior(&top.hit, top.variant.Template.HoleCount() == 0, covered, top.fitsType(e), top.located)
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

// rarelyMeant lowers sites that people rarely ask about: tests, examples, vendored copies, and ambiguous layings.
func (o *option) rarelyMeant() float64 {
	less := 0.0
	if o.unit.File.Kind != "product" {
		less += 10
	}
	if o.hit.Match.Ambiguous {
		less++
	}
	return less
}

// compareSites orders equals so that every run prints the same: by repository, path and line.
func compareSites(a, b *option) int {
	if c := strings.Compare(a.repo.Name, b.repo.Name); c != 0 {
		return c
	}
	if c := strings.Compare(a.unit.File.Path, b.unit.File.Path); c != 0 {
		return c
	}
	return a.site.Line - b.site.Line
}
