// Package lang is the seam between the languages and everything else.
//
// A language is a struct value: name, files, an extractor, a spelling, and the few rules by which link, match and explain treat
// what its extractor found. The zero value of a further field means "no". Its folder holds all of it; package all lists the members.
package lang

import (
	"fmt"
	"regexp"
	"time"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Language is one language.
type Language struct {
	// Name is the language's name as go-enry spells it.
	Name string
	// Family is shared by languages whose files import each other and name each other's types and functions; empty: it is alone.
	Family string
	// Version is the version of the extractor: cached facts of another version are not used. Raise it with every change that
	// changes what it says about a file.
	Version int
	// Extensions are the file name endings with the dot, lower case; Filenames whole names; Interpreters those of a #! line.
	Extensions, Filenames, Interpreters []string
	// Paths limits the files with these names to some; nil: all of them.
	Paths func(path string) bool
	// NewExtractor returns an extractor for one goroutine. It is called once a worker, so that buffers and parsers are reused.
	NewExtractor func() Extractor
	// Spelling prints built expressions as the language writes them.
	Spelling expr.Spelling
	// Modules names the module that a file is, most specific first: the ways in which imports of other files may name it.
	// path is slash-separated and relative to the root.
	Modules func(path string, f *raise.Facts) []string
	// Imported names the modules that an import of the file at path may mean, in the spelling of Modules, best first.
	Imported func(path string, imp raise.Import) []string
	// Scope names what shares top-level names without an import; nil: each file by itself.
	Scope func(path string, f *raise.Facts) string
	// FileLocal says that functions that are not exported are known to their own file alone, whatever the scope.
	FileLocal bool
	// ImplicitMembers says that a bare name inside a method may be a member of its type.
	ImplicitMembers bool
	// Rules are what evaluation knows of the language's values.
	Rules condition.Rules
	// Constructors are the names of the methods that constructing a type runs.
	Constructors []string
	// Catalogue is set where files hold messages for others under keys: the values of their facts.
	Catalogue *Catalogue
	// Render is the text of an error of a type that the repository does not define, made with these arguments, as the runtime
	// prints it: a text expression, or nil if it prints none. nil: the first argument is the text.
	Render func(typeName string, args []*expr.Expr) *expr.Expr
	// Bases are the types that a type of the language's own library extends, nearest first; nil if unknown.
	Bases func(typeName string) []string
	// Environment is how source reads the environment.
	Environment Environment
	// Faults are the errors that the language itself raises.
	Faults []Fault
	// Traces are the forms in which the language's runtime and test tools print errors.
	Traces []Trace
	// CheckCode is code that makes a call only where a condition holds; HandlerCode code that takes up an error of a type that the
	// call raises ("" if it has none). nil: pages of the language show none.
	CheckCode   func(condition, call string) string
	HandlerCode func(typ, call string) string
	// Parses reports whether code is well-formed, for generated checks and handlers.
	Parses func(code string) bool
}

// FactsVersion is the version of the facts that are stored of the language's files: of the extractor and of the form they are stored in.
func (l *Language) FactsVersion() int { return l.Version<<8 | raise.FormVersion }

// Catalogue says how source refers to the texts that a file holds under keys.
type Catalogue struct {
	// Of names the catalogue that the file at path is a part of, as source may name it before a key ("Resources"), and the locale
	// that its texts are in, "" for the default one; ok is false for a file that holds no messages.
	Of func(path string) (name, locale string, ok bool)
	// Source says that keys are texts of the source, which are the default themselves.
	Source bool
	// Only says that the language's files hold nothing but messages.
	Only bool
}

// Extractor turns the bytes of one file, decoded to UTF-8, into facts. It never panics on any input and keeps to the options;
// what it could not read stands in Facts.Problems. The facts must not refer to src's memory longer than the caller keeps it:
// the caller encodes them before src is reused.
type Extractor func(src []byte, o Options) *raise.Facts

// Options bound the work on one file.
type Options struct {
	Timeout  time.Duration // of parsing; 0: 10 s
	MaxNodes int           // of the syntax tree; 0: 5 million
}

// Trace is one form of printed errors.
type Trace struct {
	Name string
	// Find returns the errors printed in text in this form, in the order of the text; causes are separate observations that
	// refer to each other by Of. It runs in time linear in the text.
	Find func(text string) []raise.Observation
}

// Validate reports the first rule that a list of languages breaks: names are given once, versions are positive, endings belong
// to one language, extractor and module rules exist. Tests call it; nothing else relies on review for these.
func Validate(all []*Language) error {
	ending := regexp.MustCompile(`^\.[a-z0-9_+.]+$`)
	names, endings := map[string]bool{}, map[string]string{}
	for _, l := range all {
		switch {
		case l.Name == "" || names[l.Name]:
			return fmt.Errorf("language %q: name missing or given twice", l.Name)
		case l.Version < 1:
			return fmt.Errorf("language %s: version %d is not positive", l.Name, l.Version)
		case l.NewExtractor == nil || l.Modules == nil || l.Imported == nil:
			return fmt.Errorf("language %s: extractor or module rules missing", l.Name)
		}
		names[l.Name] = true
		for _, e := range l.Extensions {
			if !ending.MatchString(e) {
				return fmt.Errorf("language %s: file name ending %q is not lower case with a dot", l.Name, e)
			}
			if other := endings[e]; other != "" {
				return fmt.Errorf("languages %s and %s: both claim %s", other, l.Name, e)
			}
			endings[e] = l.Name
		}
	}
	return nil
}
