package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// languages are the grammars of the tests, by the extension of their samples in testdata.
func languages() map[string]unsafe.Pointer {
	return map[string]unsafe.Pointer{
		".py": python.Language(), ".js": javascript.Language(),
		".ts": typescript.LanguageTypescript(), ".tsx": typescript.LanguageTSX(),
	}
}

func grammar(t testing.TB, language unsafe.Pointer) *Grammar {
	t.Helper()
	g, err := NewGrammar(language)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// sample is the text of the sample of an extension.
func sample(t testing.TB, extension string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "sample"+extension))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// parse returns the tree of a text without errors of the parse, and checks it and that no memory is left in C.
func parse(t testing.TB, p *Parser, g *Grammar, src []byte, o Options) *Tree {
	t.Helper()
	tree, err := p.Parse(g, src, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := sound(p, tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// sound says what is wrong with a tree, or with what its parse left behind in C.
func sound(p *Parser, tree *Tree) error {
	if p.out.leaked != 0 || p.out.nodes != nil {
		return fmt.Errorf("C holds %d bytes and nodes at %p", p.out.leaked, p.out.nodes)
	}
	if len(tree.Nodes) == 0 || tree.Parent(0) != None || int(tree.Nodes[0].Size) != len(tree.Nodes) {
		return fmt.Errorf("the root is not that of %d nodes", len(tree.Nodes))
	}
	for i := range int(len(tree.Nodes)) {
		n := &tree.Nodes[i]
		if n.Start > n.End || int(n.End) > len(tree.Source) || int(n.Row) != tree.RowAt(n.Start) || tree.EndRow(i) < tree.Row(i) {
			return fmt.Errorf("node %d of %q: %+v, its rows are %d to %d", i, tree.Name(i), *n, tree.RowAt(n.Start), tree.EndRow(i))
		}
		if tree.Name(i) == "" || tree.Is(i, Missing) && (n.Start != n.End || !tree.HasError(i)) {
			return fmt.Errorf("node %d of %q: %+v", i, tree.Name(i), *n)
		}
		last := i
		for c := range tree.Children(i) {
			child := &tree.Nodes[c]
			if tree.Parent(c) != i || child.Start < n.Start || child.End > n.End || last != i && child.Start < tree.Nodes[last].End {
				return fmt.Errorf("node %d of %q in %d of %q: %+v in %+v", c, tree.Name(c), i, tree.Name(i), *child, *n)
			}
			if tree.HasError(c) && !tree.HasError(i) {
				return fmt.Errorf("node %d has an error, which %d around it has not", c, i)
			}
			last = c
		}
	}
	return nil
}
