package minimax_test

import (
	"context"
	"fmt"

	"gamebots/solvers/minimax"
)

// subtraction is a game of one's own: players in turn subtract 1, 2 or 3 from a
// number, and who reaches 0 wins.
type subtraction struct {
	n    int
	made []int
}

func (s *subtraction) AppendMoves(moves []int) []int {
	for m := 1; m <= min(3, s.n); m++ {
		moves = append(moves, m)
	}
	return moves
}

func (s *subtraction) Make(m int) {
	s.n -= m
	s.made = append(s.made, m)
}

func (s *subtraction) Unmake() {
	last := len(s.made) - 1
	s.n += s.made[last]
	s.made = s.made[:last]
}

// At 0 the player to move has lost. Other positions are estimated as draws.
func (s *subtraction) Score() (minimax.Score, bool) {
	if s.n == 0 {
		return minimax.Loss, true
	}
	return 0, false
}

// Key lets the search have a transposition table.
func (s *subtraction) Key() uint64 { return uint64(s.n) }

func Example() {
	newGame := func() *subtraction { return &subtraction{n: 22} }
	r, err := minimax.Search(context.Background(), newGame, minimax.Options{TableBits: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("subtract", r.Best, "and win:", r.Score == minimax.Win, "proven:", r.Proven)
	// Output:
	// subtract 2 and win: true proven: true
}
