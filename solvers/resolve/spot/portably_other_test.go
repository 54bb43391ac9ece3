//go:build !amd64

package spot

// portably runs f with the portable loops.
func portably(f func()) { f() }

// withoutAVX512 runs f.
func withoutAVX512(f func()) { f() }
