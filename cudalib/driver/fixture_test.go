//go:build linux || windows

package driver_test

import (
	_ "embed"
	"errors"
	"os"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
)

// probe has the kernels of all fakes here, so that there is one to compile.
var probe = os.DirFS("testdata")

//go:embed testdata/probe_ptx.txt
var probePTX string

// fixture is a device of a fake driver with the objects that most tests need.
type fixture struct {
	fake   *cudatest.Fake
	dev    *driver.Device
	stream *driver.Stream
	module *driver.Module
}

func newFixture(t *testing.T, settings string) *fixture {
	t.Helper()
	f := &fixture{fake: cudatest.Load(t, probe, settings)}
	var err error
	if f.dev, err = f.fake.Device(0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.fake.Recover() // a fault would refuse to close anything
		if err := errors.Join(f.module.Close(), f.stream.Close(), f.dev.Close()); err != nil {
			t.Error(err)
		}
	})
	if f.stream, err = f.dev.NewStream(); err != nil {
		t.Fatal(err)
	}
	if f.module, err = f.dev.Load("probe", probePTX); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) kernel(t *testing.T, name string) *driver.Kernel {
	t.Helper()
	k, err := f.module.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// buffer makes a buffer with values in it, closed when the test ends.
func (f *fixture) buffer(t *testing.T, values ...uint32) driver.Buffer[uint32] {
	t.Helper()
	b, err := driver.Alloc[uint32](f.dev, len(values))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.fake.Recover()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := b.Upload(f.stream, values); err != nil {
		t.Fatal(err)
	}
	return b
}

func (f *fixture) holds(t *testing.T, b driver.Buffer[uint32], want ...uint32) {
	t.Helper()
	got := make([]uint32, b.Len())
	if err := b.Download(f.stream, got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the buffer holds %v, want %v", got, want)
	}
}

// must ends the test at an error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
