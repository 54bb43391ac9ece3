package matrix

import (
	"maps"
	"math/big"
	"slices"
)

// named are the known games, with integer payoffs row by row.
var named = map[string]struct {
	names [2][]string
	a, b  []int64
}{
	"rock-paper-scissors": {both("rock", "paper", "scissors"),
		[]int64{0, -1, 1, 1, 0, -1, -1, 1, 0}, []int64{0, 1, -1, -1, 0, 1, 1, -1, 0}},
	"matching-pennies": {both("heads", "tails"), []int64{1, -1, -1, 1}, []int64{-1, 1, 1, -1}},
	"prisoners-dilemma": {both("cooperate", "defect"),
		[]int64{3, 0, 5, 1}, []int64{3, 5, 0, 1}},
	"battle-of-the-sexes": {both("opera", "football"), []int64{2, 0, 0, 1}, []int64{1, 0, 0, 2}},
	"chicken":             {both("swerve", "straight"), []int64{0, -1, 1, -10}, []int64{0, 1, -1, -10}},
	"shapley": {both("red", "green", "blue"),
		[]int64{1, 0, 0, 0, 1, 0, 0, 0, 1}, []int64{0, 1, 0, 0, 0, 1, 1, 0, 0}},
}

func both(names ...string) [2][]string { return [2][]string{names, names} }

// Games returns the names of the known games in alphabetical order.
func Games() []string { return slices.Sorted(maps.Keys(named)) }

// Named starts a match of a known game. It reports whether there is one with the name.
func Named(name string, rounds int) (m *Match, found bool, err error) {
	g, found := named[name]
	if !found {
		return nil, false, nil
	}
	var payoffs [2][]*big.Rat
	for seat, all := range [][]int64{g.a, g.b} {
		for _, x := range all {
			payoffs[seat] = append(payoffs[seat], big.NewRat(x, 1))
		}
	}
	m, err = New(g.names, payoffs, len(g.names[0]), len(g.names[1]), rounds)
	return m, true, err
}
