//go:build amd64 && !nogpu

package driver

import (
	"fmt"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// FileName is the file of NVIDIA's driver, which the system finds.
const FileName = "nvcuda.dll"

// Supported reports whether this build of the program can use a GPU at all.
const Supported = true

// OpenShared opens a shared library, without cgo.
func OpenShared(path string) (handle uintptr, err error) {
	flags := uintptr(windows.LOAD_LIBRARY_SEARCH_DEFAULT_DIRS)
	if filepath.Base(path) == path {
		// A file of that name in the current folder, or beside the program, must not be run.
		flags = windows.LOAD_LIBRARY_SEARCH_SYSTEM32
	}
	h, err := windows.LoadLibraryEx(path, 0, flags)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err) // the system's reason does not name it
	}
	return uintptr(h), nil
}

// Symbol returns the address of a function of a library. An error names it.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	if address, err = windows.GetProcAddress(windows.Handle(handle), name); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return address, nil
}

// CallC calls a C function that takes integers and pointers and returns an
// int. What args point to stays where it is until the call returns.
//
//go:uintptrescapes
func CallC(address uintptr, args ...uintptr) int {
	result, _, _ := syscall.SyscallN(address, args...)
	return int(int32(result))
}

// thread identifies the thread of the system that the caller runs on.
func thread() int { return int(windows.GetCurrentThreadId()) }
