// Package flow follows the statements of one function and says, for every site in it, what must hold on the way there, which
// definitions reach it and what its message is made of.
//
// Extractors lower a function's body to [Stmt] values; [Analyze] fills the sites. It is one pass over the statements, in time
// linear in their number for a bounded depth, and never fails: what it cannot follow it leaves unknown, so that nothing is
// claimed that the code does not prove. Loops are read once, with every name that they assign unknown on entry.
package flow

import "github.com/wherefore-dev/wherefore/internal/expr"

// Kind is what a statement does.
type Kind uint8

// The statements that extractors lower to.
const (
	// Do is a statement that is only evaluated: Value. Calls in it may change what they are called on.
	Do Kind = iota
	// Assign gives Targets the Value; Op is "" or the operator of an augmented assignment ("+"). With several targets and one
	// value that is not a Tuple or List, each target gets a component. A target is a Name, Attr or Index; nil is skipped.
	Assign
	// If runs Body where Cond holds and Else otherwise. An "else if" is an If alone in Else.
	If
	// While repeats Body as long as Cond holds (nil: forever); Else runs when it ended without a break.
	While
	// DoWhile is While that runs Body before it first asks.
	DoWhile
	// For repeats Body with Targets taken from Value; Else runs when it ended without a break.
	For
	// Switch runs the first of Cases that fits Value; with a nil Value the first whose condition holds.
	Switch
	// Try runs Body; one of Handlers if something in it raised, Else if nothing did, and Final in any case.
	Try
	// Block is Body on its own (a with statement, a labelled block, a nested scope). Locals are names that the scope declares
	// for itself although they have a meaning around it: behind it they hold again what they held before.
	Block
	// Label is a place that jumps from anywhere in the same block lead to: of the way to it, only what led into the block is known.
	Label
	// Leave ends the function, the loop or an iteration, as Leaves says; Value is a returned value.
	Leave
	// Raise is a site: the index Site in the slice given to Analyze. Value is the raised expression where the site's own fields
	// do not say all (a Name that holds an error made earlier). Goes is set if execution continues after it (a log call, an
	// error value that is only made).
	Raise
	// Closure is a function value that is made here and may run at any time from then on: Body is what it does, Targets are its
	// parameters. Keeps says of a name or member path of the function around it whether it holds the same value whenever the
	// closure runs, as one does that is assigned once; nil: none does.
	// What held where it was made still holds for it, unless Hoisted says that it can be called without passing there. Makes, if
	// not nil, gets what it returns. Extractors give no value to assignments of a name that a closure assigns.
	Closure
	// Assert is a site, if Site is not NoSite, that raises where Cond does not hold; afterwards Cond holds.
	Assert
)

// NoSite is the Site of a statement that has none.
const NoSite = -1

// Leaves says what a Leave statement leaves.
type Leaves uint8

// What can be left.
const (
	Return Leaves = iota
	Break
	Continue
	Throw // raises something that is not a site: a bare re-raise, a call that never returns
)

// String returns the word that a page says.
func (l Leaves) String() string {
	return [...]string{"return", "break", "continue", "raise"}[l]
}

// Stmt is one statement. Which fields matter depends on Kind.
type Stmt struct {
	Kind     Kind
	Line     int // 1-based
	Site     int
	Goes     bool
	Leaves   Leaves
	Op       string
	Cond     *expr.Expr
	Value    *expr.Expr
	Targets  []*expr.Expr
	Body     []Stmt
	Else     []Stmt
	Final    []Stmt
	Cases    []Case
	Handlers []Handler
	// Breaks, of a Switch, says that a break in an arm leaves the switch and not the loop around it; of a loop, that a statement in
	// it leaves it without being a plain break of its own body, as a labelled break in an inner loop does.
	Breaks  bool
	Locals  []string // of a Block
	Hoisted bool
	Keeps   func(path string) bool
	Makes   *[]*expr.Expr
}

// Case is an arm of a Switch.
type Case struct {
	Line   int
	Values []*expr.Expr // what the subject equals; conditions if the Switch has no subject; empty for the default
	// Cond, if not nil, is the whole condition of the arm as an expression (a pattern, a type test, a guard); it replaces Values.
	Cond  *expr.Expr
	Text  string // the pattern as written, where no expression says it
	Falls bool   // goes on into the next arm
	Body  []Stmt
}

// Default reports whether the arm takes what no other took.
func (c Case) Default() bool { return len(c.Values) == 0 && c.Cond == nil && c.Text == "" }

// Handler is what a Try does with an error.
type Handler struct {
	Line  int
	Types string // as written, empty if it takes any
	Name  string // the name that holds the error
	Body  []Stmt
}
