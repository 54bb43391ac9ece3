//go:build !amd64

package tiles

// portably runs f with the portable loops.
func portably(f func()) { f() }
