package spotstudy

import (
	"errors"
	"math"
	"testing"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"
)

// A spot has the pot, the stacks and the ranges with which a strategy comes there, as browse shows them.
func TestFrom(t *testing.T) {
	p, err := policy.Open("../../configs/strategies/holdem-nolimit-2p.strategy", 1<<31, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	board, _ := spot.ParseBoard("Qs7h2c5d")
	s, err := From(p, "r300c/cr900c/", board)
	if err != nil {
		t.Fatal(err)
	}
	if s.Pot != 1800 || s.Stack != 19100 {
		t.Errorf("pot %d, stack %d", s.Pot, s.Stack)
	}
	b, err := browse.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	point, err := b.Parse("r300c/cr900c/", "Qs7h2c5d")
	if err != nil {
		t.Fatal(err)
	}
	n, err := b.At(point)
	if err != nil {
		t.Fatal(err)
	}
	// The big blind, position 1, acts first after the flop. Shown weights are to a thousandth, and those of a spot in
	// proportion to the largest.
	for q, player := range n.Players {
		shown, err := ranges.Parse(player.Range)
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		card.Subsets(p.Tree.Game.Deck(), 2, func(hole card.Set) { most = max(most, shown.Weight(hole)) })
		card.Subsets(p.Tree.Game.Deck(), 2, func(hole card.Set) {
			if x := s.Ranges[q].Weight(hole) * most; math.Abs(x-shown.Weight(hole)) > 1.5e-3 {
				t.Errorf("%s has %v with weight %g, shown %g", player.Name, hole, x, shown.Weight(hole))
			}
		})
	}
	for _, c := range []struct {
		at, board string
		want      error
	}{
		{"r300c/c", "Qs7h2c", ErrWithinRound}, {"", "Qs7h2c", ErrWithinRound}, {"f", "Qs7h2c", browse.ErrOver},
		{"r300c/", "Qs7h2c5d", nil}, {"r300c/zz", "Qs7h2c", nil},
	} {
		board, _ := spot.ParseBoard(c.board)
		if _, err := From(p, c.at, board); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%q on %s: %v, want %v", c.at, c.board, err, c.want)
		}
	}
}
