package server

import (
	"fmt"
	"os"
)

// lock keeps other servers away from a database, by a lock of the system on a file
// beside it. It goes with the program, however that ends; the file stays.
type lock struct{ file *os.File }

// inUseError is that of a database that another server has.
type inUseError string

func (e inUseError) Error() string {
	return fmt.Sprintf("database %s: another server uses it", string(e))
}

// Hint says what to do about it.
func (inUseError) Hint() string { return "end that server, or give --database another file" }

// lockDatabase takes the lock of a database. Where the file system knows no locks
// there is none.
func lockDatabase(path string) (*lock, error) {
	f, err := os.OpenFile(path+"-lock", os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if taken(f) {
		f.Close()
		return nil, inUseError(path)
	}
	return &lock{f}, nil
}

// free gives the lock back.
func (l *lock) free() error { return l.file.Close() }
