package verify_test

import (
	"fmt"
	"math/big"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/verify"
)

// The battle of the sexes has a mixed equilibrium. Mixing evenly is not one.
func ExampleVerifier() {
	g, err := bimatrix.New("battle of the sexes", [][]int64{{2, 0}, {0, 1}}, [][]int64{{1, 0}, {0, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := verify.New(g)
	e, verdict := v.Candidate(0b11, 0b11) // both rows and both columns
	fmt.Println(verdict == verify.Proved, e.X, e.Y, "index", e.Index)
	half := []*big.Rat{big.NewRat(1, 2), big.NewRat(1, 2)}
	fmt.Println(v.Verify(e), e.Payoffs[0], v.Verify(&verify.Equilibrium{X: half, Y: half}))
	// Output:
	// true [2/3 1/3] [1/3 2/3] index -1
	// true 2/3 false
}
