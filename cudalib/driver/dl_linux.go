//go:build (amd64 || arm64) && !nogpu

package driver

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/ebitengine/purego"
)

// FileName is the file of NVIDIA's driver, which the system finds.
const FileName = "libcuda.so.1"

// Supported reports whether this build of the program can use a GPU at all.
const Supported = true

// OpenShared opens a shared library, without cgo.
func OpenShared(path string) (handle uintptr, err error) {
	runtime.LockOSThread() // the reason of a failure belongs to the thread
	defer runtime.UnlockOSThread()
	// RTLD_LOCAL: the symbols of one library must not serve another.
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// Symbol returns the address of a function of a library. An error names it.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	runtime.LockOSThread() // as above
	defer runtime.UnlockOSThread()
	address, err = purego.Dlsym(handle, name)
	if err == nil && address == 0 {
		err = errors.New("the symbol is null")
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return address, nil
}

// CallC calls a C function that takes integers and pointers and returns an
// int. What args point to stays where it is until the call returns.
//
//go:uintptrescapes
func CallC(address uintptr, args ...uintptr) int {
	result, _, _ := purego.SyscallN(address, args...)
	return int(int32(result))
}

// thread identifies the thread of the system that the caller runs on.
func thread() int { return syscall.Gettid() }
