package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Restored says what became of a database that a backup has replaced.
type Restored struct {
	Before  string   // its file now, "" if there was none
	Changed []string // the tokens and bans that are not in the backup as they were there
	Unread  error    // why that is not known, or nil
}

// Restore puts a checked copy of a backup in the place of a database, which no server may use. The database with its
// log goes into a new folder beside it, whatever state it is in: nothing of it is lost.
func Restore(ctx context.Context, path, file string) (r Restored, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("restore %s: %w", path, err)
		}
	}()
	if err := errors.Join(mustBeFile(path), mustExist(file)); err != nil {
		return r, err
	}
	release, err := mayReplace(file, path, true)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, release()) }()
	name := realName(path)
	dir, base := filepath.Dir(name), filepath.Base(name)
	aside, err := os.MkdirTemp(dir, base+time.Now().Format("-until-20060102-1504-"))
	if err != nil {
		return r, err
	}
	draft := filepath.Join(aside, "draft")
	defer func() { _, _ = os.Remove(draft), os.Remove(aside) }() // what has the old database is not empty, and stays
	err = verify(ctx, file)                                      // a copy would only leave out what is damaged
	if err == nil {
		err = copyFile(ctx, file, "mode=ro", draft)
	}
	if err != nil {
		return r, fmt.Errorf("the backup %s: %w", file, plain(err))
	}
	owner := dir
	if exists(name) {
		owner, r.Before = name, filepath.Join(aside, base)
		r.Changed, r.Unread = changes(ctx, name, draft)
	}
	keepOwner(draft, owner)
	keepOwner(aside, owner)
	for _, suffix := range []string{"", "-wal", "-journal", "-shm"} { // the log has the name that SQLite looks for
		err := os.Rename(name+suffix, filepath.Join(aside, base+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	if err := os.Rename(draft, name); err != nil {
		return r, err
	}
	_ = syncFile(dir) // not every file system can
	return r, nil
}

// changed has the tokens and bans that are in one of two databases only.
const changed = `SELECT 'the token of ' || name FROM
		(SELECT name, token FROM accounts UNION ALL SELECT name, token FROM before.accounts)
		WHERE token IS NOT NULL GROUP BY name, token HAVING count(*) = 1
	UNION SELECT 'the ban of ' || target FROM
		(SELECT target, chat, until FROM bans UNION ALL SELECT target, chat, until FROM before.bans)
		GROUP BY target, chat, until HAVING count(*) = 1`

// changes returns the tokens and bans of a database that are not in its backup as they are there. The database stays as
// it is, with its log.
func changes(ctx context.Context, path, backup string) (all []string, err error) {
	db, err := openSQL(backup, "mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // the other database is attached to one only
	if _, err := db.ExecContext(ctx, `ATTACH ? AS before`, uri(path)+"?mode=ro"); err != nil {
		return nil, plain(err)
	}
	all, err = list(ctx, db, changed, nil, func(rows *sql.Rows, what *string) error { return rows.Scan(what) })
	return all, plain(err)
}
