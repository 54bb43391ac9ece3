package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := Open(path, SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}

const addAccount = `INSERT INTO accounts (name, token, bot, rating, games, created)
	VALUES (?, ?, ?, 1500, 0, 1767225600000)`

// All files of a database are readable by their owner only, those of an older
// program too.
func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are others here")
	}
	path := filepath.Join(t.TempDir(), "games.db")
	private := func(files ...string) {
		t.Helper()
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", file, info.Mode(), err)
			}
		}
	}
	db := open(t, path)
	run(t, db, addAccount, "ada", []byte{1}, false)
	private(path, path+"-wal", path+"-shm")
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path+"-lock", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	private(path, path+"-wal", path+"-shm", path+"-lock")
}

// A database of an old version reports each version that it is brought to. A new one, and
// one of the last version, reports nothing.
func TestMigrationIsReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	old, err := os.ReadFile("testdata/version1.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	run(t, db, string(old))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var want [][2]int
	for version := 2; version <= len(migrations); version++ {
		want = append(want, [2]int{version, len(migrations)})
	}
	for _, c := range []struct {
		path string
		want [][2]int
	}{{path, want}, {path, nil}, {path + "-new", nil}} {
		var got [][2]int
		db, err := Open(c.path, SyncNormal, func(version, last int) { got = append(got, [2]int{version, last}) })
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s reports %v, want %v", c.path, got, c.want)
		}
	}
}

func TestAccounts(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "games.db")
	if _, err := Accounts(ctx, path); !errors.Is(err, ErrMissing) {
		t.Errorf("without a database: %v", err)
	}
	db := open(t, path)
	old := Hash("old")
	run(t, db, addAccount, "eve", old[:], false)
	run(t, db, addAccount, "random", nil, true)
	for _, name := range []string{"max", "zoe"} {
		sum := Hash(name)
		run(t, db, addAccount, name, sum[:], false)
	}
	run(t, db, `INSERT INTO games (row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started)
		VALUES (1, 'g1', 'eve', '', 'nim', '{}', 'nim', 0, 0, 0, 0, 1767312000000),
			(2, 'g2', 'eve', '', 'poker', '{}', 'poker', 0, 0, 0, 0, 1767398400000)`)
	run(t, db, `INSERT INTO seats (game, seat, name, rating) VALUES
		(1, 0, 'eve', 0), (1, 1, 'random', 0), (2, 0, 'random', 0), (2, 1, 'random', 0), (2, 2, 'max', 0)`)
	if err := RevokeToken(ctx, path, "EVE"); err != nil {
		t.Error(err)
	}
	accounts, err := Accounts(ctx, path)
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	want := []Account{ // games count in whichever seat, and once in several seats
		{"eve", false, TokenRevoked, day(1), 1, day(2)}, {"max", false, TokenValid, day(1), 1, day(3)},
		{"random", true, TokenNone, day(1), 2, day(3)}, {"zoe", false, TokenValid, day(1), 0, time.Time{}},
	}
	if err != nil || fmt.Sprint(accounts) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", accounts, err, want)
	}
	token, err := RenewToken(ctx, path, "eve")
	if err != nil {
		t.Fatal(err)
	}
	changes, last, err := TokenChanges(ctx, db, 0)
	if sum := Hash(token); err != nil || last != 2 || len(changes) != 2 || changes[1].Name != "eve" ||
		string(changes[1].Token) != string(sum[:]) {
		t.Errorf("%v, %d, %v", changes, last, err)
	}
	if changes, last, err = TokenChanges(ctx, db, last); err != nil || len(changes) != 0 || last != 2 {
		t.Errorf("nothing changed, but %v, %d, %v", changes, last, err)
	}
	if _, err := RenewToken(ctx, path, "nobody"); !errors.Is(err, ErrNoAccount) {
		t.Errorf("%v", err)
	}
	if _, err := RenewToken(ctx, path, "random"); !errors.Is(err, ErrServersBot) {
		t.Errorf("%v", err)
	}
}

// A backup that is made while rows are written is as the database was at one
// moment.
func TestBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	file := filepath.Join(t.TempDir(), "copy %41?.db")
	db := open(t, path)
	ctx, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() {
		for row := 0; ctx.Err() == nil; row++ { // two rows, or none
			if _, err := db.Exec(`INSERT INTO chat (game, sender, text, at) VALUES (?1, '', '', 0), (?1, '', '', 1)`,
				row); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for i := range 5 {
		if err := Backup(t.Context(), path, file, i > 0); err != nil {
			t.Fatal(err)
		}
		copied, err := sql.Open("sqlite", "file:"+url.PathEscape(file))
		if err != nil {
			t.Fatal(err)
		}
		var odd int
		if err := copied.QueryRow(`SELECT count(*) % 2 FROM chat`).Scan(&odd); err != nil || odd != 0 {
			t.Errorf("half a transaction is in the copy: %v", err)
		}
		copied.Close()
	}
	stop()
	writer.Wait()
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info.Mode(), err)
	}
	if err := Backup(t.Context(), path, file, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	link = func(string, string) error { return errors.ErrUnsupported } // as on FAT
	t.Cleanup(func() { link = os.Link })
	if err := Backup(t.Context(), path, file, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("without links, a copy replaces a file: %v", err)
	}
	if err := errors.Join(Backup(t.Context(), path, file+"2", false), os.Remove(file+"2")); err != nil {
		t.Errorf("no copy without links: %v", err)
	}
	for _, c := range []struct {
		path, file string
		want       error
	}{
		{path, filepath.Dir(file), ErrNoFile},
		{path, "", ErrNoFile},
		{path, os.DevNull, ErrNoFile},
		{os.DevNull, file, ErrNoFile},
		{filepath.Dir(file), file, ErrNoFile},
		{path + "x", file, ErrMissing},
	} {
		if err := Backup(t.Context(), c.path, c.file, true); !errors.Is(err, c.want) {
			t.Errorf("of %q to %q: %v, want %v", c.path, c.file, err, c.want)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("in the folder: %v, %v", left, err)
	}
}

// A database that is damaged has no backup, and the older one stays.
func TestBackupOfDamage(t *testing.T) {
	dir := t.TempDir()
	path, file := filepath.Join(dir, "games.db"), filepath.Join(dir, "copy.db")
	db := open(t, path)
	for i := range 200 {
		run(t, db, addAccount, fmt.Sprintf("name%d", i), []byte(fmt.Sprint(i)), false)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(4096); at < info.Size(); at += 4096 {
		if _, err := f.WriteAt(make([]byte, 64), at); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	if err := Backup(t.Context(), path, file, true); err == nil {
		t.Error("a damaged database was copied")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "old" {
		t.Errorf("the older backup is %q, %v", text, err)
	}
}

// A backup is restored by a relative path, too, and where there is no database. What is no backup is refused, and all
// files stay.
func TestRestoreOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files := func() (all []string) {
		entries, err := os.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	db := open(t, "games.db")
	run(t, db, addAccount, "ada", []byte{1}, false)
	if err := errors.Join(db.Close(), Backup(t.Context(), "games.db", "copy.db", false)); err != nil {
		t.Fatal(err)
	}
	foreign, err := sql.Open("sqlite", "foreign.db")
	if err != nil {
		t.Fatal(err)
	}
	run(t, foreign, `CREATE TABLE accounts (name TEXT)`)
	text, err := os.ReadFile("copy.db")
	if err == nil {
		clear(text[4096:8192])
		err = errors.Join(foreign.Close(), os.WriteFile("damaged.db", text, 0o600), os.Mkdir("folder", 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	before := files()
	for file, want := range map[string]error{
		"foreign.db": ErrForeign, "damaged.db": ErrNotDatabase, "absent.db": ErrMissing, "games.db": ErrItself,
		"folder": ErrNoFile, "": ErrNoFile, os.DevNull: ErrNoFile,
	} {
		if _, err := Restore(t.Context(), "games.db", file); !errors.Is(err, want) {
			t.Errorf("of %q: %v, want %v", file, err, want)
		}
	}
	for path, want := range map[string]error{"folder": ErrNoFile, "": ErrNoFile, "games.db-wal": ErrPart} {
		if _, err := Restore(t.Context(), path, "copy.db"); !errors.Is(err, want) {
			t.Errorf("to %q: %v, want %v", path, err, want)
		}
	}
	if after := files(); !slices.Equal(after, before) {
		t.Errorf("files: %q, before %q", after, before)
	}
	r, err := Restore(t.Context(), "games.db", "copy.db")
	if err != nil || len(r.Changed) != 0 || r.Unread != nil ||
		filepath.Base(r.Before) != "games.db" || !exists(r.Before) {
		t.Errorf("restored: %+v, %v", r, err)
	}
	if r, err := Restore(t.Context(), "new.db", "copy.db"); err != nil || r.Before != "" {
		t.Errorf("a new one: %+v, %v", r, err)
	}
	for _, path := range []string{"games.db", "new.db"} {
		if all, err := Accounts(t.Context(), path); err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", path, all, err)
		}
	}
	if after := files(); len(after) != len(before)+2 { // the folder, and new.db
		t.Errorf("files: %q, before %q", after, before)
	}
}

// A file that is no database is named as such, without SQLite's numbers.
func TestNotDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("of a meeting"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Accounts(t.Context(), path); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("a text: error %v", err)
	}
	if err := Backup(t.Context(), path, path+".copy", false); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("backup of a text: error %v", err)
	}
	if _, err := Accounts(t.Context(), filepath.Dir(path)); !errors.Is(err, ErrNoFile) {
		t.Errorf("a folder: error %v", err)
	}
}

// A path may have signs that mean something in a URI.
func TestSignsInPaths(t *testing.T) {
	for _, name := range []string{"a#b", "a?b", "a%41b", "a b&c=d"} {
		path := filepath.Join(t.TempDir(), name)
		db, err := Open(path, SyncFull, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		copied := filepath.Join(t.TempDir(), name)
		if err := Backup(t.Context(), path, copied, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(copied); err != nil || info.Size() == 0 {
			t.Errorf("the copy of %s: %v, %v", name, info, err)
		}
	}
}

// A ban is stored by the name of the account, or by the network that it is of.
func TestBanTargets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := Open(path, SyncFull, nil)
	if err != nil {
		t.Fatal(err)
	}
	run(t, db, `INSERT INTO accounts (name, token, bot, rating, games, created) VALUES ('Eve', 'x', 0, 0, 0, 0),
		('mcts', NULL, 1, 0, 0, 0)`)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		target, want string
		err          error
	}{
		{"eve", "Eve", nil}, {"bob", "", ErrNoAccount}, {"mcts", "", ErrServersBot},
		{"203.0.113.7", "203.0.113.7", nil}, {"203.0.113.7/24", "203.0.113.0/24", nil},
		{"::ffff:203.0.113.7", "203.0.113.7", nil},
		{"2001:db8::1:2:3:4", "2001:db8::/64", nil}, {"2001:db8::1/128", "2001:db8::/64", nil},
		{"2001:db8:1:2::/48", "2001:db8:1::/48", nil}, {"fe80::1%eth0", "fe80::/64", nil},
		{"10.0.0.0/7", "", ErrWide}, {"::/0", "", ErrWide}, {"127.0.0.1", "", ErrWide}, {"::1", "", ErrWide},
		{"0.0.0.0/0", "", ErrWide},
	} {
		ban, err := AddBan(t.Context(), path, Ban{Target: c.target})
		if !errors.Is(err, c.err) || err == nil && ban.Target != c.want {
			t.Errorf("%s: %q, %v; want %q, %v", c.target, ban.Target, err, c.want, c.err)
		}
		if err == nil {
			if err := RemoveBan(t.Context(), path, c.target); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := AddBan(t.Context(), path, Ban{Target: "203.0.113.9", Reason: "go\x1b[2J"}); err == nil {
		t.Error("a reason with control characters")
	}
	for _, target := range []string{"203.0.113", "1.2.3.4/33", "a:b", ""} {
		if _, err := AddBan(t.Context(), path, Ban{Target: target}); err == nil {
			t.Errorf("%q is taken for a target", target)
		}
	}
}

// A ban ends at its time, and a later one of the same target replaces it.
func TestBanTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := Open(path, SyncFull, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, b := range []Ban{
		{Target: "203.0.113.7", Made: now, Reason: "first"},
		{Target: "203.0.113.7", Made: now, Until: now.Add(time.Hour)},
		{Target: "203.0.113.8", Made: now, Chat: true, Reason: "insults"},
	} {
		if _, err := AddBan(t.Context(), path, b); err != nil {
			t.Fatal(err)
		}
	}
	for after, want := range map[time.Duration][]string{
		0:                {"banned until 2026-01-02 04:04 UTC", "banned from chat: insults"},
		59 * time.Minute: {"banned until 2026-01-02 04:04 UTC", "banned from chat: insults"},
		time.Hour:        {"banned from chat: insults"},
	} {
		bans, err := Bans(t.Context(), path, now.Add(after))
		var got []string
		for _, b := range bans {
			got = append(got, b.Sentence())
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("after %v: %v, %v", after, got, err)
		}
	}
}

// While a backup is made that takes the place of a file, no server begins to use the file. Nor do two servers use one
// database by a link whose file is still missing.
func TestLocks(t *testing.T) {
	dir := t.TempDir()
	path, file, link := filepath.Join(dir, "games.db"), filepath.Join(dir, "old.db"), filepath.Join(dir, "link.db")
	for _, name := range []string{path, file} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release, err := mayReplace(path, file, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(file); !errors.Is(err, ErrInUse) {
		t.Errorf("a server began to use the file that is replaced: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+"-journal", []byte("log"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Backup(t.Context(), path, file, true); !errors.Is(err, ErrOldLog) {
		t.Errorf("beside a journal: %v", err)
	}
	if err := os.Symlink("new.db", link); err != nil {
		t.Skip(err) // on Windows links are for administrators
	}
	lock, err := Lock(link)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := Lock(filepath.Join(dir, "new.db")); !errors.Is(err, ErrInUse) {
		t.Errorf("two servers begin to use one database: %v", err)
	}
}
