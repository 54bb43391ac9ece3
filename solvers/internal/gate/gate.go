package gate

import "slices"

// A Gate is that choice, by hand: each hand chooses between playing on and its offer (CFR-D: Burch, Johanson
// and Bowling, "Solving imperfect information games using decomposition", AAAI 2014).
type Gate struct {
	// Reach is with which weights the hands come into the subgame.
	Reach []float64

	always []float64    // the part of Reach without a choice
	choice float64      // the part of the deals with one
	regret [][2]float64 // a hand's regrets of playing on and of its offer
	enters []float64    // how often a hand with a choice plays on

	offers   Offers
	sums     []float64 // sums of Reach, discounted as those of strategies
	averaged float64
}

// Offers are the values that the opponent's hands may take instead of playing on.
type Offers struct {
	// Values are counterfactual: what a hand is offered, times Opposing, the sum of the other
	// player's reach over the hands that share no card with it. They may change between choices.
	Values, Opposing []float64
	// Known is the weight, from 0 to 1, with which the most frequent hand of the Expected range comes without a
	// choice; all hands with one have what is left to 1. So it is the part of the deals without a choice for a
	// range of all hands, and for a narrow range that part is smaller. Otherwise nothing would be won from hands that
	// are not worth playing on with.
	Expected []float64
	Known    float64
}

// New returns the gate of some offers.
func New(o Offers) *Gate {
	g := &Gate{
		choice: 1 - o.Known, offers: o, sums: make([]float64, len(o.Expected)),
		regret: make([][2]float64, len(o.Values)), enters: slices.Repeat([]float64{1}, len(o.Values)),
	}
	largest := slices.Max(o.Expected)
	for i, x := range o.Expected {
		g.always = append(g.always, o.Known*x/largest)
		g.Reach = append(g.Reach, g.always[i]+g.choice)
	}
	return g
}

// Average adds Reach to its average, in which the earlier sum is discounted by a factor.
func (g *Gate) Average(discount float64) {
	g.averaged = discount*g.averaged + 1
	for i, x := range g.Reach {
		g.sums[i] = discount*g.sums[i] + x
	}
}

// Mean returns the average of Reach.
func (g *Gate) Mean() []float64 {
	mean := make([]float64, len(g.sums))
	for i, x := range g.sums {
		mean[i] = x / g.averaged
	}
	return mean
}

// Best returns what the best choices win on average of all deals, given the values of playing on, and what the other
// player pays for offers that are taken on average. Both are weighted as the values are.
func (g *Gate) Best(values []float32) (won, paid float64) {
	for i, offered := range g.offers.Values {
		won += g.choice * max(0, float64(values[i])-offered)
	}
	for i, x := range g.Mean() {
		won += g.always[i]*float64(values[i]) + g.choice*g.offers.Values[i]
		paid += (g.always[i] + g.choice - x) * g.offers.Values[i]
	}
	return won, paid
}

// Deals returns the weight of all deals, with and without a choice.
func (g *Gate) Deals() (sum float64) {
	for i, x := range g.offers.Opposing {
		sum += (g.always[i] + g.choice) * x
	}
	return sum
}

// Choose matches the choices to their regrets, given the counterfactual values of playing on,
// and changes Reach.
func (g *Gate) Choose(values []float32) {
	for i, offered := range g.offers.Values {
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
