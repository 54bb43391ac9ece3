package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"gamebots/internal/shutdown"
)

// File is a file under a temporary name, in the folder of the file that it will
// replace. It is used by one goroutine at a time.
type File struct {
	*pending
	path string
	lock *os.File // keeps RemoveAbandoned from the file; nil where there are no locks
	done func()   // ends the inhibition of a shutdown
}

// Create creates a file that Commit will rename to path. If path exists and is not a
// regular file it is refused, because renaming would replace even a device such as
// /dev/null.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	done := shutdown.Inhibit("writing " + path)
	p, lock, err := createLocked(path)
	if err != nil {
		done()
		return nil, renamed(err, path)
	}
	return &File{p, path, lock, done}, nil
}

// renamed replaces the temporary name in an error by the file's own, which the caller
// knows.
func renamed(err error, path string) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		at.Path = path
	}
	return err
}

// Write appends data.
func (f *File) Write(data []byte) (int, error) {
	n, err := f.pending.Write(data)
	return n, renamed(err, f.path)
}

// WriteString appends a text.
func (f *File) WriteString(text string) (int, error) {
	n, err := f.pending.WriteString(text)
	return n, renamed(err, f.path)
}

// WriteAt writes data at an offset.
func (f *File) WriteAt(data []byte, at int64) (int, error) {
	n, err := f.pending.WriteAt(data, at)
	return n, renamed(err, f.path)
}

var errNotRegular = errors.New("not a regular file")

// Commit syncs the file to disk, closes it and renames it to its path.
func (f *File) Commit() error {
	defer f.done()
	defer f.lock.Close() // does nothing where there is no lock
	return renamed(f.CloseAtomicallyReplace(), f.path)
}

// Cleanup removes the temporary file, unless Commit renamed it.
func (f *File) Cleanup() error {
	defer f.done()
	defer f.lock.Close()
	return f.pending.Cleanup()
}

// Write replaces the contents of the file path in one step.
func Write(path string, data []byte) error { return write(path, data, false) }

// WritePrivate is Write of a file that nobody but its owner can read.
func WritePrivate(path string, data []byte) error { return write(path, data, true) }

func write(path string, data []byte, private bool) (err error) {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Cleanup()) }()
	if private {
		if err := f.Chmod(0o600); err != nil {
			return renamed(err, path)
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// Begins reports whether a file begins with a text.
func Begins(file, text string) bool {
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, len(text))
	_, err = io.ReadFull(in, start)
	return err == nil && string(start) == text
}

// MakePrivate takes all rights to a file away from all but its owner. It leaves what is no
// regular file, what does not exist, and what belongs to somebody else, who may have
// shared it on purpose. Systems without such rights ignore it.
func MakePrivate(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
