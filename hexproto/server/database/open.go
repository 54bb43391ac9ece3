package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"

	"gamebots/internal/atomicfile"
)

// Sync says what a commit waits for.
type Sync string

const (
	// SyncFull waits for the disk. Neither a killed server nor a power failure
	// loses anything that was committed.
	SyncFull Sync = "full"
	// SyncNormal waits for the operating system. A killed server loses nothing; a
	// power failure may lose the last seconds, and leaves the rest whole.
	SyncNormal Sync = "normal"
)

// maxConnections is how many connections, each with files and a cache, a process has
// to a database. More queries wait.
const maxConnections = 16

// Open opens a database for a server, which has its [Lock]. It makes one where there is none,
// in a folder that exists, brings it to the last version of the schema, and takes rights to
// its files away from all but their owner. It calls migrating, if that is not nil, before it
// brings an older database to each version: a large one can take minutes. Of an older one it
// leaves a copy, whose path ends with its version, as in games.db-version6. Other processes
// may have it open. The log is checkpointed by nobody but the caller, and by the last Close.
func Open(path string, sync Sync, migrating func(version, last int)) (*sql.DB, error) {
	return connect(path, sync, true, migrating)
}

// OpenBeside opens a database as [Open] does, for a program beside a server that may be
// running. It returns an error that wraps ErrOlderServer if that server is of an older version.
func OpenBeside(path string) (*sql.DB, error) { return connect(path, SyncFull, false, nil) }

func connect(path string, sync Sync, locked bool, migrating func(version, last int)) (*sql.DB, error) {
	if err := protect(path); err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db, err := openSQL(path, `_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)`+
		`&_pragma=synchronous(`+string(sync)+`)`)
	if err == nil {
		db.SetMaxOpenConns(maxConnections)
		// None closes early: if another file has taken the path since, SQLite would write this one's log into that.
		db.SetMaxIdleConns(maxConnections)
		err = upgrade(db, path, locked, migrating)
	}
	if err != nil {
		if db != nil {
			db.Close()
		}
		return nil, fmt.Errorf("database %s: %w", path, plain(err))
	}
	return db, nil
}

// The errors of paths that are no use for a database.
var (
	ErrNotDatabase = errors.New("not a database of SQLite, or a damaged one")
	ErrNotOpened   = errors.New("cannot be opened and written as a file")
	ErrNoFolder    = errors.New("there is no such folder")
)

// The result codes of SQLite that are told apart, see https://sqlite.org/rescode.html.
const (
	codeError      = 1
	codePerm       = 3
	codeBusy       = 5
	codeReadOnly   = 8
	codeCorrupt    = 11
	codeCantOpen   = 14
	codeTooBig     = 18
	codeConstraint = 19
	codeMismatch   = 20
	codeRange      = 25
	codeNotADB     = 26

	codePrimaryKey = codeConstraint | 6<<8
	codeUnique     = codeConstraint | 8<<8
)

// plain returns an error without SQLite's number for it, where a host can do something about it.
func plain(err error) error {
	switch code(err) & 0xff {
	case codeNotADB, codeCorrupt:
		return ErrNotDatabase
	case codeCantOpen, codePerm, codeReadOnly:
		return ErrNotOpened
	}
	return err
}

// OfRow reports whether an error is that of a row which the database does not take, such as one
// whose key exists. The database goes on.
func OfRow(err error) bool {
	switch code(err) & 0xff {
	case codeError, codeConstraint, codeMismatch, codeTooBig, codeRange:
		return true
	}
	return false
}

// Exists reports whether an error is that of a row whose key exists.
func Exists(err error) bool {
	c := code(err)
	return c == codePrimaryKey || c == codeUnique
}

// Locked reports whether an error is that of a database which another program has locked.
func Locked(err error) bool { return code(err)&0xff == codeBusy }

// upgrade brings a database to the last version of the schema.
func upgrade(db *sql.DB, path string, locked bool, migrating func(version, last int)) (err error) {
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return migrate(ctx, c, path, locked, migrating)
}

// ErrInUse is the error of a database that a server has locked.
var ErrInUse = errors.New("another server uses it")

// Lock locks a database for a server, until the result is closed. It returns ErrInUse if
// another one has it, by whatever name of the file.
func Lock(path string) (io.Closer, error) {
	path = realName(path)
	lock, err := atomicfile.Lock(path + "-lock")
	switch {
	case errors.Is(err, atomicfile.ErrLocked):
		return nil, ErrInUse
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoFolder
	case err == nil && openLinked(path):
		return nil, errors.Join(ErrInUse, lock.Close())
	}
	return lock, err
}

// ErrMissing is the error of a database that would have to exist.
var ErrMissing = errors.New("no such database")

// Missing reports whether there is no database at a path: no file, or an empty one. What is no file, such as a folder,
// is an error.
func Missing(path string) (bool, error) {
	if err := mustBeFile(path); err != nil {
		return false, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return err == nil && info.Size() == 0, err
}

// mustExist returns an error unless there is a file.
func mustExist(path string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && path != "" {
		return fmt.Errorf("%s: %w", path, ErrMissing)
	}
	return cmp.Or(mustBeFile(path), err)
}

// Each calls a function with each row of a query, until one returns an error.
func Each(ctx context.Context, db *sql.DB, query string, args []any, row func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// list returns what scan makes of each row of a query.
func list[T any](
	ctx context.Context, db *sql.DB, query string, args []any, scan func(*sql.Rows, *T) error,
) (all []T, err error) {
	err = Each(ctx, db, query, args, func(rows *sql.Rows) error {
		var one T
		err := scan(rows, &one)
		all = append(all, one)
		return err
	})
	return all, err
}

// openSQL opens the database at a path, with parameters of its address.
func openSQL(path, parameters string) (*sql.DB, error) {
	return sql.Open(driver, uri(path)+"?"+place+parameters)
}

// uri returns a path as SQLite takes it, with signs that have a meaning there.
func uri(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// protect makes the file of a database, or leaves the files of one to their owner
// only. SQLite gives the files that it adds the rights of the first.
func protect(path string) error {
	// A file that exists must not be opened here: closing it would take away the
	// locks that another connection of this process has on it.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return f.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoFolder
	}
	for _, file := range []string{path, path + "-wal", path + "-shm", path + "-lock"} {
		if err := atomicfile.MakePrivate(file); err != nil {
			return err
		}
	}
	return nil
}
