// Package lease hands out the parts of a pool that requests hold: pages, window pages and a slot.
//
// A request needs all of its parts or none, so they are taken together, in the order in which requests asked: a large request is not
// overtaken for ever by small ones. [Lease.Indices] turns what a request holds into the index list of each of the pool's lists.
package lease

import (
	"context"
	"sync"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// Needs is how much a request needs of each kind.
type Needs struct {
	Pages       int `json:"pages"`        // pages of the KV cache
	WindowPages int `json:"window_pages"` // pages of the window pool
	Slots       int `json:"slots"`        // aux and state slots: 1
}

// Lease is what a request holds, until it is given back.
type Lease struct {
	Pages  []int32 // ascending where the pool had a run that was long enough
	Window []int32
	Slot   int32 // valid where a slot was asked for
}

// Allocator owns the items of a pool. It is safe for concurrent use.
type Allocator struct {
	mu     sync.Mutex
	pages  *free
	window *free
	slots  *free
	queue  []*Ticket // who waits, first come first served
}

// Ticket is a place in the queue for a lease. Wait must be called on it, once.
type Ticket struct {
	a     *Allocator
	needs Needs
	lease *Lease        // guarded by the allocator's mutex until ready is closed
	ready chan struct{} // closed when lease is set
}

// NewAllocator returns an allocator that owns all items of the given capacity.
func NewAllocator(c layout.Capacity) *Allocator {
	return &Allocator{pages: newFree(c.Pages), window: newFree(c.WindowPages), slots: newFree(c.Slots)}
}

// Take waits until the needs can be met and returns the lease. The error is a *CapacityError where they never can, or that
// of ctx.
func (a *Allocator) Take(ctx context.Context, n Needs) (*Lease, error) {
	t, err := a.Ask(n)
	if err != nil {
		return nil, err
	}
	return t.Wait(ctx)
}

// Ask queues for a lease. Who asks first is served first, whenever he comes to wait. The error is a *CapacityError.
func (a *Allocator) Ask(n Needs) (*Ticket, error) {
	if err := a.Possible(n); err != nil {
		return nil, err
	}
	t := &Ticket{a: a, needs: n, ready: make(chan struct{})}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue = append(a.queue, t)
	a.serve()
	return t, nil
}

// Wait blocks until the lease can be had. The error is that of ctx; the place in the queue is lost then.
func (t *Ticket) Wait(ctx context.Context) (*Lease, error) {
	select {
	case <-t.ready:
		return t.lease, nil
	case <-ctx.Done():
	}
	a := t.a
	a.mu.Lock()
	defer a.mu.Unlock()
	if t.lease != nil { // served meanwhile; nobody will use it
		a.give(t.lease)
	} else {
		a.leave(t)
	}
	a.serve() // the next in line may need less
	return nil, context.Cause(ctx)
}

// Possible tells whether an empty pool could meet the needs. The error is a *CapacityError.
func (a *Allocator) Possible(n Needs) error {
	for _, c := range []struct {
		kind       string
		need, have int
	}{
		{"pages", n.Pages, a.pages.total}, {"window pages", n.WindowPages, a.window.total}, {"slots", n.Slots, a.slots.total},
	} {
		if c.need > c.have || c.need < 0 {
			return &CapacityError{Kind: c.kind, Need: c.need, Have: c.have}
		}
	}
	return nil
}

// serve gives waiters their leases, from the front, as far as the items reach. The caller holds the mutex.
func (a *Allocator) serve() {
	for len(a.queue) > 0 {
		w := a.queue[0]
		n := w.needs
		if n.Pages > a.pages.left || n.WindowPages > a.window.left || n.Slots > a.slots.left {
			return
		}
		w.lease = &Lease{Pages: a.pages.take(n.Pages), Window: a.window.take(n.WindowPages), Slot: -1}
		if s := a.slots.take(n.Slots); len(s) > 0 {
			w.lease.Slot = s[0]
		}
		close(w.ready)
		a.queue[0] = nil
		a.queue = a.queue[1:]
	}
}

// leave takes a waiter out of the queue. The caller holds the mutex.
func (a *Allocator) leave(w *Ticket) {
	for i, q := range a.queue {
		if q == w {
			a.queue = append(a.queue[:i], a.queue[i+1:]...)
			return
		}
	}
}

// Give takes a lease back. It must not be used any more, and not be given twice.
func (a *Allocator) Give(l *Lease) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.give(l)
	a.serve()
}

// give does the work of Give. The caller holds the mutex.
func (a *Allocator) give(l *Lease) {
	a.pages.put(l.Pages)
	a.window.put(l.Window)
	if l.Slot >= 0 {
		a.slots.put([]int32{l.Slot})
	}
	l.Pages, l.Window, l.Slot = nil, nil, -1
}

// Left is what is free at the moment.
func (a *Allocator) Left() Needs {
	a.mu.Lock()
	defer a.mu.Unlock()
	return Needs{Pages: a.pages.left, WindowPages: a.window.left, Slots: a.slots.left}
}
