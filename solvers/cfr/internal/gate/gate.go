// Package gate has the opponent's choice at the root of a subgame that is solved safely:
// between playing on and what it is offered instead (CFR-D: Burch, Johanson and Bowling,
// "Solving imperfect information games using decomposition", AAAI 2014).
package gate

import "slices"

// A Gate is that choice, by hand.
type Gate struct {
	// Reach is with which weights the hands come into the subgame.
	Reach []float64

	offers []float64
	always []float64    // the part of Reach without a choice
	choice float64      // the part of the deals with one
	regret [][2]float64 // of playing on, and of the offer
	enters []float64    // the probability of playing on
}

// New returns the gate for the counterfactual values of offers by hand. In a part of the deals,
// known from 0 to 1, the opponent has no choice and comes with the expected range. Otherwise
// nothing would be won from hands that take the offer.
func New(offers, expected []float64, known float64) *Gate {
	g := &Gate{offers: offers, choice: 1 - known, regret: make([][2]float64, len(offers)), enters: slices.Repeat([]float64{1}, len(offers))}
	largest := slices.Max(expected)
	for i, x := range expected {
		g.always = append(g.always, known*x/largest)
		g.Reach = append(g.Reach, g.always[i]+g.choice)
	}
	return g
}

// Choose matches the choices to their regrets, given the counterfactual values of playing on,
// and changes Reach.
func (g *Gate) Choose(values []float32) {
	for i, offered := range g.offers {
		entered, r := float64(values[i]), &g.regret[i]
		mean := g.enters[i]*entered + (1-g.enters[i])*offered
		r[0], r[1] = max(0, r[0]+entered-mean), max(0, r[1]+offered-mean)
		g.enters[i] = .5
		if total := r[0] + r[1]; total > 0 {
			g.enters[i] = r[0] / total
		}
		g.Reach[i] = g.always[i] + g.choice*g.enters[i]
	}
}
