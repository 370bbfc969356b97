// Package pages turns tokens into pages, and pages into runs.
//
// A page is PageSize tokens. A request's pages lie anywhere in a pool, so what a request has is a list of page numbers on either
// side, and what moves is the pairs of both lists. Neighbours on both sides move as one run. The package also knows which items
// each kind of state needs: the pages of the attention window, the rows of a ring, the one page of a 128:1 compressor.
package pages
