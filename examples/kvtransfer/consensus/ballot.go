package consensus

import (
	"slices"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Ballot is what a rank, or all ranks up to one, say about their rooms. Lists are ascending and without duplicates.
type Ballot struct {
	Ready  []room.ID // have their page lists everywhere and may start
	Failed []room.ID // failed somewhere
	Done   []room.ID // have come to an end everywhere
}

// Sort brings the lists of a ballot into the order that the other functions rely on, and returns it.
func (b Ballot) Sort() Ballot {
	for _, list := range []*[]room.ID{&b.Ready, &b.Failed, &b.Done} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return b
}

// Merge adds one rank's ballot to that of the ranks before it: ready and done rooms only where both say so, failed ones where
// either does. A room in Failed is taken out of Ready, so that a failure wins whatever the order of the ranks.
func Merge(before, own Ballot) Ballot {
	failed := union(before.Failed, own.Failed)
	return Ballot{
		Ready:  subtract(intersect(before.Ready, own.Ready), failed),
		Failed: failed,
		Done:   intersect(before.Done, own.Done),
	}
}

// Empty tells whether the ballot says nothing.
func (b Ballot) Empty() bool { return len(b.Ready)+len(b.Failed)+len(b.Done) == 0 }

// union is the ascending list of what is in a or b.
func union(a, b []room.ID) []room.ID {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// intersect is the ascending list of what is in a and in b.
func intersect(a, b []room.ID) []room.ID {
	return slices.DeleteFunc(slices.Clone(a), func(id room.ID) bool { return !contains(b, id) })
}

// subtract is the ascending list of what is in a but not in b.
func subtract(a, b []room.ID) []room.ID {
	return slices.DeleteFunc(slices.Clone(a), func(id room.ID) bool { return contains(b, id) })
}

// contains searches an ascending list.
func contains(list []room.ID, id room.ID) bool {
	_, ok := slices.BinarySearch(list, id)
	return ok
}
