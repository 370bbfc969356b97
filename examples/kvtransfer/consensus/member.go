package consensus

import (
	"context"
	"sync"
	"time"
)

// Message is what ranks send along the ring.
type Message struct {
	Round  uint64 // names the round; a new one for each, also after a restart of the first rank
	Decide bool   // false while the ballot is collected, true once it is the result
	Ballot Ballot
}

// Pace of a ring.
const (
	Interval  = 2 * time.Millisecond  // between rounds while there is something to decide
	IdleTime  = 50 * time.Millisecond // between rounds while the first rank has rooms but nothing to say about them
	RoundTime = time.Second           // after which the first rank holds a round for lost
)

// Member is one rank's place in the ring. Set the fields, then call Run on every rank and Receive for each message that comes
// from the rank before. It is safe for concurrent use.
type Member struct {
	Index, Size int
	// Vote returns the rank's own ballot, in any order.
	Vote func() Ballot
	// Act carries a result out. It may see the same room again.
	Act func(Ballot)
	// Send passes a message to the next rank. An error loses the message, and so the round.
	Send func(Message) error
	// Open tells whether the rank has rooms at all: others may have to tell of failures of theirs. Only the first rank is asked.
	Open func() bool

	// Only the first rank uses these.
	mu    sync.Mutex
	round uint64    // the latest it began
	open  bool      // whether that one is under way
	since time.Time // when it began
}

// Run makes rounds until ctx ends. Only the first rank begins rounds; with the others it returns at the end of ctx.
func (m *Member) Run(ctx context.Context) {
	if m.Index != 0 {
		<-ctx.Done()
		return
	}
	tick := time.NewTicker(Interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			m.begin(now)
		}
	}
}

// begin starts a round, unless the last one is still under way or there is nothing to decide. A rank alone decides at once.
func (m *Member) begin(now time.Time) {
	if m.busy(now) {
		return
	}
	own := m.Vote().Sort()
	if own.Empty() && !m.curious(now) {
		return
	}
	own = Merge(own, own) // a room that is both ready and failed is failed
	if m.Size == 1 {
		m.Act(own)
		return
	}
	m.mu.Lock()
	// The clock makes the number differ from those of an earlier life of this rank, whose messages may still come round.
	m.round = max(m.round+1, uint64(now.UnixNano()))
	m.open, m.since = true, now
	msg := Message{Round: m.round, Ballot: own}
	m.mu.Unlock()
	m.pass(msg)
}

// busy tells whether a round is under way and may still come back.
func (m *Member) busy(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open && now.Sub(m.since) < RoundTime
}

// curious tells whether the first rank should ask the others although it has nothing to say itself.
func (m *Member) curious(now time.Time) bool {
	m.mu.Lock()
	since := m.since
	m.mu.Unlock()
	return m.Size > 1 && now.Sub(since) >= IdleTime && m.Open()
}

// Receive takes a message from the rank before: votes and passes it on, or acts on it and passes it on. The first rank drops
// what is not the result of its latest round.
func (m *Member) Receive(msg Message) {
	switch {
	case m.Index == 0 && !m.closes(msg):
	case msg.Decide:
		m.Act(msg.Ballot)
		if m.Index < m.Size-1 {
			m.pass(msg)
		}
	default:
		msg.Ballot = Merge(msg.Ballot, m.Vote().Sort())
		msg.Decide = m.Index == m.Size-1
		m.pass(msg)
	}
}

// closes tells whether msg is the result of the round under way, and ends that round.
func (m *Member) closes(msg Message) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.open || !msg.Decide || msg.Round != m.round {
		return false
	}
	m.open = false
	return true
}

// pass sends a message on. Where that fails the round is lost; the first rank then begins the next one at the next tick, not
// after RoundTime, since it knows.
func (m *Member) pass(msg Message) {
	if m.Send(msg) != nil && m.Index == 0 {
		m.mu.Lock()
		m.open = false
		m.mu.Unlock()
	}
}
