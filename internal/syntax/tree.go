package syntax

import "iter"

// Flags say what a node is.
type Flags uint8

// The flags. Their values are those of shim.h.
const (
	Named    Flags = 1 << iota // a node of the grammar's own, not a token such as "+"
	Error                      // it covers what could not be parsed
	Missing                    // the parser put it in, without any text
	HasError                   // it, or something in it, could not be parsed
	Extra                      // a comment or the like, which can stand anywhere
	Cut                        // it has children that are left out, as they are too deep (Options.MaxDepth)
)

// Node is a node of a flat tree. Its layout is that of wf_node in shim.h.
type Node struct {
	Start, End uint32 // byte offsets, End exclusive
	Row        uint32 // of the start, 0-based
	Size       uint32 // nodes in its subtree, itself included
	Parent     uint32 // index; the root's is all ones, see Tree.Parent
	Symbol     Symbol
	Field      Field // the part that it has in its parent
	Flags      Flags
	_          [3]byte
}

// None is no node.
const None = -1

// Tree is a syntax tree in preorder: a node's first child follows it, its next sibling follows its subtree, and its descendants are
// those from behind it up to After. Nodes are named by their index; the root is 0 and always there. Tokens are nodes, too.
//
// A Tree belongs to the parser that made it and is valid until that parser's next Parse. Until then any goroutine may read it.
type Tree struct {
	Grammar *Grammar
	Nodes   []Node
	Source  []byte
	rows    rowIndex
}

// Symbol is the symbol of a node.
func (t *Tree) Symbol(i int) Symbol { return t.Nodes[i].Symbol }

// Name is the name of a node's symbol.
func (t *Tree) Name(i int) string { return t.Grammar.Name(t.Nodes[i].Symbol) }

// Text is the source of a node. It shares the source's memory.
func (t *Tree) Text(i int) []byte { return t.Source[t.Nodes[i].Start:t.Nodes[i].End] }

// Is reports whether a node has all the flags.
func (t *Tree) Is(i int, f Flags) bool { return t.Nodes[i].Flags&f == f }

// HasError reports whether a node, or something in it, could not be parsed.
func (t *Tree) HasError(i int) bool { return t.Is(i, HasError) }

// Row is the 0-based row at which a node starts.
func (t *Tree) Row(i int) int { return int(t.Nodes[i].Row) }

// EndRow is the 0-based row of a node's last byte; that of its start where it has no text. It takes about 20 ns.
func (t *Tree) EndRow(i int) int {
	n := &t.Nodes[i]
	if n.End == n.Start {
		return int(n.Row)
	}
	return t.RowAt(n.End - 1)
}

// RowAt is the 0-based row of a byte of the source, behind its end that of the end. It takes about 20 ns.
func (t *Tree) RowAt(offset uint32) int { return int(t.rows.at(t.Source, offset)) }

// Parent is the parent of a node, None for the root.
func (t *Tree) Parent(i int) int { return int(int32(t.Nodes[i].Parent)) }

// After is the index behind a node's subtree.
func (t *Tree) After(i int) int { return i + int(t.Nodes[i].Size) }

// FirstChild is the first child of a node, None if it has none.
func (t *Tree) FirstChild(i int) int {
	if t.Nodes[i].Size > 1 {
		return i + 1
	}
	return None
}

// NextSibling is the sibling behind a node, None for the last.
func (t *Tree) NextSibling(i int) int {
	if parent, next := t.Parent(i), t.After(i); parent != None && next < t.After(parent) {
		return next
	}
	return None
}

// Children are the children of a node, tokens and comments included.
func (t *Tree) Children(i int) iter.Seq[int] {
	return t.children(i, func(*Node) bool { return true })
}

// NamedChildren are the named children of a node without comments and the like.
func (t *Tree) NamedChildren(i int) iter.Seq[int] {
	return t.children(i, func(n *Node) bool { return n.Flags&(Named|Extra) == Named })
}

// ChildrenIn are the children of a node in a field, of which a grammar allows several in some places.
func (t *Tree) ChildrenIn(i int, f Field) iter.Seq[int] {
	return t.children(i, func(n *Node) bool { return n.Field == f && f != 0 })
}

func (t *Tree) children(i int, wanted func(*Node) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c, end := i+1, t.After(i); c < end; c = t.After(c) {
			if wanted(&t.Nodes[c]) && !yield(c) {
				return
			}
		}
	}
}

// Child is the first child of a node in a field, None if there is none, also for field 0.
func (t *Tree) Child(i int, f Field) int {
	for c := range t.ChildrenIn(i, f) {
		return c
	}
	return None
}
