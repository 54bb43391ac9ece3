package remote

import "sync"

// blobCache has the shared parts of jobs, each fetched once. The zero value is empty.
type blobCache struct {
	mu  sync.Mutex
	all []*cachedBlob // least recently used first
}

type cachedBlob struct {
	blob blob
	mu   sync.Mutex // held while it is fetched
	data []byte
}

// maxCachedBlobs limits the cache. A few runs may be in progress at a time.
const maxCachedBlobs = 4

// get returns the bytes of a blob. It calls fetch if they are not cached; callers that
// need the same blob wait.
func (b *blobCache) get(which *blob, fetch func() ([]byte, error)) ([]byte, error) {
	h := b.find(which)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.data != nil {
		return h.data, nil
	}
	data, err := fetch()
	if err == nil {
		h.data = data
	}
	return data, err
}

// find returns the entry of a blob, and makes it the most recently used.
func (b *blobCache) find(which *blob) *cachedBlob {
	b.mu.Lock()
	defer b.mu.Unlock()
	var h *cachedBlob
	for i, other := range b.all {
		if other.blob == *which {
			h = other
			b.all = append(b.all[:i], b.all[i+1:]...)
			break
		}
	}
	if h == nil {
		h = &cachedBlob{blob: *which}
	}
	b.all = append(b.all, h)
	if len(b.all) > maxCachedBlobs {
		b.all = append(b.all[:0:0], b.all[1:]...)
	}
	return h
}
