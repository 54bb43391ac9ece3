package havannah

import (
	"fmt"
	"strings"
	"testing"

	"gamebots/internal/testkit"
)

// eachLine calls f with every line of a file that is no remark, and its location
// in words.
func eachLine(t *testing.T, file string, f func(location, line string)) {
	t.Helper()
	testkit.EachLine(t, file, func(location, line string) {
		if !strings.HasPrefix(line, "#") {
			f(location, line)
		}
	})
}

// eachRecord is eachLine for records, in all files that match a pattern.
func eachRecord(t *testing.T, pattern string, f func(location string, r *Record)) {
	t.Helper()
	for _, file := range testkit.ReferenceFiles(t, "havannah/"+pattern) {
		eachLine(t, file, func(location, line string) {
			r, err := ParseRecord(line)
			if err != nil {
				t.Errorf("%s: %v", location, err)
				return
			}
			f(location, r)
		})
	}
}

// Random games to the end, with the winning structures, the number of moves and
// the one structure that Castro names.
func TestReferenceHavannahRandomGames(t *testing.T) {
	for _, pattern := range []string{"games-*.txt", "draws-*.txt"} {
		eachRecord(t, pattern, func(location string, r *Record) {
			castro := r.End()
			for _, s := range []Structures{Fork, Bridge, Ring} {
				if r.Board.Won()&s != 0 {
					castro = s.String()
					break
				}
			}
			if r.End() != r.Tag("kind") || castro != r.Tag("castro_kind") ||
				fmt.Sprint(r.Board.NumMoves()) != r.Tag("moves") {
				t.Errorf("%s: ends after %d moves with %s: %v", location, r.Board.NumMoves(), r.End(), r.Tags)
			}
			roundTrips(t, location, r)
		})
	}
}

// Games of people and of programs; their winner, end and number of plies are
// checked as they are read.
func TestReferenceHavannahRecords(t *testing.T) {
	for _, pattern := range []string{"real-*.txt", "engine-games-*.txt", "selfplay-*.txt"} {
		eachRecord(t, pattern, func(location string, r *Record) { roundTrips(t, location, r) })
	}
}

// Castro's regression positions, each up to its last move.
func TestReferenceHavannahPositions(t *testing.T) {
	eachRecord(t, "castro-tests.txt", func(location string, r *Record) {
		if expected := r.Tag("expected"); expected != r.Winner() && !(expected == "none" && r.End() == "open") {
			t.Errorf("%s: %s has won, want %s", location, r.Winner(), expected)
		}
	})
}

// Proven positions: their winner is that of perfect play, and takes a solver.
// Here they are legal, run still, and their best move can be played.
func TestReferenceHavannahProven(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "havannah/solved-*.txt") {
		eachLine(t, file, func(location, line string) {
			head, moves, _ := strings.Cut(line, " : ")
			fields := strings.Fields(head)
			if strings.HasPrefix(fields[0], "side=") {
				return // a list of first moves
			}
			tags := map[string]string{}
			for _, field := range fields[1:] {
				key, value, _ := strings.Cut(field, "=")
				tags[key] = value
			}
			var b Board
			if err := b.UnmarshalText([]byte("side=" + tags["side"] + " plies=" + tags["plies"] + " : " +
				moves)); err != nil {
				t.Errorf("%s: %v", location, err)
				return
			}
			if turn := tags["tomove"]; turn != "" && turn != b.Turn().String() {
				t.Errorf("%s: %v is to move", location, b.Turn())
			}
			best := tags["best"]
			if best == "" {
				return
			}
			m, err := b.Grid().Parse(best)
			if err == nil {
				err = b.Play(m)
			}
			if err != nil {
				t.Errorf("%s: best: %v", location, err)
			}
		})
	}
}

// The winner after every first move of side 2, by searching all games.
func TestReferenceHavannahSolved(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "havannah/solved-openings.txt") {
		eachLine(t, file, func(location, line string) {
			var side int
			var winner string
			head, moves, _ := strings.Cut(line, " : ")
			if n, _ := fmt.Sscanf(head, "side=%d %s", &side, &winner); n != 2 || side != 2 {
				return
			}
			for _, first := range strings.Fields(moves) {
				var b Board
				if err := b.UnmarshalText([]byte("side=2 : " + first)); err != nil {
					t.Fatal(err)
				}
				if got := perfect(&b); got.String() != winner {
					t.Errorf("%s: after %s %v wins, want %s", location, first, got, winner)
				}
			}
		})
	}
}

// perfect returns the winner of perfect play without a swap.
func perfect(b *Board) Colour {
	if b.Over() {
		return b.Winner()
	}
	best := b.Turn().Other()
	for _, m := range b.AppendMoves(nil) {
		if m == Swap {
			continue
		}
		if err := b.Play(m); err != nil {
			panic(err)
		}
		winner := perfect(b)
		b.Undo()
		if winner == b.Turn() {
			return winner
		}
		if winner == NoColour {
			best = NoColour
		}
	}
	return best
}
