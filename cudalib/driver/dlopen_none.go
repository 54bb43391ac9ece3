//go:build !linux || !(amd64 || arm64) || nogpu

package driver

// Supported reports whether this build of the program can use a GPU at all.
const Supported = false

const unreachable = "driver: no library can be opened"

func dlopen(string) (uintptr, error) { panic(unreachable) }

func dlsym(uintptr, string) (uintptr, error) { panic(unreachable) }

func callC(uintptr, ...uintptr) int { panic(unreachable) }

func threadID() int { panic(unreachable) }
