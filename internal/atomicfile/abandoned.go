package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// RemoveAbandoned removes the temporary files that killed programs left when they
// wrote a path. Those that a running program writes are locked, and stay; so does
// everything where there are no locks, and what cannot be removed.
func RemoveAbandoned(path string) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "."+base)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(f) == nil {
			os.Remove(name)
		}
		f.Close()
	}
}

// createLocked creates a temporary file and locks it until the lock is closed, which
// comes after the renaming. The lock is nil where there are none.
func createLocked(path string) (p *pending, lock *os.File, err error) {
	for {
		if p, err = create(path); err != nil {
			return nil, nil, err
		}
		lock, err := os.Open(p.Name())
		if err == nil {
			if err = tryLock(lock); err == nil {
				if isFile(lock, p.Name()) {
					return p, lock, nil
				}
				err = ErrLocked
			}
			lock.Close()
		}
		if !errors.Is(err, ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
			return p, nil, nil
		}
		// RemoveAbandoned found the file before it was locked.
		if err := p.Cleanup(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
}

// isFile reports whether a name is that of an open file.
func isFile(f *os.File, name string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	found, err := os.Lstat(name)
	return err == nil && os.SameFile(opened, found)
}
