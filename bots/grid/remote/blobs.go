package remote

import "sync"

// blobs are the bytes that jobs share, each fetched once. The zero value is
// ready.
type blobs struct {
	mu  sync.Mutex
	all []*held // the one used last is the last
}

type held struct {
	blob blob
	mu   sync.Mutex // of who fetches it
	data []byte
}

// blobsHeld is how many are kept: runs go on side by side, but not many.
const blobsHeld = 4

// get returns the bytes of a blob, which fetch gets if they are not there. Who
// asks for the same meanwhile waits.
func (b *blobs) get(which *blob, fetch func() ([]byte, error)) ([]byte, error) {
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

// find returns what is held of a blob, and makes room for it.
func (b *blobs) find(which *blob) *held {
	b.mu.Lock()
	defer b.mu.Unlock()
	var h *held
	for i, other := range b.all {
		if other.blob == *which {
			h = other
			b.all = append(b.all[:i], b.all[i+1:]...)
			break
		}
	}
	if h == nil {
		h = &held{blob: *which}
	}
	b.all = append(b.all, h)
	if len(b.all) > blobsHeld {
		b.all = append(b.all[:0:0], b.all[1:]...)
	}
	return h
}
