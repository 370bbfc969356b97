package lru

import (
	"fmt"
	"testing"
)

func TestWhatWasNotAskedForGoesFirst(t *testing.T) {
	c := New[int](10 * (overhead + 100))
	for i := range 10 {
		c.Put(fmt.Sprint("k", i), i, 98)
	}
	if _, ok := c.Get("k0"); !ok {
		t.Fatal("k0 is gone although all fit")
	}
	c.Put("new", 10, 97)
	if _, ok := c.Get("k1"); ok {
		t.Error("k1, asked for longest ago, is still there")
	}
	for _, key := range []string{"k0", "k2", "new"} {
		if _, ok := c.Get(key); !ok {
			t.Errorf("%s is gone", key)
		}
	}
}

func TestSizes(t *testing.T) {
	c := New[string](8 * 1000)
	c.Put("large", "x", 1000)
	if _, ok := c.Get("large"); ok {
		t.Error("kept what is larger than an eighth")
	}
	for range 100 {
		c.Put("same", "y", 700)
	}
	if v, ok := c.Get("same"); !ok || v != "y" || c.size != 700+len("same")+overhead {
		t.Errorf("size %d after putting one key again and again", c.size)
	}
}
