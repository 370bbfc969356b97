package syntax

import (
	"bytes"
	"iter"
)

// Flags say what a node is.
type Flags uint8

// The flags.
const (
	Named Flags = 1 << iota
	Error
	Missing
	HasError // it or something in it could not be parsed
	Extra    // a comment or the like, which can stand anywhere
)

// Node is a node of a flat tree. Its layout is that of wf_node in C.
type Node struct {
	Start, End uint32 // byte offsets, End exclusive
	Row        uint32 // of the start, 0-based
	Size       uint32 // nodes in the subtree, itself included
	Parent     uint32 // index; the root's is None
	Symbol     Symbol
	Field      Field
	Flags      Flags
	_          [3]byte
}

// None is no node.
const None = -1

// Tree is a syntax tree in preorder: a node's first child follows it, and its next sibling follows its subtree.
// Nodes are named by their index; the root is 0. A Tree without nodes is that of a text that could not be parsed.
type Tree struct {
	Grammar *Grammar
	Nodes   []Node
	Source  []byte
}

// Symbol is the symbol of a node.
func (t *Tree) Symbol(i int) Symbol { return t.Nodes[i].Symbol }

// Name is the name of a node's symbol.
func (t *Tree) Name(i int) string { return t.Grammar.Name(t.Nodes[i].Symbol) }

// Text is the source of a node. It shares the source's memory.
func (t *Tree) Text(i int) []byte { return t.Source[t.Nodes[i].Start:t.Nodes[i].End] }

// Is reports whether a node has all the flags.
func (t *Tree) Is(i int, f Flags) bool { return t.Nodes[i].Flags&f == f }

// Row is the 0-based row at which a node starts.
func (t *Tree) Row(i int) int { return int(t.Nodes[i].Row) }

// EndRow is the 0-based row of a node's last byte.
func (t *Tree) EndRow(i int) int {
	n := &t.Nodes[i]
	return int(n.Row) + bytes.Count(bytes.TrimSuffix(t.Source[n.Start:n.End], []byte("\n")), []byte("\n"))
}

// Parent is the parent of a node, None for the root.
func (t *Tree) Parent(i int) int {
	if i <= 0 {
		return None
	}
	return int(t.Nodes[i].Parent)
}

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
	if i == 0 {
		return None
	}
	if next := t.After(i); next < t.After(int(t.Nodes[i].Parent)) {
		return next
	}
	return None
}

// Children are the children of a node.
func (t *Tree) Children(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c, end := i+1, t.After(i); c < end; c = t.After(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// NamedChildren are the named children of a node, comments and the like left out.
func (t *Tree) NamedChildren(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c, end := i+1, t.After(i); c < end; c = t.After(c) {
			if t.Nodes[c].Flags&(Named|Extra) == Named && !yield(c) {
				return
			}
		}
	}
}

// Child is the child of a node in a field, None if there is none.
func (t *Tree) Child(i int, f Field) int {
	if f == 0 {
		return None
	}
	for c, end := i+1, t.After(i); c < end; c = t.After(c) {
		if t.Nodes[c].Field == f {
			return c
		}
	}
	return None
}
