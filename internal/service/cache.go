package service

import (
	"container/list"
	"sync"
)

// cache keeps values up to a bound of memory; the value that was not asked for longest goes first.
type cache struct {
	mu    sync.Mutex
	bound int
	size  int
	order *list.List // of *entry, last used first
	byKey map[string]*list.Element
}

type entry struct {
	key   string
	value any
	size  int
}

func newCache(bound int) *cache {
	return &cache{bound: bound, order: list.New(), byKey: map[string]*list.Element{}}
}

func (c *cache) get(key string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).value, true
}

// put keeps a value. One that is larger than an eighth of the cache is not kept: it would drive out too much.
func (c *cache) put(key string, value any, size int) {
	size += len(key) + 200 // what the cache itself needs for it
	if size > c.bound/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(&entry{key, value, size})
	c.size += size
	for c.size > c.bound {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	old := e.Value.(*entry)
	c.order.Remove(e)
	delete(c.byKey, old.key)
	c.size -= old.size
}
