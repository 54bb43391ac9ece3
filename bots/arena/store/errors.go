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
	ErrRunExists    = errors.New("already exists")                   // Begin, without resume
	ErrPlanMismatch = errors.New("is another run")                   // Begin: the same name, another plan
	ErrNotArena     = errors.New("is not a database of the arena")   // a database of another program
	ErrFormat       = errors.New("which this program does not know") // a newer format
	ErrChecksum     = errors.New("the result is not what was stored")
	ErrDiskFull     = errors.New("the disk is full")
	ErrDisk         = errors.New("the disk failed, or is full")
	ErrDamaged      = errors.New("the file is damaged")
	ErrNotWritable  = errors.New("the file or its folder is not writable")
)

// Error is an error of a database. It never affects data that was stored before.
type Error struct {
	Path  string
	Err   error
	cause error // one of the causes where SQLite reported it, else nil
}

func (e *Error) Error() string { return fmt.Sprintf("database %s: %v", e.Path, e.Err) }

// Unwrap returns the error of the database, and the cause.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.cause}
}

// Hint returns advice, or "".
func (e *Error) Hint() string {
	for _, h := range []struct {
		cause error
		hint  string
	}{
		{ErrPlanMismatch, "give the run another name, or the settings and strategy files that it was begun with"},
		{ErrFormat, "it was written by a newer gamebots: use that one"},
		{ErrChecksum, "the file is damaged; the other shards can be read"},
		{ErrDiskFull, "the disk is full; stored results are safe: make room and resume the run"},
		{ErrDisk, "the disk failed, or is full; stored results are safe: resume the run when the disk works again"},
		{ErrDamaged, "the file is damaged, or not of an arena; " +
			"save a copy and try \"sqlite3 FILE .recover\", or use another database"},
		{ErrNotWritable, "the file and its folder must be writable for the user that runs this"},
	} {
		if errors.Is(e, h.cause) {
			return h.hint
		}
	}
	return ""
}

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
	switch code.Code() & 0xff {
	case lib.SQLITE_FULL:
		e.cause = ErrDiskFull
	case lib.SQLITE_IOERR:
		e.cause = ErrDisk
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		e.cause = ErrDamaged
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		e.cause = ErrNotWritable
	}
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
