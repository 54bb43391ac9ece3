//go:build linux

package mccfr

import (
	"flag"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
)

// With -device cuda the tests of devices need a GPU and run on it.
var device = flag.String("device", "fake", "what to test devices with: fake, or cuda or cuda:N")

// openDevice opens the device to test on, see cudatest.Open.
func openDevice(t *testing.T) *cudalib.Device {
	t.Helper()
	return cudatest.Open(t, *device, "memory=200000000")
}
