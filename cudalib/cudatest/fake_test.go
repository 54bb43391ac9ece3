//go:build linux

package cudatest_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/internal/testkit"
)

const reversePTX = `.version 6.0
.entry ordered(.param .u64 x) { ret; }
.entry racing(.param .u64 x) { ret; }
.entry stuck(.param .u64 x) { ret; }
`

const blocks, threads = 3, 33

// reversed runs a kernel that is meant to reverse each block of an array, and reports whether it did.
func reversed(t *testing.T, fake *cudatest.Fake, kernel string) bool {
	t.Helper()
	x := make([]uint32, blocks*threads)
	for i := range x {
		x[i] = uint32(i)
	}
	if err := launch(t, fake, kernel, x); err != nil {
		t.Fatal(err)
	}
	for block := range slices.Chunk(x, threads) {
		slices.Reverse(block)
	}
	for i := range x {
		if x[i] != uint32(i) {
			return false
		}
	}
	return true
}

// A kernel without a barrier has wrong results.
func TestMissingBarrier(t *testing.T) {
	fake := cudatest.Load(t, os.DirFS("testdata"), "")
	for kernel, racing := range map[string]bool{"ordered": false, "racing": true} {
		if reversed(t, fake, kernel) == racing {
			t.Errorf("kernel %s has the right result: %v", kernel, racing)
		}
	}
}

// A kernel without a barrier is found out: so the silence about the others means something.
func TestRace(t *testing.T) {
	testkit.SlowOnly(t)
	fake := cudatest.Load(t, os.DirFS("testdata"), "")
	for kernel, racing := range map[string]bool{"ordered": false, "racing": true} {
		t.Run(kernel, func(t *testing.T) {
			fake.Record(t)
			reversed(t, fake, kernel)
			report := fake.Race(t)
			if racing != strings.Contains(report, "data race") || racing != strings.Contains(report, "reverse.cu:") {
				t.Errorf("the race detector says: %q", report)
			}
		})
	}
}

// Threads that wait at different barriers would wait for ever.
func TestStuck(t *testing.T) {
	fake := cudatest.Load(t, os.DirFS("testdata"), "")
	err := launch(t, fake, "stuck", make([]uint32, blocks*threads))
	if e, ok := errors.AsType[*driver.Error](err); !ok || e.Name != "CUDA_ERROR_LAUNCH_TIMEOUT" {
		t.Errorf("error %v", err)
	}
	fake.Recover()
	if err := launch(t, fake, "ordered", make([]uint32, blocks*threads)); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// launch runs a kernel on x.
func launch(t *testing.T, fake *cudatest.Fake, kernel string, x []uint32) error {
	t.Helper()
	d, err := fake.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	err = d.Do(func() error {
		module, err := d.Load("reverse", reversePTX)
		if err != nil {
			return err
		}
		k, err := module.Kernel(kernel)
		if err != nil {
			return err
		}
		stream, err := d.NewStream()
		if err != nil {
			return err
		}
		b, err := driver.Alloc[uint32](d, len(x))
		if err != nil {
			return err
		}
		grid := driver.Grid{Blocks: blocks, Threads: threads}
		return errors.Join(b.Upload(stream, x), k.Launch(stream, grid, b.Arg()), b.Download(stream, x),
			b.Close(), stream.Close(), module.Close())
	})
	return errors.Join(err, d.Close())
}
