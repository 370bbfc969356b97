// Package syntax is the one package that knows tree-sitter. It parses a text and returns the whole tree as a flat array in preorder,
// made by one call into C, so that walking it costs no more than walking a slice.
//
// What it reads is taken for hostile. The time, the memory and the C stack of a parse are bounded, and so are the number of nodes and
// the depth of a tree; a text that goes beyond them costs an error, never the process. shim.h is the interface between Go and C.
package syntax
