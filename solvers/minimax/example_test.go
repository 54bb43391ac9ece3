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

// numbers is the same game for retrograde analysis: position n is the number n.
type numbers int

func (n numbers) Positions() int { return int(n) + 1 }

func (n numbers) AppendNext(p int, next []int32) []int32 {
	for m := 1; m <= min(3, p); m++ {
		next = append(next, int32(p-m))
	}
	return next
}

func (n numbers) Score(int) minimax.Score { return minimax.Loss }

func ExampleBackward() {
	solved, err := minimax.Backward(context.Background(), numbers(8))
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := range 9 {
		fmt.Println(n, solved.Score(n) == minimax.Win, solved.Plies(n))
	}
	// Output:
	// 0 false 0
	// 1 true 1
	// 2 true 1
	// 3 true 1
	// 4 false 2
	// 5 true 3
	// 6 true 3
	// 7 true 3
	// 8 false 4
}
