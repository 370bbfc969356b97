// Package layout lays a model's KV cache out as ordered, named regions.
//
// A prefill process and a decode process each hold, per pipeline stage, a number of buffers: the pages of the KV cache, the state that
// some attention types keep beside it, and one metadata slot for every request. They move bytes between buffers of the same
// meaning, but all that the protocol registers is lists of buffers, so that meaning is a position in a list. This package builds
// those lists from a [Model] and a [Stage], in the order of the pools of SGLang, and gives each buffer a name that says
// what it holds. The rules that pick positions (package slice) can then be held against the names.
//
// Sizes are bytes and counts of items; nothing here allocates the memory that is described. Everything is bounded by [Limits],
// because descriptions come from files and from peers.
package layout
