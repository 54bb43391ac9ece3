package atomicfile

import (
	"errors"
	"os"
)

// ErrLocked is the error of a file that another program has locked.
var ErrLocked = errors.New("locked by another program")

// Lock creates a file where there is none, and locks it. Closing the file gives
// the lock back. On systems without locks every call succeeds.
func Lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if tryLock(f) == ErrLocked {
		f.Close()
		return nil, ErrLocked
	}
	return f, nil
}
