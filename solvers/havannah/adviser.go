package havannah

import (
	"math"

	"gamebots/solvers/hexnet"
	"gamebots/solvers/mcts"
)

var _ mcts.Adviser = (*adviser)(nil)

// adviser is an expander with a network.
type adviser struct {
	*expander
	encoder   *Encoder
	evaluator *hexnet.Evaluator
	planes    []uint8
	outputs   hexnet.Outputs
}

func newAdviser(g *Game) *adviser {
	return &adviser{expander: g.expander(), encoder: NewEncoder(g.grid),
		evaluator: hexnet.NewEvaluator(g.net, ShapeOf(g.grid), 1)}
}

// Advise appends the moves with their probabilities, times Params.Policy, as priors. A
// network has no opinion before the second move, as it knows no swap.
func (a *adviser) Advise(path []mcts.Move, moves []mcts.Candidate) (advised []mcts.Candidate, value float32, ok bool) {
	a.goTo(path)
	if len(a.empty) >= a.grid.NumCells-1 {
		return moves, 0, false
	}
	a.planes = a.encoder.Append(a.planes[:0], a.pos.Position)
	if err := a.evaluator.Evaluate(a.planes, &a.outputs); err != nil {
		panic(err) // planes of another size
	}
	logits, highest, sum := a.outputs.Policy, float32(math.Inf(-1)), 0.0
	for _, cell := range a.empty {
		highest = max(highest, logits[cell.Cell])
	}
	first := len(moves)
	for _, cell := range a.empty {
		p := math.Exp(float64(logits[cell.Cell] - highest))
		sum += p
		moves = append(moves, mcts.Candidate{Move: mcts.Move(cell.Cell), Prior: float32(p)})
	}
	for i := range moves[first:] {
		moves[first+i].Prior *= a.params.Policy / float32(sum)
	}
	return moves, (1 + a.outputs.Value[0]) / 2, true
}
