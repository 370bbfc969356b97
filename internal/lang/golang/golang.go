// Package golang reads Go source with go/parser.
package golang

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Language returns the language.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "Go",
		Version:      9,
		Extensions:   []string{".go"},
		NewExtractor: newExtractor,
		Spelling: expr.Spelling{And: " && ", Or: " || ", Not: "!", Null: "nil", True: "true", False: "false", Len: "len(%)",
			In: "% in %", NotIn: "!(% in %)", Is: "==", IsNot: "!=", Equal: "==", NotEqual: "!=", TypeTest: "% is %",
			Cond: "% if % else %", CondThenFirst: true, New: "", Coalesce: " or ", IntegerDivision: true},
		Rules:       rules(),
		Modules:     modules,
		Imported:    imported,
		Scope:       func(p string, f *raise.Facts) string { return path.Dir(p) + " " + f.Module },
		Render:      render,
		Traces:      traces(),
		Environment: lang.Environment{Calls: []string{"os.Getenv", "os.LookupEnv"}},
		Faults:      faults(),
		CheckCode:   func(condition, call string) string { return "if " + condition + " {\n\t" + call + "\n}" },
		Parses: func(code string) bool {
			_, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+code+"\n}", 0)
			return err == nil
		},
	}
}

// modules names the package that a file belongs to: its folder, and every shorter tail of it, as import paths may end with it.
func modules(p string, _ *raise.Facts) []string {
	return tails(path.Dir(p))
}

func tails(dir string) []string {
	var out []string
	for {
		out = append(out, dir)
		_, rest, ok := strings.Cut(dir, "/")
		if !ok {
			return out
		}
		dir = rest
	}
}

// imported names the folders that an import path may mean: its longest tails first.
func imported(_ string, imp raise.Import) []string { return tails(imp.Module) }

// render is the text of an error whose type is not known here: what was given to it, if it was one text.
func render(_ string, args []*expr.Expr) *expr.Expr {
	if len(args) == 1 && !args[0].Is(expr.Keyword) {
		return args[0]
	}
	return nil
}

// extractor reads one file at a time.
type extractor struct {
	src    string // the text that is parsed: the file, or what the skimmer left of it
	base   int    // of the parsed file in its file set
	places places
	facts  *raise.Facts
	// imports are the local names of imported packages and their paths.
	imports map[string]string
	// errorTypes are the types of the file that have an Error method.
	errorTypes map[string]bool
	makers     map[string]bool
	// codes are the texts that a type's Error method gives its constants: type, constant, text.
	codes map[string]map[string]*expr.Expr
	// codeTypes are the error types of the file's constants, structs its types that have fields.
	codeTypes map[string]string
	structs   map[string]bool
	deep      bool // a block that is nested too deeply was left out
}

func newExtractor() lang.Extractor {
	s := &skimmer{}
	return func(src []byte, _ lang.Options) *raise.Facts {
		whole := string(src)
		if s.skim(whole) {
			if short, cuts := s.shorten(); cuts != nil {
				if facts, ok := extract(short, newPlaces(whole, cuts)); ok {
					handlers(facts, whole)
					return facts
				}
			}
		}
		facts, _ := extract(whole, newPlaces(whole, nil))
		handlers(facts, whole)
		return facts
	}
}

// extract reads a parsed text; false if it does not parse as a whole.
func extract(src string, p places) (*raise.Facts, bool) {
	x := &extractor{src: src, places: p, facts: &raise.Facts{Language: "Go"}, imports: map[string]string{},
		errorTypes: map[string]bool{}, makers: map[string]bool{}, codes: map[string]map[string]*expr.Expr{}, codeTypes: map[string]string{},
		structs: map[string]bool{}}
	fset := token.NewFileSet()
	x.base = fset.Base()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		if len(p.cuts) > 0 {
			return nil, false
		}
		x.facts.Problems = append(x.facts.Problems, raise.Problem{Line: x.errorLine(err), Reason: "syntax error"})
	}
	if f != nil && f.Name != nil && f.Name.Name != "" {
		x.read(f)
		x.facts.SortSites() // of what does not parse they can come in another order
	}
	return x.facts, err == nil
}

// errorLine is the line of the first syntax error.
func (x *extractor) errorLine(err error) int {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return x.places.line(list[0].Pos.Offset)
	}
	return 1
}

func (x *extractor) read(f *ast.File) {
	x.facts.Module = f.Name.Name
	x.facts.Doc = paragraph(f.Doc.Text())
	for _, spec := range f.Imports {
		x.imported(spec)
	}
	x.survey(f)
	if len(x.errorTypes) > 0 {
		x.codesOf(f)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			x.general(d)
		case *ast.FuncDecl:
			x.function(d)
		}
	}
	x.comments(f)
	x.expectations(f)
}

func (x *extractor) imported(spec *ast.ImportSpec) {
	p := strings.Trim(spec.Path.Value, "\"`")
	name := ""
	if spec.Name != nil {
		name = spec.Name.Name
	}
	local := importedAs(p, name, x.imports)
	x.facts.Imports = append(x.facts.Imports, raise.Import{Local: local, Module: p, Line: x.line(spec.Pos())})
}

// importedAs notes the local name of an import, which may be given, and returns it: "*" for all names.
func importedAs(p, name string, imports map[string]string) string {
	local := path.Base(p)
	if isVersion(local) {
		local = path.Base(path.Dir(p))
	}
	local = strings.TrimSuffix(strings.TrimPrefix(local, "go-"), "-go")
	switch name {
	case "":
	case ".":
		local = "*"
	default:
		local = name
	}
	imports[local] = p
	return local
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// survey finds what the functions of the file refer to: types with an Error method, and functions that return errors.
func (x *extractor) survey(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn.Name.Name == "Error" && fn.Recv != nil && len(fn.Recv.List) == 1 && fn.Type.Params.NumFields() == 0 {
			x.errorTypes[baseType(fn.Recv.List[0].Type)] = true
		}
		if returnsError(fn.Type) || raisingName(fn.Name.Name) {
			x.makers[fn.Name.Name] = true
		}
	}
}

// baseType is the name of a type without pointer and type parameters.
func baseType(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return baseType(e.X)
	case *ast.ParenExpr:
		return baseType(e.X)
	case *ast.IndexExpr:
		return baseType(e.X)
	case *ast.IndexListExpr:
		return baseType(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return baseType(e.X) + "." + e.Sel.Name
	}
	return ""
}

func returnsError(t *ast.FuncType) bool {
	if t.Results == nil {
		return false
	}
	for _, r := range t.Results.List {
		if name := baseType(r.Type); name == "error" || strings.HasSuffix(name, "Error") {
			return true
		}
	}
	return false
}

// paragraph is the first paragraph of a comment's text, as one line.
func paragraph(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 400 {
		text = string(r[:399]) + "…"
	}
	return text
}

// line is the line in the file of a position.
func (x *extractor) line(p token.Pos) int { return x.places.line(x.offset(p)) }

// offset is the byte offset in the file of a position.
func (x *extractor) offset(p token.Pos) int { return x.places.offset(x.short(p)) }

// short is the offset of a position in the text that was parsed.
func (x *extractor) short(p token.Pos) int { return min(max(int(p)-x.base, 0), len(x.src)) }

func (x *extractor) text(n ast.Node) string {
	from, to := x.short(n.Pos()), x.short(n.End())
	if from > to {
		return ""
	}
	return x.src[from:to]
}
