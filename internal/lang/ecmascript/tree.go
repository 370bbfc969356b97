package ecmascript

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// dialect is a grammar with the kind of each of its symbols.
type dialect struct {
	grammar *syntax.Grammar
	kinds   []kind // by symbol
}

// newDialect reads a grammar. A grammar that does not fit this build is a fault of the build, which tests find.
func newDialect(language unsafe.Pointer) (*dialect, error) {
	g, err := syntax.NewGrammar(language)
	if err != nil {
		return nil, fmt.Errorf("read the grammar: %w", err)
	}
	d := &dialect{grammar: g}
	for name, k := range kindNames() {
		if s := g.Symbol(name); s != syntax.NoSymbol {
			for int(s) >= len(d.kinds) {
				d.kinds = append(d.kinds, kOther)
			}
			d.kinds[s] = k
		}
	}
	return d, nil
}

// tree is the syntax tree of one file. A node is its index; -1 is none. Only named nodes are seen through it.
type tree struct {
	src   string
	nodes []syntax.Node
	kinds []kind
}

func (t *tree) len() int          { return len(t.nodes) }
func (t *tree) start(n int) int   { return int(t.nodes[n].Start) }
func (t *tree) end(n int) int     { return int(t.nodes[n].End) }
func (t *tree) after(n int) int   { return n + int(t.nodes[n].Size) }
func (t *tree) text(n int) string { return t.src[t.nodes[n].Start:t.nodes[n].End] }

func (t *tree) parent(n int) int {
	if n <= 0 {
		return -1
	}
	return int(t.nodes[n].Parent)
}

func (t *tree) kind(n int) kind {
	if n < 0 {
		return kNone
	}
	node := &t.nodes[n]
	switch {
	case node.Flags&syntax.Error != 0:
		return kError
	case node.Flags&syntax.Named == 0:
		return kNone
	case int(node.Symbol) < len(t.kinds):
		return t.kinds[node.Symbol]
	}
	return kOther
}

// skipped reports whether a child is a token or a comment.
func (t *tree) skipped(n int) bool {
	return t.nodes[n].Flags&(syntax.Named|syntax.Extra) != syntax.Named
}

// first is the first named child of n that is no comment, or -1.
func (t *tree) first(n int) int {
	if n < 0 {
		return -1
	}
	return t.seek(n+1, t.after(n))
}

// next is the sibling behind child c of n, or -1.
func (t *tree) next(c, n int) int { return t.seek(t.after(c), t.after(n)) }

func (t *tree) seek(c, end int) int {
	for ; c < end; c = t.after(c) {
		if !t.skipped(c) {
			return c
		}
	}
	return -1
}

// last is the last named child of n that is no comment, or -1.
func (t *tree) last(n int) int {
	last := -1
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		last = c
	}
	return last
}

// kids are the named children of n that are no comments.
func (t *tree) kids(n int) []int {
	var out []int
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		out = append(out, c)
	}
	return out
}

// child is the first child of n of one of the kinds, or -1.
func (t *tree) child(n int, kinds ...kind) int {
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if slices.Contains(kinds, t.kind(c)) {
			return c
		}
	}
	return -1
}

func newTree(src string, t *syntax.Tree, d *dialect) tree {
	return tree{src: src, nodes: t.Nodes, kinds: d.kinds}
}
