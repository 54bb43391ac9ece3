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
// [Solver.At]. It takes far less time than At.
func (s *Solver) Strategy(line string) (*Strategy, error) {
	p, n, err := s.findDecision(line)
	if err != nil {
		return nil, err
	}
	if err := s.fetch(); err != nil {
		return nil, err
	}
	d := s.decision(p.street, p.board, n)
	average := make([]float32, d.actions*d.width)
	sums := s.sums.load(d, make([]float32, len(average)))
	kernels.MatchOther(sums, s.ones[:d.width], average, d.actions, d.width, d.width)
	out := &Strategy{Player: int(n.actor)}
	undo := inverse(p.renaming)
	holes := s.boards[p.street][p.board].hands[n.actor].holes
	for _, x := range holes {
		out.Hands = append(out.Hands, undo.Of(x.set()))
	}
	for a := range d.actions {
		row := make([]float64, len(holes))
		for i := range row {
			row[i] = float64(average[a*d.width+i])
		}
		out.Actions = append(out.Actions, s.streets[p.street].nodes[int(n.first)+a].action)
		out.Probabilities = append(out.Probabilities, row)
	}
	return out, nil
}
