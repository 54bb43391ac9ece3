//go:build linux

package probe_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/probe"
	"gamebots/internal/testkit"
)

// What follows tests the driver package, so that it is tested on GPUs too.

// Arrays go to the device, over two streams that wait for each other, through a
// kernel and back, all without the program waiting.
func TestPinnedRoundTrip(t *testing.T) {
	d := cudatest.Open(t, "", "probe")
	const n = 4 * 1001
	err := d.Do(func() (err error) {
		var closing []interface{ Close() error }
		defer func() {
			for _, o := range slices.Backward(closing) {
				err = errors.Join(err, o.Close())
			}
		}()
		in, errIn := driver.AllocPinned[uint32](d, n)
		out, errOut := driver.AllocPinned[uint32](d, n)
		from, errFrom := driver.Alloc[uint32](d, n)
		to, errTo := driver.Alloc[uint32](d, n)
		first, errFirst := d.NewStream()
		second, errSecond := d.NewStream()
		event, errEvent := d.NewEvent()
		module, errModule := d.Load("copy", launch.Text(probe.Modules, "copy"))
		if err := errors.Join(errIn, errOut, errFrom, errTo, errFirst, errSecond, errEvent, errModule); err != nil {
			return err
		}
		closing = append(closing, in, out, from, to, first, second, event, module)
		kernel, err := module.Kernel("copy_words4")
		if err != nil {
			return err
		}
		for i := range in.Data() {
			in.Data()[i] = uint32(i * i)
		}
		if err := errors.Join(
			from.UploadLater(first, in), event.Record(first), second.Wait(event),
			kernel.Launch(second, driver.Grid{Blocks: 3, Threads: 64}, to.Arg(), from.Arg(), driver.U64(n/4)),
			to.DownloadLater(second, out), second.Sync()); err != nil {
			return err
		}
		if !slices.Equal(in.Data(), out.Data()) {
			t.Error("what came back is not what went")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestBrokenPTX(t *testing.T) {
	d := cudatest.Open(t, "", "probe")
	_, err := d.Load("broken", ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry cut_off() {\n")
	if e, ok := errors.AsType[*driver.Error](err); !ok || e.Call != "cuModuleLoadDataEx" ||
		!strings.HasPrefix(e.Detail, "module broken (ptxas ") || e.Hint() == "" {
		t.Errorf("error %v, want one with what the compiler said", err)
	}
	if _, _, err := d.Memory(); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// A kernel's fault ends a device for the process, so this is done in another
// one, which reports what it sees.
func TestFault(t *testing.T) {
	if !cudatest.OnGPU() {
		t.Skip("for a GPU: the package driver has this test on the fake one")
	}
	const inside = "GAMEBOTS_TEST_FAULT"
	if os.Getenv(inside) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFault$", "-test.v",
			"-device="+flag.Lookup("device").Value.String())
		cmd.Env = append(os.Environ(), inside+"=1")
		out, _ := cmd.CombinedOutput()
		for _, call := range []string{"cuStreamSynchronize", "cuMemsetD8Async"} {
			want := "a fault: after the launch of kernel copy_words4: " +
				call + ": an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)"
			if !strings.Contains(string(out), want) {
				t.Errorf("want %q in:\n%s", want, out)
			}
		}
		return
	}
	d := cudatest.Open(t, "", "probe")
	module, errModule := d.Load("copy", launch.Text(probe.Modules, "copy"))
	stream, errStream := d.NewStream()
	b, errAlloc := driver.Alloc[uint32](d, 4)
	if err := errors.Join(errModule, errStream, errAlloc, b.Zero(stream)); err != nil {
		t.Fatal(err)
	}
	kernel, err := module.Kernel("copy_words4")
	if err != nil {
		t.Fatal(err)
	}
	const tooMany = 1 << 40
	if err := kernel.Launch(stream, driver.Grid{Blocks: 1, Threads: 32}, b.Arg(),
		b.Arg(), driver.U64(tooMany)); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{stream.Sync(), b.Zero(stream)} {
		if errors.Is(err, driver.ErrFault) {
			t.Log("a fault:", err)
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestPinnedRoundTrip)
}
