// Package consensus lets the ranks of one prefill engine start and finish rooms together.
//
// A pipeline whose stages act alone comes apart: one stage starts a room that another has already failed, and from then on they
// disagree on what is running. So the ranks stand in a ring, and nobody acts on what only he knows. In a round the first rank's
// [Ballot] travels along the ring; every rank keeps of the ready and of the finished rooms those that it has too, and adds the rooms
// that failed with it. The last rank sends the result to the first, it travels down once more, and each rank acts as it passes.
//
// A message that is lost ends its round: the first rank begins the next one after a while. Acting twice on a result must
// therefore be harmless, and acting on half of one as well: that is for the caller's [Member.Act] to see to.
package consensus
