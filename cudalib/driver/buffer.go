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
type Buffer[T Element] struct {
	memory *object
	offset int // offset in elements
	n      int
}

// Alloc makes a buffer of n elements, which are not set to anything. Where the
// device has too little memory left the error is [ErrOutOfMemory].
func Alloc[T Element](d *Device, n int) (Buffer[T], error) {
	memory, err := allocate[T](d, "buffer", n, cuMemAlloc, cuMemFree)
	return Buffer[T]{memory, 0, n}, err
}

// allocate makes room for n elements on the device or in pinned memory.
func allocate[T Element](d *Device, kind string, n int, alloc, free call) (*object, error) {
	var element T
	if size := uint64(unsafe.Sizeof(element)); n < 0 || uint64(n) > (1<<62)/size {
		return nil, fmt.Errorf("a %s of %d elements cannot be", kind, n)
	}
	bytes := max(1, uintptr(n)*unsafe.Sizeof(element)) // there is no allocation of 0 bytes
	var o *object
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
		o = &made
		return nil
	})
	return o, err
}

// Len returns the number of elements.
func (b Buffer[T]) Len() int { return b.n }

// Slice returns the part of b from element i up to element j, like b[i:j] of a
// slice. The parts of a buffer are freed with it.
func (b Buffer[T]) Slice(i, j int) Buffer[T] {
	if i < 0 || j < i || j > b.n {
		panic(fmt.Sprintf("driver: slice [%d:%d] of a buffer of %d elements", i, j, b.n))
	}
	return Buffer[T]{b.memory, b.offset + i, j - i}
}

// Close frees the array, and with it all buffers that are parts of it.
func (b Buffer[T]) Close() error { return b.memory.Close() }

func (b Buffer[T]) address() uintptr {
	var element T
	return b.memory.handle + uintptr(b.offset)*unsafe.Sizeof(element)
}

func (b Buffer[T]) bytes() uintptr {
	var element T
	return uintptr(b.n) * unsafe.Sizeof(element)
}

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
type Pinned[T Element] struct {
	memory *object
	offset int // offset in elements
	n      int
}

// AllocPinned makes a pinned array of n elements. They are not set to anything.
func AllocPinned[T Element](d *Device, n int) (Pinned[T], error) {
	memory, err := allocate[T](d, "pinned array", n, cuMemAllocHost, cuMemFreeHost)
	return Pinned[T]{memory, 0, n}, err
}

// Len returns the number of elements.
func (p Pinned[T]) Len() int { return p.n }

// Data returns the array. It must not be used once it is closed.
func (p Pinned[T]) Data() []T {
	// The address is one of C, which the collector neither knows nor moves.
	address := *(*unsafe.Pointer)(unsafe.Pointer(&p.memory.handle))
	return unsafe.Slice((*T)(address), p.offset+p.n)[p.offset:]
}

// Slice returns the part of p from element i up to element j. It is closed with
// the whole.
func (p Pinned[T]) Slice(i, j int) Pinned[T] {
	if i < 0 || j < i || j > p.n {
		panic(fmt.Sprintf("driver: slice [%d:%d] of a pinned array of %d elements", i, j, p.n))
	}
	return Pinned[T]{p.memory, p.offset + i, j - i}
}

func (p Pinned[T]) address() uintptr {
	var element T
	return p.memory.handle + uintptr(p.offset)*unsafe.Sizeof(element)
}

// Arg is the address of the first element, an argument for a pointer: to the device
// it is the same as to the host. It is a null pointer for the zero Pinned.
func (p Pinned[T]) Arg() Arg {
	if p.memory == nil {
		return U64(0)
	}
	return Arg{uint64(p.address()), 8, p.memory}
}

// Close frees the array. No copy that uses it may be on its way.
func (p Pinned[T]) Close() error { return p.memory.Close() }
