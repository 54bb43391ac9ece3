package driver

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// A Device is a GPU that this process has opened. Any goroutine may use it and
// its objects; calls are made one at a time, by the goroutine that owns the device.
type Device struct {
	lib       *Library
	number    int32 // the driver's number of the device
	info      Info
	jobs      chan func()
	ownerGone chan struct{} // closed when the owner is gone
	thread    atomic.Int64  // thread of the owner while it lives

	context atomic.Uintptr // 0 once it is given back

	// What follows belongs to the owner.
	open     map[string]int // how many of each kind of object are not closed
	launched string         // the kernel launched last
	closed   bool
}

// Device opens a device by its ordinal.
func (l *Library) Device(ordinal int) (*Device, error) {
	number, info, err := l.describeDevice(ordinal)
	if err != nil {
		return nil, detail(err, "opening device %d", ordinal)
	}
	if info.Capability < minCapability {
		return nil, unusable{
			fmt.Errorf("device %d (%s) has compute capability %v, and at least %v is needed", ordinal, info.Name,
				info.Capability, minCapability),
			"choose another device, or the CPU",
		}
	}
	d := &Device{lib: l, number: number, info: info, jobs: make(chan func()),
		ownerGone: make(chan struct{}), open: map[string]int{}}
	opened := make(chan error)
	go d.own(opened)
	if err := <-opened; err != nil {
		return nil, detail(err, "opening device %d (%s)", ordinal, info.Name)
	}
	return d, nil
}

// own is the owner. A context of CUDA is current for one thread of the system,
// so that all calls for a device come from one goroutine which keeps its thread.
func (d *Device) own(opened chan<- error) {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	defer close(d.ownerGone)
	var context uintptr
	err := d.lib.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&context)), uintptr(d.number))
	if err == nil {
		err = d.lib.call(cuCtxSetCurrent, context)
	}
	if err == nil {
		d.context.Store(context)
		d.thread.Store(int64(thread()))
		defer d.thread.Store(0)
		defer func() {
			if !d.closed { // work has ended this goroutine, as a failing test does
				d.context.Store(0)
				_ = d.lib.call(cuDevicePrimaryCtxRelease, uintptr(d.number))
			}
		}()
	}
	opened <- err
	for err == nil && !d.closed {
		job := <-d.jobs
		job()
	}
}

// Info describes the device.
func (d *Device) Info() Info { return d.info }

func (d *Device) String() string { return fmt.Sprintf("%s (cuda:%d)", d.info.Name, d.info.Ordinal) }

// Do runs work in the owner's goroutine and returns its error. A call from
// another goroutine is handed over to the owner, which may take longer than the
// call itself; the calls inside work are not. Work must not wait for another
// goroutine that uses the device. A panic of work goes on in the caller.
func (d *Device) Do(work func() error) error {
	if d.owned() {
		return work()
	}
	var (
		err      = errors.New("the owner of " + d.String() + " was ended by its work")
		panicked any
		done     = make(chan struct{})
	)
	job := func() {
		defer close(done)
		defer func() { panicked = recover() }()
		err = work()
	}
	select {
	case d.jobs <- job:
		<-done
	case <-d.ownerGone:
		return fmt.Errorf("%v is %w", d, ErrClosed)
	}
	if panicked != nil {
		panic(panicked)
	}
	return err
}

// owned reports whether the caller is the owner: nothing else runs on its thread.
func (d *Device) owned() bool { return d.thread.Load() == int64(thread()) }

// call makes a call in the owner's goroutine.
//
//go:uintptrescapes
func (d *Device) call(c call, args ...uintptr) error {
	if d.owned() {
		return d.explain(d.lib.call(c, args...))
	}
	return d.Do(func() error { return d.explain(d.lib.call(c, args...)) })
}

// wait makes a call that waits for the device. It makes it on the caller's own
// thread, so that the owner has time for others meanwhile.
func (d *Device) wait(c call, handle uintptr) error {
	if d.owned() {
		return d.call(c, handle)
	}
	context := d.context.Load()
	if context == 0 {
		return fmt.Errorf("%v is %w", d, ErrClosed)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := d.lib.call(cuCtxSetCurrent, context)
	if err == nil {
		err = d.lib.call(c, handle)
	}
	if err == nil {
		return nil
	}
	return d.Do(func() error { return d.explain(err) })
}

// explain adds to a fault which kernel may have caused it: the driver reports a
// fault to whatever is called next.
func (d *Device) explain(err error) error {
	if errors.Is(err, ErrFault) && d.launched != "" {
		return detail(err, "after the launch of kernel %s", d.launched)
	}
	return err
}

// Memory returns how many bytes of the device are free, and how many it has
// in all.
func (d *Device) Memory() (free, total int64, err error) {
	err = d.call(cuMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return free, total, err
}

// RequireMemory returns a [*MemoryError] where fewer bytes are free on the device
// than are needed.
func (d *Device) RequireMemory(need int64) error {
	free, _, err := d.Memory()
	if err == nil && need > free {
		err = &MemoryError{d.String(), need, free}
	}
	return err
}

// Close closes the device and frees everything on it. The error names the objects
// that should have been closed before. Later calls return [ErrClosed].
func (d *Device) Close() error {
	return d.Do(func() error {
		d.closed = true
		d.context.Store(0)
		err := d.explain(d.lib.call(cuDevicePrimaryCtxRelease, uintptr(d.number)))
		var left []string
		for _, kind := range slices.Sorted(maps.Keys(d.open)) {
			if n := d.open[kind]; n > 0 {
				left = append(left, fmt.Sprintf("%d × %s", n, kind))
			}
		}
		if left != nil {
			err = errors.Join(err, fmt.Errorf("%v is closed before what is on it: %s", d, strings.Join(left, ", ")))
		}
		return err
	})
}

// An object is something on a device that has to be closed.
type object struct {
	dev    *Device
	kind   string
	handle uintptr // 0 once it is closed
	closer call
}

// newObject counts an object as open. Only the owner may call it.
func newObject(d *Device, kind string, handle uintptr, closer call) object {
	d.open[kind]++
	return object{d, kind, handle, closer}
}

// Close frees the object on the device, after the work that uses it. It must
// not be used any more.
func (o *object) Close() error {
	return o.dev.Do(func() error {
		if err := o.on(o.dev); err != nil {
			return err
		}
		err := o.dev.explain(o.dev.lib.call(o.closer, o.handle))
		o.handle = 0
		o.dev.open[o.kind]--
		return err
	})
}

// on returns an error unless the object is open and on a device.
func (o *object) on(d *Device) error {
	switch {
	case o.dev != d:
		return fmt.Errorf("a %s of %v is used on %v", o.kind, o.dev, d)
	case o.handle == 0:
		return fmt.Errorf("a %s of %v is %w", o.kind, o.dev, ErrClosed)
	}
	return nil
}
