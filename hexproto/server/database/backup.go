package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup copies a database into one file, as it is at one moment. A server may go on
// writing it. The copy is checked before it gets its name; with replace it takes the
// place of an older file, in one step. Without, the error of an existing file is
// [fs.ErrExist]. It never takes the place of a database that is in use.
func Backup(ctx context.Context, path, file string, replace bool) (err error) {
	if missing, err := Missing(path); err != nil || missing {
		return cmp.Or(err, fmt.Errorf("%s: %w", path, ErrMissing))
	}
	if err := mustBeFile(file); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	file = realName(file)
	if exists(file) && !replace {
		return fmt.Errorf("backup %s: %w", file, fs.ErrExist)
	}
	release, err := mayReplace(path, file, false)
	if err == nil && hasLog(file) { // SQLite would take it for that of the copy
		err = errors.Join(ErrOldLog, release())
	}
	if err != nil {
		return fmt.Errorf("backup %s: %w", file, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	if name := realName(path); !hasLog(name) && openLinked(name) { // the log is beside the other name
		return fmt.Errorf("backup of %s: %w", path, ErrOtherName)
	}
	folder, err := os.MkdirTemp(filepath.Dir(file), ".backup")
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	draft := filepath.Join(folder, filepath.Base(file))
	if err := copyFile(ctx, path, "_pragma=busy_timeout(5000)", draft); err != nil {
		return fmt.Errorf("backup of %s: %w", path, err)
	}
	if err := publish(draft, file, replace); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	_ = syncFile(filepath.Dir(file)) // not every file system can; the file itself is safe
	return nil
}

// publish gives a draft its name. Unless it may replace, a link takes the name, and so refuses one that has come
// meanwhile; some file systems, such as FAT, have no links.
func publish(draft, file string, replace bool) error {
	if !replace {
		if err := link(draft, file); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return os.Rename(draft, file)
}

var link = os.Link // tests take it away

// copyFile copies the database at a path, opened with parameters of its address, into a new file.
func copyFile(ctx context.Context, path, parameters, file string) (err error) {
	db, err := openSQL(path, parameters)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return CopyTo(ctx, db, file)
}

// CopyTo copies a database into a new file, which is for its owner only and on the disk in the end. The copy has no
// log, and no free pages, and is checked.
func CopyTo(ctx context.Context, db executor, file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		_, err = db.ExecContext(ctx, `VACUUM INTO ?`, uri(file))
	}
	if err == nil {
		err = verify(ctx, file)
	}
	if err == nil {
		err = syncFile(file)
	}
	return plain(err)
}

// ErrForeign is the error of a database that is no server's.
var ErrForeign = errors.New("it is not the database of a server")

// verify returns an error unless a database is whole, and that of a server.
func verify(ctx context.Context, file string) (err error) {
	db, err := openSQL(file, "mode=ro")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var report string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&report); err != nil {
		return err
	}
	if report != "ok" {
		return fmt.Errorf("%w: %s", ErrNotDatabase, report)
	}
	_, err = db.ExecContext(ctx, `SELECT token FROM accounts LIMIT 1`)
	if code(err) == codeError { // there is no such table
		err = ErrForeign
	}
	return err
}

// syncFile has a file, or the names in a folder, written to the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
