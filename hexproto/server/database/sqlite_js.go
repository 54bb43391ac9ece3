package database

import (
	"errors"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver" // the driver "sqlite3"
	_ "github.com/ncruces/go-sqlite3/vfs/memdb"
)

// In a browser a database is in memory, as long as it is open.
const (
	driver = "sqlite3"
	place  = "vfs=memdb&"
)

// code returns SQLite's number for an error, or -1 if it is another error.
func code(err error) int {
	if e := (*sqlite3.Error)(nil); errors.As(err, &e) {
		return int(e.ExtendedCode())
	}
	return -1
}
