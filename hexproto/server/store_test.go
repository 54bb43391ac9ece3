package server

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

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
	st, err := openStore(path, database.SyncFull, slog.New(slog.DiscardHandler), func(err error) { t.Error(err) })
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
	st, err := openStore(filepath.Join(t.TempDir(), "games.db"), database.SyncNormal, slog.New(slog.DiscardHandler),
		func(err error) { t.Error(err) })
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
			tx.storeAnalysis(&analysis{id: "g1", turn: turn, method: "search"}, moves, 2000)
			tx.after = append(tx.after, func() { written <- true })
			st.submit(tx)
			<-written
		}
	}
	for turn := range turns {
		found := s.stored(t.Context(), &analysis{id: "g1", turn: turn, method: "search", finished: true}) != nil
		if turn < turns-10 && found || turn >= turns-3 && !found {
			t.Errorf("the analysis of turn %d of %d: %v", turn, turns, found)
		}
	}
	if err := st.close(); err != nil {
		t.Error(err)
	}
}
