//go:build linux || windows

package driver_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
)

func TestDevices(t *testing.T) {
	fake := cudatest.Load(t, probe, "devices=2;capability=90;memory=1000000;version=12020")
	infos, err := fake.Devices()
	must(t, err)
	want := driver.Info{Ordinal: 1, Name: "Fake GPU", Capability: 90, Memory: 1_000_000, Multiprocessors: 2,
		SharedPerBlock: 96 << 10, L2: 1 << 20}
	if len(infos) != 2 || infos[1] != want {
		t.Errorf("devices %+v, want two, the second %+v", infos, want)
	}
	if fake.Version().String() != "12.2" || infos[0].Capability.String() != "9.0" {
		t.Errorf("driver for CUDA %v, compute capability %v", fake.Version(), infos[0].Capability)
	}
}

// What keeps a driver or a device from being used is said with its reason, is
// ErrUnavailable, and comes with advice.
func TestUnavailable(t *testing.T) {
	tests := []struct {
		name string
		open func(t *testing.T) error
		want string
	}{
		{"no driver", func(t *testing.T) error {
			if !driver.Supported {
				t.Skip("this build has no GPU support")
			}
			_, err := driver.Load("testdata/none/libcuda.so.1")
			return err
		}, "no NVIDIA driver: "},
		{"old driver", func(t *testing.T) error {
			_, err := cudatest.TryLoad(t, probe, "version=10020")
			return err
		}, "the driver is for CUDA 10.2, and at least 11.4 is needed"},
		{"no device", func(t *testing.T) error {
			_, err := cudatest.TryLoad(t, probe, "devices=0")
			return err
		}, "cuInit: the driver does not explain it (CUDA_ERROR_NO_DEVICE, 100)"},
		{"kernel and library of different drivers", func(t *testing.T) error {
			_, err := cudatest.TryLoad(t, probe, "fail=cuInit:803")
			return err
		}, "cuInit: the driver does not explain it (unknown error, 803)"},
		{"old device", func(t *testing.T) error {
			_, err := cudatest.Load(t, probe, "capability=61").Device(0)
			return err
		}, "device 0 (Fake GPU) has compute capability 6.1, and at least 7.0 is needed"},
		{"device of another process", func(t *testing.T) error {
			fake := cudatest.Load(t, probe, "fail=cuDevicePrimaryCtxRetain:46")
			_, err := fake.Device(0)
			return err
		}, "opening device 0 (Fake GPU): cuDevicePrimaryCtxRetain: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.open(t)
			if !errors.Is(err, driver.ErrUnavailable) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want ErrUnavailable with %q", err, test.want)
			}
			if hint := (interface{ Hint() string })(nil); !errors.As(err, &hint) || hint.Hint() == "" {
				t.Errorf("no advice with %v", err)
			}
		})
	}
}

// A build without GPU support has no more to say.
func TestUnsupported(t *testing.T) {
	_, err := driver.Open()
	got := err != nil && strings.Contains(err.Error(), "this build of the program has no GPU support")
	if got == driver.Supported || got && !errors.Is(err, driver.ErrUnavailable) {
		t.Errorf("error %v, and supported is %v", err, driver.Supported)
	}
}

// A driver without one of the functions that are called is refused, and the
// error names it.
func TestMissingSymbols(t *testing.T) {
	for _, function := range driver.Symbols() {
		err := cudatest.Without(t, probe, function)
		if !errors.Is(err, driver.ErrUnavailable) || !strings.Contains(err.Error(), "lacks functions: "+function+": ") {
			t.Errorf("without %s: error %v", function, err)
		}
	}
}

// A library that is no driver at all is refused in one line.
func TestNoDriverAtAll(t *testing.T) {
	if !driver.Supported {
		t.Skip("this build has no GPU support")
	}
	library := map[string]string{"linux": "libc.so.6", "windows": "kernel32.dll"}[runtime.GOOS]
	_, err := driver.Load(library)
	want := fmt.Sprintf(", and %d more", len(driver.Symbols())-1)
	if !errors.Is(err, driver.ErrUnavailable) || !strings.HasSuffix(err.Error(), want) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that ends with %q", err, want)
	}
}

func TestNoSuchDevice(t *testing.T) {
	_, err := cudatest.Load(t, probe, "").Device(1)
	if e, ok := errors.AsType[*driver.Error](err); !ok || e.Code != 101 ||
		errors.Is(err, driver.ErrUnavailable) || e.Hint() == "" {
		t.Errorf("error %v, want code 101 of CUDA with a hint", err)
	}
}
