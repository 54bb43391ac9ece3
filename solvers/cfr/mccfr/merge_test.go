package mccfr_test

import (
	"gamebots/solvers/cfr/mccfr"
	"testing"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// TestMerges follows every betting sequence through the tree that forgets dead money. Everyone pays there what they pay
// in the game, whether or not they fold, and the pot is off by less than a quarter of the others' chips.
func TestMerges(t *testing.T) {
	three := mccfrtest.Game(t, mccfr.NewGame, "leduc-3p", mccfrtest.Boardless)
	rules := *three.Rules
	rules.NumPlayers, rules.Blind[3], rules.Stack[3] = 4, rules.Blind[2], rules.Stack[2]
	full, err := mccfr.NewGame(&rules, betting.Actions{}, three.Buckets)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := mccfr.NewGame(&rules, betting.Actions{}.DeadMoney(), three.Buckets)
	if err != nil {
		t.Fatal(err)
	}
	if len(merged.Merges) == 0 || len(merged.Nodes) >= len(full.Nodes) {
		t.Fatalf("%d merges, %d decisions of %d", len(merged.Merges), len(merged.Nodes), len(full.Nodes))
	}
	players, ends := full.Rules.NumPlayers, 0
	var walk func(i, j int32, more [4]float32)
	walk = func(i, j int32, more [4]float32) {
		if m := merged.Merged(j); m != nil {
			for p := range players {
				more[p] += m.More[p]
			}
			walk(i, m.Node, more)
			return
		}
		if i < 0 {
			ends++
			pot, mergedPot := float32(0), float32(0)
			for p := range players {
				spent, here := full.Terminals.SpentBy(^i, p), merged.Terminals.SpentBy(^j, p)
				pot, mergedPot = pot+spent, mergedPot+here
				if here-more[p] != spent {
					t.Fatalf("player %d pays %v, want %v", p, here-more[p], spent)
				}
			}
			if apart := max(pot-mergedPot, mergedPot-pot); apart >= pot/4 {
				t.Errorf("a pot of %v is taken for one of %v", pot, mergedPot)
			}
			return
		}
		a, b := full.ChildrenOf(&full.Nodes[i]), merged.ChildrenOf(&merged.Nodes[j])
		if len(a) != len(b) {
			t.Fatalf("%d actions, want %d", len(b), len(a))
		}
		for k := range a {
			walk(a[k], b[k], more)
		}
	}
	walk(0, 0, [4]float32{})
	if ends < 1000 {
		t.Errorf("%d ends of a hand", ends)
	}
}
