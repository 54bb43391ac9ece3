package grid

import "sync"

// Memo caches the value that a kind of job computes from the shared part of jobs. The
// zero value is an empty cache. It may be used by any number of goroutines.
type Memo[T any] struct {
	mu   sync.Mutex
	kept []*memoEntry[T] // least recently used first
}

type memoEntry[T any] struct {
	shared []byte
	mu     sync.Mutex // held while the value is computed
	made   bool
	value  T
}

// maxMemoEntries limits the cache. A few runs may be in progress at a time.
const maxMemoEntries = 3

// Get returns the value of a job's shared part. It calls compute if the value is not
// cached; callers that need the same value wait. Errors are not cached.
func (m *Memo[T]) Get(shared []byte, compute func(shared []byte) (T, error)) (T, error) {
	k := m.entry(shared)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.made {
		return k.value, nil
	}
	value, err := compute(shared)
	if err == nil {
		k.value, k.made = value, true
	}
	return value, err
}

func (m *Memo[T]) entry(shared []byte) *memoEntry[T] {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := &memoEntry[T]{shared: shared}
	for i, k := range m.kept {
		if same(k.shared, shared) {
			found = k
			m.kept = append(m.kept[:i], m.kept[i+1:]...)
			break
		}
	}
	m.kept = append(m.kept, found)
	if len(m.kept) > maxMemoEntries {
		m.kept = append([]*memoEntry[T](nil), m.kept[1:]...)
	}
	return found
}

// same reports whether two slices are the same memory. A grid hands out one copy of
// the data that jobs share.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
