package memory

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// TestMakeTable makes tables of sizes around those of pages.
func TestMakeTable(t *testing.T) {
	const page = 2 << 20
	for _, n := range []int{0, 1, page/4 - 1, page / 4, 3*page/4 + 1} {
		table := MakeTable[float32](n)
		if len(table) != n || cap(table) != n {
			t.Errorf("a table of %d has %d items, and room for %d", n, len(table), cap(table))
		}
		if slices.ContainsFunc(table, func(x float32) bool { return x != 0 }) {
			t.Errorf("a table of %d is not empty", n)
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(table))); runtime.GOOS == "linux" &&
			4*n >= page && at%page != 0 {
			t.Errorf("a table of %d begins within a huge page, at %#x", n, at)
		}
	}
	if table := MakeTable[[3]byte](page); len(table) != page {
		t.Errorf("a table of items that do not fill a page has %d", len(table))
	}
}
