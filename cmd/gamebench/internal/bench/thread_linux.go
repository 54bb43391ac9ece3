package bench

import (
	"runtime"
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

// lowPriority gives the calling goroutine a thread of the lowest priority, which ends with it.
func lowPriority() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 19) // without it, the flood costs more
}
