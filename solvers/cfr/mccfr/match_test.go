//go:build linux

package mccfr

import (
	"math"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// valueOnDeals returns the winnings of table a against table b, as the mean over deals on
// which all actions are played.
func valueOnDeals(g *Game, a, b *Table, deals int) float64 {
	d, random := tree.NewDeal(g), tree.NewStream(1, 1, 1)
	var seats [2]*Table
	var visit func(i int32) float64
	visit = func(i int32) float64 {
		if i < 0 {
			return float64(g.Terminals.Value(^i, 0, d.Best))
		}
		n := &g.Nodes[i]
		sigma := make([]float32, n.Actions)
		RegretMatching(sigma, seats[n.Actor].StrategySum[d.Entry(n):][:n.Actions])
		value := 0.
		for k, child := range g.ChildrenOf(n) {
			if sigma[k] > 0 {
				value += float64(sigma[k]) * visit(child)
			}
		}
		return value
	}
	sum := 0.
	for range deals {
		d.Draw(&random)
		seats = [2]*Table{a, b}
		sum += visit(0)
		seats = [2]*Table{b, a}
		sum -= visit(0)
	}
	return sum / 2 / float64(deals)
}

// A match on boards has the result of one on deals.
func TestPublicChanceGPUPlay(t *testing.T) {
	games, boards := []*Game{mccfrtest.Game(t, "kuhn", mccfrtest.Lossless)}, 2
	if cudatest.OnGPU() {
		games, boards = append(games, mccfrtest.Game(t, "leduc", mccfrtest.Lossless), twoCards(t, rankBuckets),
			twoCards(t, mccfrtest.FewBuckets)), 2000
	}
	for _, g := range games {
		m := Method{Sampling: Public, Batch: 2}
		d, poor := newGPU(t, cudatest.Open(t, "memory=200000000", "mccfr"), g, m), NewSampler(g, m, 1, 1)
		for d.Iterations() < 6 {
			d.Step()
		}
		won, interval, err := d.Play(d, poor, boards, 3)
		if err != nil {
			t.Fatal(err)
		}
		want := valueOnDeals(g, &d.Table, &poor.Table, 100_000)
		if math.Abs(won-want) > 0.02+interval || won <= 0 {
			t.Errorf("%s: wins %v ± %v from a poor player, on deals %v", g.Rules.Name, won, interval, want)
		}
		response, err := d.RespondTo(poor, 5*boards, 4)
		if err != nil {
			t.Fatal(err)
		}
		best, _, err := d.Play(response, poor, boards, 3)
		if value, interval, valueErr := response.Value(t.Context(), 20_000, 1); err != nil || valueErr != nil ||
			best <= won || math.Abs(best-value) > 0.02+interval {
			t.Errorf("%s: a response wins %v, on deals %v, and another strategy %v: %v", g.Rules.Name, best, value, won,
				err)
		}
		before := d.Iterations()
		if d.Step(); d.Err() != nil || d.Iterations() != before+2 {
			t.Errorf("%s: no training after a match: %v", g.Rules.Name, d.Err())
		}
	}
}
