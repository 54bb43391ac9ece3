package spot

import (
	"gamebots/acpc/card"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Solution has the average strategies of both players that a Solver has found. It is read where
// its solver is used, by the same goroutine.
type Solution struct{ *traversal }

// Evaluation has the values and the exploitability of both players' average strategies.
type Evaluation struct {
	// Values are what the players win on average, in chips: their parts of the pot less
	// what they put in.
	Values [2]float64
	// Gains are how much more each player would win by a best response to the other's strategy.
	Gains [2]float64
}

// Exploitability returns the mean of the players' Gains, in chips.
func (e *Evaluation) Exploitability() float64 { return (e.Gains[0] + e.Gains[1]) / 2 }

// Err returns the error of the device. After an error all values of the solution are invalid.
func (s *Solution) Err() error { return s.err() }

// Evaluate computes the values of the average strategies and of best responses to them. Both players
// come with their ranges, whoever has an offer.
func (s *Solution) Evaluate() (e Evaluation) {
	if s.saved != nil {
		return s.saved.evaluation
	}
	defer s.forRanges()()
	for p := range 2 {
		mean := s.value(layout.Average, p)
		e.Values[p] = mean + float64(s.spot.Pot)/2
		e.Gains[p] = s.value(layout.Respond, p) - mean
	}
	return e
}

// Exploitability returns the mean gain of best responses over the average strategies, in chips. It
// takes about as long as an iteration. If a player has an offer with values, it may take that in best responses as in
// the iterations, and these are gains of all deals, with and without the choice.
func (s *Solution) Exploitability() float64 {
	if s.gate != nil && s.spot.Offer.Values != nil {
		return s.withOffer()
	}
	if s.spot.Rake != (Rake{}) || s.saved != nil {
		e := s.Evaluate()
		return e.Exploitability()
	}
	defer s.forRanges()()
	return (s.value(layout.Respond, 0) + s.value(layout.Respond, 1)) / 2 // the strategies win zero together
}

// withOffer returns the exploitability with the choice of a player who has an offer.
func (s *Solution) withOffer() float64 {
	player := s.spot.Offer.Player
	s.enterWith(s.gate.Mean())
	defer s.enter()
	values := s.traverse(&pass{Pass: layout.Pass{Purpose: layout.Respond, Player: player}})
	if s.err() != nil {
		return 0
	}
	won, paid := s.gate.Best(values)
	other := s.sum(layout.Respond, 1-player)
	return (won - paid + other) / s.gate.Deals() / 2
}

// value returns what a player wins on average, in chips beyond half of the pot.
func (s *Solution) value(purpose layout.Purpose, player int) float64 {
	return s.sum(purpose, player) / s.pairs
}

// sum is value for all pairs of hands together.
func (s *Solution) sum(purpose layout.Purpose, player int) float64 {
	return s.weighted(s.traverse(&pass{Pass: layout.Pass{Purpose: purpose, Player: player}}), player)
}

// weighted returns the sum of the values of a player's hands at the root, by their weights.
func (s *traversal) weighted(values []float32, player int) (sum float64) {
	for i, x := range values {
		sum += float64(x) * float64(s.reach[player][i])
	}
	return sum
}

// A Strategy is what the player who acts at a decision does with each hand of its range.
type Strategy struct {
	Player  int // 0 out of position, 1 in position
	Actions []Action
	Hands   []card.Set
	// Probabilities are by action, and then by hand.
	Probabilities [][]float64
}

// Strategy returns the average strategy at a decision: the point that a line leads to, see
// [Solution.At]. It takes far less time than At.
func (s *Solution) Strategy(line string) (*Strategy, error) {
	if r, rest, err := s.beyond(line); r != nil || err != nil {
		if err != nil {
			return nil, err
		}
		strategy, err := r.Solution().Strategy(rest)
		return strategy, r.full(err)
	}
	p, n, err := s.findDecision(line)
	if err != nil {
		return nil, err
	}
	d := s.Decision(p.street, p.board, n)
	sums, err := s.averages(p.key(), d)
	if err != nil {
		return nil, err
	}
	average := make([]float32, len(sums))
	vectors.MatchOther(sums, s.ones[:d.Width], average, d.Actions, d.Width, d.Width)
	out := &Strategy{Player: int(n.Actor)}
	undo := inverse(p.renaming)
	holes := s.Boards[p.street][p.board].Hands[n.Actor].Holes
	for _, x := range holes {
		out.Hands = append(out.Hands, undo.Of(x.Set()))
	}
	for a := range d.Actions {
		row := make([]float64, len(holes))
		for i := range row {
			row[i] = float64(average[a*d.Width+i])
		}
		out.Actions = append(out.Actions, s.taken[p.street][int(n.First)+a])
		out.Probabilities = append(out.Probabilities, row)
	}
	return out, nil
}
