package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
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

// Hold locks a file that is about to be written, whether or not it exists, by a hidden
// file beside it. release removes that file; a killed program leaves it, unlocked.
func Hold(path string) (release func(), err error) {
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	for {
		f, err := Lock(beside)
		if err != nil {
			return nil, err
		}
		// The program that held it may have removed the file after it was opened here.
		locked, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Stat(beside); err == nil && os.SameFile(locked, now) {
			return func() {
				os.Remove(beside)
				f.Close()
			}, nil
		}
		f.Close()
	}
}
