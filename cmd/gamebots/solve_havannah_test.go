package main

import (
	"strings"
	"testing"
)

// Flags and arguments name a position, or are refused.
func TestSolveHavannahBoard(t *testing.T) {
	for _, c := range []struct {
		name                    string
		side, depth, bits, free int // free is the moves that are possible
		position, err           string
	}{
		{name: "an empty board", side: 3, free: 19},
		{name: "a position", position: "side=4 : b1 d2", free: 35},
		{name: "nothing", err: "either a position or --side"},
		{name: "both", side: 3, position: "side=4 : b1", err: "either a position or --side"},
		{name: "no side", side: 99, err: "--side: side 99"},
		{name: "no record", position: "side=2 : a1 a1", err: "the cell is taken"},
		{name: "no depth", side: 3, depth: -1, err: "--depth: -1"},
		{name: "no table", side: 3, bits: 60, err: "--table-bits: 60"},
	} {
		f := solveHavannahFlags{side: c.side}
		f.Depth, f.TableBits, f.Threads = c.depth, c.bits, 1
		b, err := f.board(c.position)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || len(b.AppendMoves(nil)) != c.free {
			t.Errorf("%s: %v, want %d moves: %v", c.name, b, c.free, err)
		}
	}
}
