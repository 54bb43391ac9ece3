package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The errors of a file that a backup does not replace, because something would be lost.
var (
	ErrItself = errors.New("it is the database itself")
	ErrOpen   = errors.New("a server, or another program, uses it as its database")
	ErrPart   = errors.New("it is a part of the database beside it")
	ErrOldLog = errors.New("the log beside it, whose name ends with -wal or -journal, is that of an older database")
)

// ErrOtherName is the error of a database that is copied by a hard link to the file of a server: its
// last moves are in the log beside the other name.
var ErrOtherName = errors.New("a server uses it by another name of the file")

// mayReplace returns an error unless a copy of a database may take the name of a file, which need
// not exist. Until it is released, no server begins to use a file that exists, or with served any of that name.
func mayReplace(path, file string, served bool) (release func() error, err error) {
	name := realName(file)
	for _, suffix := range []string{"-wal", "-shm", "-journal", "-lock"} {
		if of, ok := strings.CutSuffix(name, suffix); ok && exists(of) {
			return nil, ErrPart
		}
	}
	if sameFile(path, file) {
		return nil, ErrItself
	}
	release = func() error { return nil }
	if served || exists(name) || exists(name+"-lock") { // a server may use it, or begin to while the copy is made
		used := exists(name + "-lock")
		lock, err := Lock(file)
		if errors.Is(err, ErrInUse) {
			err = ErrOpen
		}
		if err != nil {
			return nil, err
		}
		release = func() error {
			if !used {
				_ = os.Remove(name + "-lock") // it stays on systems that do not remove an open file
			}
			return lock.Close()
		}
	}
	if openElsewhere(file) { // under another name, perhaps
		return nil, errors.Join(ErrOpen, release())
	}
	return release, nil
}

// realName returns a path without symbolic links, of a file that need not exist. SQLite names the files
// beside a database by it.
func realName(path string) string {
	for range 40 { // links of links, as many as systems follow
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			break
		}
		target, err := os.Readlink(path) // no browser has this function
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}

// ErrNoFile is the error of the name of a folder, a device or a pipe, or of no name at all.
var ErrNoFile = errors.New("is not the name of a file")

// mustBeFile returns an error unless a path is that of a file, or of none yet.
func mustBeFile(path string) error {
	info, err := os.Stat(path)
	if path == "" || err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%q %w", path, ErrNoFile)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func sameFile(a, b string) bool {
	of, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(of, other)
}

// hasLog reports whether a database has a log that may not be copied into it yet.
func hasLog(path string) bool {
	return slices.ContainsFunc([]string{"-wal", "-journal"}, func(suffix string) bool {
		log, err := os.Stat(path + suffix)
		return err == nil && log.Size() > 0
	})
}
