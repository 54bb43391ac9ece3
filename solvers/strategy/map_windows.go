package strategy

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapWhole maps a file that is not empty into memory.
func mapWhole(f *os.File, size int) ([]byte, error) {
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	defer windows.CloseHandle(h) // the view keeps what it shows
	view, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&view)), size), nil // not of Go's memory
}

func unmap(mapping []byte) error {
	if mapping == nil {
		return nil
	}
	return windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(mapping))))
}
