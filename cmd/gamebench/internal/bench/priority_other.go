//go:build !linux

package bench

// lowPriority does nothing: only Linux has priorities of threads.
func lowPriority() {}
