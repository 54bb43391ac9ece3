//go:build !js

package strategy

import (
	"os"

	"github.com/edsrzf/mmap-go"
)

// mapWhole maps a file that is not empty into memory.
func mapWhole(f *os.File, _ int) ([]byte, error) { return mmap.Map(f, mmap.RDONLY, 0) }

func unmap(mapping []byte) error {
	if mapping == nil {
		return nil
	}
	m := mmap.MMap(mapping)
	return m.Unmap()
}
