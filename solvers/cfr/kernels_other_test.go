//go:build !amd64

package cfr

func portably(f func()) { f() }
