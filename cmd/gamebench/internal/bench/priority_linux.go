package bench

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// lowPriority gives the calling goroutine a thread of the lowest priority, which ends with it.
func lowPriority() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 19) // without it, the flood costs more
}
