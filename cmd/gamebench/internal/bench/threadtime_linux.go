package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns for how long a processor has worked for the calling thread, to which its
// goroutine must be locked.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // every Linux that Go runs on has this clock
	}
	return time.Duration(t.Nano())
}
