package spot

// Evaluation says how good the average strategies of both players are.
type Evaluation struct {
	// Values are what the players win on average, in chips: their parts of the pot less
	// what they put in.
	Values [2]float64
	// Gains are what a best response of each player to the other's strategy wins more.
	Gains [2]float64
}

// Exploitability returns the mean of what best responses win more, in chips.
func (e *Evaluation) Exploitability() float64 { return (e.Gains[0] + e.Gains[1]) / 2 }

// Evaluate computes the values of the average strategies and of best responses to them.
func (s *Solver) Evaluate() (e Evaluation) {
	for p := range 2 {
		mean := s.mean(p, s.traverse(&pass{mode: average, player: p}))
		best := s.mean(p, s.traverse(&pass{mode: respond, player: p}))
		e.Values[p] = mean + float64(s.spot.Pot)/2
		e.Gains[p] = best - mean
	}
	return e
}

// mean returns the mean of values at the root over all pairs of hands.
func (s *Solver) mean(player int, values []float32) (sum float64) {
	for i, x := range values {
		sum += float64(x) * float64(s.reach[player][i])
	}
	return sum / s.pairs
}
