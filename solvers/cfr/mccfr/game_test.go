package mccfr

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// TestVariants holds the sizes that Reis (2015), table 2, states. The level that
// variant D has there beyond these holds only ends of hands.
func TestVariants(t *testing.T) {
	for _, want := range []struct {
		game                                 string
		sequences, buckets, infoSets, levels int
	}{
		{"reis-a", 4, 4, 16, 3},
		{"reis-b", 4, 8_347_680, 33_390_720, 3},
		{"reis-c", 21_285, 2_024, 43_080_840, 21},
		{"reis-d", 616_592, 8, 4_932_736, 29},
	} {
		g := gameOf(t, want.game, sets)
		if n := len(g.nodes); n != want.sequences {
			t.Errorf("%s: %d sequences, want %d", want.game, n, want.sequences)
		}
		if n := g.Buckets.NumBuckets(0); n != want.buckets {
			t.Errorf("%s: %d buckets, want %d", want.game, n, want.buckets)
		}
		if n := g.InfoSets(); n != want.infoSets {
			t.Errorf("%s: %d information sets, want %d", want.game, n, want.infoSets)
		}
		if n := len(g.byLevel().levels) - 1; n != want.levels {
			t.Errorf("%s: %d levels, want %d", want.game, n, want.levels)
		}
	}
}

// TestRows checks that every entry belongs to one decision and bucket, in either
// order.
func TestRows(t *testing.T) {
	for _, g := range small(t) {
		for order, g := range map[string]*Game{"depth-first": g, "by level": g.byLevel()} {
			seen := make([]bool, g.Entries)
			actions := make([]bool, len(g.children))
			for _, n := range g.nodes {
				for a := g.action(&n); a < g.action(&n)+int(n.actions); a++ {
					if actions[a] {
						t.Fatalf("%s, %s: action %d is there twice", g.Rules.Name, order, a)
					}
					actions[a] = true
				}
				for b := range g.Buckets.NumBuckets(int(n.round)) {
					for a := range int(n.actions) {
						at := g.rows[n.round][n.actor].of(b) + int(n.row) + a
						if seen[at] {
							t.Fatalf("%s, %s: entry %d is there twice", g.Rules.Name, order, at)
						}
						seen[at] = true
					}
				}
			}
			for at, found := range seen {
				if !found {
					t.Fatalf("%s, %s: nobody has entry %d", g.Rules.Name, order, at)
				}
			}
		}
	}
}

// TestLevels checks that in level order every child is in the next level.
func TestLevels(t *testing.T) {
	for _, g := range append(small(t), gameOf(t, "reis-c", sets)) {
		g = g.byLevel()
		for level := range len(g.levels) - 1 {
			for i := g.levels[level]; i < g.levels[level+1]; i++ {
				n := g.nodes[i]
				for _, c := range g.children[g.action(&n):][:n.actions] {
					if c >= 0 && (c < g.levels[level+1] || c >= g.levels[level+2]) {
						t.Fatalf("%s: decision %d of level %d leads to %d", g.Rules.Name, i, level, c)
					}
				}
			}
		}
	}
}

// TestEnds holds what is won at the ends of hands against the rules, for all
// orders of hands with ties.
func TestEnds(t *testing.T) {
	for _, g := range append(small(t), gameOf(t, "reis-c", sets)) {
		tree := betting.NewTree(g.Rules, g.Shape)
		numbers := make(map[acpc.Stakes]int32)
		e := newEnds(g.Rules.NumPlayers)
		for _, stakes := range tree.Terminals {
			if _, ok := numbers[stakes]; !ok {
				numbers[stakes] = e.add(&stakes)
			}
		}
		if len(e.spent) != len(g.ends.spent) {
			t.Errorf("%s: %d ends are different, want %d", g.Rules.Name, len(g.ends.spent), len(e.spent))
		}
		values := make([]float32, len(e.spent))
		best := make([]players, 1<<g.Rules.NumPlayers)
		orders(g.Rules.NumPlayers, func(ranks [acpc.MaxPlayers]int32) {
			winners(best, &ranks)
			e.values(values, best, 0, e.len())
			for stakes, end := range numbers {
				var shown [acpc.MaxPlayers]int
				for p := range g.Rules.NumPlayers {
					if shown[p] = int(ranks[p]); stakes.Folded[p] {
						shown[p] = -1
					}
				}
				for p := range g.Rules.NumPlayers {
					want := stakes.Value(p, &shown)
					one, all := e.value(end, p, best), values[int(end)*g.Rules.NumPlayers+p]
					if math.Abs(float64(one)-want) > 1e-5 || one != all {
						t.Fatalf("%s: position %d wins %v or %v with ranks %v of %+v, want %v", g.Rules.Name, p, one, all, shown, stakes, want)
					}
				}
			}
		})
	}
}

// orders calls f with every way to give n hands one of three ranks.
func orders(n int, f func([acpc.MaxPlayers]int32)) {
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
