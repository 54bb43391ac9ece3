//go:build !linux

package memory

// MakeTable returns a slice of n zeros for accesses at random places.
func MakeTable[T any](n int) []T { return make([]T, n) }
