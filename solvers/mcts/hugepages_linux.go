package mcts

import (
	"syscall"
	"unsafe"
)

// useHugePages asks for huge pages for a slice with random accesses, which would
// otherwise miss the TLB too. It has no effect where the system has none.
func useHugePages[T any](s []T) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE)
}
