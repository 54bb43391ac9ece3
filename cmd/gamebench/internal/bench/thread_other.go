//go:build !linux

package bench

import "time"

var programStart = time.Now()

// threadTime returns the time since the program began: only on Linux is it that of the thread.
func threadTime() time.Duration { return time.Since(programStart) }

// lowPriority does nothing: only Linux has priorities of threads.
func lowPriority() {}
