package submission

import (
	"fmt"
	"os"
	"strings"
)

// peakMemory returns the most memory that a running process has had resident, in
// bytes, or 0 where the system does not say. It is read while the process runs:
// what the system keeps for after its end counts the memory of its parent.
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
