//go:build linux || windows

package cudatest

import (
	"flag"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"gamebots/cudalib"
)

const fakeDevice = "fake"

var device = flag.String("device", fakeDevice, "the device to test on: fake, or a GPU as in cuda or cuda:1")

// OnGPU reports whether Open opens a GPU, for which tests can be larger.
func OnGPU() bool { return *device != fakeDevice }

// Open opens the device that the flag -device names: the fake one, with settings as Load takes them and the project's
// kernels of some families, or a GPU. At the end of the test nothing may be left on it.
func Open(t testing.TB, settings string, families ...string) *cudalib.Device {
	t.Helper()
	if OnGPU() {
		return openGPUs(t, *device)[0]
	}
	return OpenFake(t, settings, families...)
}

// OpenFake is Open for the fake device, whatever the flag says.
func OpenFake(t testing.TB, settings string, families ...string) *cudalib.Device {
	t.Helper()
	return openFakes(t, 1, settings, families...)[0]
}

// OpenSome is Open for n devices. With a GPU it takes all that there are, and skips the test if these are fewer.
func OpenSome(t testing.TB, n int, settings string, families ...string) []*cudalib.Device {
	t.Helper()
	if !OnGPU() {
		return openFakes(t, n, settings, families...)
	}
	devices := openGPUs(t, "cuda:all")
	if len(devices) < n {
		t.Skipf("%d GPUs, and the test needs %d", len(devices), n)
	}
	return devices[:n]
}

func openGPUs(t testing.TB, name string) []*cudalib.Device {
	t.Helper()
	choice, err := cudalib.ParseChoice(name)
	if err != nil {
		t.Fatal(err)
	}
	devices, why, err := choice.OpenAll()
	if err != nil || len(devices) == 0 {
		t.Fatalf("no GPU: %s %v", why, err)
	}
	closeAtEnd(t, devices)
	return devices
}

func openFakes(t testing.TB, n int, settings string, families ...string) (devices []*cudalib.Device) {
	t.Helper()
	fake := Load(t, Families(t, families...), fmt.Sprintf("devices=%d;%s", n, settings))
	for i := range n {
		d, err := fake.Device(i)
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, d)
	}
	if racing {
		fake.Record(t)
		t.Cleanup(func() {
			if races := fake.Race(t); races != "" {
				t.Error(races)
			}
		})
	}
	closeAtEnd(t, devices)
	return devices
}

func closeAtEnd(t testing.TB, devices []*cudalib.Device) {
	t.Cleanup(func() {
		for _, d := range devices {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// racing reports whether the launches on fake devices are done again.
var racing bool

// Races runs tests and does all their launches on fake devices again under ThreadSanitizer, see [Fake.Race]. The tests
// of one package do this for a family of kernels, in the second tier (package testkit).
func Races(t *testing.T, tests ...func(*testing.T)) {
	if OnGPU() {
		t.Skip("only the fake device records its launches")
	}
	racing = true
	defer func() { racing = false }()
	for _, test := range tests {
		name := runtime.FuncForPC(reflect.ValueOf(test).Pointer()).Name()
		t.Run(name[strings.LastIndex(name, ".")+1:], test)
	}
}
