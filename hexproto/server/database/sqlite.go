//go:build !js

package database

import (
	"errors"

	"modernc.org/sqlite"
)

const (
	driver = "sqlite"
	place  = "" // a file
)

// code returns SQLite's number for an error, or -1 if it is another error.
func code(err error) int {
	if e := (*sqlite.Error)(nil); errors.As(err, &e) {
		return e.Code()
	}
	return -1
}
