// Package condition works with the conditions under which errors are raised, in the expressions that all languages share: it puts
// definitions in, negates, simplifies, evaluates with some names unknown, solves linear parts for one quantity, and says a
// condition in words.
//
// It never guesses. A verdict of False means that the condition cannot have held with the given values; whatever is not sure
// (an unknown name, a number that was rounded when it was printed, a text that may be another object's) is Unknown. All work is
// bounded in depth and steps, whatever the expression.
package condition

// Verdict is what is known of a condition.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	True
	False
	// impossible is a condition that the program could not have evaluated with the assumed values, such as a comparison by size
	// of values that have no order; the assumption is wrong then. It does not leave the package.
	impossible
)

// String returns the verdict as the wire form spells it.
func (v Verdict) String() string {
	switch v {
	case True:
		return "true"
	case False:
		return "false"
	}
	return "unknown"
}

// Not is the verdict of the negation.
func (v Verdict) Not() Verdict {
	switch v {
	case True:
		return False
	case False:
		return True
	}
	return v
}

// verdict is the verdict on what is known to hold or not.
func verdict(holds bool) Verdict {
	if holds {
		return True
	}
	return False
}

// Bounds on the work for one condition.
const (
	maxDepth = 200   // of nested expressions and definitions
	maxSteps = 20000 // expressions looked at
	maxSize  = 2000  // nodes of an expression that is built
)
