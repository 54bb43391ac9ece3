//go:build linux

package mccfr

import (
	"math"
	"testing"
)

// dealtValue returns what a table wins of another, as the mean over deals with all
// their actions.
func dealtValue(g *Game, a, b *table, deals int) float64 {
	d, random := newDeal(g), newStream(1, 1, 1)
	var seats [2]*table
	var visit func(i int32) float64
	visit = func(i int32) float64 {
		if i < 0 {
			return float64(g.ends.value(^i, 0, d.best))
		}
		n := &g.nodes[i]
		sigma := make([]float32, n.actions)
		match(sigma, seats[n.actor].average[d.rows[n.actor][n.round]+int(n.row):][:n.actions])
		value := 0.
		for k, child := range g.children[g.action(n):][:n.actions] {
			if sigma[k] > 0 {
				value += float64(sigma[k]) * visit(child)
			}
		}
		return value
	}
	sum := 0.
	for range deals {
		d.draw(&random)
		seats = [2]*table{a, b}
		sum += visit(0)
		seats = [2]*table{b, a}
		sum -= visit(0)
	}
	return sum / 2 / float64(deals)
}

// What strategies win of each other is what they win on deals.
func TestDeviceBoardsPlay(t *testing.T) {
	games, boards := []*Game{gameOf(t, "kuhn", lossless)}, 2
	if *device != "fake" {
		games, boards = append(games, gameOf(t, "leduc", lossless), twoCards(t, rankBuckets), twoCards(t, fewBuckets)), 2000
	}
	for _, g := range games {
		m := Method{Public, 2, false}
		d, poor := boardsOn(t, openDevice(t), g, m), NewSampler(g, m, 1, 1)
		for d.Iterations() < 6 {
			d.Step()
		}
		won, interval, err := d.Play(d, poor, boards, 3)
		if err != nil {
			t.Fatal(err)
		}
		want := dealtValue(g, &d.table, &poor.table, 100_000)
		if math.Abs(won-want) > 0.02+interval || won <= 0 {
			t.Errorf("%s: wins %v ± %v of a poor player, on deals %v", g.Rules.Name, won, interval, want)
		}
		response, err := d.RespondTo(poor, 5*boards, 4)
		if err != nil {
			t.Fatal(err)
		}
		best, _, err := d.Play(response, poor, boards, 3)
		if value, interval := response.Value(20_000, 1); err != nil || best <= won || math.Abs(best-value) > 0.02+interval {
			t.Errorf("%s: a response wins %v, on deals %v, and what is no response %v: %v", g.Rules.Name, best, value, won, err)
		}
		before := d.Iterations()
		if d.Step(); d.Err() != nil || d.Iterations() != before+2 {
			t.Errorf("%s: no training after a match: %v", g.Rules.Name, d.Err())
		}
	}
}
