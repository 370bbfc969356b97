package backoff

import (
	"sync"
	"time"
)

// maxPeers bounds a tracker. Past it the entry whose pause ends first is dropped: it is the one that matters least.
const maxPeers = 4096

// Tracker remembers peers that failed lately. It is safe for concurrent use.
type Tracker struct {
	policy Policy
	now    func() time.Time

	mu    sync.Mutex
	peers map[string]*peer
}

// peer is one that failed and has not succeeded since.
type peer struct {
	failures int
	until    time.Time // when its pause ends
	last     error
}

// NewTracker returns a tracker without entries. A nil now takes time.Now.
func NewTracker(p Policy, now func() time.Time) *Tracker {
	if now == nil {
		now = time.Now
	}
	return &Tracker{policy: p, now: now, peers: make(map[string]*peer)}
}

// Allow returns nil where the peer may be tried, or a *DownError while its pause lasts. The end of a pause allows tries but
// does not forget the failures: another one makes the next pause longer.
func (t *Tracker) Allow(key string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.peers[key]
	if !ok {
		return nil
	}
	if left := p.until.Sub(t.now()); left > 0 {
		return &DownError{Peer: key, Failures: p.failures, RetryIn: left, Last: p.last}
	}
	return nil
}

// Fail counts a failure of the peer and starts its next pause. Failures while a pause lasts come from work that was under way
// when it began; they are the same outage and leave the pause as it is.
func (t *Tracker) Fail(key string, cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.peers[key]
	if !ok {
		if len(t.peers) >= maxPeers {
			t.dropFirst()
		}
		p = &peer{}
		t.peers[key] = p
	}
	now := t.now()
	if p.until.After(now) {
		return
	}
	p.failures++
	p.last = cause
	p.until = now.Add(t.policy.Pause(p.failures))
}

// dropFirst drops the entry whose pause ends first. The caller holds the mutex.
func (t *Tracker) dropFirst() {
	var first string
	for key, p := range t.peers {
		if first == "" || p.until.Before(t.peers[first].until) {
			first = key
		}
	}
	delete(t.peers, first)
}

// Clear forgets the failures of a peer that has just worked.
func (t *Tracker) Clear(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.peers, key)
}

// Len is the number of peers with failures.
func (t *Tracker) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.peers)
}
