package link

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// symbol is what a name stands for: one of a constant, a function or a type, in a file.
type symbol struct {
	file     int
	value    *raise.Value
	function int // index in the file's Facts.Functions, -1 if it is none
	typ      *raise.Type
}

// symbols finds definitions by name. Qualified names are "Owner.name".
type symbols struct {
	files   []map[string]symbol // by file: top-level and qualified names
	scopes  map[string]*scope   // top-level names that files share
	scopeOf []string
	modules map[string][]module // language + "\x00" + module name to files
	known   map[query]answer    // what was resolved before
	// methods are functions with an owner by their bare name, for calls on values of unknown type.
	methods map[string][]symbol
	// overloads are the further functions of a file under the qualified name of one, in the order of the file.
	overloads map[place][]int
}

// place is a function by the indexes of its file and in it.
type place struct{ file, function int }

// scope is files that see each other's top-level names; of which file a name is meant that several define, the first.
type scope struct {
	files []int
	names map[string]symbol // of the files that were read
}

// module is a file that a module name means; rank is how unspecific that name is for it, 0 for its full name.
type module struct{ file, rank int }

type query struct {
	file        int
	owner, path string
}

type answer struct {
	sym symbol
	ok  bool
}

// maxLookup bounds how far names are followed through imports and bases.
const maxLookup = 6

func (l *linker) index() {
	l.symbols = symbols{files: make([]map[string]symbol, len(l.files)), scopes: map[string]*scope{},
		scopeOf: make([]string, len(l.files)), modules: map[string][]module{}, known: map[query]answer{}, methods: map[string][]symbol{},
		overloads: map[place][]int{}}
	for i := range l.files {
		l.indexHead(i)
	}
	for i := range l.files {
		if l.load == nil {
			l.indexNames(i)
		}
	}
}

// indexHead notes what a file is called and whose names it shares, which its module decides.
func (l *linker) indexHead(i int) {
	f := l.files[i].Facts
	g := l.languages[f.Language]
	if g == nil {
		return
	}
	if g.Scope != nil {
		name := l.family(f) + "\x00" + g.Scope(l.files[i].Path, f)
		l.symbols.scopeOf[i] = name
		if l.symbols.scopes[name] == nil {
			l.symbols.scopes[name] = &scope{names: map[string]symbol{}}
		}
		l.symbols.scopes[name].files = append(l.symbols.scopes[name].files, i)
	}
	for rank, m := range g.Modules(l.files[i].Path, f) {
		key := l.family(f) + "\x00" + m
		l.symbols.modules[key] = append(l.symbols.modules[key], module{i, rank})
	}
}

// names are the top-level and qualified names of a file.
func (l *linker) names(file int) map[string]symbol {
	if l.symbols.files[file] == nil {
		if f := l.load(file); f != nil {
			l.files[file].Facts = f
		}
		l.indexNames(file)
	}
	return l.symbols.files[file]
}

// defined is what a top-level or qualified name means in a file. What cannot define it is not read for that.
func (l *linker) defined(file int, name string) (symbol, bool) {
	if l.symbols.files[file] == nil && l.may != nil && !l.may(file, name) {
		return symbol{}, false
	}
	sym, ok := l.names(file)[name]
	return sym, ok
}

// facts are what is known of a file, with its names.
func (l *linker) facts(file int) *raise.Facts {
	l.names(file)
	return l.files[file].Facts
}

func (l *linker) indexNames(i int) {
	f := l.files[i].Facts
	names := map[string]symbol{}
	l.symbols.files[i] = names
	for j := range f.Functions {
		name := FunctionName(f, j)
		sym := symbol{file: i, function: j}
		if first, taken := names[name]; !taken {
			names[name] = sym
		} else {
			at := place{i, first.function}
			l.symbols.overloads[at] = append(l.symbols.overloads[at], j)
		}
		if f.Functions[j].Owner != "" {
			key := l.family(f) + "\x00" + f.Functions[j].Name
			l.symbols.methods[key] = append(l.symbols.methods[key], sym)
		}
	}
	for j := range f.Values {
		names[f.Values[j].Name] = symbol{file: i, value: &f.Values[j], function: -1}
	}
	for j := range f.Types {
		t := &f.Types[j]
		names[t.Name] = symbol{file: i, typ: t, function: -1}
	}
	g := l.languages[f.Language]
	if shared := l.symbols.scopes[l.symbols.scopeOf[i]]; shared != nil {
		for name, sym := range names {
			if g != nil && g.FileLocal && sym.function >= 0 && !f.Functions[sym.function].Exported {
				continue
			}
			if old, taken := shared.names[name]; !taken || sym.file < old.file {
				shared.names[name] = sym
			}
		}
	}
}

// LastName is the last name of a dotted path.
func LastName(path string) string {
	return path[strings.LastIndexByte(path, '.')+1:]
}

// owner is the type that a function belongs to, for "self".
func (l *linker) owner(file, function int) string {
	f := l.facts(file)
	for n := function; n >= 0 && n < len(f.Functions); n = f.Functions[n].Parent {
		if o := f.Functions[n].Owner; o != "" {
			if _, ok := l.defined(file, o); ok || f.Functions[n].Parent < 0 {
				return o
			}
		}
	}
	return ""
}

// resolve finds what the dotted path means in a file, inside the type owner ("" for none). Answers are remembered, and a path that
// is asked for again while it is being resolved has no answer: imports in circles end there.
func (l *linker) resolve(file int, owner, path string, depth int) (symbol, bool) {
	if depth > maxLookup || path == "" {
		return symbol{}, false
	}
	q := query{file, owner, path}
	if a, ok := l.symbols.known[q]; ok {
		return a.sym, a.ok
	}
	l.symbols.known[q] = answer{}
	sym, ok := l.find(file, owner, path, depth)
	l.symbols.known[q] = answer{sym, ok}
	return sym, ok
}

func (l *linker) find(file int, owner, path string, depth int) (symbol, bool) {
	head, rest, dotted := strings.Cut(path, ".")
	switch {
	case head == "self" || head == "super" || head == "cls":
		if owner == "" || !dotted {
			return symbol{}, false
		}
		return l.member(file, owner, rest, head == "super", depth+1)
	}
	if sym, ok := l.implied(file, owner, path, depth); ok {
		return sym, true
	}
	if sym, ok := l.defined(file, path); ok {
		return l.meant(file, owner, path, sym, depth), true
	}
	if l.imports(file, head) {
		// What a file imports by name hides what the files beside it define under that name.
		if sym, ok := l.imported(file, path, depth); ok {
			return sym, true
		}
	}
	if sym, ok := l.shared(file, path); ok {
		return sym, true
	}
	if dotted {
		// A member of a type that is named directly: Class.MSG inherited from a base.
		if sym, ok := l.resolve(file, owner, head, depth+1); ok && sym.typ != nil {
			if found, ok := l.member(sym.file, sym.typ.Name, rest, false, depth+1); ok {
				return found, true
			}
		}
	}
	return l.imported(file, path, depth)
}

// implied finds a bare name that means a member of the type whose method it stands in, or of a type around that one.
func (l *linker) implied(file int, owner, path string, depth int) (symbol, bool) {
	if g := l.languages[l.files[file].Facts.Language]; owner == "" || g == nil || !g.ImplicitMembers {
		return symbol{}, false
	}
	for owner != "" {
		if sym, ok := l.member(file, owner, path, false, depth+1); ok {
			return sym, true
		}
		owner = owner[:max(strings.LastIndexByte(owner, '.'), 0)]
	}
	return symbol{}, false
}

// meant follows a value that is only another name for something, as the name under which a module exports what it defines.
func (l *linker) meant(file int, owner, path string, sym symbol, depth int) symbol {
	if sym.value == nil || !sym.value.Value.Is(expr.Name) && !sym.value.Value.Is(expr.Attr) {
		return sym
	}
	if other := l.path(sym.value.Value); other != "" && other != path {
		if target, ok := l.resolve(file, owner, other, depth+1); ok {
			return target
		}
	}
	return sym
}

// family names the languages that a file's names are shared with.
func (l *linker) family(f *raise.Facts) string {
	if g := l.languages[f.Language]; g != nil && g.Family != "" {
		return g.Family
	}
	return f.Language
}

// imports reports whether a file imports one symbol under a name.
func (l *linker) imports(file int, name string) bool {
	for i := range l.facts(file).Imports {
		if imp := &l.facts(file).Imports[i]; imp.Local == name && imp.Symbol != "" && imp.Symbol != "*" {
			return true
		}
	}
	return false
}

// imported looks a path up through the imports of a file.
func (l *linker) imported(file int, path string, depth int) (symbol, bool) {
	f := l.facts(file)
	g := l.languages[f.Language]
	if g == nil {
		return symbol{}, false
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		rest := ""
		switch {
		case imp.Local == "*":
			rest = path
		case path == imp.Local:
		case strings.HasPrefix(path, imp.Local) && path[len(imp.Local)] == '.':
			rest = path[len(imp.Local)+1:]
		default:
			continue
		}
		name := strings.Trim(imp.Symbol+"."+rest, ".")
		if imp.Symbol == "*" || imp.Local == "*" {
			name = rest
		}
		if name == "" {
			continue
		}
		for _, target := range l.modules(l.family(f), g.Imported(l.files[file].Path, *imp), l.files[file].Path) {
			if target == file {
				continue
			}
			if sym, ok := l.exported(target, name, depth+1); ok {
				return sym, true
			}
		}
	}
	return symbol{}, false
}

// exported finds a name of a file for one that imports it. Where files share a scope, a package exports what it defines; elsewhere
// a module also hands on what it imported itself.
func (l *linker) exported(file int, path string, depth int) (symbol, bool) {
	if l.symbols.scopeOf[file] != "" {
		return l.shared(file, path)
	}
	return l.resolve(file, "", path, depth)
}

// shared finds a top-level or qualified name in the scope of a file.
func (l *linker) shared(file int, path string) (symbol, bool) {
	s := l.symbols.scopes[l.symbols.scopeOf[file]]
	if s == nil {
		return symbol{}, false
	}
	if l.load != nil {
		for _, f := range s.files {
			l.defined(f, path) // reads what may define it
		}
	}
	sym, ok := s.names[path]
	return sym, ok
}

// modules returns the files that the first fitting candidate names. Where several do, those nearest to the importing file.
func (l *linker) modules(language string, candidates []string, from string) []int {
	for _, c := range candidates {
		if all := l.symbols.modules[language+"\x00"+c]; len(all) > 0 {
			return l.nearest(fullest(all), from)
		}
	}
	return nil
}

// fullest keeps the files for which the name is most specific.
func fullest(all []module) []int {
	best := all[0].rank
	for _, m := range all {
		best = min(best, m.rank)
	}
	var out []int
	for _, m := range all {
		if m.rank == best {
			out = append(out, m.file)
		}
	}
	return out
}

// nearest keeps the files that share the longest leading path with from. A folder's files stay together: they are one package.
func (l *linker) nearest(files []int, from string) []int {
	best, length := files[:0:0], -1
	for _, f := range files {
		switch n := sharedFolders(l.files[f].Path, from); {
		case n > length:
			best, length = append(best[:0:0], f), n
		case n == length:
			best = append(best, f)
		}
	}
	return best
}

func sharedFolders(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// member finds a member of the type called owner in file, or of its bases.
func (l *linker) member(file int, owner, name string, basesOnly bool, depth int) (symbol, bool) {
	if depth > maxLookup {
		return symbol{}, false
	}
	if !basesOnly {
		if sym, ok := l.defined(file, owner+"."+name); ok {
			return sym, true
		}
		if sym, ok := l.shared(file, owner+"."+name); ok {
			return sym, true
		}
	}
	sym, ok := l.defined(file, owner)
	if !ok {
		sym, ok = l.shared(file, owner)
	}
	if !ok || sym.typ == nil {
		return symbol{}, false
	}
	for _, base := range sym.typ.Bases {
		if b, ok := l.resolve(file, "", base, depth+1); ok && b.typ != nil {
			if found, ok := l.member(b.file, b.typ.Name, name, false, depth+1); ok {
				return found, true
			}
		}
	}
	return symbol{}, false
}

// method finds the one function that a call on a value of unknown type can mean: nothing if there are several.
func (l *linker) method(language, path string) (symbol, bool) {
	all := l.symbols.methods[language+"\x00"+LastName(path)]
	if len(all) != 1 || !strings.Contains(path, ".") {
		return symbol{}, false
	}
	// A call on a type that is named means that type's function and no other's.
	of := LastName(path[:strings.LastIndexByte(path, '.')])
	owner := l.files[all[0].file].Facts.Functions[all[0].function].Owner
	if of != "" && of[0] >= 'A' && of[0] <= 'Z' && !strings.HasSuffix(of, ")") && LastName(owner) != of {
		return symbol{}, false
	}
	return all[0], true
}
