//go:build !linux || !(amd64 || arm64) || nogpu

package driver

import "errors"

// Supported says whether this build of the program can use a GPU at all.
const Supported = false

func dlopen(string) (uintptr, error) {
	return 0, errors.New("this build of the program has no GPU support")
}

func dlsym(uintptr, string) (uintptr, error) { panic("driver: no library was opened") }

func callC(uintptr, ...uintptr) int { panic("driver: no library was opened") }

func threadID() int { return 0 }
