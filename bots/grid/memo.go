package grid

import "gamebots/bots/grid/internal/memo"

// Memo caches the value that a kind of job computes from the shared part of jobs. The
// zero value is an empty cache. It may be used by any number of goroutines.
type Memo[T any] struct{ values memo.Cache[sharedKey, T] }

// sharedKey is where the shared part of a job is in memory. A grid hands out one copy of it.
type sharedKey struct {
	start *byte // nil if it is empty
	size  int
}

// Get returns the value of a job's shared part. It calls compute if the value is not
// cached; callers that need the same value wait. Errors are not cached.
func (m *Memo[T]) Get(shared []byte, compute func(shared []byte) (T, error)) (T, error) {
	var key sharedKey
	if len(shared) > 0 {
		key = sharedKey{&shared[0], len(shared)}
	}
	return m.values.Get(key, func() (T, error) { return compute(shared) })
}
