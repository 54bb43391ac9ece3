package boards

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/testkit"
)

// TestJudge judges random games beside the rules.
func TestJudge(t *testing.T) {
	seeds := 100
	if testkit.SlowEnabled() {
		seeds = 300
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		side := 2 + seed%7
		board, err := havannah.New(side)
		if err != nil {
			t.Fatal(err)
		}
		var moves []string
		for !board.Over() {
			if winner, err := judge(side, moves); err == nil && len(moves) > 0 && rng.IntN(20) == 0 {
				t.Fatalf("%v: won by %d", board, winner)
			}
			legal := board.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			moves = append(moves, board.Grid().Format(m))
			if err := board.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		want := int(board.Winner()) - int(havannah.White)
		if got, err := judge(side, moves); err != nil || got != want {
			t.Errorf("%v: %d, %v", board, got, err)
		}
		if _, err := judge(side, append(moves, moves[0])); err == nil {
			t.Errorf("%v goes on", board)
		}
	}
	for _, moves := range []string{"a9", "a1 a1", "swap", "a1 swap swap", "x", "", "a1 b"} {
		if winner, err := judge(4, strings.Fields(moves)); err == nil {
			t.Errorf("%q is won by %d", moves, winner)
		}
	}
}

// TestReferenceReferee judges games of people and programs.
func TestReferenceReferee(t *testing.T) {
	for _, pattern := range []string{"games-*.txt", "draws-*.txt", "engine-games-*.txt", "real-*.txt"} {
		for _, file := range testkit.ReferenceFiles(t, "havannah/"+pattern) {
			testkit.EachLine(t, file, func(location, line string) {
				r, err := havannah.ParseRecord(line)
				if strings.HasPrefix(line, "#") || err != nil || !r.Board.Over() {
					return
				}
				var moves []string
				for i := range r.Board.NumMoves() {
					moves = append(moves, r.Board.Grid().Format(r.Board.Move(i)))
				}
				got, err := judge(r.Board.Grid().Side, moves)
				if want := int(r.Board.Winner()) - int(havannah.White); err != nil || got != want {
					t.Errorf("%s: %d, not %d: %v", location, got, want, err)
				}
			})
		}
	}
}
