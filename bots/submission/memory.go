package submission

import (
	"fmt"
	"os"
	"strings"
)

// peakMemory returns the peak resident set size of a running process in bytes, or 0 if
// the system does not report it. It must be read while the process runs: the figure that
// wait returns afterwards includes the memory of the parent before exec.
func peakMemory(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}
