package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// pending replaces renameio.PendingFile, which there is not for Windows. Replacing is
// not fully atomic there, and fails while another process has the old file open.
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

// CloseAtomicallyReplace syncs the file to disk and renames it to its path.
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

// Cleanup removes the file if it was not renamed.
func (f *pending) Cleanup() error {
	if f.done {
		return nil
	}
	f.Close() // it may be closed already
	return os.Remove(f.Name())
}
