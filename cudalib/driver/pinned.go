package driver

import (
	"fmt"
	"unsafe"
)

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
