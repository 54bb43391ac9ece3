//go:build linux

package cudatest

import (
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/kernels"
)

// Open opens a device for a test. At the end of the test nothing may be left on it. The name is "fake", or a GPU as in "cuda:0".
//
// The fake device has the project's kernels and settings as Load takes them. All
// launches on it are done again under ThreadSanitizer when the test ends.
func Open(t *testing.T, name, settings string) *cudalib.Device {
	t.Helper()
	if name != "fake" {
		choice, err := cudalib.ParseChoice(name)
		if err != nil {
			t.Fatal(err)
		}
		d, why, err := choice.Open()
		if err != nil || d == nil {
			t.Fatalf("no GPU: %s %v", why, err)
		}
		closeAtEnd(t, d)
		return d
	}
	fake := Load(t, kernels.Sources, settings)
	d, err := fake.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	fake.Record(t)
	t.Cleanup(func() {
		if races := fake.Race(t); races != "" {
			t.Error(races)
		}
	})
	closeAtEnd(t, d)
	return d
}

func closeAtEnd(t *testing.T, d *cudalib.Device) {
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}
