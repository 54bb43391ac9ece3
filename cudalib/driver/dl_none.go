//go:build nogpu || !((linux && (amd64 || arm64)) || (windows && amd64))

package driver

// FileName is the file of NVIDIA's driver, for which no such build looks.
const FileName = ""

// Supported reports whether this build of the program can use a GPU at all.
const Supported = false

const unreachable = "driver: no library can be opened"

// OpenShared panics.
func OpenShared(string) (uintptr, error) { panic(unreachable) }

// Symbol panics.
func Symbol(uintptr, string) (uintptr, error) { panic(unreachable) }

// CallC panics.
func CallC(uintptr, ...uintptr) int { panic(unreachable) }

// thread panics.
func thread() int { panic(unreachable) }
