package spot

import (
	"gamebots/acpc/card"
	"gamebots/solvers/internal/kernels"
)

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
	kernels.MatchOther(sums, s.ones[:d.Width], average, d.Actions, d.Width, d.Width)
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
