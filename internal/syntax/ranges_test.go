package syntax

import (
	"fmt"
	"strings"
	"testing"
)

const module = `import os

@decorated
class A(Base):
    """Doc."""

    def first(self, x):
        if x < 0:
            raise ValueError(f"bad {x} ä")
        return x

    def second(self):
        return [i for i in range(3)]

    def third(self, y=1):
        assert y, "y"

def after():
    pass`

// between is the part of module from where one text begins to where another does.
func between(t *testing.T, from, to string) Range {
	t.Helper()
	start, end := strings.Index(module, from), len(module)
	if to != "" {
		end = strings.Index(module, to)
	}
	if start < 0 || end < start {
		t.Fatalf("%q to %q is no part of the module", from, to)
	}
	return Range{uint32(start), uint32(end)}
}

// function prints all nodes of the function of a name, in which no position is relative.
func function(t *testing.T, tree *Tree, name string) string {
	t.Helper()
	g := tree.Grammar
	for i := range int(len(tree.Nodes)) {
		if tree.Symbol(i) != g.Symbol("function_definition") || string(tree.Text(tree.Child(i, g.Field("name")))) != name {
			continue
		}
		var b strings.Builder
		for j := i; j < tree.After(i); j++ {
			n := tree.Nodes[j]
			fmt.Fprintf(&b, "%s %d-%d rows %d-%d flags %d field %d parent %d\n", tree.Name(j), n.Start, n.End, tree.Row(j), tree.EndRow(j), n.Flags, n.Field, tree.Parent(j)-i)
		}
		// What stands around the function differs.
		_, rest, _ := strings.Cut(b.String(), "\n")
		return fmt.Sprintf("%s in %s\n%s", tree.Name(i), tree.Name(tree.Parent(i)), rest)
	}
	return ""
}

func TestPartsHaveTheNodesOfTheWhole(t *testing.T) {
	g := grammar(t, languages()[".py"])
	whole := parse(t, NewParser(), g, []byte(module), Options{})
	if whole.HasError(0) {
		t.Fatal("the module is not well-formed")
	}
	header := between(t, "class A", `    """Doc`)
	for _, c := range []struct {
		name      string
		include   []Range
		functions []string
	}{
		{"header and first", []Range{header, between(t, "    def first", "    def second")}, []string{"first"}},
		{"header and last", []Range{header, between(t, "    def third", "def after")}, []string{"third"}},
		{"header, first, last", []Range{header, between(t, "    def first", "    def second"), between(t, "    def third", "def after")}, []string{"first", "third"}},
		{"parts that touch", []Range{header, between(t, "    def first", "    def second"), between(t, "    def second", "    def third")}, []string{"first", "second"}},
		{"to the end, which has no line end", []Range{between(t, "import", "@decorated"), between(t, "def after", "")}, []string{"after"}},
		{"an empty part", []Range{header, {header.End, header.End}, between(t, "    def second", "    def third"), {uint32(len(module)), uint32(len(module))}}, []string{"second"}},
		{"all", []Range{{0, uint32(len(module))}}, []string{"first", "second", "third", "after"}},
	} {
		part := parse(t, NewParser(), g, []byte(module), Options{Include: c.include})
		if part.HasError(0) {
			t.Errorf("%s: has errors", c.name)
		}
		for _, f := range []string{"first", "second", "third", "after"} {
			want := ""
			for _, wanted := range c.functions {
				if f == wanted {
					want = function(t, whole, f)
				}
			}
			if got := function(t, part, f); got != want {
				t.Errorf("%s: %s is\n%swant\n%s", c.name, f, got, want)
			}
		}
	}
}

func TestNothingIncluded(t *testing.T) {
	g := grammar(t, languages()[".py"])
	for _, include := range [][]Range{{}, {{0, 0}}, {{10, 10}}} {
		tree := parse(t, NewParser(), g, []byte(module), Options{Include: include})
		if len(tree.Nodes) != 1 {
			t.Errorf("%v: %d nodes, want the root alone", include, len(tree.Nodes))
		}
	}
}

func TestRangesThatAreNoLines(t *testing.T) {
	g, end := grammar(t, languages()[".py"]), uint32(len(module))
	header := between(t, "class A", `    """Doc`)
	for name, include := range map[string][]Range{
		"begins within a line": {{1, header.End}},
		"ends within a line":   {{header.Start, header.End - 1}},
		"backwards":            {{header.End, header.Start}},
		"out of order":         {header, {0, header.Start}},
		"overlap":              {{0, header.End}, header},
		"ends behind the end":  {{header.Start, end + 1}},
		"begins behind it":     {{end + 5, end + 9}},
		"begins far behind it": {{1<<32 - 1, 1<<32 - 1}},
	} {
		if tree, err := NewParser().Parse(g, []byte(module), Options{Include: include}); err != ErrRanges || tree != nil {
			t.Errorf("%s: error %v, want %v", name, err, ErrRanges)
		}
	}
}

// A file of many functions of which every other one is left out takes no time that grows with the square of their number: without
// that this test would not end.
func TestManyParts(t *testing.T) {
	g := grammar(t, languages()[".py"])
	var b strings.Builder
	var include []Range
	for i := range 20_000 {
		start := b.Len()
		fmt.Fprintf(&b, "def f%d(a, b):\n    raise ValueError(a + b)\n", i)
		if i%2 == 0 {
			include = append(include, Range{uint32(start), uint32(b.Len())})
		}
	}
	tree := parse(t, NewParser(), g, []byte(b.String()), Options{Include: include, Timeout: 5 * 60e9})
	functions := 0
	for c := range tree.NamedChildren(0) {
		if tree.Symbol(c) == g.Symbol("function_definition") && !tree.HasError(c) {
			functions++
		}
	}
	if functions != len(include) {
		t.Errorf("%d functions, want %d", functions, len(include))
	}
}
