//go:build linux

package cudalib_test

import (
	"flag"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/kernels"
)

// With -device cuda the tests of launchers need a GPU and run on it.
var device = flag.String("device", "fake", "what to test launchers on: fake, or cuda or cuda:N")

// openDevice opens the device to test launchers on. The fake one, on which all
// launches are also done again under ThreadSanitizer when the test ends, has
// settings as cudatest.Load takes them. At the end of the test nothing may be
// left on the device.
func openDevice(t *testing.T, settings string) *cudalib.Device {
	t.Helper()
	if *device != "fake" {
		choice, err := cudalib.ParseChoice(*device)
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
	fake := cudatest.Load(t, kernels.Sources, settings)
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
