//go:build nogpu || !((linux && (amd64 || arm64)) || (windows && amd64))

package dl

// Driver is the file of NVIDIA's driver, for which no such build looks.
const Driver = ""

// Supported reports whether this build of the program can open a library at all.
const Supported = false

const unreachable = "dl: no library can be opened"

// Open panics.
func Open(string) (uintptr, error) { panic(unreachable) }

// Symbol panics.
func Symbol(uintptr, string) (uintptr, error) { panic(unreachable) }

// Call panics.
func Call(uintptr, ...uintptr) int { panic(unreachable) }

// Thread panics.
func Thread() int { panic(unreachable) }
