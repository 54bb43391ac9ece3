package main

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/cfr"
)

// assumedMemory is what may be used where the system does not tell.
const assumedMemory = 4 << 30

// availableMemory returns how many bytes of memory can be had without others
// losing theirs, and without breaking the limit of a container.
func availableMemory() float64 { return memoryIn(os.DirFS("/")) }

// memoryIn is availableMemory for a system whose files are in root.
func memoryIn(root fs.FS) float64 {
	available := float64(assumedMemory)
	if kib, ok := statistic(root, "proc/meminfo", "MemAvailable:"); ok {
		available = kib * 1024
	}
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return available // no Linux
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
	return max(available, 0)
}

// enough returns an error where something needs more memory than is available.
func enough(what string, need, available float64) error {
	if need <= available {
		return nil
	}
	return fmt.Errorf("%s would take %s of memory, and %s are free", what, cfr.Bytes(need), cfr.Bytes(available))
}

// hierarchy is where a version of Linux's control groups has the memory of a
// group: its limit, its use, and what of that are files that nobody has read
// lately, which give way.
type hierarchy struct {
	controller, folder, limit, usage, cache string
}

// hierarchies are those of versions 2 and 1 (cgroups(7)).
var hierarchies = []hierarchy{
	{"", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
	{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
}

// available returns what a group and those that it is in leave. A container may
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

// statistic reads the number behind a name in a file of such lines.
func statistic(root fs.FS, file, name string) (float64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
			n, err := strconv.ParseFloat(fields[1], 64)
			return n, err == nil
		}
	}
	return 0, false
}

// bytesFlag is a flag for an amount of memory such as 8GiB.
type bytesFlag float64

func (b *bytesFlag) Type() string { return "SIZE" }

func (b *bytesFlag) String() string {
	if *b == 0 {
		return ""
	}
	return fmt.Sprintf("%g", float64(*b))
}

func (b *bytesFlag) Set(text string) error {
	number, scale := text, 1.0
	for _, unit := range []struct {
		suffix string
		bytes  float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}} {
		if before, ok := strings.CutSuffix(text, unit.suffix); ok {
			number, scale = before, unit.bytes
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n > 0) {
		return fmt.Errorf("want an amount of memory such as 512MiB or 8GiB")
	}
	*b = bytesFlag(n * scale)
	return nil
}

// or returns the amount, or what is available where none is given.
func (b bytesFlag) or(available func() float64) float64 {
	if b == 0 {
		return available()
	}
	return float64(b)
}
