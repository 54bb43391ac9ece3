package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// File is a file under a temporary name, beside the one that it will replace.
// It is used by one goroutine at a time.
type File struct{ *pending }

// Create starts a file that will be called path. Something there that is not a
// regular file is refused, because renaming would replace even a device such as
// /dev/null.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	p, err := create(path)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		at.Path = path // not the temporary name, which nobody gave
	}
	if err != nil {
		return nil, err
	}
	return &File{p}, nil
}

var errNotRegular = errors.New("not a regular file")

// Commit brings the file to the disk, closes it and gives it its name.
func (f *File) Commit() error { return f.CloseAtomicallyReplace() }

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
