package extreme_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/internal/extreme"
	"gamebots/solvers/nash/verify"
)

// Against column 1 the row player is indifferent, so every mixture of the rows is an
// equilibrium with it. The extreme equilibria are the two pure ones.
func ExampleSearch() {
	g, err := bimatrix.New("indifferent", [][]int64{{1, 0}, {1, 0}}, [][]int64{{1, 0}, {1, 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := verify.New(g)
	options := extreme.Options{Threads: 1, OnFound: func(int) {}, Progress: func(float64) {}}
	found, _, err := extreme.Search(context.Background(), v, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	degenerate, err := extreme.IsDegenerate(context.Background(), v, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := extreme.NewStructure(context.Background(), found)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(degenerate, len(found), "extreme equilibria")
	fmt.Println(len(s.Subsets), "maximal Nash subset, which mixes", len(s.Subsets[0].X), "x and", len(s.Subsets[0].Y),
		"y")
	// Output:
	// true 2 extreme equilibria
	// 1 maximal Nash subset, which mixes 2 x and 1 y
}
