package memory

import (
	"math"
	"os"
	"runtime"
	"testing"
	"testing/fstest"
)

// A program of Go takes some megabytes, and a process that is not there nothing.
func TestPeak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	if peak, none := Peak(os.Getpid()), Peak(-1); peak < 1<<20 || peak > 1<<40 || none != 0 {
		t.Errorf("%d and %d bytes", peak, none)
	}
}

func TestAvailable(t *testing.T) {
	const meminfo = "MemTotal: 9 kB\nMemAvailable:       8000 kB\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no Linux", nil, assumedMemory},
		{"no groups", map[string]string{"proc/meminfo": meminfo}, 8000 * 1024},
		{"version 2", map[string]string{
			"proc/meminfo":                     meminfo,
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max":       "500000\n",
			"sys/fs/cgroup/a/memory.current":   "100000\n",
			"sys/fs/cgroup/a/memory.stat":      "anon 7\ninactive_file 30000\n",
			"sys/fs/cgroup/a/b/memory.max":     "max\n",
			"sys/fs/cgroup/a/b/memory.current": "1000\n",
		}, 430000},
		{"version 2 in a container", map[string]string{
			"proc/meminfo":                 meminfo,
			"proc/self/cgroup":             "0::/../elsewhere\n",
			"sys/fs/cgroup/memory.max":     "500000\n",
			"sys/fs/cgroup/memory.current": "600000\n",
		}, 0},
		{"version 1", map[string]string{
			"proc/meminfo":     meminfo,
			"proc/self/cgroup": "9:cpu:/x\n4:hugetlb,memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":   "900000\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "600000\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes": "500000\n",
			"sys/fs/cgroup/memory/a/memory.stat":           "total_inactive_file 100000\n",
		}, 200000},
		{"limit of the process", map[string]string{
			"proc/meminfo": meminfo,
			"proc/self/limits": "Limit  Soft  Hard  Units\nMax data size  700000  unlimited  bytes\n" +
				"Max address space  unlimited  unlimited  bytes\n",
			"proc/self/status": "Name: a\nVmSize:\t 900 kB\nVmData:\t 100 kB\n",
		}, 700000 - 100*1024},
		{"wider limit", map[string]string{
			"proc/meminfo":                 meminfo,
			"proc/self/cgroup":             "0::/\n",
			"sys/fs/cgroup/memory.max":     "5000000000\n",
			"sys/fs/cgroup/memory.current": "0\n",
		}, 8000 * 1024},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, text := range c.files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := availableIn(root); got != c.want {
				t.Errorf("%v bytes, want %v", got, c.want)
			}
		})
	}
}

func TestEnough(t *testing.T) {
	if err := Enough("it", 1<<30, 1<<30); err != nil {
		t.Error(err)
	}
	const want = "it would take 2 GiB of memory, and 1 GiB are free"
	if err := Enough("it", 2<<30, 1<<30); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1023: "1023 B", 1024: "1 KiB", 1 << 20: "1 MiB", 1010 << 20: "1010 MiB",
		5 << 29: "2.5 GiB", math.MaxInt64: "over 8 EiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
