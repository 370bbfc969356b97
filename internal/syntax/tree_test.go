package syntax

import (
	"slices"
	"strings"
	"testing"
)

// only is the one node of a name.
func only(t *testing.T, tree *Tree, name string) int {
	t.Helper()
	found := None
	for i := range int(len(tree.Nodes)) {
		if tree.Name(i) == name {
			if found != None {
				t.Fatalf("there are several nodes %q", name)
			}
			found = i
		}
	}
	if found == None {
		t.Fatalf("there is no node %q", name)
	}
	return found
}

func TestNavigation(t *testing.T) {
	g := grammar(t, languages()[".py"])
	tree := parse(t, NewParser(), g, []byte("if a:\n  x\n# note\nelif b + 1:\n  y\nelif c:\n  z\n"), Options{})
	texts := func(seq func(func(int) bool)) string {
		var out []string
		for c := range seq {
			out = append(out, tree.Name(c)+" "+strings.ReplaceAll(string(tree.Text(c)), "\n", "/"))
		}
		return strings.Join(out, "|")
	}
	statement := only(t, tree, "if_statement")
	for _, c := range []struct{ what, got, want string }{
		{"children", texts(tree.Children(statement)),
			"if if|identifier a|: :|block x|comment # note|elif_clause elif b + 1:/  y|elif_clause elif c:/  z"},
		{"named children", texts(tree.NamedChildren(statement)),
			"identifier a|block x|elif_clause elif b + 1:/  y|elif_clause elif c:/  z"},
		{"alternatives", texts(tree.ChildrenIn(statement, g.Field("alternative"))),
			"elif_clause elif b + 1:/  y|elif_clause elif c:/  z"},
		{"no field", texts(tree.ChildrenIn(statement, 0)), ""},
		{"the first child ends the walk", texts(func(yield func(int) bool) {
			for c := range tree.Children(statement) {
				yield(c)
				return
			}
		}), "if if"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s\nwant %s", c.what, c.got, c.want)
		}
	}
	if c := tree.Child(statement, g.Field("condition")); string(tree.Text(c)) != "a" {
		t.Errorf("the condition is node %d", c)
	}
	if c := tree.Child(statement, g.Field("operator")); c != None {
		t.Errorf("there is an operator, node %d", c)
	}
	if c := tree.Child(statement, 0); c != None {
		t.Errorf("no field is that of node %d", c)
	}
	sum := only(t, tree, "binary_operator")
	operator := tree.Child(sum, g.Field("operator"))
	if tree.Symbol(operator) != g.Token("+") || tree.Is(operator, Named) || g.Token("+") == NoSymbol {
		t.Errorf("the operator is %q", tree.Name(operator))
	}
	var bySibling []int
	for c := tree.FirstChild(statement); c != None; c = tree.NextSibling(c) {
		bySibling = append(bySibling, c)
	}
	if all := slices.Collect(tree.Children(statement)); !slices.Equal(all, bySibling) {
		t.Errorf("siblings %v, children %v", bySibling, all)
	}
	if tree.NextSibling(0) != None || tree.Parent(0) != None || tree.FirstChild(tree.FirstChild(statement)) != None {
		t.Error("the root has a sibling or a parent, or a token a child")
	}
	if tree.Parent(statement) != 0 || tree.Symbol(0) != g.Symbol("module") {
		t.Error("the root is not around the statement")
	}
	if first, last := tree.Row(statement), tree.EndRow(statement); first != 0 || last != 6 {
		t.Errorf("the statement has rows %d to %d, want 0 to 6", first, last)
	}
	// The module ends behind its last line end, which is a byte of that line.
	if last := tree.EndRow(0); last != 6 {
		t.Errorf("the module ends in row %d, want 6", last)
	}
}

func TestRows(t *testing.T) {
	g := grammar(t, languages()[".py"])
	for _, src := range []string{"", "a", "\n", "a\n\nb", strings.Repeat("\n", 3*rowBlock), strings.Repeat("x = 1\r\n# ä\n", 500)} {
		tree := parse(t, NewParser(), g, []byte(src), Options{})
		row := 0
		for at := range len(src) + 1 {
			if got := tree.RowAt(uint32(at)); got != row {
				t.Fatalf("%.20q: byte %d is in row %d, want %d", src, at, got, row)
			}
			if at < len(src) && src[at] == '\n' {
				row++
			}
		}
		if got := tree.RowAt(1<<32 - 1); got != row {
			t.Errorf("%.20q: behind the end is row %d, want %d", src, got, row)
		}
	}
}

func TestMissingAndErrorNodes(t *testing.T) {
	g := grammar(t, languages()[".js"])
	tree := parse(t, NewParser(), g, []byte("f(a;\nlet ok = 1; %%%"), Options{})
	missing, failed, fine := 0, 0, 0
	for i := range int(len(tree.Nodes)) {
		switch {
		case tree.Is(i, Missing):
			missing++
		case tree.Is(i, Error):
			failed++
			if tree.Name(i) != "ERROR" || !tree.Is(i, Named|HasError) {
				t.Errorf("an error is %+v", tree.Nodes[i])
			}
		case tree.Name(i) == "lexical_declaration" && !tree.HasError(i):
			fine++
		}
	}
	if missing != 1 || failed == 0 || fine != 1 || !tree.HasError(0) {
		t.Errorf("%d missing nodes, %d errors, %d good declarations", missing, failed, fine)
	}
}

// A parser writes over its nodes, and only then.
func TestParserIsReused(t *testing.T) {
	p := NewParser()
	py, js := grammar(t, languages()[".py"]), grammar(t, languages()[".js"])
	for range 3 {
		for _, c := range []struct {
			g   *Grammar
			src string
		}{{py, "x = 1\n"}, {js, "let x = [1, 2, 3]"}, {py, strings.Repeat("f(x, y)\n", 2000)}, {js, ""}} {
			got := parse(t, p, c.g, []byte(c.src), Options{})
			want := parse(t, NewParser(), c.g, []byte(c.src), Options{})
			if !slices.Equal(got.Nodes, want.Nodes) || got.Grammar != c.g {
				t.Errorf("a parser that was used before reads %.20q otherwise", c.src)
			}
		}
	}
	var zero Parser
	parse(t, &zero, py, []byte("x"), Options{})
}
