package spot

import (
	"context"
	"math"
)

// Evaluation has the values and the exploitability of both players' average strategies.
type Evaluation struct {
	// Values are what the players win on average, in chips: their parts of the pot less
	// what they put in.
	Values [2]float64
	// Gains are how much more each player would win by a best response to the other's strategy.
	Gains [2]float64
}

// Exploitability returns the mean of what best responses win more, in chips.
func (e *Evaluation) Exploitability() float64 { return (e.Gains[0] + e.Gains[1]) / 2 }

// Evaluate computes the values of the average strategies and of best responses to them.
func (s *Solver) Evaluate() (e Evaluation) {
	for p := range 2 {
		mean := s.value(average, p)
		e.Values[p] = mean + float64(s.spot.Pot)/2
		e.Gains[p] = s.value(respond, p) - mean
	}
	return e
}

// Exploitability returns the mean of what best responses win more than the average strategies,
// in chips. It takes about as long as an iteration.
func (s *Solver) Exploitability() float64 {
	if s.spot.Rake != (Rake{}) {
		e := s.Evaluate()
		return e.Exploitability()
	}
	return (s.value(respond, 0) + s.value(respond, 1)) / 2 // the strategies win zero together
}

// value returns what a player wins on average, in chips beyond half of the pot.
func (s *Solver) value(m mode, player int) (sum float64) {
	for i, x := range s.traverse(&pass{mode: m, player: player}) {
		sum += float64(x) * float64(s.reach[player][i])
	}
	return sum / s.pairs
}

// Limits say when Solve ends.
type Limits struct {
	Iterations     uint64
	Exploitability float64 // in chips
}

// Solve iterates until one of the limits is reached or the context is done, and returns the
// exploitability. It computes that now and then, and calls report with it.
func (s *Solver) Solve(ctx context.Context, limits Limits, report func(exploitability float64)) float64 {
	for wait := uint64(8); ; {
		until := min(limits.Iterations, s.iterations+wait)
		for s.iterations < until && ctx.Err() == nil && s.Err() == nil {
			s.Step()
		}
		x := s.Exploitability()
		report(x)
		if s.iterations >= limits.Iterations || x <= limits.Exploitability || ctx.Err() != nil || s.Err() != nil {
			return x
		}
		wait = s.wait(x / limits.Exploitability)
	}
}

// wait returns how many iterations to do before exploitability is computed again, given how
// many times the target it is. It falls about as the square of the iterations rises. At least
// a thirty-second and at most half of the iterations so far are done.
func (s *Solver) wait(left float64) uint64 {
	n := float64(s.iterations)
	return uint64(max(1, n/32, min(n*(math.Sqrt(left)-1), n/2)))
}
