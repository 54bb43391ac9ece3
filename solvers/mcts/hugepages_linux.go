package mcts

import (
	"syscall"
	"unsafe"
)

// largePages asks for memory in large pages, for what is looked at in places far
// apart: each would need a look at the page table, too. A system that has none goes
// on as it is.
func largePages[T any](s []T) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE)
}
