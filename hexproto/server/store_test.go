package server

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// noneRefused fails a test whose rows are refused.
func noneRefused(t *testing.T) func(tableRef, error) {
	return func(_ tableRef, err error) { t.Error(err) }
}

// Rows that the database does not take are lost with their transaction, and with no other, in
// whatever order they are committed together. The store goes on.
func TestRefusedRows(t *testing.T) {
	refused := make(chan error, 10)
	st, err := openStore(filepath.Join(t.TempDir(), "games.db"), database.SyncNormal, nil,
		slog.New(slog.DiscardHandler),
		func(err error) { t.Error(err) }, func(_ tableRef, err error) { refused <- err })
	if err != nil {
		t.Fatal(err)
	}
	account := func(names ...any) (tx transaction) {
		for _, name := range names {
			tx.write(addAccount, name, nil, false, 1500, 350, 0)
		}
		return tx
	}
	lock, err := st.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	exec := func(statement string) {
		if _, err := lock.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	exec("BEGIN IMMEDIATE") // so that all are committed together
	var empty transaction
	empty.write(addAccount, "tim", nil, nil, 1500, 350, 0)
	failed, written := make(chan bool, 10), make(chan bool)
	for _, tx := range []transaction{
		account("ada"), account("bob", "Ada"), empty, account("eve", "zoe"), account("max"),
	} {
		tx.failed = func() { failed <- true }
		st.submit(tx)
	}
	exec("COMMIT")
	st.submit(transaction{after: []func(){func() { close(written) }}})
	<-written
	for _, want := range []string{"UNIQUE", "NOT NULL"} {
		if err := <-refused; !errors.As(err, new(*rowError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("refused: %v, want %s", err, want)
		}
	}
	if len(refused) > 0 || len(failed) != 2 {
		t.Errorf("%d more are refused, %d clients heard of it", len(refused), len(failed))
	}
	var names string
	if err := st.db.QueryRow(`SELECT group_concat(name ORDER BY name) FROM accounts`).Scan(&names); err != nil ||
		names != "ada,eve,max,zoe" {
		t.Errorf("the accounts are %s, %v", names, err)
	}
	if err := st.close(); err != nil {
		t.Error(err)
	}
}

// A disk that is full is the only error then: SQLite has rolled back by itself.
func TestFullDisk(t *testing.T) {
	failure := make(chan error, 1)
	st, err := openStore(filepath.Join(t.TempDir(), "games.db"), database.SyncNormal, nil,
		slog.New(slog.DiscardHandler), func(err error) { failure <- err }, noneRefused(t))
	if err != nil {
		t.Fatal(err)
	}
	var tx transaction
	tx.write("PRAGMA max_page_count = 1") // as many as there are
	tx.write(addText, []byte("hash"), strings.Repeat("long ", 100_000))
	st.submit(tx)
	if err := <-failure; !strings.HasSuffix(err.Error(), "database or disk is full (13)") {
		t.Error(err)
	}
	if err := st.close(); err == nil {
		t.Error("closed without the error")
	}
}

// While another program has locked the database, for longer than a write waits, what is written
// waits. A store that is closed gives up after a while.
func TestLockedDatabase(t *testing.T) {
	defer func(old int) { maxBusy = old }(maxBusy)
	maxBusy = 20
	path := filepath.Join(t.TempDir(), "games.db")
	var text bytes.Buffer
	failure := make(chan error, 1)
	st, err := openStore(path, database.SyncNormal, nil, slog.New(slog.NewTextHandler(&text, nil)),
		func(err error) { failure <- err }, noneRefused(t))
	if err != nil {
		t.Fatal(err)
	}
	other, err := database.Open(path, database.SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock := func() *sql.Conn {
		c, err := other.Conn(t.Context())
		if err == nil {
			_, err = c.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	locked := lock()
	written := make(chan bool)
	var tx transaction
	tx.write(addAccount, "ada", nil, false, 1500, 350, 0)
	tx.after = append(tx.after, func() { close(written) })
	st.submit(tx)
	select {
	case <-written:
		t.Fatal("written in spite of the lock")
	case err := <-failure:
		t.Fatal(err)
	case <-time.After(200 * time.Millisecond):
	}
	if _, err := locked.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	locked.Close()
	<-written
	if log := text.String(); strings.Count(log, "has locked the database") != 1 ||
		strings.Count(log, "is free again") != 1 {
		t.Errorf("the log has:\n%s", log)
	}
	defer lock().Close()
	st.submit(tx)
	if err := st.close(); !database.Locked(err) {
		t.Errorf("closed with the error %v", err)
	}
}

// The log of a database is cut when it is long, beside a writer and a reader.
func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := database.Open(path, database.SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	size := func() int64 {
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	text := strings.Repeat("x", 4000)
	for range maxLog {
		if _, err := db.Exec(addChat, 1, "ada", text, 0); err != nil {
			t.Fatal(err)
		}
	}
	long := size()
	reader, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRow(`SELECT count(*) FROM chat`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	if checkpoint(c); size() != long {
		t.Error("the log was cut while a reader used it")
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if checkpoint(c); size() != 0 {
		t.Errorf("the log has %d bytes", size())
	}
}

// After a stop the file alone has everything, whatever was written and read, and
// even while another process has it open.
func TestDatabaseAloneIsWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "games.db")
	st, err := openStore(path, database.SyncFull, nil, slog.New(slog.DiscardHandler),
		func(err error) { t.Error(err) }, noneRefused(t))
	if err != nil {
		t.Fatal(err)
	}
	other, err := database.Open(path, database.SyncFull, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, name := range []string{"ada", "bob"} {
		var tx transaction
		tx.write(addAccount, name, []byte(name), false, 1500, 350, 0)
		written := make(chan bool)
		tx.after = append(tx.after, func() { close(written) })
		st.submit(tx)
		<-written
	}
	var n int
	if err := st.db.QueryRow(`SELECT count(*) FROM accounts`).Scan(&n); err != nil || n != 2 {
		t.Errorf("%d accounts, %v", n, err)
	}
	if err := st.close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(dir, "alone.db")
	if err := os.WriteFile(alone, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+alone)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(context.Background(), `SELECT count(*) FROM accounts`).Scan(&n); err != nil || n != 2 {
		t.Errorf("alone it has %d accounts, %v", n, err)
	}
	other.Close()
	if _, err := os.Stat(path + "-wal"); !os.IsNotExist(err) {
		t.Errorf("there is still a log: %v", err)
	}
}

// The analyses that were stored last are there, in a bounded number of bytes.
func TestAnalysesAreBounded(t *testing.T) {
	st, err := openStore(filepath.Join(t.TempDir(), "games.db"), database.SyncNormal, nil,
		slog.New(slog.DiscardHandler),
		func(err error) { t.Error(err) }, noneRefused(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{core: &core{store: st, log: slog.New(slog.DiscardHandler)}}
	moves := []wire.Rated{{Move: strings.Repeat("é", 100)}} // more than 200 bytes
	written := make(chan bool)
	const turns = 20
	for turn := range turns {
		for range 2 { // the second one replaces the first
			var tx transaction
			tx.storeAnalysis(&analysis{study: &study{id: "g1", turn: turn}, method: "search"}, moves, 2000)
			tx.after = append(tx.after, func() { written <- true })
			st.submit(tx)
			<-written
		}
	}
	for turn := range turns {
		position := &study{id: "g1", turn: turn, finished: true}
		found := s.stored(t.Context(), &analysis{study: position, method: "search"}) != nil
		if turn < turns-10 && found || turn >= turns-3 && !found {
			t.Errorf("the analysis of turn %d of %d: %v", turn, turns, found)
		}
	}
	if err := st.close(); err != nil {
		t.Error(err)
	}
}
