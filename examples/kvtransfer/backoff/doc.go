// Package backoff spaces out attempts that keep failing.
//
// [Policy] is the sequence of pauses, [Retry] uses it for one piece of work, and [Tracker] keeps it per peer: a peer that failed is
// left alone for a pause that doubles with every further failure, then may be tried again. SGLang puts a peer on a
// list at its first failed write and keeps it there until it registers anew, so that one blip fails every later request;
// here each entry expires by itself.
package backoff
