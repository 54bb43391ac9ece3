package hexsearch

import (
	"fmt"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

func boardOf(t *testing.T, text string) *havannah.Board {
	t.Helper()
	r, err := havannah.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Board
}

func candidates(t *testing.T, position string) (moves map[string]mcts.Candidate) {
	t.Helper()
	g := NewGame(boardOf(t, position))
	moves = map[string]mcts.Candidate{}
	for _, c := range g.Expander().Candidates(nil, nil) {
		moves[g.grid.Format(g.Move(c.Move))] = c
	}
	return moves
}

// TestCandidates has positions that are proved when they are expanded.
func TestCandidates(t *testing.T) {
	for _, test := range []struct {
		name, position, move string
		proof                mcts.Proof
	}{
		{"wins", "side=4 : a1 d1 a2 d2 a3 d4", "a4", mcts.Win},
		{"is forced", "side=4 : a1 d1 a2 d2 a3", "a4", mcts.Unknown},
		{"is open", "side=4 aw=a2,a3,d6 ab=d1,d2 pl=black : g5", "", mcts.Unknown},
		{"is lost twice", "side=4 aw=a1,a2,a3,b1,c1 ab=g5,g6,f3,f5 pl=black :", "d1", mcts.Loss},
		{"swap", "side=4 : a1", "swap", mcts.Unknown},
	} {
		moves := candidates(t, test.position)
		if test.move == "" {
			if len(moves) < 10 {
				t.Errorf("%s: only %v", test.name, moves)
			}
			continue
		}
		c, ok := moves[test.move]
		if !ok || c.Proof != test.proof {
			t.Errorf("%s: %v of %v", test.name, c, moves)
		}
		if test.name != "swap" && len(moves) != 1 {
			t.Errorf("%s: %v", test.name, moves)
		}
	}
	if len(candidates(t, "side=4 :")) != 37 {
		t.Error("a move of the empty board is missing")
	}
}

// TestPriors must give the move that keeps a bridge the highest prior.
func TestPriors(t *testing.T) {
	// White's c3 and d5 are a bridge over c4 and d4, and black takes c4.
	moves := candidates(t, "side=5 : c3 i9 d5 c4")
	best := ""
	for m, c := range moves {
		if best == "" || c.Prior > moves[best].Prior {
			best = m
		}
	}
	if best != "d4" {
		t.Errorf("%s has %v, d4 %v", best, moves[best].Prior, moves["d4"].Prior)
	}
}

func newSearch(b *havannah.Board, threads int, o mcts.Options) (*Game, *mcts.Search, func() error) {
	g := NewGame(b)
	e := NewEvaluator(g, threads, 1)
	return g, mcts.New(g, e, o), e.Close
}

// TestThreads plays the same with any number of threads.
func TestThreads(t *testing.T) {
	var got [3][]mcts.Stat
	for i := range got {
		board, err := havannah.New(5)
		if err != nil {
			t.Fatal(err)
		}
		g, s, end := newSearch(board, 1+i, mcts.Options{Batch: 6, Playouts: 2, Memory: 16 << 20})
		for range 3 {
			if err := s.Run(t.Context(), 2000); err != nil {
				t.Fatal(err)
			}
			s.Advance(s.Best())
		}
		if g.Board().NumMoves() != 3 {
			t.Errorf("%d moves", g.Board().NumMoves())
		}
		if err := s.Run(t.Context(), 2000); err != nil {
			t.Fatal(err)
		}
		got[i] = s.Stats()
		end()
	}
	if fmt.Sprint(got[0]) != fmt.Sprint(got[1]) || fmt.Sprint(got[0]) != fmt.Sprint(got[2]) { // NaN is not itself
		t.Errorf("%v\n%v\n%v", got[0][:3], got[1][:3], got[2][:3])
	}
}
