//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package filelock

import (
	"errors"
	"os"
)

// Try locks a file. It returns ErrLocked if another program was first, and another
// error where there are no locks.
func Try(*os.File) error { return errors.ErrUnsupported }
