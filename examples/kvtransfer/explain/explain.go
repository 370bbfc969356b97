// Package explain answers what the messages of the slicing of compressed MLA mean, from the figures in them.
//
// The main message says how many entries the destination's list has and how the model's ratio list counts. From these follow which lengths
// would have been accepted, how far off the list is, and which mix-ups of peers give exactly this length.
package explain

import (
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// Unknown is a figure that the text does not have, because its end is cut off.
const Unknown = -1

// Figures are the numbers of a length message.
type Figures struct {
	Length int `json:"length"`  // D: entries of the destination's list
	KVData int `json:"kv_data"` // K: entries of the whole KV list
	States int `json:"states"`  // entries of a state list beside its window
	C4     int `json:"c4"`      // layers of ratio 4, or Unknown
	C128   int `json:"c128"`    // layers of ratio 128, or Unknown
	Total  int `json:"total"`   // layers of the ratio list, or Unknown
}

// Fit says how well a cause goes with the figures.
type Fit string

// The fits, best first.
const (
	Exact    Fit = "exact"    // the cause, with ordinary settings, gives this very length
	Possible Fit = "possible" // the cause can give this length
)

// Cause is one thing that leads to the message.
type Cause struct {
	Fit        Fit    `json:"fit"`
	What       string `json:"what"`
	Arithmetic string `json:"arithmetic,omitempty"` // how the figures lead there
	Do         string `json:"do"`
}

// Explanation is the answer to one message.
type Explanation struct {
	Type    string       `json:"type"`    // of the exception
	Message string       `json:"message"` // as SGLang prints it, as far as the text has it
	Figures *Figures     `json:"figures,omitempty"`
	Rules   []slice.Rule `json:"rules,omitempty"` // which rules print such figures
	// Accepted are the lengths that would not have raised it.
	Accepted []slice.Accepted `json:"accepted,omitempty"`
	// Reading is the arithmetic of the check.
	Reading string `json:"reading"`
	Missing int    `json:"missing,omitempty"` // entries too few
	Surplus int    `json:"surplus,omitempty"` // entries too many
	// Contradiction says why the figures cannot have been printed by that check; there are no causes then.
	Contradiction string  `json:"contradiction,omitempty"`
	Causes        []Cause `json:"causes,omitempty"`
	Check         string  `json:"check,omitempty"` // how to see it before a request fails
}

// Text explains every different message in a text: a bare message, a traceback, a log. None found: nil.
func Text(text string) []Explanation {
	var out []Explanation
	for _, m := range find(text) {
		switch m.kind {
		case lengthMessage:
			out = append(out, explainLength(m))
		case windowMessage:
			out = append(out, explainWindow(m))
		case endMessage:
			out = append(out, explainEnd(m))
		}
	}
	return out
}

// entries prints a number of entries.
func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
