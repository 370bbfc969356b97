// Package plan turns two layouts and the pages of a request into the copies that move it.
//
// It works in two steps. [Pair] runs once per peer: it finds for every region of the source the region of the destination that holds the
// same thing, by layer ids where both sides publish them, else by the rules of package slice. The [Pairing] then plans chunks
// of pages, states and aux slots, which is what a transfer does all day and costs little: runs of pages are found once and
// serve every pair of regions.
//
// Every copy of a plan lies inside its two regions; a plan that would not is refused.
package plan
