package policy

import (
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// A table that was read is not read again for the count of an index, nor for the index.
func TestTableIsReadOnce(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	read := GameSpec{
		Game: g, Buckets: []byte("nothing to read"), Actions: betting.FCPA, table: abstraction.NewBoardless(g),
	}
	for range 10 {
		if x, err := read.openIndex(1<<30, nil); err != nil || x.Buckets != read.table {
			t.Fatal(err)
		}
	}
	read.table = nil
	if _, err := read.openIndex(1<<30, nil); err == nil {
		t.Error("what is no table was read")
	}
}
