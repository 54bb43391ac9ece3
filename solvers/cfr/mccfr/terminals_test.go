package mccfr_test

import (
	"gamebots/solvers/cfr/mccfr"
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// TestTerminals compares terminal values with the rules, for all orders of hands
// with ties.
func TestTerminals(t *testing.T) {
	for _, g := range append(mccfrtest.Small(t, mccfr.NewGame),
		mccfrtest.Game(t, mccfr.NewGame, "reis-c", mccfrtest.Boardless)) {
		indices := make(map[acpc.Pot]int32)
		terminals := mccfr.NewTerminals(g.Rules.NumPlayers)
		for _, pot := range betting.NewTree(g.Rules, g.Shape).Terminals {
			if _, ok := indices[pot]; !ok {
				indices[pot] = terminals.Add(&pot)
			}
		}
		if len(terminals.Spent) != len(g.Terminals.Spent) {
			t.Errorf("%s: %d terminals are different, want %d", g.Rules.Name, len(g.Terminals.Spent),
				len(terminals.Spent))
		}
		values := make([]float32, len(terminals.Spent))
		best := make([]mccfr.PlayerSet, 1<<g.Rules.NumPlayers)
		rankings(g.Rules.NumPlayers, func(ranks [acpc.MaxPlayers]int32) {
			mccfr.BestHands(best, &ranks)
			terminals.Values(values, best, 0, terminals.Len())
			for pot, terminal := range indices {
				var shown [acpc.MaxPlayers]int
				for p := range g.Rules.NumPlayers {
					if shown[p] = int(ranks[p]); pot.Folded[p] {
						shown[p] = -1
					}
				}
				for p := range g.Rules.NumPlayers {
					want := pot.Value(p, &shown)
					one, all := terminals.Value(terminal, p, best), values[int(terminal)*g.Rules.NumPlayers+p]
					if math.Abs(float64(one)-want) > 1e-5 || one != all {
						t.Fatalf("%s: position %d wins %v or %v with ranks %v of %+v, want %v", g.Rules.Name, p, one,
							all, shown, pot, want)
					}
				}
			}
		})
	}
}

// rankings calls f with every way to give n hands one of three ranks.
func rankings(n int, f func([acpc.MaxPlayers]int32)) {
	var ranks [acpc.MaxPlayers]int32
	var set func(p int)
	set = func(p int) {
		if p == n {
			f(ranks)
			return
		}
		for r := range min(n, 3) {
			ranks[p] = int32(r)
			set(p + 1)
		}
	}
	set(0)
}
