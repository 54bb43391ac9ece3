package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// pending is what renameio has none of for Windows, where replacing is less
// than atomic and fails while another process has the old file open.
type pending struct {
	*os.File
	path string
	done bool
}

func create(path string) (*pending, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return &pending{File: f, path: path}, nil
}

// CloseAtomicallyReplace brings the file to the disk and gives it its name.
func (f *pending) CloseAtomicallyReplace() error {
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
func (f *pending) Cleanup() error {
	if f.done {
		return nil
	}
	f.Close() // it may be closed already
	return os.Remove(f.Name())
}
