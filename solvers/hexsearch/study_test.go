package hexsearch

import (
	"math/rand/v2"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// solver solves positions by exhaustive search.
type solver struct {
	cells []int // empty ones of the first position
	known map[uint64]mcts.Proof
}

// value returns the result of a move for the player who makes it.
func (s *solver) value(b *havannah.Board, m havannah.Move) mcts.Proof {
	after := *b
	if err := after.Play(m); err != nil {
		panic(err)
	}
	if after.Won() != 0 {
		return mcts.Win
	}
	key := uint64(0)
	for _, at := range s.cells {
		key = 3*key + uint64(after.Stone(at))
	}
	p, ok := s.known[key]
	if !ok {
		p = mcts.Draw // for the other player, on a full board
		if !after.Over() {
			p = mcts.Loss
			for _, m := range after.AppendMoves(nil) {
				if v := s.value(&after, m); v == mcts.Win || v == mcts.Draw && p == mcts.Loss {
					p = v
				}
				if p == mcts.Win {
					break
				}
			}
		}
		s.known[key] = p
	}
	if p == mcts.Draw {
		return p
	}
	return -p
}

// TestStudy compares proofs in random positions with few empty cells with exhaustive search.
func TestStudy(t *testing.T) {
	proofs := map[mcts.Proof]int{}
	for seed := range uint64(10_000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		board, err := havannah.New(2 + int(seed)%3)
		if err != nil {
			t.Fatal(err)
		}
		for few := 6 + rng.IntN(5); board.Grid().NumCells-board.NumMoves() > few && !board.Over(); {
			moves := board.AppendMoves(nil)
			next := *board
			if err := next.Play(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
			if next.Over() && rng.IntN(30) > 0 {
				continue
			}
			*board = next
		}
		if board.Over() {
			continue
		}
		s := solver{known: map[uint64]mcts.Proof{}}
		for at := range board.Grid().NumCells {
			if board.Stone(at) == havannah.NoColour {
				s.cells = append(s.cells, at)
			}
		}
		g := NewGame(board)
		for _, c := range g.expander().Study(nil, nil) {
			proofs[c.Proof]++
			if p := s.value(board, g.Move(c.Move)); p != c.Proof {
				t.Fatalf("%s is %d, not %d, after %v", board.Grid().Format(g.Move(c.Move)), p, c.Proof, board)
			}
		}
	}
	if proofs[mcts.Win] < 300 || proofs[mcts.Loss] < 200 {
		t.Errorf("only %v", proofs)
	}
}
