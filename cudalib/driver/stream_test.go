//go:build linux || windows

package driver_test

import (
	"errors"
	"strings"
	"testing"

	"gamebots/cudalib/driver"
)

func TestLaunch(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1, 2, 3, 4)
	add := f.kernel(t, "add")
	must(t,
		add.Launch(f.stream, driver.Grid{Blocks: 2, Threads: 33}, b.Arg(), driver.U32(3), driver.U32(10)),
		add.Launch(f.stream, driver.Grid{Blocks: 1, Threads: 1}, b.Slice(1, 3).Arg(), driver.U32(2), driver.U32(100)))
	f.holds(t, b, 11, 112, 113, 4)

	x, err := driver.Alloc[float32](f.dev, 2)
	must(t, err)
	defer x.Close()
	values := []float32{1.5, -2}
	must(t, x.Upload(f.stream, values),
		f.kernel(t, "scale").Launch(f.stream, driver.Grid{Blocks: 1, Threads: 2, Shared: 64 << 10}, x.Arg(),
			driver.F32(0.5), driver.U64(2)),
		x.Download(f.stream, values))
	if values[0] != 0.75 || values[1] != -1 {
		t.Errorf("scaled to %v", values)
	}
	if n := f.fake.Calls("cuFuncSetAttribute"); n != 1 {
		t.Errorf("shared memory was asked for %d times, want once", n)
	}
	if n, err := add.Resident(256, 0); n != 1 || err != nil {
		t.Errorf("%d blocks are resident: %v", n, err)
	}
}

func TestLaunchIsChecked(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1)
	add := f.kernel(t, "add")
	one := driver.Grid{Blocks: 1, Threads: 1}
	tests := []struct {
		name string
		grid driver.Grid
		args []driver.Arg
		want string
	}{
		{"too few", one, []driver.Arg{b.Arg(), driver.U32(1)}, "2 arguments for 3 parameters"},
		{"size", one, []driver.Arg{b.Arg(), driver.U64(1), driver.U32(1)}, "argument 1 has 8 bytes, its parameter 4"},
		{"no blocks", driver.Grid{Threads: 1}, nil, "a grid of 0 blocks of 1 threads"},
		{"threads", driver.Grid{Blocks: 1, Threads: 1025}, nil, "a grid of 1 blocks of 1025 threads"},
		{"shared memory", driver.Grid{Blocks: 1, Threads: 1, Shared: 1 << 20},
			[]driver.Arg{b.Arg(), driver.U32(1), driver.U32(1)},
			"kernel add with 1048576 bytes of shared memory a block: cuFuncSetAttribute: "},
	}
	for _, test := range tests {
		if err := add.Launch(f.stream, test.grid, test.args...); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	f.holds(t, b, 1)
}

func TestModuleErrors(t *testing.T) {
	f := newFixture(t, "")
	tests := []struct{ name, ptx, kernel, want string }{
		{"text that is no PTX", "hello", "", "module m (ptxas input, line 1; error : Parsing error ptxas fatal " +
			": Ptx assembly aborted): cuModuleLoadDataEx: "},
		{"newer device", ".version 6.0\n.target sm_90", "", "module m: cuModuleLoadDataEx: "},
		{"no such kernel", ".version 6.0\n", "add", "module m has no kernel add"},
		{"kernel that the driver does not find", ".version 6.0\n.entry gone() {}",
			"gone", "kernel gone of module m: cuModuleGetFunction: "},
	}
	for _, test := range tests {
		m, err := f.dev.Load("m", test.ptx)
		if err == nil && test.kernel != "" {
			_, err = m.Kernel(test.kernel)
			must(t, m.Close())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := f.module.Kernel("unlinked"); err == nil {
		t.Error("a kernel that is only declared was found")
	}
}

// Streams do not wait for each other, but for events.
func TestOrder(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1)
	second, err := f.dev.NewStream()
	must(t, err)
	defer second.Close()
	event, err := f.dev.NewEvent()
	must(t, err)
	defer event.Close()
	pinned, err := driver.AllocPinned[uint32](f.dev, 1)
	must(t, err)
	defer pinned.Close()
	add := f.kernel(t, "add")
	increment := func() error {
		return add.Launch(f.stream, driver.Grid{Blocks: 1, Threads: 1}, b.Arg(), driver.U32(1), driver.U32(1))
	}

	must(t, second.Wait(event), increment(), b.DownloadLater(second, pinned), second.Sync())
	if got := pinned.Data()[0]; got != 1 {
		t.Errorf("the second stream read %d before it waited for the first", got)
	}
	must(t, event.Record(f.stream), second.Wait(event), b.DownloadLater(second, pinned), second.Sync())
	if got := pinned.Data()[0]; got != 2 {
		t.Errorf("the second stream read %d after it waited for the first", got)
	}
	must(t, increment(), event.Record(f.stream), event.Sync(), b.DownloadLater(second, pinned), second.Sync())
	if got := pinned.Data()[0]; got != 3 {
		t.Errorf("the second stream read %d after the program waited for the first", got)
	}
}

func TestElapsed(t *testing.T) {
	f := newFixture(t, "")
	start, err := f.dev.NewEvent()
	must(t, err)
	defer start.Close()
	end, err := f.dev.NewEvent()
	must(t, err)
	defer end.Close()
	must(t, start.Record(f.stream), end.Record(f.stream))
	if _, err := end.Since(start); err == nil {
		t.Error("a time was measured before it was over")
	}
	must(t, end.Sync())
	forward, err := end.Since(start)
	must(t, err)
	backward, err := start.Since(end)
	if err != nil || forward <= 0 || backward != -forward {
		t.Errorf("%v forward, %v backward: %v", forward, backward, err)
	}
}

// A graph does its work each time it is launched, and none when it is captured.
func TestGraph(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1, 1)
	side, err := f.dev.NewStream()
	must(t, err)
	defer side.Close()
	fork, err := f.dev.NewEvent()
	must(t, err)
	defer fork.Close()
	join, err := f.dev.NewEvent()
	must(t, err)
	defer join.Close()
	add := f.kernel(t, "add")
	one := driver.Grid{Blocks: 1, Threads: 1}

	g, err := f.stream.Capture(func() error {
		return errors.Join(
			fork.Record(f.stream), side.Wait(fork),
			add.Launch(f.stream, one, b.Arg(), driver.U32(1), driver.U32(2)),
			add.Launch(side, one, b.Slice(1, 2).Arg(), driver.U32(1), driver.U32(3)),
			join.Record(side), f.stream.Wait(join))
	})
	must(t, err)
	f.holds(t, b, 1, 1)
	must(t, f.dev.Do(func() error {
		for range 5 {
			if err := g.Launch(f.stream); err != nil {
				return err
			}
		}
		return nil
	}))
	f.holds(t, b, 11, 16)
	must(t, g.Close())
	if err := g.Launch(f.stream); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("launch of a closed graph: error %v", err)
	}
}

// A capture that fails leaves the stream as it was.
func TestCaptureFails(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1)
	mine := errors.New("mine")
	if _, err := f.stream.Capture(func() error { return mine }); !errors.Is(err, mine) {
		t.Errorf("error %v", err)
	}
	if _, err := f.stream.Capture(func() error { return b.Upload(f.stream, []uint32{2}) }); err == nil {
		t.Error("an upload, which waits, was captured")
	}
	f.fake.Configure("fail=cuGraphInstantiateWithFlags:2")
	if _, err := f.stream.Capture(func() error { return b.Zero(f.stream) }); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("error %v", err)
	}
	f.holds(t, b, 1)
}

// A fault comes out where the stream is waited for and at every call after it,
// and says which kernel it may have been.
func TestFault(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, 1)
	must(t, f.kernel(t, "overrun").Launch(f.stream, driver.Grid{Blocks: 1, Threads: 1}, b.Arg(), driver.U32(1)))
	const want = "after the launch of kernel overrun: "
	for name, err := range map[string]error{
		"sync": f.stream.Sync(),
		"zero": b.Zero(f.stream),
	} {
		if !errors.Is(err, driver.ErrFault) || errors.Is(err, driver.ErrUnavailable) ||
			!strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(),
			"an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
