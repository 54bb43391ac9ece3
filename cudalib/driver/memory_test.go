//go:build linux || windows

package driver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib/driver"
)

func TestBuffer(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1, 2, 3, 4, 5)
	f.holds(t, b, 1, 2, 3, 4, 5)

	part := b.Slice(1, 4)
	f.holds(t, part, 2, 3, 4)
	must(t, part.Slice(1, 3).Zero(f.stream))
	f.holds(t, b, 1, 2, 0, 0, 5)

	other := f.buffer(t, 7, 8, 9)
	pinned, err := driver.AllocPinned[uint32](f.dev, 3)
	must(t, err)
	copy(pinned.Data(), []uint32{10, 11, 12})
	must(t, part.UploadLater(f.stream, pinned))
	f.holds(t, b, 1, 10, 11, 12, 5)
	must(t, other.DownloadLater(f.stream, pinned), f.stream.Sync())
	if got := pinned.Data(); !slices.Equal(got, []uint32{7, 8, 9}) {
		t.Errorf("pinned array %v", got)
	}
	must(t, pinned.Close())

	empty := f.buffer(t)
	must(t, empty.Zero(f.stream))
	f.holds(t, empty)
}

func TestLengthsAreChecked(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1, 2, 3)
	pinned, err := driver.AllocPinned[uint32](f.dev, 2)
	must(t, err)
	defer pinned.Close()
	for name, err := range map[string]error{
		"upload":         b.Upload(f.stream, make([]uint32, 4)),
		"download":       b.Download(f.stream, make([]uint32, 2)),
		"later upload":   b.UploadLater(f.stream, pinned),
		"later download": b.DownloadLater(f.stream, pinned),
	} {
		if err == nil || !strings.Contains(err.Error(), "elements and a buffer of 3") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, n := range []int{-1, 1 << 62} {
		if _, err := driver.Alloc[uint64](f.dev, n); err == nil {
			t.Errorf("a buffer of %d elements", n)
		}
	}
	for _, part := range [][2]int{{-1, 2}, {2, 1}, {0, 4}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("slice %v of 3 elements is no panic", part)
				}
			}()
			b.Slice(part[0], part[1])
		}()
	}
}

// Memory that is exhausted is said with how much there was, and harms nothing.
func TestOutOfMemory(t *testing.T) {
	f := newFixture(t, "memory=8388608")
	b := f.buffer(t, 1, 2)
	_, err := driver.Alloc[float32](f.dev, 3<<20)
	if !errors.Is(err, driver.ErrOutOfMemory) || errors.Is(err, driver.ErrUnavailable) ||
		!strings.Contains(err.Error(), "a buffer of 12 MiB with 7 MiB free on Fake GPU (cuda:0): cuMemAlloc_v2: "+
			"out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)") {
		t.Errorf("error %v", err)
	}
	if hint := (interface{ Hint() string })(nil); !errors.As(err, &hint) ||
		!strings.Contains(hint.Hint(), "nvidia-smi") {
		t.Errorf("no advice with %v", err)
	}
	f.holds(t, b, 1, 2)
	free, total, err := f.dev.Memory()
	if err != nil || total != 8<<20 || free != total-8 {
		t.Errorf("%d of %d bytes are free: %v", free, total, err)
	}
}

// What is closed, or of another device, is not used.
func TestClosedAndForeign(t *testing.T) {
	f := newFixture(t, "devices=2")
	second, err := f.fake.Device(1)
	must(t, err)
	foreign, err := driver.Alloc[uint32](second, 3)
	must(t, err)
	closed, err := driver.Alloc[uint32](f.dev, 3)
	must(t, err, closed.Close())
	event, err := f.dev.NewEvent()
	must(t, err, event.Close())

	add := f.kernel(t, "add")
	grid := driver.Grid{Blocks: 1, Threads: 1}
	for name, err := range map[string]error{
		"second close": closed.Close(),
		"upload":       closed.Upload(f.stream, make([]uint32, 3)),
		"part":         closed.Slice(0, 1).Zero(f.stream),
		"launch":       add.Launch(f.stream, grid, closed.Arg(), driver.U32(3), driver.U32(1)),
		"event":        f.stream.Wait(event),
		"record":       event.Record(f.stream),
	} {
		if !errors.Is(err, driver.ErrClosed) {
			t.Errorf("%s of what is closed: error %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"zero":   foreign.Zero(f.stream),
		"launch": add.Launch(f.stream, grid, foreign.Arg(), driver.U32(3), driver.U32(1)),
	} {
		if err == nil || !strings.Contains(err.Error(), "a buffer of Fake GPU (cuda:1) is used on Fake GPU (cuda:0)") {
			t.Errorf("%s of another device's buffer: error %v", name, err)
		}
	}
	must(t, foreign.Close(), second.Close())
	if err := second.Close(); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("second close of a device: error %v", err)
	}
}

// A device that is closed too early names the objects that were left on it.
func TestLeaks(t *testing.T) {
	fake := newFixture(t, "devices=2").fake
	dev, err := fake.Device(1)
	must(t, err)
	for range 2 {
		_, err := driver.Alloc[uint8](dev, 10)
		must(t, err)
	}
	_, err = driver.AllocPinned[uint8](dev, 10)
	must(t, err)
	_, err = dev.NewStream()
	must(t, err)
	err = dev.Close()
	if err == nil ||
		!strings.HasSuffix(err.Error(), "is closed before what is on it: 2 × buffer, 1 × pinned array, 1 × stream") {
		t.Errorf("error %v", err)
	}
}
