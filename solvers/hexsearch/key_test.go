package hexsearch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// TestKey plays random games: a position has the same key from any root, and no other
// position has it.
func TestKey(t *testing.T) {
	seen, again := map[uint64]string{}, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		board, err := havannah.New(3)
		if err != nil {
			t.Fatal(err)
		}
		g := NewGame(board)
		e := g.expander()
		var path []mcts.Move
		swapped := false // on the path
		for range 6 {
			moves := board.AppendMoves(nil)
			m := moves[rng.IntN(len(moves))]
			if board.NumMoves() == 1 && rng.IntN(2) == 0 {
				m = havannah.Swap
			}
			if err := board.Play(m); err != nil {
				t.Fatal(err)
			}
			if board.Over() {
				break
			}
			path, swapped = append(path, g.Number(m)), swapped || m == havannah.Swap
			key := e.Key(path)
			if swapped != (key == 0) {
				t.Fatalf("key %d after %v", key, board)
			}
			if rng.IntN(3) == 0 {
				for _, m := range path {
					g.Advance(m)
				}
				path, swapped, key = path[:0], false, e.Key(nil)
			}
			if key == 0 {
				continue
			}
			var stones []havannah.Colour
			for at := range board.Grid().NumCells {
				stones = append(stones, board.Stone(at))
			}
			position := fmt.Sprint(board.Turn(), stones)
			if other, ok := seen[key]; ok && other != position {
				t.Fatalf("%s has the key of %s", position, other)
			} else if ok {
				again++
			}
			seen[key] = position
		}
	}
	positions := map[string]bool{}
	for _, p := range seen {
		if positions[p] {
			t.Errorf("%s has two keys", p)
		}
		positions[p] = true
	}
	if again < 1000 || len(seen) < 1000 {
		t.Errorf("%d positions, %d again", len(seen), again)
	}
}

// TestSameTree grows the same tree with any number of threads.
func TestSameTree(t *testing.T) {
	var first string
	for threads := range 4 {
		board := boardOf(t, "side=4 : b3 a1 c2 g7 a4 g4")
		g := NewGame(board)
		s := mcts.New(g, NewEvaluator(g, 1, 1),
			mcts.Options{Batch: 40, Playouts: 2, ProofAfter: 4, Threads: 1 + threads, Memory: 32 << 20})
		if err := s.Run(t.Context(), 20_000); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(s.Stats())
		if threads == 0 {
			first = got
		} else if got != first {
			t.Errorf("%s on %d threads, not %s", got, 1+threads, first)
		}
	}
}
