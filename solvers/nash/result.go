package nash

import (
	"context"
	"fmt"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nash/internal/extreme"
	"gamebots/solvers/nash/verify"
)

// Stats counts the work of a search.
type Stats struct {
	Method Method `json:"method"` // the method that was used
	Nodes  uint64 `json:"nodes"`  // nodes of a search tree, or pairs of supports
	Pivots uint64 `json:"pivots"`
	// Candidates were decided exactly; Rejected of them are not equilibria.
	Candidates uint64 `json:"candidates"`
	Rejected   uint64 `json:"rejected"`
	// Ambiguous counts decisions within the bound of rounding errors, where nothing
	// was left out.
	Ambiguous uint64 `json:"doubts"`
}

// Degeneracy is what is known about a game: it is degenerate if some mixed strategy has
// more best replies than strategies in its support. In JSON it is true, false or null.
type Degeneracy int

// The values of Degeneracy.
const (
	NotTested     Degeneracy = iota // no equilibrium that was found shows that it is degenerate
	Nondegenerate                   // proved at all vertices of both best-response polytopes
	Degenerate                      // proved
)

func (d Degeneracy) String() string {
	return []string{"not tested", "nondegenerate", "degenerate"}[d]
}

// MarshalJSON returns true, false or null.
func (d Degeneracy) MarshalJSON() ([]byte, error) {
	return []byte([]string{"null", "false", "true"}[d]), nil
}

// A Result is the result of Solve.
type Result struct {
	// Equilibria are ordered by their probabilities. If Complete they are all there are, and
	// in a degenerate game all extreme ones.
	Equilibria []verify.Equilibrium
	Degeneracy Degeneracy
	Complete   bool // false if the search was stopped, or was for one equilibrium
	// Verified reports whether every equilibrium is one in exact arithmetic and, if they are
	// all of a nondegenerate game, their number is odd and their indices add up to +1.
	Verified bool
	Problem  string // why the result is not verified
	IndexSum int    // sum of the indices, in nondegenerate games
	// SecondOrder reports whether the search was repeated in another order of
	// branching and found the same.
	SecondOrder bool
	Stats       Stats
}

// Structure returns how the extreme equilibria of a degenerate game are connected. It fails with
// the error of ctx.
func (r *Result) Structure(ctx context.Context) (extreme.Structure, error) {
	return extreme.NewStructure(ctx, r.Equilibria)
}

// verifyAll verifies each equilibrium once more, unless firstProofOnly, and then their
// number and their indices.
func (r *Result) verifyAll(v *verify.Verifier, firstProofOnly bool, threads int) {
	if !firstProofOnly {
		wrong := make([]bool, len(r.Equilibria))
		parallel.For(threads, len(wrong), func(_, i int) { wrong[i] = !v.Verify(&r.Equilibria[i]) })
		if i := slices.Index(wrong, true); i >= 0 {
			r.Problem = fmt.Sprintf("number %d is not an equilibrium", i+1)
			return
		}
	}
	for i := range r.Equilibria {
		e := &r.Equilibria[i]
		if i > 0 && verify.Compare(&r.Equilibria[i-1], e) == 0 {
			r.Problem = fmt.Sprintf("number %d was found twice", i+1)
			return
		}
		r.IndexSum += e.Index
	}
	switch n := len(r.Equilibria); {
	case !r.Complete: // nothing is known of their number
	case n == 0:
		r.Problem = "no equilibrium was found, but every game has one"
	case r.Degeneracy == Degenerate:
	case n%2 == 0:
		r.Problem = fmt.Sprintf("%d equilibria are an even number", n)
	case r.IndexSum != 1:
		r.Problem = fmt.Sprintf("the indices add up to %d, not to 1", r.IndexSum)
	}
	r.Verified = r.Problem == ""
}

// compare orders equilibria for slices.SortFunc.
func compare(a, b verify.Equilibrium) int { return verify.Compare(&a, &b) }
