//go:build linux

package cudatest

import (
	"fmt"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/kernels"
)

// Open opens a device for a test. At the end of the test nothing may be left on it. The name is "fake", or a GPU as in "cuda:0".
//
// The fake device has the project's kernels and settings as Load takes them. All
// launches on it are done again under ThreadSanitizer when the test ends.
func Open(t testing.TB, name, settings string) *cudalib.Device {
	t.Helper()
	return OpenSome(t, name, settings, 1)[0]
}

// OpenSome is Open for a number of devices. If it is not one, the name is "fake" or "cuda:all", and
// the test is skipped where there are fewer.
func OpenSome(t testing.TB, name, settings string, n int) (devices []*cudalib.Device) {
	t.Helper()
	if name != "fake" {
		choice, err := cudalib.ParseChoice(name)
		if err != nil {
			t.Fatal(err)
		}
		devices, why, err := choice.OpenAll()
		if err != nil || len(devices) == 0 {
			t.Fatalf("no GPU: %s %v", why, err)
		}
		for _, d := range devices {
			closeAtEnd(t, d)
		}
		if len(devices) < n {
			t.Skipf("%d GPUs, and the test needs %d", len(devices), n)
		}
		return devices[:n]
	}
	fake := Load(t, kernels.Sources, fmt.Sprintf("devices=%d;%s", n, settings))
	for i := range n {
		d, err := fake.Device(i)
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, d)
	}
	fake.Record(t)
	t.Cleanup(func() {
		if races := fake.Race(t); races != "" {
			t.Error(races)
		}
	})
	for _, d := range devices {
		closeAtEnd(t, d)
	}
	return devices
}

func closeAtEnd(t testing.TB, d *cudalib.Device) {
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}
