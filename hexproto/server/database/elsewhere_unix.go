//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package database

import (
	"os"
	"syscall"
)

// The bytes of a database on which each of its connections has a lock, see
// https://sqlite.org/fileformat.html#the_lock_byte_page.
const (
	firstShared = 1<<30 + 2
	allShared   = 510
)

// openElsewhere reports whether another program has a database with a log open, by whatever name of
// the file. This program must not have it open: the system would take its locks away.
func openElsewhere(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: firstShared, Len: allShared}
	return syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock) == nil && lock.Type != syscall.F_UNLCK
}

// openLinked reports whether another program has a database open whose file has several names, by any
// of them: hard links.
func openLinked(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	return ok && of.Nlink > 1 && openElsewhere(path)
}

// keepOwner gives a file the owner of another one, if this program may: root does for the server's user.
func keepOwner(file, as string) {
	if info, err := os.Stat(as); err == nil {
		if of, ok := info.Sys().(*syscall.Stat_t); ok {
			_ = os.Chown(file, int(of.Uid), int(of.Gid))
		}
	}
}
