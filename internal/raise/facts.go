// Package raise is what the product is about: the places of a source tree that raise an error, and what is known of them.
//
// [Facts] is what one file says on its own, made by a language's extractor from the file's bytes alone and cached by their hash.
// Names that only other files can explain stay unresolved in it; package link joins the facts of one revision.
package raise

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Kind is how a site raises.
type Kind string

// The kinds. A page says them in these words.
const (
	KindError     Kind = "error"        // an exception thrown or an error value returned
	KindPanic     Kind = "panic"        // the goroutine, thread or process unwinds
	KindAssertion Kind = "assertion"    // an assertion that names its condition
	KindFatal     Kind = "fatal log"    // a log call that ends the process
	KindLog       Kind = "error log"    // a log call at error level
	KindWarning   Kind = "warning"      // a warning shown to the user
	KindExit      Kind = "exit"         // the process ends with a message
	KindHTTP      Kind = "http error"   // a response with an error status
	KindTest      Kind = "test failure" // a test reports that it failed
	KindReraise   Kind = "re-raise"     // passes on an error that it was given: a link of a chain, without a message of its own
)

// Facts is what one file says.
type Facts struct {
	Language     string // the name that the language's extractor gives itself
	Module       string // the package clause or namespace; empty where the path decides
	Doc          string // first paragraph of the file's documentation
	FileKind     string // what the text itself says the file is, in the words of package source: "generated", "minified"; "" if nothing
	Imports      []Import
	Functions    []Function // in order of their first line; nested ones follow their parent
	Sites        []Site     // in order of their position
	Values       []Value
	Types        []Type
	Expectations []Expectation
	Handlers     []Handler
	Problems     []Problem
}

// SortSites puts the sites in the order of their positions; what names them by index goes along.
func (f *Facts) SortSites() {
	order := make([]int, len(f.Sites))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.Sites[a].Start, f.Sites[b].Start), cmp.Compare(f.Sites[a].End, f.Sites[b].End))
	})
	if slices.IsSorted(order) {
		return
	}
	sorted, at := make([]Site, len(order)), make([]int, len(order))
	for to, from := range order {
		sorted[to], at[from] = f.Sites[from], to
	}
	f.Sites = sorted
	for i := range f.Values {
		if s := f.Values[i].Site; s >= 0 && s < len(at) {
			f.Values[i].Site = at[s]
		}
	}
}

// Import is one name brought into the file.
type Import struct {
	Local  string // the name it has here; "*" for all names of the module
	Module string // as written: "os.path", "./util", "github.com/x/y"
	Symbol string // the name in the module; empty if the module itself is meant
	Line   int
}

// NoFunction is the index for "outside of any function".
const NoFunction = -1

// Function is a function or method with a body.
type Function struct {
	Name     string // its own name; empty for an anonymous one
	Owner    string // the type, class or enclosing function path that it belongs to ("Manager", "outer.<locals>"); empty at top level
	Parent   int    // index of the enclosing function, or NoFunction
	Params   []Param
	Line     int // first line, 1-based, decorators and doc comments not included
	EndLine  int
	Exported bool   // callers outside the module may name it
	Static   bool   // called on the type rather than on a value
	Doc      string // first paragraph of its documentation
	Calls    []Call // distinct callees, in order of their first call
	// Makes are the error values that this function returns (not raises), for callers that raise what it returns. Each is an
	// expr.Error, or a text (String, Interp, Format …) if it returns a message. Names in it are the function's parameters.
	Makes []*expr.Expr
}

// Param is a parameter.
type Param struct {
	Name     string
	Type     string     // as written, empty if the source has none
	Default  *expr.Expr // nil if there is none
	Variadic bool
	Keywords bool // takes the named arguments that no other parameter does
}

// Call is a call that a function makes.
type Call struct {
	Callee string // the dotted path as written: "self.check", "os.path.join", "NewReader().Read"
	Line   int    // of the first such call
}

// Site is one place that raises, or that may turn out to raise when other files are known.
type Site struct {
	Kind     Kind
	Function int // index in Facts.Functions, or NoFunction
	// Start and End are byte offsets of the whole raising statement in the decoded file; Line and EndLine its lines, 1-based.
	Start, End    uint32
	Line, EndLine int
	// Made is the line on which the raised value was constructed, where that is another statement; 0 otherwise. Some runtimes
	// print that line in their stack traces.
	Made int
	// Type is the type or class raised, as written: a Name or Attr ("ValueError", "errors.UsageError"). nil where the form has
	// none (a log call), and for a value whose type is not known here.
	Type *expr.Expr
	// TypeName is the type's name where the form itself decides it ("AssertionError", "SystemExit", "panic"); it wins over Type.
	TypeName string
	// Args are the arguments of the constructor or call as written, with local definitions put in where they are certain.
	Args []*expr.Expr
	// Message is the text as an expression, local variables replaced by what reaches the site (expr.Alt where several do);
	// nil if the type's own message decides (then Args bind to the type's parameters) or there is none.
	Message *expr.Expr
	// Via is set where Message is what another function makes of Args (raise make(x); fail("…")): the callee's dotted path.
	// link resolves it: to a maker, to a helper that raises, or to nothing; a site with Potential set that resolves to nothing
	// is dropped, any other stays with an unknown message.
	Via       string
	Potential bool
	// Sentinel is the dotted path of an error value made elsewhere that this site raises or returns ("io.EOF", "ErrClosed").
	Sentinel string
	// Wraps is the expression of the error that this one is chained to (raise … from e, %w, cause:), nil if none.
	Wraps *expr.Expr
	// Declared is set for an error value that is made once at top level, to be raised elsewhere: the name it is kept under.
	Declared  string
	Condition []Part
	Defs      []Def
	// Held are names of the message that hold what a call returned, where Defs does not say so because what the call was given may
	// have changed since: the call tells which text it is, and no value.
	Held []Def
	// Assigned are the names and member paths in the condition, its definitions and the message that the function itself gave a
	// value before the site: no caller controls them.
	Assigned []string
	// Kept says that the error is only made here, and the function goes on: it is filed in a list, sent on or handed to somebody.
	Kept bool
	// Comment is the text of the comments directly above or beside the raise and its guard, line breaks kept.
	Comment string
}

// Role is why a part of the condition must hold.
type Role string

// The roles.
const (
	RoleGuard   Role = "guard"    // the nearest enclosing branch
	RoleBranch  Role = "branch"   // an enclosing branch further out
	RoleExit    Role = "exit"     // an earlier branch that leaves the function or the loop was not taken; Expr is already negated
	RoleCase    Role = "case"     // the arm of a switch or match; Expr says what the subject equals
	RoleDefault Role = "default"  // no arm of a switch fitted; Expr is the negation of all of them, where known
	RoleLoop    Role = "loop"     // inside a loop: Expr is the while condition, or nil with Text "for x in xs"
	RoleEnd     Role = "loop end" // the loop before it ended without leaving; Text names it
	RoleHandler Role = "handler"  // a call failed: Text names the call and the error's type; Expr nil, or err != nil
	RoleAssert  Role = "assert"   // the negated condition of an assertion
	RoleAfter   Role = "after"    // an earlier statement that would have left by itself did not (a call that raises, an assertion)
)

// Part is one thing that must hold on the way from the function's entry to the site. Parts stand in the order of execution.
type Part struct {
	Role Role
	Expr *expr.Expr // nil where only words can say it
	Text string     // the words, where Expr is nil or says too little; for RoleHandler the failing call as written
	Line int        // of the condition
	// Leaves, for RoleExit, is what the branch that was not taken does: "return", "continue", "break", "raise".
	Leaves string
	// Stale are the names in Expr whose value at the site is, or may be, another than it was when the part was evaluated:
	// values bound from the message must not be put in for them.
	Stale []string
}

// Def is what a name that stands in the condition or the message was computed from: the only definition that reaches the site,
// still valid there (nothing that it was computed from has changed since).
type Def struct {
	Name  string // a local name, or a member path ("self.size")
	Value *expr.Expr
	Line  int
}

// Value is a constant of the module, class or package that messages, conditions or types may refer to.
type Value struct {
	Name  string // "MSG", "Class.MSG", "codes" (then Value is a Map)
	Value *expr.Expr
	Line  int
	// Site is the index of the site that makes it (Go's var ErrX = errors.New), or -1.
	Site int
}

// Type is a class or type, kept if it may be an error or its methods may be called.
type Type struct {
	Name    string // with enclosing types: "Outer.Inner"
	Bases   []string
	Line    int
	EndLine int
	Doc     string
	Params  []Param // of the constructor, without the receiver; fields in order for a composite type
	// Fields says what constructor and class body put into members that the message uses: name to value in terms of Params.
	Fields []Def
	// Message is the text of a value of the type, in terms of Params and Fields ("self.x" is written as Attr of Name "self",
	// whatever the receiver is called); nil if a base decides.
	Message *expr.Expr
	// Super are the arguments that the constructor hands to its base, in terms of Params; nil if it does not.
	Super []*expr.Expr
	// SuperOf names the base whose constructor gets them, as written; empty for the nearest base.
	SuperOf string
}

// Expectation is a test that expects an error.
type Expectation struct {
	Function int // index in Functions, or NoFunction
	Line     int
	EndLine  int
	Type     string // dotted path as written, empty if any
	// Message is the expected text: exact, a part, or a regular expression, as Form says.
	Message *expr.Expr
	Form    string   // "equal", "contains", "regexp", or "" if only the type is expected
	Calls   []string // callees inside the expecting block, as written
	Negated bool     // expects that nothing is raised
}

// Handler is a place that takes errors up: a clause of a try statement, or a check of what error a value is.
type Handler struct {
	Function int // index in Functions, or NoFunction
	Line     int // of the clause or check
	From, To int // lines of what a clause guards; 0 for a check
	// Types are the dotted paths, as written, of the types and declared errors that it is about; empty for a clause that takes all.
	Types []string
}

// Handled adds a handler, whose function is found by its line.
func (f *Facts) Handled(h Handler) {
	h.Function = NoFunction
	for i := range f.Functions {
		if fn := &f.Functions[i]; fn.Line <= h.Line && h.Line <= fn.EndLine && (h.Function < 0 || fn.Line >= f.Functions[h.Function].Line) {
			h.Function = i
		}
	}
	f.Handlers = append(f.Handlers, h)
}

// Common reports whether a name is one of a module, a type or a value of the whole file: nothing that a caller gives.
func (f *Facts) Common(name string) bool {
	return name == "" || name[0] >= 'A' && name[0] <= 'Z' ||
		slices.ContainsFunc(f.Values, func(v Value) bool { return v.Name == name }) ||
		slices.ContainsFunc(f.Imports, func(i Import) bool {
			return i.Local == name || i.Local == "" && strings.HasSuffix("/"+i.Module, "/"+name)
		})
}

// Problem is something in the file that was not understood.
type Problem struct {
	Line   int
	Reason string // from a small fixed set per language, so that coverage can count it
}
