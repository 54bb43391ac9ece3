package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Causes of an [Error], for errors.Is.
var (
	ErrRunExists    = errors.New("already exists")                 // Begin, without resume
	ErrPlanMismatch = errors.New("is another run")                 // Begin: the same name, another plan
	ErrNotArena     = errors.New("is not a database of the arena") // a database of another program
)

// Error is an error of a database. It never affects data that was stored before.
type Error struct {
	Path string
	Err  error
	hint string
}

func (e *Error) Error() string { return fmt.Sprintf("database %s: %v", e.Path, e.Err) }

// Unwrap returns the error of the database.
func (e *Error) Unwrap() error { return e.Err }

// Hint returns advice, or "".
func (e *Error) Hint() string { return e.hint }

// hints are advice about errors of SQLite, by their codes.
var hints = map[int]string{
	lib.SQLITE_FULL: "the disk is full; stored results are safe: make room and resume the run",
	lib.SQLITE_IOERR: "the disk failed, or is full; stored results are safe: " +
		"resume the run when the disk works again",
	lib.SQLITE_CORRUPT:  damaged,
	lib.SQLITE_NOTADB:   damaged,
	lib.SQLITE_READONLY: notWritable,
	lib.SQLITE_CANTOPEN: notWritable,
	lib.SQLITE_PERM:     notWritable,
}

const (
	damaged = "the file is damaged, or not of an arena; " +
		"save a copy and try \"sqlite3 FILE .recover\", or use another database"
	notWritable = "the file and its folder must be writable for the user that runs this"
)

// MissingError reports that a database has no run of a name.
type MissingError struct {
	Path, Name string
	Runs       []string // the names of its runs
}

func (e *MissingError) Error() string { return fmt.Sprintf("database %s: no run %s", e.Path, e.Name) }

// Hint names the runs of the database.
func (e *MissingError) Hint() string {
	if len(e.Runs) == 0 {
		return "it has no run yet"
	}
	return "its runs are " + strings.Join(e.Runs, ", ")
}

// err makes an Error of an error of the database.
func (s *Store) err(err error) error {
	if err == nil || errors.As(err, new(*Error)) || errors.Is(err, context.Canceled) {
		return err
	}
	e := &Error{Path: s.path, Err: err}
	code := (*sqlite.Error)(nil)
	if !errors.As(err, &code) {
		return e
	}
	e.hint = hints[code.Code()&0xff]
	// The driver's text repeats itself: "disk full: database or disk is full (13)".
	if head, _, ok := strings.Cut(err.Error(), " ("); ok {
		e.Err = shortened{head, err}
	}
	return e
}

// shortened is an error with another text.
type shortened struct {
	text string
	error
}

func (s shortened) Error() string { return s.text }
func (s shortened) Unwrap() error { return s.error }
