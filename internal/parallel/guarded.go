package parallel

import "sync"

// Guarded is a value behind a lock: who does not have the lock has no name for the value. The zero Guarded has the zero
// value of T. A Guarded is not copied once it is used.
type Guarded[T any] struct {
	mu    sync.Mutex
	value T
}

// Guard returns a value that begins as given.
func Guard[T any](value T) Guarded[T] { return Guarded[T]{value: value} }

// With calls f with the value under the lock, which it releases also if f panics. F does not call With, and keeps
// nothing of the value but references.
func (v *Guarded[T]) With(f func(*T)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f(&v.value)
}

// Get returns what f reads of a value, as With calls it.
func Get[T, R any](v *Guarded[T], f func(*T) R) (r R) {
	v.With(func(value *T) { r = f(value) })
	return r
}

// Ref refers to a T that belongs to a guarded value, or to a part of one, of type Of. Any goroutine may keep it. Equal
// references are to the same T.
type Ref[Of, T any] struct{ to *T }

// To returns a reference, which may be to nil.
func To[Of, T any](to *T) Ref[Of, T] { return Ref[Of, T]{to} }

// Under returns what the reference is to, for who has the guarded value and so the lock. It panics if of is nil.
func (r Ref[Of, T]) Under(of *Of) *T {
	_ = *of
	return r.to
}
