package memory

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page on most processors.
const hugePage = 2 << 20

// MakeTable returns a slice of n zeros for accesses at random places. A large one is in huge
// pages if the system has them: in small pages most accesses would miss the TLB, too.
func MakeTable[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	if n*size < hugePage || hugePage%size != 0 {
		return make([]T, n)
	}
	// Whole pages, and one more to find the first at which a huge page begins.
	items := hugePage / size
	pages := (n + items - 1) / items
	table := make([]T, (pages+1)*items)
	if past := int(uintptr(unsafe.Pointer(&table[0])) % hugePage); past > 0 {
		table = table[(hugePage-past)/size:]
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&table[0])), pages*hugePage)
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE) // an older system may know none
	return table[:n:n]
}
