package server_test

import (
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"gamebots/hexproto/server"
)

// Two servers would both play the games of a database. The second is refused until
// the first has closed it; accounts are made meanwhile.
func TestOneServerADatabase(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("the lock cannot be tested here")
	}
	database := filepath.Join(t.TempDir(), "games.db")
	first := open(t, database, nil)
	_, err := server.New(first.Config)
	if e := (*server.InUseError)(nil); !errors.As(err, &e) || e.Database != database {
		t.Fatalf("the second server has the error %v", err)
	}
	if _, err := server.AddAccount(database, "ada", false); err != nil {
		t.Error(err)
	}
	first.end()
	open(t, database, nil).end()
}
