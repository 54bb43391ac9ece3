package strategy

import (
	"errors"
	"os"
	"path/filepath"
)

// pendingFile is a file under a temporary name until it is complete; renameio
// has none for Windows, where replacing is less than atomic and fails while
// another process has the old file open.
type pendingFile struct {
	*os.File
	path string
	done bool
}

func newPendingFile(path string) (*pendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return &pendingFile{File: f, path: path}, nil
}

// CloseAtomicallyReplace brings the file to the disk and gives it its name.
func (f *pendingFile) CloseAtomicallyReplace() error {
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	f.done = true
	return nil
}

// Cleanup removes a file that did not get its name, and otherwise does nothing.
func (f *pendingFile) Cleanup() error {
	if f.done {
		return nil
	}
	f.Close() // it may be closed already
	return os.Remove(f.Name())
}
