package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
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

// processorTime returns for how long processors have worked for a process.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, ok := strings.Cut(string(text), ") ") // after its name
	if err != nil || !ok {
		return 0
	}
	var ticks int64 // hundredths of a second
	for _, field := range strings.Fields(fields)[11:13] {
		n, _ := strconv.ParseInt(field, 10, 64) // the system writes numbers
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
