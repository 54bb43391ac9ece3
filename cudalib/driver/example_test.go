//go:build linux || windows

package driver_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
)

// addPTX is a kernel that adds a number to n elements, a thread each.
const addPTX = `.version 6.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 x, .param .u32 n, .param .u32 by)
{
	.reg .pred %p;
	.reg .b32 %r<4>;
	.reg .b64 %a, %o;
	mov.u32 %r0, %tid.x;
	ld.param.u32 %r1, [n];
	setp.ge.u32 %p, %r0, %r1;
	@%p ret;
	ld.param.u64 %a, [x];
	cvta.to.global.u64 %a, %a;
	mul.wide.u32 %o, %r0, 4;
	add.u64 %a, %a, %o;
	ld.global.u32 %r2, [%a];
	ld.param.u32 %r3, [by];
	add.u32 %r2, %r2, %r3;
	st.global.u32 [%a], %r2;
	ret;
}
`

// Kernels are compiled at run time, by the driver, for the device that they run on.
func Example() {
	library, err := driver.Open()
	if errors.Is(err, driver.ErrUnavailable) {
		fmt.Println("no GPU:", err) // work may go to the CPU instead
		return
	}
	if err != nil {
		panic(err)
	}
	device, err := library.Device(0)
	if err != nil {
		panic(err)
	}
	defer device.Close()
	x := []uint32{1, 2, 3, 4}
	if err := addOnDevice(device, x, 10); err != nil {
		panic(err)
	}
	fmt.Println(x)
}

// addOnDevice adds a number to each element of x.
func addOnDevice(d *driver.Device, x []uint32, add uint32) error {
	return d.Do(func() (err error) { // hands over to the device's goroutine once
		var made []io.Closer
		defer func() {
			for _, o := range slices.Backward(made) {
				err = errors.Join(err, o.Close())
			}
		}()
		module, err := d.Load("add", addPTX)
		if err != nil {
			return err
		}
		made = append(made, module)
		kernel, err := module.Kernel("add")
		if err != nil {
			return err
		}
		stream, err := d.NewStream()
		if err != nil {
			return err
		}
		made = append(made, stream)
		buffer, err := driver.Alloc[uint32](d, len(x))
		if err != nil {
			return err
		}
		made = append(made, buffer)
		if err := buffer.Upload(stream, x); err != nil {
			return err
		}
		grid := driver.Grid{Blocks: 1, Threads: len(x)}
		if err := kernel.Launch(stream, grid, buffer.Arg(), driver.U32(uint32(len(x))), driver.U32(add)); err != nil {
			return err
		}
		return buffer.Download(stream, x) // waits for the kernel
	})
}

// The example runs on a fake device.
func TestExample(t *testing.T) {
	d, err := cudatest.Load(t, probe, "").Device(0)
	if err != nil {
		t.Fatal(err)
	}
	x := []uint32{1, 2, 3, 4}
	if err := errors.Join(addOnDevice(d, x, 10), d.Close()); err != nil || !slices.Equal(x, []uint32{11, 12, 13, 14}) {
		t.Errorf("%v: %v", x, err)
	}
}
