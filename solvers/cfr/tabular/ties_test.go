package tabular

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"gamebots/solvers/nash/extensive"
)

// bids is a position of points: the prizes that were turned up, and after each the bids of both.
type bids struct {
	cards [9]int
	n     int
}

// points is goofspiel of three cards by points: the prizes are shuffled, all bids are seen, and equal bids share
// the prize. Actions are in ascending order, or in descending order.
type points struct{ descending bool }

func (points) Start() bids { return bids{} }

func (r points) Describe(p bids) extensive.Turn {
	won := []*big.Rat{new(big.Rat), new(big.Rat)}
	for i := 0; i+2 < p.n; i += 3 {
		prize, first, second := p.cards[i], p.cards[i+1], p.cards[i+2]
		for player, part := range []int{max(0, min(2, 1+first-second)), max(0, min(2, 1+second-first))} {
			won[player].Add(won[player], big.NewRat(int64(prize*part), 2))
		}
	}
	if p.n == len(p.cards) {
		return extensive.Turn{Payoffs: won}
	}
	turn := extensive.Turn{Player: p.n%3 - 1, Set: fmt.Sprint(p.cards[:p.n-p.n%3/2])}
	left := r.left(p)
	for _, card := range left {
		turn.Actions = append(turn.Actions, fmt.Sprint(card))
		if turn.Player == extensive.Chance {
			turn.Probabilities = append(turn.Probabilities, big.NewRat(1, int64(len(left))))
		}
	}
	return turn
}

func (r points) Next(p bids, action int) bids {
	p.cards[p.n] = r.left(p)[action]
	p.n++
	return p
}

// left returns the cards that can come next: prizes, or those of a player.
func (r points) left(p bids) (cards []int) {
	for card := 1; card <= 3; card++ {
		if !slices.ContainsFunc([]int{p.n - 3, p.n - 6}, func(i int) bool { return i >= 0 && p.cards[i] == card }) {
			cards = append(cards, card)
		}
	}
	if r.descending {
		slices.Reverse(cards)
	}
	return cards
}

// Where actions tie exactly, regrets are what rounding leaves of zero: strategies are uniform there, as in
// fractions, and curves do not depend on the order of actions. The first two are the curve of CFR in fractions.
func TestTies(t *testing.T) {
	for algorithm, want := range map[string][]float64{
		"cfr": {2: .40079, 3: .27215, 100: .0083877}, "cfr+": {100: 2.7911e-4}, "sapcfr+": {100: 1.5345e-5},
	} {
		for _, descending := range []bool{false, true} {
			g, err := extensive.Build("points", []string{"first", "second"}, points{descending})
			if err != nil {
				t.Fatal(err)
			}
			q, err := g.Sequences()
			if err != nil {
				t.Fatal(err)
			}
			trainer, err := New(q, algorithm, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i < len(want); i++ {
				trainer.Step()
				_, gains := trainer.Evaluate()
				if got := (gains[0] + gains[1]) / 2; want[i] != 0 && math.Abs(got/want[i]-1) > 1e-4 {
					t.Errorf("%s, descending %v: %g after %d iterations, want %g",
						algorithm, descending, got, i, want[i])
				}
			}
		}
	}
}
