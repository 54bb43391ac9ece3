package server

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/hexproto/server/database"
)

// The log of a database is cut when it is long, beside a writer and a reader.
func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := database.Open(path, database.SyncNormal)
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
	st, err := openStore(path, database.SyncFull, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	other, err := database.Open(path, database.SyncFull)
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
