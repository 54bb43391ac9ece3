package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// schema is the schema of the database. A shard's key is its run and number, so that no
// result can be stored twice.
const schema = `
CREATE TABLE IF NOT EXISTS runs (
	run INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL UNIQUE,
	plan TEXT NOT NULL,
	version TEXT NOT NULL,
	created INTEGER NOT NULL,
	ended INTEGER
);
CREATE TABLE IF NOT EXISTS shards (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL REFERENCES runs,
	shard INTEGER NOT NULL,
	tally TEXT NOT NULL,
	games BLOB NOT NULL,
	checksum INTEGER NOT NULL,
	stored INTEGER NOT NULL,
	UNIQUE (run, shard)
);
CREATE TABLE IF NOT EXISTS stops (
	run INTEGER NOT NULL REFERENCES runs,
	tbl INTEGER NOT NULL,
	parts INTEGER NOT NULL,
	decided INTEGER NOT NULL,
	PRIMARY KEY (run, tbl)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS troubles (
	run INTEGER NOT NULL REFERENCES runs,
	shard INTEGER NOT NULL,
	tries INTEGER NOT NULL,
	error TEXT NOT NULL,
	at INTEGER NOT NULL,
	PRIMARY KEY (run, shard)
) WITHOUT ROWID;
PRAGMA user_version = 1;
PRAGMA application_id = 0x67624152; -- gbAR
`

const applicationID = 0x67624152

// Store is an open database. All methods may be called from any goroutine.
type Store struct {
	path string
	db   *sql.DB
}

// Open opens a database, and creates it if it does not exist. The end of ctx does not stop it: it would leave a file
// that is no database of the arena yet.
func Open(ctx context.Context, path string) (*Store, error) {
	ctx = context.WithoutCancel(ctx)
	return open(ctx, path, "&_pragma=journal_mode(wal)&_pragma=synchronous(normal)", (*Store).prepare)
}

// OpenReadOnly opens an existing database for reading, while others may write to it.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Path: path, Err: errors.Unwrap(err)}
	}
	return open(ctx, path, "&_pragma=query_only(true)", (*Store).check)
}

func open(ctx context.Context, path, options string, ready func(*Store, context.Context) error) (*Store, error) {
	// The path is escaped, since it may contain a question mark.
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=busy_timeout(10000)"+options)
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	s := &Store{path, db}
	if err := ready(s, ctx); err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// prepare creates the tables of a new database.
func (s *Store) prepare(ctx context.Context) error {
	var tables int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return s.err(err)
	}
	if tables > 0 {
		return s.check(ctx)
	}
	_, err := s.db.ExecContext(ctx, "BEGIN IMMEDIATE;"+schema+"COMMIT")
	return s.err(err)
}

// check refuses a database that is not of the arena, or of a newer format.
func (s *Store) check(ctx context.Context) error {
	var id, version int
	if err := s.db.QueryRowContext(ctx,
		"SELECT * FROM pragma_application_id, pragma_user_version").Scan(&id, &version); err != nil {
		return s.err(err)
	}
	switch {
	case id != applicationID:
		return &Error{Path: s.path, Err: ErrNotArena}
	case version != 1:
		return &Error{
			s.path, fmt.Errorf("has format %d, which this program does not know", version),
			"it was written by a newer gamebots: use that one",
		}
	}
	return nil
}

// Close closes the database.
func (s *Store) Close() error { return s.err(s.db.Close()) }
