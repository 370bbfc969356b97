package kvtransfer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// declaration is an error as its package declares it.
type declaration struct {
	name string // "slice.LengthError"; a command has the name of its folder, "cmd/kvctl.DirtyError"
	text string // with fmt verbs where figures go
}

// isType tells whether a site that raises values of a type may be this declaration's. Those of errors.New have no type of their own.
func (d declaration) isType(typ string) bool {
	_, own, _ := strings.Cut(d.name, ".")
	return strings.HasPrefix(strings.ToLower(own), "err") || typ == own
}

// verb is a fmt verb.
func verb() *regexp.Regexp { return regexp.MustCompile(`%[-+#0]*\d*(\.\d+)?[a-zA-Z]`) }

// prints tells whether the declaration can print a text, with anything where figures go.
func (d declaration) prints(text string) bool {
	var b strings.Builder
	last := 0
	for _, at := range verb().FindAllStringIndex(d.text, -1) {
		b.WriteString(regexp.QuoteMeta(d.text[last:at[0]]) + "(?s:.*)")
		last = at[1]
	}
	b.WriteString(regexp.QuoteMeta(d.text[last:]))
	return regexp.MustCompile("^" + b.String() + "$").MatchString(text)
}

// filled is the text with figures put in.
func (d declaration) filled() string {
	n := 2
	return verb().ReplaceAllStringFunc(d.text, func(v string) string {
		n++
		switch v[len(v)-1] {
		case 'd':
			return strconv.Itoa(n)
		case 'q':
			return `"stage"`
		}
		return "models"
	})
}

// declarations reads what the packages of the example declare, sorted. Each must be in the file errors.go of its package; errors made
// elsewhere are faults.
func declarations(t *testing.T) []declaration {
	t.Helper()
	var all []declaration
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if filepath.Base(path) == "errors.go" {
			all = append(all, inFile(t, pkg, file)...)
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if what := makes(n); what != "" {
				t.Errorf("%s: %s belongs into errors.go", set.Position(n.Pos()), what)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b declaration) int { return strings.Compare(a.name, b.name) })
	if len(all) < 100 {
		t.Fatalf("only %d errors are declared", len(all))
	}
	return all
}

// makes says what kind of new error a node is; "" for none.
func makes(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil && n.Name.Name == "Error" && n.Type.Results != nil {
			return "a method Error"
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && (x.Name == "errors" && n.Sel.Name == "New" || x.Name == "fmt" && n.Sel.Name == "Errorf") {
			return x.Name + "." + n.Sel.Name
		}
	}
	return ""
}

// inFile reads the declarations of a file errors.go.
func inFile(t *testing.T, pkg string, file *ast.File) []declaration {
	t.Helper()
	var out []declaration
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if makes(d) != "" {
				out = append(out, declaration{pkg + "." + receiver(d), returned(t, d)})
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					call := v.Values[0].(*ast.CallExpr) // of errors.New
					out = append(out, declaration{pkg + "." + v.Names[0].Name, text(call.Args[0])})
				}
			}
		}
	}
	return out
}

// receiver is the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	return typ.(*ast.Ident).Name
}

// returned is the text that a method Error ends with.
func returned(t *testing.T, d *ast.FuncDecl) string {
	t.Helper()
	last, ok := d.Body.List[len(d.Body.List)-1].(*ast.ReturnStmt)
	if !ok {
		t.Fatalf("method Error of %s does not end with its text", receiver(d))
	}
	return text(last.Results[0])
}

// text is the format of an expression: literals as they are, a call of Sprintf by its first argument, anything else as a verb.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value) // the parser has read it
		return s
	case *ast.BinaryExpr:
		return text(e.X) + text(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return text(e.Args[0])
		}
	}
	return "%v"
}
