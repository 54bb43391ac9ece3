package launch

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"
	"unsafe"

	"gamebots/cudalib/driver"
)

// Warp is how many threads of a block go in step.
const Warp = 32

// A Launcher owns a solver's objects on a device: the kernels of some modules, a
// stream, and all that was made with [Keep] and the functions on top of it.
type Launcher struct {
	Device *driver.Device
	Stream *driver.Stream
	Err    error // the first failure

	modules []*driver.Module
	made    []io.Closer
}

// New loads modules of a family of kernels, see [Text].
func New(d *driver.Device, family fs.FS, modules ...string) *Launcher {
	l := &Launcher{Device: d}
	for _, name := range modules {
		l.modules = append(l.modules, Keep(l, func() (*driver.Module, error) {
			return d.Load(name, Text(family, name))
		}))
	}
	l.Stream = Keep(l, d.NewStream)
	return l
}

// Keep makes something that is closed with the launcher.
func Keep[T io.Closer](l *Launcher, create func() (T, error)) (made T) {
	if l.Err != nil {
		return made
	}
	if made, l.Err = create(); l.Err == nil {
		l.made = append(l.made, made)
	}
	return made
}

// Try does work of a constructor, unless something has failed before.
func (l *Launcher) Try(work func() error) {
	if l.Err == nil {
		l.Err = work()
	}
}

// Finish returns what a constructor has made, unless something has failed: then it closes the launcher.
func Finish[T any](l *Launcher, made *T) (*T, error) {
	if l.Err != nil {
		return nil, errors.Join(l.Err, l.Close())
	}
	return made, nil
}

// Alloc makes a buffer of n elements.
func Alloc[T driver.Element](l *Launcher, n int) driver.Buffer[T] {
	return Keep(l, func() (driver.Buffer[T], error) { return driver.Alloc[T](l.Device, n) })
}

// AllocPinned makes an array of n elements in memory of the host that the device
// reads and writes.
func AllocPinned[T driver.Element](l *Launcher, n int) driver.Pinned[T] {
	return Keep(l, func() (driver.Pinned[T], error) { return driver.AllocPinned[T](l.Device, n) })
}

// Upload makes a buffer with the elements of an array, or with one more that is 0 if it has none,
// as kernels are given an address.
func Upload[T driver.Element](l *Launcher, array []T) driver.Buffer[T] {
	if len(array) == 0 {
		array = make([]T, 1)
	}
	b := Alloc[T](l, len(array))
	l.Try(func() error { return b.Upload(l.Stream, array) })
	return b
}

// Zeros makes a buffer of n zeros.
func Zeros[T driver.Element](l *Launcher, n int) driver.Buffer[T] {
	b := Alloc[T](l, n)
	l.Try(func() error { return b.Zero(l.Stream) })
	return b
}

// Grow makes a buffer at least n elements long, and drops its contents if it was
// shorter. A failure is returned and is not kept as Err.
func Grow[T driver.Element](l *Launcher, b *driver.Buffer[T], n int) error {
	if b.Len() >= n && n > 0 {
		return nil
	}
	if b.Len() > 0 {
		if err := l.drop(*b); err != nil {
			return err
		}
		*b = driver.Buffer[T]{}
	}
	*b = Alloc[T](l, max(n, 1))
	err := l.Err
	l.Err = nil
	return err
}

// drop closes something before the launcher is.
func (l *Launcher) drop(o io.Closer) error {
	i := slices.Index(l.made, o)
	l.made = slices.Delete(l.made, i, i+1)
	return o.Close()
}

// Close frees the launcher's objects.
func (l *Launcher) Close() error {
	var errs []error
	for _, o := range slices.Backward(l.made) {
		errs = append(errs, o.Close())
	}
	l.made = nil
	return errors.Join(errs...)
}

// texts keeps the PTX that was decompressed, by family and name: solvers that open a
// device for every task would decompress it each time, for about a millisecond.
var texts sync.Map

// Text returns the PTX of a module of a family, which has it compressed as
// NAME.ptx.gz. Which modules there are is known when a program is written: another
// name is a panic. It may be called by any goroutine.
func Text(family fs.FS, name string) string {
	type module struct {
		family fs.FS
		name   string
	}
	text, ok := texts.Load(module{family, name})
	if !ok {
		text, _ = texts.LoadOrStore(module{family, name}, decompress(family, name))
	}
	return text.(string)
}

func decompress(family fs.FS, name string) string {
	packed, err := family.Open(name + ".ptx.gz")
	if err != nil {
		panic(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Whole returns a number of threads or lanes that is rounded up to whole warps.
func Whole(n int) int { return (n + Warp - 1) / Warp * Warp }

// Loop returns the grid of a kernel whose threads go through n elements in strides.
func Loop(n int) driver.Grid {
	const most, mostBlocks = 256, 1 << 14
	threads := min(Whole(max(n, 1)), most)
	return driver.Grid{Blocks: min((n+threads-1)/threads, mostBlocks), Threads: threads}
}

// Words returns structs as the 32-bit words that they consist of.
func Words[T any](structs []T) []uint32 {
	var one T
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(structs))), len(structs)*int(unsafe.Sizeof(one))/4)
}
