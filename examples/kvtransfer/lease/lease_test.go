package lease

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

func TestTakeAndGive(t *testing.T) {
	a := NewAllocator(layout.Capacity{Pages: 10, WindowPages: 4, Slots: 2})
	ctx := context.Background()
	l, err := a.Take(ctx, Needs{Pages: 4, WindowPages: 1, Slots: 1})
	if err != nil || !slices.Equal(l.Pages, []int32{0, 1, 2, 3}) || len(l.Window) != 1 || l.Slot != 0 {
		t.Fatalf("%+v, %v", l, err)
	}
	m, err := a.Take(ctx, Needs{Pages: 6, WindowPages: 3, Slots: 1})
	if err != nil || !slices.Equal(m.Pages, []int32{4, 5, 6, 7, 8, 9}) || m.Slot != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := a.Left(); got != (Needs{}) {
		t.Errorf("left %+v", got)
	}
	a.Give(l)
	a.Give(m)
	if got := a.Left(); got != (Needs{10, 4, 2}) {
		t.Errorf("left %+v", got)
	}
}

func TestNeverPossible(t *testing.T) {
	a := NewAllocator(layout.Capacity{Pages: 10, WindowPages: 4, Slots: 2})
	for kind, n := range map[string]Needs{"pages": {Pages: 11}, "window pages": {WindowPages: 5}, "slots": {Slots: 3}} {
		var c *CapacityError
		if _, err := a.Take(context.Background(), n); !errors.As(err, &c) || c.Kind != kind {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// Who asked first is served first, even where a later request would fit; who leaves makes way.
func TestOrderAndLeaving(t *testing.T) {
	a := NewAllocator(layout.Capacity{Pages: 10})
	ctx := context.Background()
	first, err := a.Take(ctx, Needs{Pages: 8})
	if err != nil {
		t.Fatal(err)
	}
	large, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := a.Take(large, Needs{Pages: 9}); !errors.Is(err, context.Canceled) {
			t.Errorf("the large request: %v", err)
		}
	})
	waiting := func(n int) {
		for {
			a.mu.Lock()
			got := len(a.queue)
			a.mu.Unlock()
			if got == n {
				return
			}
		}
	}
	waiting(1)
	got := make(chan *Lease, 1)
	wg.Go(func() {
		l, err := a.Take(ctx, Needs{Pages: 1})
		if err != nil {
			t.Error(err)
		}
		got <- l
	})
	waiting(2) // a page is free, but the large request comes first
	select {
	case <-got:
		t.Fatal("the small request overtook")
	default:
	}
	cancel()
	l := <-got
	wg.Wait()
	a.Give(l)
	a.Give(first)
	if a.Left().Pages != 10 {
		t.Errorf("left %+v", a.Left())
	}
}

// No item is ever held twice, and none is lost, whatever the order of taking and giving.
func TestNoItemTwice(t *testing.T) {
	a := NewAllocator(layout.Capacity{Pages: 300, WindowPages: 90, Slots: 40})
	var mu sync.Mutex
	held := map[int32]bool{}
	mark := func(l *Lease, on bool) {
		mu.Lock()
		defer mu.Unlock()
		for _, p := range l.Pages {
			if held[p] == on {
				t.Errorf("page %d: held is %v already", p, on)
			}
			held[p] = on
		}
	}
	var wg sync.WaitGroup
	for seed := range uint64(8) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 500 {
				l, err := a.Take(context.Background(), Needs{Pages: rng.IntN(60), WindowPages: rng.IntN(10), Slots: 1})
				if err != nil {
					t.Error(err)
					return
				}
				mark(l, true)
				mark(l, false)
				a.Give(l)
			}
		})
	}
	wg.Wait()
	if got := a.Left(); got != (Needs{300, 90, 40}) {
		t.Errorf("left %+v", got)
	}
}

func TestRunsArePreferred(t *testing.T) {
	f := newFree(200)
	f.take(200)
	for i := range int32(200) { // every second item, and one run of 5
		if i%2 == 0 || (i >= 130 && i < 135) {
			f.put([]int32{i})
		}
	}
	if got := f.take(5); !slices.Equal(got, []int32{130, 131, 132, 133, 134}) {
		t.Errorf("took %v", got)
	}
	if got := f.take(3); len(got) != 3 {
		t.Errorf("took %v", got)
	}
}

func TestIndices(t *testing.T) {
	m, err := layout.Model{Family: layout.Compressed, Ratios: []int{0, 4, 128}, Unified: true}.Complete()
	if err != nil {
		t.Fatal(err)
	}
	l := &Lease{Pages: []int32{5, 6}, Window: []int32{9}, Slot: 3}
	for _, c := range []struct {
		typ  layout.StateType
		want []int32
	}{
		{layout.SWA, []int32{9}}, {layout.DSA, []int32{5, 6}}, {layout.Mamba, []int32{3}}, {layout.C128State, []int32{3}},
	} {
		if got, err := l.Indices(&m, c.typ, 257); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.typ, got, err, c.want)
		}
	}
	rows, err := l.Indices(&m, layout.SWARing, 257)
	if err != nil || len(rows) != m.Window || rows[0] != int32(3*m.RingStride+(257-m.Window)%m.RingStride) {
		t.Errorf("ring rows begin at %v, %v", rows[:1], err)
	}
	var typ *TypeError
	if _, err := l.Indices(&m, "other", 257); !errors.As(err, &typ) {
		t.Errorf("%v", err)
	}
}
