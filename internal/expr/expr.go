// Package expr holds the expressions of source code in one form for all languages.
//
// A language's extractor lowers its syntax tree to [Expr] values; everything after that (messages, conditions, linking, judging)
// works on them alone. An expression keeps its source spelling in [Expr.Src], so that it prints as the code's own words; one that was
// built or substituted prints by structure, in the [Spelling] of its language.
package expr

// Op is what an expression is.
type Op uint8

// The operations. For each: what Text and Args hold.
const (
	// Unknown is an expression that was not understood; only Src is known.
	Unknown Op = iota
	// Name is an identifier: Text.
	Name
	// Number is a numeric literal: Text in the form strconv accepts with base prefix 0x, 0o or 0b, underscores removed.
	Number
	// String is a string literal: Text is its decoded content. Literals that the language joins implicitly are one String.
	String
	// Bool is a truth value: Text is "true" or "false".
	Bool
	// Null is the absent value (the spelling of nil, null, None, undefined): Text is the word as written.
	Null
	// Attr is a member: Args[0] the object, Text the member's name.
	Attr
	// Index is Args[0] at Args[1].
	Index
	// Slice is a part of Args[0] from Args[1] to Args[2]; an absent bound is nil.
	Slice
	// Call is Args[0] called with Args[1:]; Text is "new" for a constructor call by keyword, "await" is dropped by the extractor.
	Call
	// Keyword is a named argument or a map's entry with a literal key: Text the name, Args[0] the value.
	Keyword
	// Entry is a map's entry with a computed key: Args[0] the key, Args[1] the value.
	Entry
	// Spread is an unpacked argument or element: Args[0].
	Spread
	// Not is a logical negation of Args[0].
	Not
	// Unary is an arithmetic or pointer operator, Text one of - + ~ * &, or an operator that is a word (typeof), on Args[0].
	Unary
	// Binary is an operator on two values, Text one of + - * / // % ** << >> & | ^ &^ @ (">>>" included); "/" divides integers
	// only where the spelling says so, "//" always floors.
	Binary
	// Compare compares Args[0] with Args[1]. Text is one of == != < <= > >= in "not in" is "is not". Strict and loose forms of
	// equality are both "==": Src keeps the difference. A chain a < b < c is lowered to And of two Compares.
	Compare
	// And holds if all Args hold, in order, with short circuit; nested ones are flattened by [Conj].
	And
	// Or holds if any of Args holds, in order, with short circuit; [Disj] flattens. A value-or-default is also Or.
	Or
	// Coalesce is the first of Args that is not null.
	Coalesce
	// Cond is a conditional expression: Args[0] the test, Args[1] the value if it holds, Args[2] otherwise.
	Cond
	// Alt is one of Args; which one depends on the path taken. Only flow analysis makes it.
	Alt
	// List is a list or array literal of Args.
	List
	// Tuple is a fixed group of Args.
	Tuple
	// Set is a set literal of Args.
	Set
	// Map is a map or object literal: Args are Keyword, Entry or Spread; Text is the type's name for a composite value that has one.
	Map
	// Interp is an interpolated string: Args are String and Hole; Text is the dialect of the holes' formats.
	Interp
	// Hole is a value inside an Interp: Args[0] the value, Text its format as written ("%q", ":.2f", "!r", "").
	Hole
	// Format is a formatting call: Args[0] the format string, Args[1:] its values, Text the dialect (see the message package).
	Format
	// Join is the elements of the list Args[0] (or the list itself, if it is a literal) with the separator Args[1] between them.
	Join
	// Len is the length or size of Args[0].
	Len
	// TypeTest holds if Args[0] has one of the types Args[1:].
	TypeTest
	// Truthy is Args[0] used as a condition although it need not be a truth value; only conditions hold it.
	Truthy
	// Func is a function value: Args[0] is the result if the body is one expression, otherwise there are no Args.
	Func
	// Error is an error value made by an expression: Args[0] the type or constructor (Name, Attr or Call's callee), Args[1] the
	// message or nil if the type decides it, Args[2:] the constructor's arguments as written. Extractors make it for error
	// constructors that are not themselves raised where they stand. Text is the type where Args[0] is a function that makes the error.
	Error
	// Lookup is a text out of a message catalogue: Args[0] its key, or the text itself where catalogues are keyed by the text,
	// Args[1:] the values put into it, Text the dialect of their places in it ("" if nothing is put in).
	Lookup
)

// Expr is an expression. It is immutable once built: share it freely, change a copy.
type Expr struct {
	Op   Op
	Text string
	Args []*Expr
	// Src is the expression as the source spells it; empty if it was built or changed. Line breaks and comments stand in it as
	// they are; printing folds white space.
	Src string
}

// New returns an expression without a source spelling.
func New(op Op, text string, args ...*Expr) *Expr {
	return &Expr{Op: op, Text: text, Args: args}
}

// Arg returns the i-th argument, or nil if there is none.
func (e *Expr) Arg(i int) *Expr {
	if e == nil || i < 0 || i >= len(e.Args) {
		return nil
	}
	return e.Args[i]
}

// Is reports whether e is not nil and has the operation op.
func (e *Expr) Is(op Op) bool { return e != nil && e.Op == op }

// Str returns a string literal with the content s.
func Str(s string) *Expr { return &Expr{Op: String, Text: s} }

// Ident returns the name s.
func Ident(s string) *Expr { return &Expr{Op: Name, Text: s} }

// Conj joins conditions by And: nil for none, the condition itself for one; nested Ands are flattened.
func Conj(parts ...*Expr) *Expr { return join(And, parts) }

// Disj joins conditions by Or, like [Conj].
func Disj(parts ...*Expr) *Expr { return join(Or, parts) }

func join(op Op, parts []*Expr) *Expr {
	var flat []*Expr
	for _, p := range parts {
		switch {
		case p == nil:
		case p.Op == op:
			flat = append(flat, p.Args...)
		default:
			flat = append(flat, p)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	if len(flat) == 0 {
		return nil
	}
	return &Expr{Op: op, Args: flat}
}

// Path returns the dotted spelling of a name or a chain of members ("a.b.c"), and "" for anything else.
// A call inside the chain is spelled with "()", so that a().b is "a().b".
func (e *Expr) Path() string {
	switch {
	case e == nil:
		return ""
	case e.Op == Name:
		return e.Text
	case e.Op == Attr:
		if base := e.Args[0].Path(); base != "" {
			return base + "." + e.Text
		}
	case e.Op == Call && e.Text == "":
		if base := e.Args[0].Path(); base != "" {
			return base + "()"
		}
	}
	return ""
}

// Last returns the last name of a name or member chain, the name that a reader would call it by; "" for anything else.
func (e *Expr) Last() string {
	if e.Is(Name) || e.Is(Attr) {
		return e.Text
	}
	return ""
}

// Walk calls visit for e and everything below it, outermost first, until visit returns false for a branch.
func (e *Expr) Walk(visit func(*Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, a := range e.Args {
		a.Walk(visit)
	}
}

// Map returns e with every part replaced by what f returns for it, innermost first. What f leaves as it is keeps its spelling;
// a changed part loses its own and its parents' spelling. f must not return nil.
func (e *Expr) Map(f func(*Expr) *Expr) *Expr {
	if e == nil {
		return nil
	}
	changed := false
	args := e.Args
	for i, a := range e.Args {
		b := a.Map(f)
		if b == a {
			continue
		}
		if !changed {
			args = append([]*Expr(nil), e.Args...)
			changed = true
		}
		args[i] = b
	}
	if changed {
		e = &Expr{Op: e.Op, Text: e.Text, Args: args}
	}
	return f(e)
}

// Equal reports whether two expressions have the same structure, whatever their spelling.
func Equal(a, b *Expr) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Op != b.Op || a.Text != b.Text || len(a.Args) != len(b.Args) {
		return false
	}
	if a.Op == Unknown && a.Src != b.Src {
		return false
	}
	for i := range a.Args {
		if !Equal(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}

// Depth bounds how deep extractors build expressions; what is deeper becomes Unknown with its source spelling.
const Depth = 60
