package nash

import (
	"fmt"
	"slices"
)

// A Subset is a maximal Nash subset (Winkels 1979): every mixture of the X of some
// extreme equilibria with every mixture of the Y of others is an equilibrium, and
// no more can be added. Equilibria are given by a number for each different X and
// each different Y, which Mixtures lists.
type Subset struct {
	X, Y []int
}

// A Structure is how extreme equilibria hang together.
type Structure struct {
	// For each equilibrium the number of its X and of its Y, in the order of
	// their first use.
	Numbers    [][2]int
	Subsets    []Subset
	Components int // of equilibria that are connected by equilibria
}

// Structure finds the maximal Nash subsets of extreme equilibria: the maximal
// bicliques of the graph in which an X and a Y are joined by an equilibrium.
func (r *Result) Structure() Structure {
	var s Structure
	all := r.Equilibria
	xs, ys := map[string]int{}, map[string]int{}
	number := func(m map[string]int, key string) int {
		if _, ok := m[key]; !ok {
			m[key] = len(m)
		}
		return m[key]
	}
	for i := range all {
		s.Numbers = append(s.Numbers, [2]int{number(xs, keyOf(all[i].X)), number(ys, keyOf(all[i].Y))})
	}
	near := make([][]int, len(xs)) // the Ys of each X, sorted
	for _, n := range s.Numbers {
		near[n[0]] = append(near[n[0]], n[1])
	}
	for i := range near {
		slices.Sort(near[i])
	}
	s.Components = components(near, len(ys))

	// Each maximal biclique has as its Ys an intersection of such sets, and each
	// intersection that is not empty gives one.
	var sets [][]int
	known := map[string]bool{}
	for _, set := range near {
		for _, other := range append(slices.Clone(sets), set) {
			both := common(other, set)
			if key := fmt.Sprint(both); len(both) > 0 && !known[key] {
				known[key] = true
				sets = append(sets, both)
			}
		}
	}
	for _, set := range sets {
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
	return s
}

// common returns what two sorted lists have in common.
func common(a, b []int) (both []int) {
	for _, x := range a {
		if _, found := slices.BinarySearch(b, x); found {
			both = append(both, x)
		}
	}
	return both
}

// components counts the connected components of a graph between lists and n
// members.
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
