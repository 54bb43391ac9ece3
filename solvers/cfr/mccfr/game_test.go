package mccfr_test

import (
	"gamebots/solvers/cfr/mccfr"
	"testing"

	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// TestVariants checks the sizes in table 2 of Reis (2015). The level that
// variant D has there beyond these has only terminal nodes.
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
		g := mccfrtest.Game(t, mccfr.NewGame, want.game, mccfrtest.Boardless)
		if n := len(g.Nodes); n != want.sequences {
			t.Errorf("%s: %d sequences, want %d", want.game, n, want.sequences)
		}
		if n := g.Buckets.NumBuckets(0); n != want.buckets {
			t.Errorf("%s: %d buckets, want %d", want.game, n, want.buckets)
		}
		if n := g.InfoSets(); n != want.infoSets {
			t.Errorf("%s: %d information sets, want %d", want.game, n, want.infoSets)
		}
		if n := len(g.LevelOrder().Levels) - 1; n != want.levels {
			t.Errorf("%s: %d levels, want %d", want.game, n, want.levels)
		}
	}
}

// TestRows checks that every entry belongs to one decision and bucket, in either
// order.
func TestRows(t *testing.T) {
	for _, g := range mccfrtest.Small(t, mccfr.NewGame) {
		for order, g := range map[string]*mccfr.Game{"depth-first": g, "by level": g.LevelOrder()} {
			seen := make([]bool, g.Entries)
			actions := make([]bool, len(g.Children))
			for _, n := range g.Nodes {
				for a := g.FirstAction(&n); a < g.FirstAction(&n)+int(n.Actions); a++ {
					if actions[a] {
						t.Fatalf("%s, %s: action %d is there twice", g.Rules.Name, order, a)
					}
					actions[a] = true
				}
				for b := range g.Buckets.NumBuckets(int(n.Round)) {
					for a := range int(n.Actions) {
						at := g.Rows[n.Round][n.Actor].Of(b) + int(n.Offset) + a
						if seen[at] {
							t.Fatalf("%s, %s: entry %d is there twice", g.Rules.Name, order, at)
						}
						seen[at] = true
					}
				}
			}
			for at, found := range seen {
				if !found {
					t.Fatalf("%s, %s: no decision has entry %d", g.Rules.Name, order, at)
				}
			}
		}
	}
}

// TestLevels checks that in level order every child is in the next level.
func TestLevels(t *testing.T) {
	for _, g := range append(mccfrtest.Small(t, mccfr.NewGame),
		mccfrtest.Game(t, mccfr.NewGame, "reis-c", mccfrtest.Boardless)) {
		g = g.LevelOrder()
		for level := range len(g.Levels) - 1 {
			for i := g.Levels[level]; i < g.Levels[level+1]; i++ {
				for _, c := range g.ChildrenOf(&g.Nodes[i]) {
					if c >= 0 && (c < g.Levels[level+1] || c >= g.Levels[level+2]) {
						t.Fatalf("%s: decision %d of level %d leads to %d", g.Rules.Name, i, level, c)
					}
				}
			}
		}
	}
}
