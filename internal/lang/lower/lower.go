// Package lower turns syntax trees into the shared forms, for languages whose statements, calls and classes are alike.
//
// A language describes itself in a [Dialect]: which nodes are functions, classes, calls and comments, and how it lowers the statements
// and expressions of its grammar. It builds these with the methods of [Body] and [File], which know what is the same everywhere:
// sites with their comments, calls that raise what they are given, closures, outlines of functions, types with what their
// constructors hand on.
package lower

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Dialect is what a language says of its trees. Stmt, Expr, Function, Class and Call must be set.
type Dialect struct {
	Language string // for [raise.Facts]
	Grammar  *syntax.Grammar
	// Stmt lowers a statement and appends it to out; false if the node is none, then its children are read as statements.
	Stmt func(b *Body, out []flow.Stmt, n int) ([]flow.Stmt, bool)
	// Expr lowers an expression; nil for one that is not understood. It lowers the parts with [File.Lower] at the depth given.
	Expr func(f *File, n, depth int) *expr.Expr
	// Function describes the function that a node defines; nil if it defines none.
	Function func(b *Body, n int) *Function
	// Class describes the class or type that a node defines; nil if it defines none.
	Class func(b *Body, n int) *Class
	// Call is the callee of a call and its arguments as nodes; ok is false if the node is no call.
	Call func(f *File, n int) (callee string, ok bool)
	// Inner reads a site inside of an expression that stands in statement stmt (a call that raises, a throw expression); false if
	// the node is none.
	Inner func(b *Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool)
	// Lambda is the body of a function value, its parameters, and whether the body is a block.
	Lambda func(f *File, n int) (body int, params []string, ok bool)
	// Raises reports whether a node, on its own, makes it worth reading the function that it stands in.
	Raises func(f *File, n int) bool
	// Comments are the names of the nodes that are comments; DocMarks begin lines of documentation.
	Comments []string
	// Pure and Grow are those of [flow.Function].
	Pure func(method string) bool
	Grow func(method string, list, args []*expr.Expr) []*expr.Expr
	// Receiver is the name of the object whose method runs.
	Receiver string
	// ErrorType reports whether a type is an error by its name.
	ErrorType func(name string) bool
	// Before reads what the whole file says before anything else is read (imports, constants, macros).
	Before func(f *File)
	// Prepare, if not nil, returns the bytes that are parsed in place of src, of the same length and with the same line breaks: what
	// the grammar cannot read is written so that it can. The text of nodes stays that of src, which it must not change.
	Prepare func(src []byte) []byte
	// Spellings are other spellings of the same length of a file that does not parse: the one of which least is lost is read.
	Spellings func(src []byte) [][]byte
	// After reads what the whole file says once its functions are known (the clauses that take errors up).
	After func(f *File)
}

// Function is a function that a node defines.
type Function struct {
	Name     string
	Owner    string // the type that it belongs to, if another than the one around it
	Params   []raise.Param
	Body     int // the node of its body, or -1
	Exported bool
	Static   bool
	// Handed are the arguments for another constructor, which are evaluated before the body; 0 for none.
	Handed int
	// Error says that it gives back an error, by its declared type.
	Error bool
	// Result is the body where it is one expression, which the function returns.
	Result bool
}

// Class is a class or type that a node defines.
type Class struct {
	Name  string
	Bases []string
	Body  int // the node that holds the members, or -1
	// Type, if not nil, is kept as one that may be an error; its name, lines and documentation are filled in.
	Type *raise.Type
}

// File is one file that is read.
type File struct {
	*syntax.Tree
	Src      string
	Facts    *raise.Facts
	Dialect  *Dialect
	Options  lang.Options
	comments map[syntax.Symbol]bool
	raisers  map[string]bool // functions of the file that raise, by name
	parts    *syntax.Parser  // of fragments
	// Own is what the dialect keeps of the file.
	Own any
}

// maxFragment bounds the nodes of a fragment.
const maxFragment = 20_000

// Fragment reads a text that is no file of its own, such as what a macro expands to, with facts of its own; nil if it cannot be
// parsed. Only the last fragment's tree may be used.
func (f *File) Fragment(src string) *File {
	if f.parts == nil {
		f.parts = syntax.NewParser()
	}
	text := []byte(src)
	if f.Dialect.Prepare != nil {
		text = f.Dialect.Prepare(text)
	}
	t, err := f.parts.Parse(f.Dialect.Grammar, text, syntax.Options{Timeout: f.Options.Timeout, MaxNodes: maxFragment})
	if err != nil || t == nil || len(t.Nodes) == 0 {
		return nil
	}
	facts := &raise.Facts{Language: f.Facts.Language, Module: f.Facts.Module, Imports: f.Facts.Imports}
	return &File{Tree: t, Src: src, Facts: facts, Dialect: f.Dialect, Options: f.Options, comments: f.comments, raisers: map[string]bool{}, Own: f.Own}
}

// Extractor returns an extractor of the language that the dialect describes.
func Extractor(d *Dialect) lang.Extractor {
	parser := syntax.NewParser()
	comments := map[syntax.Symbol]bool{}
	for _, name := range d.Comments {
		comments[d.Grammar.Symbol(name)] = true
	}
	return func(src []byte, o lang.Options) *raise.Facts {
		f := &File{Src: string(src), Facts: &raise.Facts{Language: d.Language}, Dialect: d, Options: o, comments: comments, raisers: map[string]bool{}}
		if d.Prepare != nil {
			src = d.Prepare(src)
		}
		t, err := parse(parser, d, src, syntax.Options{Timeout: o.Timeout, MaxNodes: o.MaxNodes})
		if err != nil {
			f.Problem(1, err.Error())
		}
		if t == nil || len(t.Nodes) == 0 {
			return f.Facts
		}
		f.Tree = t
		f.faults()
		f.read()
		return f.Facts
	}
}

// read reads the file from its root.
func (f *File) read() {
	f.survey()
	if f.Dialect.Before != nil {
		f.Dialect.Before(f)
	}
	b := &Body{File: f, Function: raise.NoFunction}
	stmts := b.Block(0)
	flow.Analyze(flow.Function{Body: stmts, Pure: f.Dialect.Pure, Grow: f.Dialect.Grow}, f.Facts.Sites)
	f.Facts.SortSites()
	if f.Dialect.After != nil {
		f.Dialect.After(f)
	}
}

// survey finds the functions of the file that raise: calls of them with a text can be sites.
func (f *File) survey() {
	d := f.Dialect
	if d.Raises == nil {
		return
	}
	b := &Body{File: f, Function: raise.NoFunction}
	var open []struct {
		name string
		end  int
	}
	for n := range f.Nodes {
		for len(open) > 0 && n >= open[len(open)-1].end {
			open = open[:len(open)-1]
		}
		if !f.Is(n, syntax.Named) {
			if len(open) > 0 && d.Raises(f, n) {
				f.raisers[open[len(open)-1].name] = true
			}
			continue
		}
		if fn := d.Function(b, n); fn != nil {
			open = append(open, struct {
				name string
				end  int
			}{fn.Name, f.After(n)})
		} else if len(open) > 0 && d.Raises(f, n) {
			f.raisers[open[len(open)-1].name] = true
		}
	}
}

// Raiser reports whether a function of this name, defined in the file, raises.
func (f *File) Raiser(name string) bool { return f.raisers[name] }

// Problem notes something that was not understood.
func (f *File) Problem(line int, reason string) {
	f.Facts.Problems = append(f.Facts.Problems, raise.Problem{Line: line, Reason: reason})
}

// faults notes the first place that did not parse.
func (f *File) faults() {
	if !f.Is(0, syntax.HasError) {
		return
	}
	for i := range f.Nodes {
		if f.Nodes[i].Flags&(syntax.Error|syntax.Missing) != 0 {
			f.Problem(f.Row(i)+1, "syntax error")
			return
		}
	}
}

// Text is the source of a node; "" for none.
func (f *File) Text(n int) string {
	if n < 0 {
		return ""
	}
	return f.Src[f.Nodes[n].Start:f.Nodes[n].End]
}

// Kind is the name of a node's kind; "" for none.
func (f *File) Kind(n int) string {
	if n < 0 {
		return ""
	}
	return f.Name(n)
}

// Line is the first line of a node, 1-based; 0 for none.
func (f *File) Line(n int) int {
	if n < 0 {
		return 0
	}
	return f.Row(n) + 1
}

// EndLine is the last line of a node, 1-based; 0 for none.
func (f *File) EndLine(n int) int {
	if n < 0 {
		return 0
	}
	return f.EndRow(n) + 1
}

// Field is the child in a field; -1 if there is none. It takes -1 for a node.
func (f *File) Field(n int, name string) int {
	if n < 0 {
		return syntax.None
	}
	id := f.Dialect.Grammar.Field(name)
	if id == 0 {
		return syntax.None
	}
	return f.Tree.Child(n, id)
}

// Named lists the named children of a node but for comments.
func (f *File) Named(n int) []int {
	if n < 0 {
		return nil
	}
	var out []int
	for c := range f.NamedChildren(n) {
		if !f.comments[f.Symbol(c)] {
			out = append(out, c)
		}
	}
	return out
}

// Within lists the named children of a node but for comments, what could not be parsed among them: statements stand in that, too.
func (f *File) Within(n int) []int {
	if n < 0 {
		return nil
	}
	var out []int
	for c := range f.Children(n) {
		if flags := f.Nodes[c].Flags; flags&syntax.Error != 0 || flags&(syntax.Named|syntax.Extra) == syntax.Named && !f.comments[f.Symbol(c)] {
			out = append(out, c)
		}
	}
	return out
}

// First is the first named child that is no comment; -1 for none.
func (f *File) First(n int) int {
	if n >= 0 {
		for c := range f.NamedChildren(n) {
			if !f.comments[f.Symbol(c)] {
				return c
			}
		}
	}
	return syntax.None
}

// ChildOf is the first child of one of the kinds; -1 for none.
func (f *File) ChildOf(n int, kinds ...string) int {
	if n < 0 {
		return syntax.None
	}
	for c := range f.Children(n) {
		for _, k := range kinds {
			if f.Name(c) == k {
				return c
			}
		}
	}
	return syntax.None
}

// Has reports whether a node has a child that is the given token.
func (f *File) Has(n int, token string) bool {
	if n < 0 {
		return false
	}
	for c := range f.Children(n) {
		if !f.Is(c, syntax.Named) && f.Name(c) == token {
			return true
		}
	}
	return false
}

// markup are the marks of documentation that is written in XML; what they refer to is kept.
var markup = regexp.MustCompile(`<[^<>"]*(?:"(?:[A-Z]:)?([^"]*)")?[^<>]*>`)

// tag is a mark within documentation, {@link Type#method} and its like, and the marks of paragraphs and code.
var tag = regexp.MustCompile(`(?s)\{@\w+\s+([^{}]*)\}|</?(?:p|code|i|b|em|pre|tt)>`)

// said is what a mark within documentation stands for: the label of a link, or else what it refers to.
func said(mark string) string {
	text := strings.TrimSpace(tag.FindStringSubmatch(mark)[1])
	if !strings.HasPrefix(mark, "{@link") {
		return text
	}
	if i := strings.IndexAny(text, " \n"); i > 0 && !strings.Contains(text[:i], "(") {
		return strings.TrimSpace(text[i:])
	}
	return strings.ReplaceAll(strings.TrimPrefix(text, "#"), "#", ".")
}

// Doc is the first paragraph of the comment that ends directly above a node.
func (f *File) Doc(n int) string {
	text := strings.Join(f.above(n, true), "\n")
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	if i := strings.Index(text, "\n@"); i >= 0 {
		text = text[:i]
	}
	if strings.HasPrefix(text, "@") {
		return ""
	}
	if strings.HasPrefix(text, "<summary>") {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "<summary>"), "</summary>")
		text = markup.ReplaceAllString(text, "$1")
	}
	text = tag.ReplaceAllStringFunc(text, said)
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 400 {
		text = string(r[:399]) + "…"
	}
	return text
}
