package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// File is a file under a temporary name, beside the one that it will replace.
// It is used by one goroutine at a time.
type File struct {
	*pending
	path string
}

// Create starts a file that will be called path. Something there that is not a
// regular file is refused, because renaming would replace even a device such as
// /dev/null.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	p, err := create(path)
	if err != nil {
		return nil, renamed(err, path)
	}
	return &File{p, path}, nil
}

// renamed makes an error speak of the file's own name, and not of the temporary
// one, which nobody gave.
func renamed(err error, path string) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		at.Path = path
	}
	return err
}

// Write writes at the end of what was written.
func (f *File) Write(data []byte) (int, error) {
	n, err := f.pending.Write(data)
	return n, renamed(err, f.path)
}

// WriteAt writes at some place of the file.
func (f *File) WriteAt(data []byte, at int64) (int, error) {
	n, err := f.pending.WriteAt(data, at)
	return n, renamed(err, f.path)
}

var errNotRegular = errors.New("not a regular file")

// Commit brings the file to the disk, closes it and gives it its name.
func (f *File) Commit() error { return renamed(f.CloseAtomicallyReplace(), f.path) }

// Write replaces the file path by one with the given bytes.
func Write(path string, data []byte) (err error) {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Cleanup()) }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}
