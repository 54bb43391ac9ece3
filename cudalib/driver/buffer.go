package driver

import (
	"fmt"
	"runtime"
	"unsafe"
)

// An Element is a type that a buffer can hold: a number that is the same in Go and
// C.
type Element interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// A Buffer is an array in a device's memory, or a part of one. Like a slice it
// is a small value that refers to the array.
//
// Lengths are checked wherever a buffer meets a slice or another buffer. Nothing
// checks that a kernel stays inside of it.
type Buffer[T Element] struct{ array[T] }

// An array is one on a device or in pinned memory, or a part of one.
type array[T Element] struct {
	memory *object
	offset int // offset in elements
	n      int
}

// Len returns the number of elements.
func (a array[T]) Len() int { return a.n }

// Close frees the array, and with it all parts of it. No copy that uses pinned
// memory may be on its way.
func (a array[T]) Close() error { return a.memory.Close() }

func (a array[T]) address() uintptr {
	var element T
	return a.memory.handle + uintptr(a.offset)*unsafe.Sizeof(element)
}

func (a array[T]) bytes() uintptr {
	var element T
	return uintptr(a.n) * unsafe.Sizeof(element)
}

func (a array[T]) slice(i, j int) array[T] {
	if i < 0 || j < i || j > a.n {
		panic(fmt.Sprintf("driver: slice [%d:%d] of %d elements", i, j, a.n))
	}
	return array[T]{a.memory, a.offset + i, j - i}
}

// Arg is the address of the first element, an argument for a pointer: of the zero
// Buffer or Pinned a null pointer. Pinned memory has the same address for the device
// as for the host.
func (a array[T]) Arg() Arg {
	if a.memory == nil {
		return U64(0)
	}
	return Arg{uint64(a.address()), 8, a.memory}
}

// Alloc makes a buffer of n elements, which are not set to anything. Where the
// device has too little memory left the error is [ErrOutOfMemory].
func Alloc[T Element](d *Device, n int) (Buffer[T], error) {
	a, err := allocate[T](d, "buffer", n, cuMemAlloc, cuMemFree)
	return Buffer[T]{a}, err
}

// allocate makes room for n elements on the device or in pinned memory.
func allocate[T Element](d *Device, kind string, n int, alloc, free call) (array[T], error) {
	var element T
	if size := uint64(unsafe.Sizeof(element)); n < 0 || uint64(n) > (1<<62)/size {
		return array[T]{}, fmt.Errorf("a %s of %d elements cannot be", kind, n)
	}
	bytes := max(1, uintptr(n)*unsafe.Sizeof(element)) // there is no allocation of 0 bytes
	a := array[T]{n: n}
	err := d.Do(func() error {
		var handle uintptr
		if err := d.lib.call(alloc, uintptr(unsafe.Pointer(&handle)), bytes); err != nil {
			var left int64
			if free, _, err := d.Memory(); err == nil {
				left = free
			}
			return detail(d.explain(err), "a %s of %d MiB with %d MiB free on %v", kind, bytes>>20, left>>20, d)
		}
		made := newObject(d, kind, handle, free)
		a.memory = &made
		return nil
	})
	return a, err
}

// Slice returns the part of b from element i up to element j, like b[i:j] of a
// slice. The parts of a buffer are freed with it.
func (b Buffer[T]) Slice(i, j int) Buffer[T] { return Buffer[T]{b.slice(i, j)} }

// Upload copies src to the buffer, after the work that is on the stream, and
// waits until that is done. The lengths must be equal.
func (b Buffer[T]) Upload(s *Stream, src []T) error {
	return b.transfer(s, src, cuMemcpyHtoDAsync, b.address(), uintptr(unsafe.Pointer(unsafe.SliceData(src))))
}

// Download copies the buffer to dst, after the work that is on the stream, and
// waits until that is done. The lengths must be equal.
func (b Buffer[T]) Download(s *Stream, dst []T) error {
	return b.transfer(s, dst, cuMemcpyDtoHAsync, uintptr(unsafe.Pointer(unsafe.SliceData(dst))), b.address())
}

func (b Buffer[T]) transfer(s *Stream, host []T, copying call, to, from uintptr) error {
	if err := b.ready(s, len(host)); err != nil || b.n == 0 {
		return err
	}
	// The collector does not move or free pinned memory while the copy runs.
	var pinner runtime.Pinner
	defer pinner.Unpin()
	pinner.Pin(unsafe.SliceData(host))
	return s.dev.Do(func() error {
		if err := s.dev.call(copying, to, from, b.bytes(), s.handle); err != nil {
			return err
		}
		return s.Sync()
	})
}

// UploadLater puts the copy of src to the buffer on the stream and does not
// wait. Do not write to src until the stream is there.
func (b Buffer[T]) UploadLater(s *Stream, src Pinned[T]) error {
	if err := b.readyWith(s, src.memory, src.Len()); err != nil || b.n == 0 {
		return err
	}
	return s.dev.call(cuMemcpyHtoDAsync, b.address(), src.address(), b.bytes(), s.handle)
}

// DownloadLater puts the copy of the buffer to dst on the stream and does not
// wait. Do not read dst until the stream is there.
func (b Buffer[T]) DownloadLater(s *Stream, dst Pinned[T]) error {
	if err := b.readyWith(s, dst.memory, dst.Len()); err != nil || b.n == 0 {
		return err
	}
	return s.dev.call(cuMemcpyDtoHAsync, dst.address(), b.address(), b.bytes(), s.handle)
}

// Zero puts on the stream that all elements become 0.
func (b Buffer[T]) Zero(s *Stream) error {
	if err := b.ready(s, b.n); err != nil || b.n == 0 {
		return err
	}
	return s.dev.call(cuMemsetD8Async, b.address(), 0, b.bytes(), s.handle)
}

// ready returns an error unless work between the buffer and n elements can be
// put on the stream.
func (b Buffer[T]) ready(s *Stream, n int) error { return b.readyWith(s, b.memory, n) }

func (b Buffer[T]) readyWith(s *Stream, other *object, n int) error {
	if n != b.n {
		return fmt.Errorf("a copy between %d elements and a buffer of %d", n, b.n)
	}
	for _, o := range [...]*object{&s.object, b.memory, other} {
		if err := o.on(s.dev); err != nil {
			return err
		}
	}
	return nil
}

// Pinned is an array in memory of the host that the device reads and writes
// while the program does something else. It is not the collector's: it stays
// until it is closed.
type Pinned[T Element] struct{ array[T] }

// AllocPinned makes a pinned array of n elements. They are not set to anything.
func AllocPinned[T Element](d *Device, n int) (Pinned[T], error) {
	a, err := allocate[T](d, "pinned array", n, cuMemAllocHost, cuMemFreeHost)
	return Pinned[T]{a}, err
}

// Data returns the array. It must not be used once it is closed.
func (p Pinned[T]) Data() []T {
	// The address is one of C, which the collector neither knows nor moves.
	address := *(*unsafe.Pointer)(unsafe.Pointer(&p.memory.handle))
	return unsafe.Slice((*T)(address), p.offset+p.n)[p.offset:]
}

// Slice returns the part of p from element i up to element j. It is closed with
// the whole.
func (p Pinned[T]) Slice(i, j int) Pinned[T] { return Pinned[T]{p.slice(i, j)} }
