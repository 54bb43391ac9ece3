package extreme

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"gamebots/solvers/nash/verify"
)

// A Subset is a maximal Nash subset (Winkels 1979): every mixture of its X with every
// mixture of its Y is an equilibrium, and no X or Y can be added. Each is given by the
// place of the first equilibrium that has it.
type Subset struct {
	X []int `json:"x"`
	Y []int `json:"y"`
}

// A Structure is how the extreme equilibria of a game are connected.
type Structure struct {
	Subsets    []Subset
	Components int // components of the set of equilibria
}

// NewStructure finds the maximal Nash subsets of all extreme equilibria of a game: the
// maximal bicliques of the graph in which an X and a Y are joined if they are an
// equilibrium. There may be very many. It fails with the error of ctx.
func NewStructure(ctx context.Context, all []verify.Equilibrium) (Structure, error) {
	var s Structure
	// Different mixed strategies are numbered in the order of their first use.
	numbers, first := [2]map[string]int{{}, {}}, [2][]int{}
	number := func(player, equilibrium int, x []*big.Rat) int {
		key := keyOf(x)
		n, known := numbers[player][key]
		if !known {
			n = len(first[player])
			numbers[player][key], first[player] = n, append(first[player], equilibrium)
		}
		return n
	}
	var near [][]int // the Ys of each X, sorted
	for i := range all {
		x, y := number(0, i, all[i].X), number(1, i, all[i].Y)
		if x == len(near) {
			near = append(near, nil)
		}
		near[x] = append(near[x], y)
	}
	for i := range near {
		slices.Sort(near[i])
	}
	s.Components = components(near, len(first[1]))

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
		var sub Subset
		for x, ys := range near {
			if len(common(set, ys)) == len(set) {
				sub.X = append(sub.X, first[0][x])
			}
		}
		for _, y := range set {
			sub.Y = append(sub.Y, first[1][y])
		}
		s.Subsets = append(s.Subsets, sub)
	}
	slices.SortFunc(s.Subsets, func(a, b Subset) int {
		return cmp.Or(slices.Compare(a.X, b.X), slices.Compare(a.Y, b.Y))
	})
	return s, nil
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
