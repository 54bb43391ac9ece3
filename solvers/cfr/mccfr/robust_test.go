package mccfr

import (
	"math"
	"testing"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
	"gamebots/solvers/internal/pokertest"
)

// TestStrengths orders the cards of Leduc by rank. A third of the hands is weaker than each of the next rank, and half
// of those of the same.
func TestStrengths(t *testing.T) {
	s := newStrengths(mccfrtest.Game(t, NewGame, "leduc", mccfrtest.Lossless), 1)
	for bucket, want := range []float64{1. / 6, 3. / 6, 5. / 6} {
		if got := float64(s[0][bucket]); math.Abs(got-want) > .01 {
			t.Errorf("a card of rank %d is better than %.3f of the hands, want %.3f", bucket, got, want)
		}
	}
}

// TestLoose has loose players act at all decisions of a game. They play better hands more often, and do all
// that they may.
func TestLoose(t *testing.T) {
	actions, err := betting.ParseActions("fchpa")
	if err != nil {
		t.Fatal(err)
	}
	g := mccfrtest.GameOf(t, NewGame, pokertest.Game(t, "leduc-nolimit"), actions, mccfrtest.Lossless)
	s := NewSampler(g, Method{Batch: 1, Robust: true}, 1, 1)
	e := newExternal(s.workers[0])
	e.random = 1
	var folds [2][3]int // how often small and large calls are folded, by bucket
	var did [5]int
	for range 2_000 {
		for i := range g.Nodes {
			n := &g.Nodes[i]
			if n.Round > 0 || !g.Folds[i] {
				continue
			}
			e.tempers[n.Actor] = e.drawTempers()
			large := 0
			if g.Committed[i] > .5 {
				large = 1
			}
			for bucket := range 3 {
				e.deal.Rows[n.Actor][0] = g.Rows[0][n.Actor].Of(bucket)
				a := e.act(loose, int32(i))
				if did[a]++; a == 0 {
					folds[large][bucket]++
				}
			}
		}
	}
	for large, f := range folds {
		if f[0] < f[1] && large == 0 || f[1] <= f[2] {
			t.Errorf("large %d: queens, kings and aces fold %v times", large, f)
		}
	}
	for a, n := range did {
		if n == 0 {
			t.Errorf("action %d never comes: %v", a, did)
		}
	}
}
