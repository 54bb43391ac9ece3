package database

import (
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
	if err := mustExist(path); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && (!replace || !info.Mode().IsRegular()) {
		return fmt.Errorf("backup %s: %w", file, fs.ErrExist)
	}
	release, err := mayReplace(path, file)
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
	if f, err := os.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
		return fmt.Errorf("backup: %w", err)
	} else if err := f.Close(); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := copyTo(ctx, path, draft); err != nil {
		return fmt.Errorf("backup of %s: %w", path, err)
	}
	if err := verify(ctx, draft); err != nil {
		return fmt.Errorf("backup of %s: the copy is not whole: %w", path, err)
	}
	if err := syncFile(draft); err != nil {
		return fmt.Errorf("backup: %w", err)
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

// copyTo copies a database into a file. The copy has no log, and no free pages.
func copyTo(ctx context.Context, path, file string) (err error) {
	db, err := openSQL(path, `_pragma=busy_timeout(5000)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, uri(file))
	return plain(err)
}

// verify returns an error unless a database is whole.
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
		return errors.New(report)
	}
	return nil
}

// syncFile has a file, or the names in a folder, written to the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
