package grid

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache keeps the values of the keys that were used last. The zero value is empty. It may be used by any number of
// goroutines. It is for what is expensive to compute or to fetch, such as the part of the parameters that the jobs of a
// run share.
type Cache[K comparable, V any] struct {
	mu   sync.Mutex
	kept *simplelru.LRU[K, *entry[V]]
}

type entry[V any] struct {
	mu    sync.Mutex // held while the value is computed
	made  bool
	value V
}

// maxEntries limits a cache. A few runs may be in progress at a time.
const maxEntries = 3

// Get returns the value of a key. It calls compute if the value is not kept; callers that need
// the same value wait. Errors are not kept.
func (c *Cache[K, V]) Get(key K, compute func() (V, error)) (V, error) {
	e := c.entry(key)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.made {
		return e.value, nil
	}
	value, err := compute()
	if err == nil {
		e.value, e.made = value, true
	}
	return value, err
}

func (c *Cache[K, V]) entry(key K) *entry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept, _ = simplelru.NewLRU[K, *entry[V]](maxEntries, nil) // it fails only without room
	}
	e, ok := c.kept.Get(key)
	if !ok {
		e = &entry[V]{}
		c.kept.Add(key, e)
	}
	return e
}
