package link

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Graph answers who calls a function, from the names that the revision's files resolve.
type Graph struct{ l *linker }

// Caller is a call of a function.
type Caller struct {
	File     int    // index in the files given to NewGraph
	Function int    // index in the file's outline
	Name     string // qualified
	Line     int
	// Overloaded says that the type has several functions of that name, which the call does not tell apart.
	Overloaded bool
	// Only says that the call is on a value of unknown type, and the function the only one of its name.
	Only bool
}

// NewGraph returns the call graph of the files of one revision, whose facts need to say no more than language and module: load reads
// the rest of a file, all its functions, types, values and imports, when it is first asked for (nil if there is none), and may says
// whether a file can define a name, so that no other is read for it.
func NewGraph(languages []*lang.Language, files []File, load func(file int) *raise.Facts, may func(file int, name string) bool) *Graph {
	l := &linker{files: files, languages: map[string]*lang.Language{}, load: load, may: may}
	for _, g := range languages {
		l.languages[g.Name] = g
	}
	l.index()
	return &Graph{l}
}

// Facts are what is known of a file, with all its functions.
func (g *Graph) Facts(file int) *raise.Facts { return g.l.facts(file) }

// maxCallers bounds the callers that are listed.
const maxCallers = 200

// Callers lists the calls of a function of a file, in the order of the files. candidates are the files, in order, that define or call
// something of the function's name or of its type's; outline returns the outline of one, or nil.
func (g *Graph) Callers(file, function int, candidates []int, outline func(file int) *raise.Facts) []Caller {
	target := g.l.facts(file).Functions[function]
	if target.Name == "" {
		return nil
	}
	family := g.l.family(g.l.files[file].Facts)
	outlines := make([]*raise.Facts, len(candidates))
	namesakes := 0
	for n, i := range candidates {
		if g.l.family(g.l.files[i].Facts) != family {
			continue
		}
		if outlines[n] = outline(i); outlines[n] == nil {
			continue
		}
		for j := range outlines[n].Functions {
			if fn := &outlines[n].Functions[j]; fn.Name == target.Name && fn.Owner != "" {
				namesakes++
			}
		}
	}
	var out []Caller
	for n, f := range outlines {
		if f == nil {
			continue
		}
		for j := range f.Functions {
			if len(out) >= maxCallers {
				return out
			}
			if c, ok := g.calls(candidates[n], j, f, file, function, namesakes == 1); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// Takes reports whether what asks for an error by a path, within a type of a file, takes one that is raised by a path in another: they
// mean the same type or declared error, or a base of the raised type. alike holds names that the repository does not define for the
// same if they are called alike.
func (g *Graph) Takes(file int, owner, asked string, at int, raised string, alike bool) bool {
	if file < 0 || at < 0 || file >= len(g.l.files) || at >= len(g.l.files) || g.l.family(g.l.files[file].Facts) != g.l.family(g.l.files[at].Facts) {
		return false
	}
	want, known := g.l.resolve(file, owner, asked, 0)
	for depth := 0; depth < maxLookup; depth++ {
		sym, ok := g.l.resolve(at, "", raised, 0)
		switch {
		case ok != known:
		case ok && sym.file == want.file && sym.typ == want.typ && sym.value == want.value && sym.function == want.function:
			return sym.typ != nil || sym.value != nil
		case !ok:
			return alike && LastName(asked) == LastName(raised)
		}
		if !ok || sym.typ == nil || len(sym.typ.Bases) == 0 {
			return false
		}
		at, raised = sym.file, sym.typ.Bases[0]
	}
	return false
}

// Defines reports whether a type or value that a file calls by a path is defined in the repository.
func (g *Graph) Defines(file int, path string) bool {
	if file < 0 || file >= len(g.l.files) {
		return false
	}
	sym, ok := g.l.resolve(file, "", path, 0)
	return ok && (sym.typ != nil || sym.value != nil)
}

// calls reports whether a function of an outline calls the target, and where first.
func (g *Graph) calls(file, caller int, f *raise.Facts, targetFile, target int, alone bool) (Caller, bool) {
	language := g.l.languages[g.l.files[file].Facts.Language]
	t := &g.l.facts(targetFile).Functions[target]
	fn := &f.Functions[caller]
	for _, c := range fn.Calls {
		name := LastName(c.Callee)
		constructs := language != nil && slices.Contains(language.Constructors, t.Name) && name == LastName(t.Owner)
		if name != t.Name && !constructs {
			continue
		}
		if constructs {
			sym, ok := g.l.resolve(file, fn.Owner, c.Callee, 0)
			if ok && sym.typ != nil && sym.file == targetFile && sym.typ.Name == t.Owner {
				return Caller{File: file, Function: caller, Name: FunctionName(f, caller), Line: c.Line, Overloaded: g.overloaded(targetFile, target)}, true
			}
			continue
		}
		sym, ok := g.l.resolve(file, fn.Owner, c.Callee, 0)
		only := false
		if !ok && alone {
			// Nothing else of that name can be meant by a call on a value of unknown type.
			ok, only = t.Owner != "" && strings.Contains(c.Callee, "."), true
			sym = symbol{file: targetFile, function: target}
		}
		if ok && sym.file == targetFile && g.named(targetFile, sym.function, target) {
			return Caller{File: file, Function: caller, Name: FunctionName(f, caller), Line: c.Line, Only: only, Overloaded: g.overloaded(targetFile, target)}, true
		}
	}
	return Caller{}, false
}

// named reports whether two functions of a file go by the same name.
func (g *Graph) named(file, a, b int) bool {
	f := g.l.facts(file).Functions
	return a >= 0 && a < len(f) && f[a].Name == f[b].Name && f[a].Owner == f[b].Owner
}

// overloaded reports whether several functions of a file go by the name of one.
func (g *Graph) overloaded(file, function int) bool {
	n := 0
	for i := range g.l.facts(file).Functions {
		if g.named(file, i, function) {
			n++
		}
	}
	return n > 1
}
