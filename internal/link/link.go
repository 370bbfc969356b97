// Package link joins the facts of one revision: it resolves names, constants, message helpers and error classes across files,
// gives every site its templates, and groups sites to errors with stable ids.
//
// Resolution is by name, as a reader does it: the file, its scope, its imports, the members of a class and its bases; a method on a
// value of unknown type only where the repository defines one alone. What is ambiguous stays unresolved.
package link

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// File is one file of the revision: its path, relative and slash-separated, and the core of its facts.
type File struct {
	Path  string
	Facts *raise.Facts
}

// Place is a line range in a file.
type Place struct {
	File          int // index in the files given to Link
	Site          int // index in the file's Facts.Sites
	Line, EndLine int
	Function      string // qualified
}

// Variant is one message that a site can raise.
type Variant struct {
	ID       string // of the error that it belongs to: 16 hex digits
	Type     string // the type raised, as its last name; "" where the form has none
	Template message.Template
	// Via is where a helper was called with this text, nil if the site says it itself.
	Via *Place
	// Unknown says why the template is not fully known, "" if it is.
	Unknown string
	locales []Translation // of the template, until they are filed with the site
}

// Site is one site with its messages. One that several callers give texts to has a variant for each.
type Site struct {
	Place
	Kind     raise.Kind
	Variants []Variant
	// Translations are the texts of its variants in other locales, where message catalogues hold them.
	Translations []Translation
	// Returned are the places that return or raise the value that this site declares.
	Returned []Place
}

// Revision is what Link makes of the files: the sites of each, in order.
type Revision struct {
	Files []File
	Sites [][]Site
	// Dropped counts, by reason, what looked like a site and turned out to be none.
	Dropped map[string]int
}

// Reasons for which a template is not fully known. Coverage counts them.
const (
	UnknownForeign   = "the text is made in another repository"
	UnknownParameter = "the text is a parameter that no caller found here gives literally"
	UnknownComputed  = "the text is computed at run time"
	UnknownNone      = "raised without a text"
)

// Link joins the files of one revision of the repository called repo. Files of a language that is not among languages are left
// out. It does not keep or change the facts.
func Link(repo string, languages []*lang.Language, files []File) *Revision {
	l := &linker{repo: repo, files: files, languages: map[string]*lang.Language{}}
	for _, g := range languages {
		l.languages[g.Name] = g
	}
	l.index()
	l.indexCatalogues()
	rev := &Revision{Files: files, Sites: make([][]Site, len(files)), Dropped: map[string]int{}}
	l.rev = rev
	for i := range files {
		l.own(i)
	}
	for i := range files {
		l.lent(i)
	}
	l.finish()
	return rev
}

type linker struct {
	repo      string
	files     []File
	languages map[string]*lang.Language
	load      func(file int) *raise.Facts      // reads the names of a file when they are first asked for; nil: files hold theirs
	may       func(file int, name string) bool // whether a file that was not loaded may define a name
	symbols   symbols
	texts     map[string][]entry // of message catalogues, by key
	rev       *Revision
	at        [][]int // for each file and site: its index in rev.Sites[file], or -1
}

// own gives the sites of a file the messages that they say themselves.
func (l *linker) own(file int) {
	f := l.files[file].Facts
	l.at = append(l.at, make([]int, len(f.Sites)))
	for i := range f.Sites {
		s := &f.Sites[i]
		l.at[file][i] = -1
		switch {
		case s.Potential:
			continue
		case s.Sentinel != "":
			continue
		}
		l.add(file, i, l.variants(file, s))
	}
}

func (l *linker) add(file, i int, variants []Variant) *Site {
	s := &l.files[file].Facts.Sites[i]
	l.at[file][i] = len(l.rev.Sites[file])
	l.rev.Sites[file] = append(l.rev.Sites[file], Site{Place: l.place(file, i), Kind: s.Kind, Variants: variants})
	return &l.rev.Sites[file][len(l.rev.Sites[file])-1]
}

func (l *linker) place(file, i int) Place {
	s := &l.files[file].Facts.Sites[i]
	return Place{File: file, Site: i, Line: s.Line, EndLine: s.EndLine, Function: FunctionName(l.files[file].Facts, s.Function)}
}

// lent gives sites the messages that other places give them: callers of helpers, and returns of declared errors.
func (l *linker) lent(file int) {
	f := l.files[file].Facts
	for i := range f.Sites {
		s := &f.Sites[i]
		switch {
		case s.Sentinel != "":
			l.sentinel(file, i, s)
		case s.Potential:
			l.potential(file, i, s)
		}
	}
}

// sentinel records where a declared error is returned or raised. One that is declared elsewhere is no site of this repository,
// unless it is raised as it is.
func (l *linker) sentinel(file, i int, s *raise.Site) {
	owner := l.owner(file, s.Function)
	if sym, ok := l.resolve(file, owner, s.Sentinel, 0); ok && sym.value != nil && sym.value.Site >= 0 {
		if at := l.at[sym.file][sym.value.Site]; at >= 0 {
			target := &l.rev.Sites[sym.file][at]
			target.Returned = append(target.Returned, l.place(file, i))
			return
		}
	}
	if s.Kind == raise.KindError && s.Type == nil {
		l.rev.Dropped["returns an error declared in another module"]++
		return
	}
	l.add(file, i, []Variant{l.unknown(file, s, UnknownForeign)})
}

// FunctionName is the qualified name of a function of the facts: "Owner.name"; "" outside of functions.
func FunctionName(f *raise.Facts, function int) string {
	if function < 0 || function >= len(f.Functions) {
		return ""
	}
	fn := f.Functions[function]
	if fn.Owner == "" || fn.Name == "" {
		return fn.Owner + fn.Name
	}
	return fn.Owner + "." + fn.Name
}

// finish removes duplicate variants and gives ids.
func (l *linker) finish() {
	for file := range l.rev.Sites {
		sites := l.rev.Sites[file]
		for i := range sites {
			s := &sites[i]
			l.specific(s)
			for j := range s.Variants {
				v := &s.Variants[j]
				v.ID = l.id(file, s, v)
			}
			s.Variants = distinct(s.Variants)
			for j := range s.Variants {
				for _, t := range s.Variants[j].locales {
					t.Variant = j
					s.Translations = append(s.Translations, t)
				}
			}
		}
	}
}

// specific drops a variant without any literal text where the site has others: callers give the real texts.
func (l *linker) specific(s *Site) {
	var kept []Variant
	for _, v := range s.Variants {
		if v.Template.Key() != "" && strings.Trim(v.Template.Key(), "\x00") != "" {
			kept = append(kept, v)
		}
	}
	if len(kept) > 0 && len(kept) < len(s.Variants) && s.Variants[0].Unknown == UnknownParameter {
		s.Variants = kept
	}
}

func distinct(all []Variant) []Variant {
	seen := map[string]bool{}
	out := all[:0]
	for _, v := range all {
		key := v.ID
		if v.Via != nil {
			// Two callers that give the same text are two places of one error.
			key += fmt.Sprint(v.Via.File, ":", v.Via.Site)
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

// id names the error that a variant belongs to. It is made from repository, language, type and the literal text of the template,
// so that it survives moved lines, renamed variables and moved files; without literal text the function stands in.
func (l *linker) id(file int, s *Site, v *Variant) string {
	key := v.Template.Key()
	parts := []string{l.repo, l.files[file].Facts.Language, v.Type, key}
	if strings.Trim(key, "\x00") == "" {
		parts = append(parts, s.Function, string(s.Kind))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x01")))
	return hex.EncodeToString(sum[:8])
}

// typeName is the type that a site raises, as a reader would call it.
func typeName(s *raise.Site) string {
	if s.TypeName != "" {
		return s.TypeName
	}
	if s.Type == nil {
		return ""
	}
	if s.Type.Op == expr.Call {
		return s.Type.Arg(0).Last()
	}
	return s.Type.Last()
}
