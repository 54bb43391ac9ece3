//go:build linux || windows

package driver_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"gamebots/cudalib/driver"
)

// Any goroutine may use a device, although the driver, and the fake one with
// it, refuses calls from other threads than the owner's.
func TestManyGoroutines(t *testing.T) {
	f := newFixture(t, "")
	b := f.buffer(t, make([]uint32, 8)...)
	add := f.kernel(t, "add")
	var users sync.WaitGroup
	for i := range b.Len() {
		users.Go(func() {
			for range 20 {
				if err := add.Launch(f.stream, driver.Grid{Blocks: 1, Threads: 1}, b.Slice(i, i+1).Arg(), driver.U32(1),
					driver.U32(uint32(i))); err != nil {
					t.Error(err)
				}
				runtime.Gosched()
			}
		})
	}
	users.Wait()
	f.holds(t, b, 0, 20, 40, 60, 80, 100, 120, 140)
}

// Who waits for the device does not keep its owner from others, nor the other way
// round.
func TestSyncBesideOtherWork(t *testing.T) {
	f := newFixture(t, "")
	event, err := f.dev.NewEvent()
	must(t, err)
	defer event.Close()
	b := f.buffer(t, 1)
	must(t,
		f.kernel(t, "add").Launch(f.stream, driver.Grid{Blocks: 1, Threads: 1}, b.Arg(), driver.U32(1), driver.U32(1)))
	must(t, event.Record(f.stream))
	synced := make(chan error, 1)
	must(t, f.dev.Do(func() error {
		go func() { synced <- errors.Join(event.Sync(), f.stream.Sync()) }()
		return <-synced
	}))
	f.holds(t, b, 2)
}

func TestDo(t *testing.T) {
	f := newFixture(t, "")
	mine := errors.New("mine")
	if err := f.dev.Do(func() error { return f.dev.Do(func() error { return mine }) }); err != mine {
		t.Errorf("work within work returned %v", err)
	}
	func() {
		defer func() {
			if got := recover(); got != "mine" {
				t.Errorf("the panic of work came out as %v", got)
			}
		}()
		f.dev.Do(func() error { panic("mine") })
	}()
	if _, _, err := f.dev.Memory(); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

// Work that ends its goroutine, as a test that fails does, does not hang its caller.
func TestDoThatEndsTheOwner(t *testing.T) {
	f := newFixture(t, "devices=2")
	dev, err := f.fake.Device(1)
	must(t, err)
	if err := dev.Do(func() error { runtime.Goexit(); return nil }); err == nil {
		t.Error("no error")
	}
	if _, _, err := dev.Memory(); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("error %v of a device without owner", err)
	}
}
