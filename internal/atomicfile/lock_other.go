//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"errors"
	"os"
)

// tryLock locks a file. It returns ErrLocked if another program was first, and another
// error where there are no locks.
func tryLock(*os.File) error { return errors.ErrUnsupported }
