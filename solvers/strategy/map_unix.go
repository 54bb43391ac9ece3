//go:build unix

package strategy

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapWhole maps a file that is not empty into memory.
func mapWhole(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(mapping []byte) error {
	if mapping == nil {
		return nil
	}
	return unix.Munmap(mapping)
}
