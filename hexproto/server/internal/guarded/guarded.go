// Package guarded keeps a value behind a lock: who does not hold the lock has no name for the value.
package guarded

import "sync"

// Value is a value with its lock. The zero Value has the zero value of T. A Value is not copied.
type Value[T any] struct {
	mu    sync.Mutex
	value T
}

// With calls f with the value under the lock, which it releases also if f panics. F does not call With, and nobody keeps
// the pointer.
func (v *Value[T]) With(f func(*T)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f(&v.value)
}

// Get returns what f reads of a value under the lock.
func Get[T, R any](v *Value[T], f func(*T) R) (r R) {
	v.With(func(value *T) { r = f(value) })
	return r
}

// Ref refers to a T that belongs to a guarded Of. Any goroutine may keep it; equal ones refer to the same T.
type Ref[Of, T any] struct{ to *T }

// To returns a reference, which may be to nil.
func To[Of, T any](to *T) Ref[Of, T] { return Ref[Of, T]{to} }

// Under returns what the reference is to, for who has the guarded value and so the lock. It panics if that is nil.
func (r Ref[Of, T]) Under(of *Of) *T {
	_ = *of
	return r.to
}
