// Package slice answers one question: which entries of the destination's list match the source's entries?
//
// In prefill-decode disaggregation the prefill side may be cut into pipeline stages while decode holds the whole model. Both
// register their buffers as lists, and the list of a stage is shorter. The rules here pick the stage's part out of the whole list from counts
// alone: how many entries each side has, which layers the stage holds, and for compressed MLA how each layer compresses.
//
// The rules are those of SGLang, faults included, because a peer may follow them: the compressed rule since 2026-06-30 ([New]) and
// the one before it ([Old]), plain MLA, and MHA. [Compatible] mode gives what SGLang computes, even where the result is short, long
// or wrong and fails later, or never. [Strict] mode refuses all that counts can prove wrong.
//
// Everything is arithmetic on small numbers: no list of pointers is needed to ask.
package slice
