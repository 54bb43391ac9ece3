package extreme

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"gamebots/solvers/nash/verify"
)

// A Subset is a maximal Nash subset (Winkels 1979): every mixture of its X with every
// mixture of its Y is an equilibrium, and no X or Y can be added. X and Y are numbers
// of [Structure.StrategyNumbers].
type Subset struct {
	X, Y []int
}

// A Structure is how the extreme equilibria of a game are connected.
type Structure struct {
	// StrategyNumbers has for each equilibrium the number of its X and of its Y: different
	// mixed strategies are numbered in the order of their first use.
	StrategyNumbers [][2]int
	Subsets         []Subset
	Components      int // components of the set of equilibria

	first [2][]int // first equilibrium of each number, by player
}

// NewStructure finds the maximal Nash subsets of all extreme equilibria of a game: the
// maximal bicliques of the graph in which an X and a Y are joined if they are an
// equilibrium. There may be very many. It fails with the error of ctx.
func NewStructure(ctx context.Context, all []verify.Equilibrium) (Structure, error) {
	var s Structure
	numbers := [2]map[string]int{{}, {}}
	number := func(player, equilibrium int, x []*big.Rat) int {
		key := keyOf(x)
		n, known := numbers[player][key]
		if !known {
			n = len(s.first[player])
			numbers[player][key], s.first[player] = n, append(s.first[player], equilibrium)
		}
		return n
	}
	for i := range all {
		s.StrategyNumbers = append(s.StrategyNumbers, [2]int{number(0, i, all[i].X), number(1, i, all[i].Y)})
	}
	near := make([][]int, len(s.first[0])) // the Ys of each X, sorted
	for _, n := range s.StrategyNumbers {
		near[n[0]] = append(near[n[0]], n[1])
	}
	for i := range near {
		slices.Sort(near[i])
	}
	s.Components = components(near, len(s.first[1]))

	// The Ys of a maximal biclique are an intersection of such lists, and each
	// nonempty intersection gives one.
	var sets [][]int
	known := map[string]bool{}
	for _, set := range near {
		for _, other := range append(slices.Clone(sets), set) {
			if err := ctx.Err(); err != nil {
				return Structure{}, err
			}
			both := common(other, set)
			if key := fmt.Sprint(both); len(both) > 0 && !known[key] {
				known[key] = true
				sets = append(sets, both)
			}
		}
	}
	for _, set := range sets {
		if err := ctx.Err(); err != nil {
			return Structure{}, err
		}
		sub := Subset{Y: set}
		for x, ys := range near {
			if len(common(set, ys)) == len(set) {
				sub.X = append(sub.X, x)
			}
		}
		s.Subsets = append(s.Subsets, sub)
	}
	slices.SortFunc(s.Subsets, func(a, b Subset) int {
		if c := slices.Compare(a.X, b.X); c != 0 {
			return c
		}
		return slices.Compare(a.Y, b.Y)
	})
	return s, nil
}

// First returns, for each number of an X (player 0) or a Y (player 1), the place of the
// first equilibrium that has it.
func (s Structure) First(player int, numbers []int) []int {
	var first []int
	for _, n := range numbers {
		first = append(first, s.first[player][n])
	}
	return first
}

// common returns the intersection of two sorted lists.
func common(a, b []int) (both []int) {
	for _, x := range a {
		if _, found := slices.BinarySearch(b, x); found {
			both = append(both, x)
		}
	}
	return both
}

// components counts the connected components of a bipartite graph with n nodes on one
// side, which near lists for each node of the other.
func components(near [][]int, n int) int {
	leader := make([]int, n)
	for i := range leader {
		leader[i] = i
	}
	find := func(i int) int {
		for leader[i] != i {
			i = leader[i]
		}
		return i
	}
	count := n
	for _, set := range near {
		for _, y := range set {
			if a, b := find(set[0]), find(y); a != b {
				leader[a] = b
				count--
			}
		}
	}
	return count
}
