package memory

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// assumedMemory is the limit on systems that do not report their memory.
const assumedMemory = 4 << 30

// Available returns how many bytes can be allocated without taking memory from other
// processes and within the limits of a container and of the process.
func Available() int64 { return availableIn(os.DirFS("/")) }

// availableIn is Available for a system whose files are in root.
func availableIn(root fs.FS) int64 {
	available := float64(assumedMemory)
	if kib, ok := statistic(root, "proc/meminfo", "MemAvailable:"); ok {
		available = kib * 1024
	}
	for _, l := range ulimits {
		limit, limited := statistic(root, "proc/self/limits", l.limit...)
		used, known := statistic(root, "proc/self/status", l.used)
		if limited && known {
			available = min(available, limit-used*1024)
		}
	}
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return int64(available) // no Linux
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(fields) != 3 {
			continue
		}
		for _, h := range hierarchies {
			if slices.Contains(strings.Split(fields[1], ","), h.controller) {
				available = min(available, h.available(root, fields[2]))
			}
		}
	}
	return Saturate(max(available, 0))
}

// Enough returns an error that names the work if it needs more bytes than available.
func Enough(what string, need, available int64) error {
	if need <= available {
		return nil
	}
	return fmt.Errorf("%s would take %s of memory, and %s are free", what, Bytes(need), Bytes(available))
}

// Peak returns the peak resident set size of a running process in bytes, or 0 if the system does not report it. It must
// be read while the process runs: the figure that wait returns afterwards includes the memory of the parent before
// exec.
func Peak(pid int) int64 {
	kib, _ := statistic(os.DirFS("/"), fmt.Sprintf("proc/%d/status", pid), "VmHWM:")
	return int64(kib) << 10
}

// ulimits are the limits of a process, and the memory in kB that counts for each (getrlimit(2)).
var ulimits = []struct {
	limit []string
	used  string
}{
	{[]string{"Max", "data", "size"}, "VmData:"},
	{[]string{"Max", "address", "space"}, "VmSize:"},
}

// hierarchy names the files in which a version of Linux's control groups has the
// memory of a group: its limit, its use, and the part of that which is page cache and
// can be reclaimed.
type hierarchy struct {
	controller, folder, limit, usage, cache string
}

// hierarchies are those of versions 2 and 1 (cgroups(7)).
var hierarchies = []hierarchy{
	{"", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
	{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
}

// available returns the memory that a group and those around it leave. A container may
// see itself at the top, and not where its path says.
func (h hierarchy) available(root fs.FS, group string) float64 {
	available := math.Inf(1)
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		folder := path.Join(h.folder, group)
		limit, limited := number(root, path.Join(folder, h.limit))
		usage, used := number(root, path.Join(folder, h.usage))
		if limited && used {
			cache, _ := statistic(root, path.Join(folder, "memory.stat"), h.cache)
			available = min(available, limit-(usage-cache))
		}
		if group == "/" {
			return available
		}
	}
}

// number reads a file of one number. "max" is none.
func number(root fs.FS, file string) (float64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return n, err == nil
}

// statistic reads the number behind a name of some words in a file of such lines.
func statistic(root fs.FS, file string, name ...string) (float64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) > len(name) && slices.Equal(fields[:len(name)], name) {
			n, err := strconv.ParseFloat(fields[len(name)], 64)
			return n, err == nil
		}
	}
	return 0, false
}

// Saturate returns an estimated number of bytes as an integer.
func Saturate(bytes float64) int64 {
	if bytes >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(bytes)
}

// Size is a number of bytes that is printed as [Bytes] formats it.
type Size int64

func (s Size) String() string { return Bytes(int64(s)) }

// Bytes formats n bytes for people.
func Bytes(n int64) string {
	if n == math.MaxInt64 {
		return "over 8 EiB"
	}
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i, x := 0, float64(n)
	for i < len(units)-1 && x >= 1024 {
		x /= 1024
		i++
	}
	if x >= 999.5 { // %.3g writes 1e+03
		return fmt.Sprintf("%.0f %s", x, units[i])
	}
	return fmt.Sprintf("%.3g %s", x, units[i])
}
