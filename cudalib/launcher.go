package cudalib

import (
	"errors"
	"io"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/ptx"
)

// launcher is what every launcher has on its device: the kernels of some modules,
// a stream, and all that is to be closed in the end. What makes things on it does
// nothing after the first failure, which is err.
type launcher struct {
	device  *Device
	modules []*driver.Module
	stream  *driver.Stream
	made    []io.Closer
	err     error
}

// newLauncher loads the kernels of kernels/MODULE.cu, of each module.
func newLauncher(d *Device, modules ...string) *launcher {
	l := &launcher{device: d}
	for _, name := range modules {
		l.modules = append(l.modules, keep(l, func() (*driver.Module, error) { return d.Load(name, ptx.Module(name)) }))
	}
	l.stream = keep(l, d.NewStream)
	return l
}

// keep makes something that is closed with the launcher.
func keep[T io.Closer](l *launcher, create func() (T, error)) (made T) {
	if l.err != nil {
		return made
	}
	if made, l.err = create(); l.err == nil {
		l.made = append(l.made, made)
	}
	return made
}

// alloc makes a buffer.
func alloc[T driver.Element](l *launcher, n int) driver.Buffer[T] {
	return keep(l, func() (driver.Buffer[T], error) { return driver.Alloc[T](l.device, n) })
}

// upload makes a buffer of an array.
func upload[T driver.Element](l *launcher, array []T) driver.Buffer[T] {
	b := alloc[T](l, len(array))
	if l.err == nil {
		l.err = b.Upload(l.stream, array)
	}
	return b
}

// kernel finds a kernel, and how many blocks of so many threads the device runs
// at the same time.
func (l *launcher) kernel(name string, threads int) (k *driver.Kernel, blocks int) {
	if l.err == nil {
		for _, m := range l.modules {
			if k, l.err = m.Kernel(name); l.err == nil {
				break
			}
		}
	}
	if l.err == nil {
		blocks, l.err = k.Resident(threads, 0)
	}
	return k, blocks * l.device.Info().Multiprocessors
}

// drop closes something before the launcher is.
func (l *launcher) drop(o io.Closer) error {
	i := slices.Index(l.made, o)
	l.made = slices.Delete(l.made, i, i+1)
	return o.Close()
}

// Close frees what the launcher has on its device.
func (l *launcher) Close() error {
	var errs []error
	for _, o := range slices.Backward(l.made) {
		errs = append(errs, o.Close())
	}
	l.made = nil
	return errors.Join(errs...)
}
