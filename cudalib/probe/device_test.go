//go:build linux

package probe_test

import (
	"flag"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
)

// With -device cuda the tests of launchers need a GPU and run on it.
var device = flag.String("device", "fake", "what to test launchers on: fake, or cuda or cuda:N")

// openDevice opens the device to test launchers on, see cudatest.Open.
func openDevice(t *testing.T, settings string) *cudalib.Device {
	t.Helper()
	return cudatest.Open(t, *device, settings)
}
