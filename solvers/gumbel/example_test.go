package gumbel_test

import (
	"fmt"

	"gamebots/solvers/gumbel"
	"gamebots/solvers/mcts"
)

// Who must move with heaps of 4 and 7 counters loses Wythoff's game. So with heaps of 4
// and 9, two counters are taken from the second.
func Example() {
	var s gumbel.Search
	root := wythoff{4, 9}
	s.Start(root, 64, nil)
	for path, ok := s.Next(); ok; path, ok = s.Next() {
		s.Evaluate(make([]float32, wythoffMoves), exact(root.after(path)))
	}
	left := root.after([]mcts.Move{s.Best()})
	fmt.Println(left)
	// Output:
	// [4 7]
}
