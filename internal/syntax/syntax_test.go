package syntax

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

func grammar(t testing.TB, lang unsafe.Pointer) *Grammar {
	t.Helper()
	g, err := NewGrammar(lang)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// compare walks the binding's tree and the flat one together.
func compare(t *testing.T, tree *Tree, src []byte, lang unsafe.Pointer) {
	t.Helper()
	p := sitter.NewParser()
	defer p.Close()
	if err := p.SetLanguage(sitter.NewLanguage(lang)); err != nil {
		t.Fatal(err)
	}
	want := p.Parse(src, nil)
	defer want.Close()
	at := 0
	var walk func(n *sitter.Node, parent int)
	walk = func(n *sitter.Node, parent int) {
		if at >= len(tree.Nodes) {
			t.Fatalf("the flat tree ends at %d", at)
		}
		self := at
		got := tree.Nodes[at]
		at++
		if uint(got.Start) != n.StartByte() || uint(got.End) != n.EndByte() || uint(got.Row) != n.StartPosition().Row ||
			tree.Name(self) != n.Kind() || tree.Is(self, Named) != n.IsNamed() || tree.Parent(self) != parent {
			t.Fatalf("node %d: got %+v %s, want %s %d-%d", self, got, tree.Name(self), n.Kind(), n.StartByte(), n.EndByte())
		}
		for i := range n.ChildCount() {
			walk(n.Child(i), self)
		}
		if tree.After(self) != at {
			t.Fatalf("node %d: size %d, want %d", self, got.Size, at-self)
		}
	}
	walk(want.RootNode(), None)
	if at != len(tree.Nodes) {
		t.Fatalf("the flat tree has %d nodes, the binding's %d", len(tree.Nodes), at)
	}
}

const program = `import os

class A(Base):
    """Doc."""

    def first(self, x):
        if x < 0:
            raise ValueError(f"bad {x}")
        return x

    def second(self):
        return [i for i in range(3)]

    def third(self, y=1):
        assert y, "y"

def after():
    pass
`

func TestFlatTreeIsTheBindingsTree(t *testing.T) {
	p := NewParser()
	for _, c := range []struct {
		lang unsafe.Pointer
		src  string
	}{
		{python.Language(), program},
		{python.Language(), ""},
		{python.Language(), "def broken(:\n  raise X(\n"},
		{javascript.Language(), "function f(a) { if (!a) throw new Error(`x ${a}`); return <b c={1}/>; }\n"},
	} {
		tree, err := p.Parse(grammar(t, c.lang), []byte(c.src), Options{})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, tree, []byte(c.src), c.lang)
	}
}

func TestFlatTreeOfRealFiles(t *testing.T) {
	files, _ := filepath.Glob("/usr/lib/python3*/*.py")
	p := NewParser()
	g := grammar(t, python.Language())
	for i, f := range files {
		if i%7 != 0 {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := p.Parse(g, src, Options{})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, tree, src, python.Language())
	}
}

// A class header with some of its methods gives the same nodes for these methods as the whole file.
func TestIncludedRangesKeepOffsets(t *testing.T) {
	g := grammar(t, python.Language())
	cut := func(from, to string) Range {
		return Range{uint32(strings.Index(program, from)), uint32(strings.Index(program, to))}
	}
	include := []Range{cut("class A", `    """Doc`), cut("    def first", "    def second"), cut("    def third", "def after")}
	methods := func(tree *Tree) string {
		var b strings.Builder
		for i := range tree.Nodes {
			if tree.Name(i) == "function_definition" && tree.Name(tree.Parent(i)) == "block" {
				name := tree.Text(tree.Child(i, g.Field("name")))
				if string(name) != "second" {
					for j := i; j < tree.After(i); j++ {
						b.WriteString(tree.Name(j) + ":" + string(tree.Text(j)) + ";")
					}
				}
			}
		}
		return b.String()
	}
	full, err := NewParser().Parse(g, []byte(program), Options{})
	if err != nil {
		t.Fatal(err)
	}
	part, err := NewParser().Parse(g, []byte(program), Options{Include: include})
	if err != nil {
		t.Fatal(err)
	}
	if want, got := methods(full), methods(part); want != got || want == "" {
		t.Errorf("methods differ:\n%s\n%s", want, got)
	}
}

func TestHostileInputIsBounded(t *testing.T) {
	g := grammar(t, python.Language())
	p := NewParser()
	for name, src := range map[string][]byte{
		"parentheses": bytes.Repeat([]byte("("), 10000),
		"lists":       append(bytes.Repeat([]byte("["), 10000), bytes.Repeat([]byte("]"), 10000)...),
		"NUL":         []byte("x = 1\x00\nraise X\n"),
		"invalid":     []byte("raise X('\xff\xfe')\n"),
		"long line":   append([]byte("x = '"), bytes.Repeat([]byte("a"), 4<<20)...),
	} {
		tree, err := p.Parse(g, src, Options{})
		if err == nil && len(tree.Nodes) == 0 {
			t.Errorf("%s: no nodes and no error", name)
		}
	}
	if _, err := p.Parse(g, []byte(program), Options{MaxNodes: 10}); err != ErrTooMany {
		t.Errorf("error %v, want %v", err, ErrTooMany)
	}
	if _, err := p.Parse(g, bytes.Repeat([]byte("x = [(((1 + 2))), f(g(h))]\n"), 200000), Options{Timeout: 1000}); err != ErrTimeout {
		t.Errorf("error %v, want %v", err, ErrTimeout)
	}
	if _, err := p.Parse(g, []byte(program), Options{}); err != nil {
		t.Errorf("after a timeout: %v", err)
	}
}

func corpus(b *testing.B) [][]byte {
	files, _ := filepath.Glob("/usr/lib/python3*/*.py")
	var out [][]byte
	total := 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err == nil {
			out, total = append(out, src), total+len(src)
		}
	}
	if total == 0 {
		b.Skip("no Python library here")
	}
	b.SetBytes(int64(total))
	return out
}

func BenchmarkBinding(b *testing.B) {
	files := corpus(b)
	p := sitter.NewParser()
	defer p.Close()
	if err := p.SetLanguage(sitter.NewLanguage(python.Language())); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, src := range files {
			p.Parse(src, nil).Close()
		}
	}
}

func BenchmarkParse(b *testing.B)   { benchmark(b, false) }
func BenchmarkFlatten(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, flatten bool) {
	files := corpus(b)
	p := NewParser()
	g := grammar(b, python.Language())
	for b.Loop() {
		for _, src := range files {
			if _, err := p.parse(g, src, Options{}, flatten); err != nil {
				b.Fatal(err)
			}
		}
	}
}
