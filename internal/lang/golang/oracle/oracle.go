// Package oracle lists, with the type checker, the calls of a Go tree that surely raise or make an error: errors.New, fmt.Errorf and
// panic, whatever they are imported as and wherever a name hides them. Tests and the benchmark hold the extractor against it.
package oracle

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Call is one call that raises.
type Call struct {
	Name   string // "errors.New", "fmt.Errorf" or "panic"
	Offset int    // of its first byte in the file
	Line   int
	// Top says that it stands outside of functions.
	Top bool
}

// File is a file with its calls.
type File struct {
	Path  string
	Src   []byte
	Calls []Call
}

// Folder lists the files of one folder that parse. Its packages are checked without what they import: which package a name means
// and which names are built in does not depend on that. Files of all platforms are checked together; what they declare twice does
// no harm.
func Folder(dir string) ([]File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	packages := map[string][]*ast.File{}
	var out []File
	at := map[*ast.File]int{}
	for _, p := range paths {
		if info, err := os.Stat(p); err != nil || !info.Mode().IsRegular() {
			continue
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, p, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		at[f] = len(out)
		packages[f.Name.Name] = append(packages[f.Name.Name], f)
		out = append(out, File{Path: p, Src: src})
	}
	for name, files := range packages {
		uses := resolve(fset, name, files)
		for _, f := range files {
			calls(fset, f, uses, &out[at[f]])
		}
	}
	return out, nil
}

// resolve says what the names of a package mean.
func resolve(fset *token.FileSet, name string, files []*ast.File) map[*ast.Ident]types.Object {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: empty{}, Error: func(error) {}, FakeImportC: true}
	// The fault is that of the first thing that an import lacks.
	_, _ = conf.Check(name, fset, files, info)
	return info.Uses
}

// empty imports every package as one without declarations.
type empty struct{}

func (empty) Import(path string) (*types.Package, error) {
	if path == "" {
		return nil, errors.New("import without a path")
	}
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

func calls(fset *token.FileSet, f *ast.File, uses map[*ast.Ident]types.Object, out *File) {
	for _, d := range f.Decls {
		_, function := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name := raising(call.Fun, uses); name != "" {
				at := fset.PositionFor(call.Pos(), false)
				out.Calls = append(out.Calls, Call{Name: name, Offset: at.Offset, Line: at.Line, Top: !function})
			}
			return true
		})
	}
}

// raising is the name of a function that raises, "" for any other.
func raising(fun ast.Expr, uses map[*ast.Ident]types.Object) string {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		if b, ok := uses[fun].(*types.Builtin); ok && b.Name() == "panic" {
			return "panic"
		}
	case *ast.SelectorExpr:
		id, ok := fun.X.(*ast.Ident)
		if !ok {
			return ""
		}
		p, ok := uses[id].(*types.PkgName)
		if !ok {
			return ""
		}
		switch name := p.Imported().Path() + "." + fun.Sel.Name; name {
		case "errors.New", "fmt.Errorf":
			return name
		}
	}
	return ""
}

// Missing lists the calls that no site stands for. Each site stands for one call of its kind.
func Missing(calls []Call, sites []raise.Site) []Call {
	used := make([]bool, len(sites))
	var out []Call
	for _, c := range calls {
		best := -1
		for i := range sites {
			s := &sites[i]
			fits := !used[i] && !s.Potential && s.Sentinel == "" && int(s.Start) <= c.Offset && c.Offset < int(s.End)
			if !fits || (s.Kind == raise.KindPanic) != (c.Name == "panic") {
				continue
			}
			if best < 0 || s.End-s.Start < sites[best].End-sites[best].Start {
				best = i
			}
		}
		if best < 0 {
			out = append(out, c)
			continue
		}
		used[best] = true
	}
	return out
}
