package consensus

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

func ids(n ...room.ID) []room.ID { return n }

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name              string
		before, own, want Ballot
	}{
		{"ready needs both", Ballot{Ready: ids(1, 2, 3)}, Ballot{Ready: ids(2, 3, 4)}, Ballot{Ready: ids(2, 3)}},
		{"failed needs one", Ballot{Failed: ids(1)}, Ballot{Failed: ids(2)}, Ballot{Failed: ids(1, 2)}},
		{"done needs both", Ballot{Done: ids(5, 6)}, Ballot{Done: ids(6, 7)}, Ballot{Done: ids(6)}},
		{"a failure here wins over ready there", Ballot{Ready: ids(1, 2)}, Ballot{Ready: ids(2), Failed: ids(1)},
			Ballot{Ready: ids(2), Failed: ids(1)}},
		{"a failure before wins over ready everywhere after", Ballot{Ready: ids(1), Failed: ids(1)}, Ballot{Ready: ids(1)},
			Ballot{Failed: ids(1)}},
		{"nothing", Ballot{}, Ballot{}, Ballot{}},
	} {
		got := Merge(c.before, c.own)
		if !slices.Equal(got.Ready, c.want.Ready) || !slices.Equal(got.Failed, c.want.Failed) || !slices.Equal(got.Done, c.want.Done) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// rank is a member with rooms whose states the test sets.
type rank struct {
	Member
	mu     sync.Mutex
	ballot Ballot
	acted  []Ballot
}

// ring links n ranks by channels. drop decides which messages get lost.
func ring(t *testing.T, n int, drop func() bool) []*rank {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	ranks := make([]*rank, n)
	links := make([]chan Message, n)
	for i := range ranks {
		links[i] = make(chan Message, 16)
	}
	for i := range ranks {
		r := &rank{}
		r.Index, r.Size = i, n
		r.Open = func() bool { return true }
		r.Vote = func() Ballot {
			r.mu.Lock()
			defer r.mu.Unlock()
			return Ballot{slices.Clone(r.ballot.Ready), slices.Clone(r.ballot.Failed), slices.Clone(r.ballot.Done)}
		}
		r.Act = func(b Ballot) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.acted = append(r.acted, b)
		}
		r.Send = func(m Message) error {
			if drop() {
				return errors.New("link is down")
			}
			links[(i+1)%n] <- m
			return nil
		}
		ranks[i] = r
		wg.Go(func() { r.Run(ctx) })
		wg.Go(func() {
			for {
				select {
				case m := <-links[i]:
					r.Receive(m)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	t.Cleanup(func() { cancel(); wg.Wait() })
	return ranks
}

// await polls until every rank has acted on a result that satisfies want.
func await(t *testing.T, ranks []*rank, what string, want func(Ballot) bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		missing := 0
		for _, r := range ranks {
			r.mu.Lock()
			if !slices.ContainsFunc(r.acted, want) {
				missing++
			}
			r.mu.Unlock()
		}
		if missing == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %d of %d ranks never acted", what, missing, len(ranks))
		}
		time.Sleep(time.Millisecond)
	}
}

func TestAllActOnTheSameResult(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		ranks := ring(t, n, func() bool { return false })
		for i, r := range ranks {
			r.mu.Lock()
			r.ballot = Ballot{Ready: ids(30, 20, 10), Done: ids(7)}
			if i == n-1 {
				r.ballot.Failed = ids(20)
			}
			r.mu.Unlock()
		}
		await(t, ranks, "mixed", func(b Ballot) bool {
			return slices.Equal(b.Ready, ids(10, 30)) && slices.Equal(b.Failed, ids(20)) && slices.Equal(b.Done, ids(7))
		})
	}
}

// A room that one rank does not have yet must not start anywhere.
func TestARoomOneRankLacksDoesNotStart(t *testing.T) {
	ranks := ring(t, 3, func() bool { return false })
	for i, r := range ranks {
		r.mu.Lock()
		r.ballot.Ready = ids(1, 2)
		if i == 1 {
			r.ballot.Ready = ids(1)
		}
		r.mu.Unlock()
	}
	await(t, ranks, "room 1", func(b Ballot) bool { return slices.Equal(b.Ready, ids(1)) })
	for _, r := range ranks {
		r.mu.Lock()
		if slices.ContainsFunc(r.acted, func(b Ballot) bool { return slices.Contains(b.Ready, 2) }) {
			t.Errorf("rank %d started room 2, which rank 1 lacks", r.Index)
		}
		r.mu.Unlock()
	}
}

// What failed at a rank behind the first one reaches all, also while the first has nothing to say.
func TestFailuresReachASilentFirstRank(t *testing.T) {
	ranks := ring(t, 3, func() bool { return false })
	ranks[2].mu.Lock()
	ranks[2].ballot.Failed = ids(4)
	ranks[2].mu.Unlock()
	await(t, ranks, "room 4", func(b Ballot) bool { return slices.Equal(b.Failed, ids(4)) })
}

// Lost messages delay a result; they do not stop it and do not split the ranks for good.
func TestLostMessages(t *testing.T) {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(7, 7))
	ranks := ring(t, 3, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return rng.IntN(4) == 0
	})
	for _, r := range ranks {
		r.mu.Lock()
		r.ballot.Ready = ids(9)
		r.mu.Unlock()
	}
	await(t, ranks, "room 9", func(b Ballot) bool { return slices.Equal(b.Ready, ids(9)) })
}

// The first rank believes no results but those of its own latest round.
func TestForeignResultsAreDropped(t *testing.T) {
	acted := 0
	var sent []Message
	m := &Member{Index: 0, Size: 2,
		Vote: func() Ballot { return Ballot{Ready: ids(1)} },
		Act:  func(Ballot) { acted++ },
		Send: func(msg Message) error { sent = append(sent, msg); return nil },
	}
	m.Receive(Message{Round: 5, Decide: true, Ballot: Ballot{Ready: ids(1)}})
	m.begin(time.Now())
	if len(sent) != 1 {
		t.Fatalf("%d messages", len(sent))
	}
	m.Receive(Message{Round: sent[0].Round - 1, Decide: true})
	m.Receive(Message{Round: sent[0].Round, Decide: false})
	if acted != 0 {
		t.Fatalf("acted %d times on what was not its result", acted)
	}
	m.Receive(Message{Round: sent[0].Round, Decide: true})
	m.Receive(Message{Round: sent[0].Round, Decide: true})
	if acted != 1 {
		t.Errorf("acted %d times on one result", acted)
	}
}
