package syntax

import (
	"fmt"
	"math/rand"
	"testing"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// different says where the flat tree differs from the one that the binding makes of the same text.
func different(tree *Tree, language unsafe.Pointer) error {
	p := sitter.NewParser()
	defer p.Close()
	if err := p.SetLanguage(sitter.NewLanguage(language)); err != nil {
		return err
	}
	want := p.Parse(tree.Source, nil)
	defer want.Close()
	cursor := want.Walk()
	defer cursor.Close()
	fields := map[Field]string{}
	for name, f := range tree.Grammar.fields {
		fields[f] = name
	}
	next, parent := int(0), None
	for {
		if int(next) == len(tree.Nodes) {
			return fmt.Errorf("the flat tree ends at node %d", next)
		}
		self := next
		next++
		if got, want := describe(tree, self, fields), describeBinding(tree.Source, cursor); got != want {
			return fmt.Errorf("node %d is %+v, of the binding %+v", self, got, want)
		}
		if tree.Parent(self) != parent {
			return fmt.Errorf("node %d has parent %d, of the binding %d", self, tree.Parent(self), parent)
		}
		if cursor.GotoFirstChild() {
			parent = self
			continue
		}
		for !cursor.GotoNextSibling() {
			if !cursor.GotoParent() {
				if int(next) != len(tree.Nodes) {
					return fmt.Errorf("the flat tree has %d nodes, the binding's %d", len(tree.Nodes), next)
				}
				return nil
			}
			if tree.After(parent) != next {
				return fmt.Errorf("node %d ends before %d, of the binding before %d", parent, tree.After(parent), next)
			}
			parent = tree.Parent(parent)
		}
	}
}

type description struct {
	name, field                             string
	start, end, row, endRow                 uint
	named, failed, missing, hasError, extra bool
}

func describe(t *Tree, i int, fields map[Field]string) description {
	n := t.Nodes[i]
	return description{t.Name(i), fields[n.Field], uint(n.Start), uint(n.End), uint(n.Row), uint(t.EndRow(i)),
		t.Is(i, Named), t.Is(i, Error), t.Is(i, Missing), t.HasError(i), t.Is(i, Extra)}
}

func describeBinding(src []byte, c *sitter.TreeCursor) description {
	n := c.Node()
	// The binding's row is that of the position behind the node.
	endRow := n.EndPosition().Row
	if n.EndByte() > n.StartByte() && src[n.EndByte()-1] == '\n' {
		endRow--
	}
	return description{n.Kind(), c.FieldName(), n.StartByte(), n.EndByte(), n.StartPosition().Row, endRow,
		n.IsNamed(), n.Kind() == errorName, n.IsMissing(), n.HasError(), n.IsExtra()}
}

// The samples hold what is special in a grammar; they are parsed whole and with pieces missing, so that errors of all kinds occur.
func TestFlatTreeIsTheBindingsTree(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for extension, language := range languages() {
		g, p := grammar(t, language), NewParser()
		whole := sample(t, extension)
		for round := range 60 {
			src := whole
			if round > 0 {
				from := random.Intn(len(whole))
				src = append(append([]byte{}, whole[:from]...), whole[min(from+random.Intn(12), len(whole)):]...)
			}
			if err := different(parse(t, p, g, src, Options{}), language); err != nil {
				t.Errorf("%s, round %d: %v\n%s", extension, round, err, src)
			}
		}
	}
}

func TestFlatTreeOfRealFiles(t *testing.T) {
	for _, c := range []struct{ root, extension, language string }{
		{"/usr/lib/python3*", ".py", ".py"},
		{"/usr/lib/node_modules", ".js", ".js"},
		{"/usr/lib/node_modules", ".js", ".tsx"},
	} {
		t.Run(c.language, func(t *testing.T) {
			language := languages()[c.language]
			g, p := grammar(t, language), NewParser()
			for i, src := range readCorpus(t, c.root, c.extension) {
				if i%8 == 0 {
					if err := different(parse(t, p, g, src, Options{}), language); err != nil {
						t.Errorf("file %d: %v", i, err)
					}
				}
			}
		})
	}
}

// Names that a grammar gives to several symbols have one symbol here, which is that of the nodes.
func TestSymbolsAreOnePerName(t *testing.T) {
	for extension, language := range languages() {
		g := grammar(t, language)
		tree := parse(t, NewParser(), g, sample(t, extension), Options{})
		seen := map[string]Symbol{}
		for i := range int(len(tree.Nodes)) {
			want := g.Token(tree.Name(i))
			if tree.Is(i, Named) {
				want = g.Symbol(tree.Name(i))
			}
			if got := tree.Symbol(i); got != want || got == NoSymbol {
				t.Errorf("%s: node %d of %q has symbol %d, want %d", extension, i, tree.Name(i), got, want)
			}
			seen[tree.Name(i)] = tree.Symbol(i)
		}
		if len(seen) < 60 {
			t.Errorf("%s: the sample has only %d kinds of nodes", extension, len(seen))
		}
	}
	g := grammar(t, languages()[".js"])
	if g.Symbol("no such node") != NoSymbol || g.Token("no such token") != NoSymbol || g.Field("no such field") != 0 {
		t.Error("unknown names have symbols")
	}
	if g.Symbol("+") != NoSymbol || g.Token("identifier") != NoSymbol || g.Symbol("expression") != NoSymbol {
		t.Error("a token is a named node, a named node a token, or a supertype a node")
	}
	if s := g.Symbol("ERROR"); s != ErrorSymbol || g.Name(s) != "ERROR" || g.Name(60000) != "" {
		t.Error("the symbol of errors has another name")
	}
}
