//go:build !amd64

package spot

// portably runs f with the portable loops.
func portably(f func()) { f() }
