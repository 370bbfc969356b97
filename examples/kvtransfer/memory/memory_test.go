package memory

import (
	"errors"
	"math"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

func pool() *layout.Pool {
	return &layout.Pool{
		KV:  []layout.Region{{ID: 0, ItemLen: 100, Items: 3}, {ID: 1, ItemLen: 7, Items: 5}},
		Aux: []layout.Region{{ID: 2, ItemLen: 64, Items: 2}},
	}
}

func TestRegions(t *testing.T) {
	for _, kind := range []Kind{Heap, Mapped} {
		m, err := New(pool(), kind)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range []int{300, 35, 128} {
			if got := len(m.Region(layout.RegionID(id))); got != want {
				t.Errorf("region %d has %d bytes, want %d", id, got, want)
			}
		}
		if m.Bytes() != 320+64+128 {
			t.Errorf("%d bytes in all", m.Bytes())
		}
		// What is written to the end of one region must not show in the next.
		for _, b := range m.Region(1) {
			if b != 0 {
				t.Fatal("memory is not zeroed")
			}
		}
		m.Fill(0xa5)
		clear(m.Region(0))
		for _, b := range append(append([]byte(nil), m.Region(1)...), m.Region(2)...) {
			if b != 0xa5 {
				t.Fatal("regions overlap, or Fill missed a byte")
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if m.Region(0) != nil {
			t.Error("a closed memory hands out bytes")
		}
	}
}

func TestSlice(t *testing.T) {
	m, err := New(pool(), Heap)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Slice(1, 30, 5)
	if err != nil || len(b) != 5 || cap(b) != 5 {
		t.Errorf("%d bytes of capacity %d, %v", len(b), cap(b), err)
	}
	for _, c := range []struct {
		id     layout.RegionID
		off, n int64
	}{
		{1, 30, 6}, {1, 36, 0}, {1, -1, 2}, {1, 0, -1}, {3, 0, 1}, {1 << 31, 0, 1},
		{0, math.MaxInt64, math.MaxInt64}, {0, 1, math.MaxInt64}, {0, math.MinInt64, 1},
	} {
		var out *RangeError
		b, err := m.Slice(c.id, c.off, c.n)
		if !errors.As(err, &out) || b != nil || out.Region != c.id {
			t.Errorf("%+v: %d bytes, %v", c, len(b), err)
		}
	}
}

func TestTag(t *testing.T) {
	p := &layout.Pool{Aux: []layout.Region{{ID: 0, Name: "aux/output_ids", ItemLen: 64, Items: 2}, {ID: 1, Name: TagRegion, ItemLen: 64, Items: 2}}}
	m, err := New(p, Heap)
	if err != nil {
		t.Fatal(err)
	}
	m.SetTag(p, 1, 1<<63)
	if v, ok := m.Tag(p, 1); !ok || v != 1<<63 || m.Region(1)[64+7] != 0x80 {
		t.Errorf("tag %x, %v", v, ok)
	}
	if v, ok := m.Tag(p, 0); !ok || v != 0 {
		t.Errorf("tag of a slot that nobody wrote: %x, %v", v, ok)
	}
	for _, slot := range []int32{-1, 2} {
		m.SetTag(p, slot, 1)
		if _, ok := m.Tag(p, slot); ok {
			t.Errorf("slot %d has a tag", slot)
		}
	}
	if _, ok := m.Tag(&layout.Pool{}, 0); ok {
		t.Error("a pool without metadata has a tag")
	}
}
