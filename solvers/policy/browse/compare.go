package browse

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/solvers/policy"
)

// Difference compares what two strategies do with the hands of an information set.
type Difference struct {
	Betting  string   `json:"betting"`
	Position int      `json:"position"` // to act, from 1
	Actions  []string `json:"actions"`  // actions of the first strategy
	// Hand is what the first strategy does, and Second the other's probabilities.
	Hand
	Second []float64 `json:"second"`
	// Distance is half of the sum of the differences of the probabilities, from 0 to 1.
	Distance float64 `json:"distance"`
	// Weighted is Distance times the part of all hands that are these and reach the point when all
	// play the first strategy.
	Weighted float64 `json:"weighted"`
	// Lost is what the player wins less, in chips a hand, with the second strategy's
	// probabilities here and the first strategy everywhere else; nil if it is not known.
	Lost *float64 `json:"lost,omitempty"`
}

// ErrNotComparable is the error for strategies of different games.
var ErrNotComparable = errors.New("the strategies are not of one game")

// CompareAt returns what two strategies do at a point with all hands, in the order of the
// first strategy's [Node]. The error is as in At, of either strategy.
func CompareAt(first, second *Strategy, p Point) ([]Difference, error) {
	if first.Game().String() != second.Game().String() {
		return nil, fmt.Errorf("%w: %s and %s", ErrNotComparable, first.Game().Name, second.Game().Name)
	}
	at, err := second.node(&p.Hand)
	if err != nil {
		return nil, err
	}
	n, err := first.At(p)
	if err != nil {
		return nil, err
	}
	var all []Difference
	for _, h := range n.Hands {
		for _, part := range h.split(func(d holding) int { return second.policy.Buckets.Bucket(n.Round-1, d.deal) }) {
			bucket := second.policy.Buckets.Bucket(n.Round-1, part.holdings[0].deal)
			choices, err := second.policy.ChoicesAt(nil, at, bucket)
			if err != nil {
				return nil, err
			}
			all = append(all, n.difference(part, choices))
		}
	}
	return all, nil
}

// difference compares the choices of another strategy with those of a node's hands.
func (n *Node) difference(h Hand, second []policy.Choice) Difference {
	d := Difference{Betting: n.Betting, Position: n.Position, Hand: h, Second: make([]float64, len(n.Actions))}
	elsewhere := 0.0 // probability of actions that the first strategy lacks
	for i, q := range policy.AppendProbabilities[float64](nil, second) {
		a := slices.IndexFunc(n.Actions, func(a Action) bool { return a.Action == second[i].Action })
		if a < 0 {
			elsewhere += q
			continue
		}
		d.Second[a] = q
	}
	distance, lost := elsewhere, 0.0
	for a, q := range d.Second {
		d.Actions = append(d.Actions, n.Actions[a].Text)
		distance += math.Abs(h.Probabilities[a] - q)
		if h.Values != nil {
			lost += (h.Probabilities[a] - q) * h.Values[a]
		}
	}
	share := h.share()
	d.Distance = distance / 2
	d.Weighted = d.Distance * share
	if lost *= share; (h.Values != nil || share == 0) && elsewhere == 0 {
		d.Lost = &lost
	}
	return d
}
