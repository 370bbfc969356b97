// Package lru remembers values up to a bound of memory: the value that was not asked for longest goes first.
package lru

import (
	"container/list"
	"sync"
)

// Cache is safe for concurrent use.
type Cache[V any] struct {
	mu    sync.Mutex
	bound int
	size  int
	order *list.List // of *entry[V], last used first
	byKey map[string]*list.Element
}

type entry[V any] struct {
	key   string
	value V
	size  int
}

// overhead is about what the cache needs for a value beyond the value and its key, in bytes.
const overhead = 200

// New returns a cache for values of bound bytes in all.
func New[V any](bound int) *Cache[V] {
	return &Cache[V]{bound: bound, order: list.New(), byKey: map[string]*list.Element{}}
}

// Get returns the value of a key, if it is still there.
func (c *Cache[V]) Get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[V]).value, true
}

// Put keeps a value of about size bytes. One that is larger than an eighth of the cache is not kept: it would drive out too much.
func (c *Cache[V]) Put(key string, value V, size int) {
	size += len(key) + overhead
	if size > c.bound/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(&entry[V]{key, value, size})
	c.size += size
	for c.size > c.bound {
		c.remove(c.order.Back())
	}
}

func (c *Cache[V]) remove(e *list.Element) {
	old := e.Value.(*entry[V])
	c.order.Remove(e)
	delete(c.byKey, old.key)
	c.size -= old.size
}
