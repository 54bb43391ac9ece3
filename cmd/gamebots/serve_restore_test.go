//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// output returns what a command prints and its exit status.
func output(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := commandOf(t, args...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// playing has a new player play on a server. The result stops the player, and returns the acknowledged moves.
func playing(t *testing.T, url string) (p *player, stop func() map[string]map[int]string) {
	t.Helper()
	p = newPlayer(t, url, "")
	end, played := make(chan struct{}), make(chan map[string]map[int]string, 1)
	go func() { played <- p.play(end) }()
	time.Sleep(300 * time.Millisecond)
	return p, func() map[string]map[int]string {
		close(end)
		return <-played
	}
}

// However a server ends under load, whatever it has acknowledged is in the old database after a restore, and the
// server has the backup.
func TestRestore(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			bob, eve := tokenOf(t, "bob", at("games.db")), tokenOf(t, "eve", at("games.db"))
			serve, url := serving(t, at("games.db"))
			output(t, "serve", "backup", at("copy.db"), "--database", at("games.db"))
			ada, stop := playing(t, url)
			output(t, "serve", "accounts", "renew", "bob", "--database", at("games.db"))
			output(t, "serve", "bans", "add", "eve", "--database", at("games.db"))
			refused, code := output(t, "serve", "restore", at("copy.db"), "--database", at("games.db"))
			if code != 1 || !strings.Contains(refused, "uses it as its database") ||
				!strings.Contains(refused, "hint: stop it, and restore then\n") {
				t.Errorf("beside the server: %d, %s", code, refused)
			}
			if err := serve.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := serve.Wait(); (err != nil) != (signal == syscall.SIGKILL) {
				t.Errorf("the server ends with %v", err)
			}
			acknowledged := stop()
			out, code := output(t, "serve", "restore", at("copy.db"), "--database", at("games.db"))
			for _, line := range []string{"games.db is now a copy of ",
				"tokens and bans that have changed since the backup: " +
					"the ban of eve, the token of ada, the token of bob\n"} {
				if code != 0 || !strings.Contains(out, line) {
					t.Errorf("%d, no %q in %s", code, line, out)
				}
			}
			_, before, _ := strings.Cut(out, "the database before is ")
			before, _, _ = strings.Cut(before, "\n")
			hasAll(t, before, ada, acknowledged)
			_, url = serving(t, at("games.db"))
			newPlayer(t, url, bob)
			newPlayer(t, url, eve)
		})
	}
}

// A server whose database is moved, removed or replaced under load ends with words, and leaves a copy with all that it
// has acknowledged. The database that has the name now is as it was.
func TestMovedDatabase(t *testing.T) {
	for name, move := range map[string]func(games, other string) error{
		"moved":    func(games, _ string) error { return os.Rename(games, games+".old") },
		"removed":  func(games, _ string) error { return os.Remove(games) },
		"replaced": func(games, other string) error { return os.Rename(other, games) },
		"linked":   func(games, other string) error { return errors.Join(os.Remove(games), os.Symlink(other, games)) },
		"folder":   func(games, _ string) error { return os.Rename(filepath.Dir(games), filepath.Dir(games)+".old") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			at := func(name string) string { return filepath.Join(dir, name) }
			tokenOf(t, "bob", at("other.db"))
			serve, url := serving(t, at("games.db"))
			ada, stop := playing(t, url)
			if err := move(at("games.db"), at("other.db")); err != nil {
				t.Fatal(err)
			}
			if err := serve.Wait(); err == nil {
				t.Error("the server ends without an error")
			}
			if name == "folder" { // there is no place for a copy, and all is in the file
				hasAll(t, dir+".old/games.db", ada, stop())
				return
			}
			rescued, err := filepath.Glob(at("games.db-rescued-*"))
			if err != nil || len(rescued) != 1 {
				t.Fatalf("%q, %v", rescued, err)
			}
			acknowledged := stop()
			hasAll(t, rescued[0], ada, acknowledged)
			if name == "moved" {
				hasAll(t, at("games.db.old"), ada, acknowledged)
			}
			if name == "replaced" || name == "linked" {
				out, code := output(t, "serve", "accounts", "list", "--database", at("games.db"))
				if code != 0 || !strings.Contains(out, "\nbob ") || strings.Contains(out, "\nada ") {
					t.Errorf("the other database: %d, %s", code, out)
				}
			}
		})
	}
}

// The log that a killed server has left damages a file that is copied over its database. The hint names it, and a
// restore moves it away with that file.
func TestLeftoverLog(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	bob := tokenOf(t, "bob", at("games.db"))
	serve, url := serving(t, at("games.db"))
	output(t, "serve", "backup", at("copy.db"), "--database", at("games.db"))
	_, stop := playing(t, url)
	serve.Process.Kill()
	serve.Wait()
	stop()
	text, err := os.ReadFile(at("copy.db"))
	if err == nil {
		err = os.WriteFile(at("games.db"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, code := output(t, "serve", "accounts", "list", "--database", at("games.db")); code != 1 ||
		!strings.Contains(out, "a log, whose name ends with -wal") || !strings.Contains(out, "serve restore") {
		t.Errorf("%d, %s", code, out)
	}
	if out, code := output(t, "serve", "restore", at("copy.db"), "--database", at("games.db")); code != 0 ||
		!strings.Contains(out, "since the backup: not known: not a database") {
		t.Errorf("%d, %s", code, out)
	}
	_, url = serving(t, at("games.db"))
	newPlayer(t, url, bob)
}
