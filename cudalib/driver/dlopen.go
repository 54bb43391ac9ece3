//go:build linux && (amd64 || arm64) && !nogpu

package driver

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/ebitengine/purego"
)

// This file and dlopen_none.go are all that differs between programs with and
// without GPU support.

// Supported reports whether this build of the program can use a GPU at all.
const Supported = true

func dlopen(path string) (uintptr, error) {
	runtime.LockOSThread() // the reason of a failure belongs to the thread
	defer runtime.UnlockOSThread()
	// RTLD_LOCAL: the symbols of one library must not serve another.
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func dlsym(handle uintptr, name string) (uintptr, error) {
	runtime.LockOSThread() // as above
	defer runtime.UnlockOSThread()
	address, err := purego.Dlsym(handle, name)
	if err == nil && address == 0 {
		err = errors.New("the symbol is null")
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return address, nil
}

// callC calls a C function that takes integers and pointers and returns an
// int. What args point to stays where it is until the call returns.
//
//go:uintptrescapes
func callC(address uintptr, args ...uintptr) int {
	result, _, _ := purego.SyscallN(address, args...)
	return int(int32(result))
}

// threadID identifies the thread of the system that the caller runs on.
func threadID() int { return syscall.Gettid() }
