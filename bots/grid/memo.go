package grid

import "sync"

// Memo keeps what a kind makes of the shared part of jobs, so that it is made
// once for many jobs. The zero value is ready, and for any number of goroutines.
type Memo[T any] struct {
	mu   sync.Mutex
	kept []*memoEntry[T] // the one used last is the last
}

type memoEntry[T any] struct {
	shared []byte
	mu     sync.Mutex // of who makes it
	made   bool
	value  T
}

// maxMemoEntries is how many values are kept: runs go on side by side, but not many.
const maxMemoEntries = 3

// Get returns what make makes of a job's shared part. Who wants the same
// meanwhile waits; an error is not kept.
func (m *Memo[T]) Get(shared []byte, make func(shared []byte) (T, error)) (T, error) {
	k := m.entry(shared)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.made {
		return k.value, nil
	}
	value, err := make(shared)
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

// same says whether two slices are the same bytes of memory: a grid hands out
// one copy of what jobs share.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
