//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package database

import (
	"os"
	"syscall"
	"time"
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

// openLinked reports whether another program has a database open by another name of the file, as far as that can be
// known: the file has hard links, or none of the files that SQLite has beside an open one, since it is mounted
// elsewhere, too, or was moved. They are missing for a moment while a program opens or closes it.
func openLinked(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	linked := ok && of.Nlink > 1
	for range 3 {
		if !linked && exists(path+"-shm") || !openElsewhere(path) {
			return false
		}
		time.Sleep(10 * time.Millisecond)
	}
	return true
}

// keepOwner gives a file the owner of another one, if this program may: root does for the server's user.
func keepOwner(file, as string) {
	if info, err := os.Stat(as); err == nil {
		if of, ok := info.Sys().(*syscall.Stat_t); ok {
			_ = os.Chown(file, int(of.Uid), int(of.Gid))
		}
	}
}
