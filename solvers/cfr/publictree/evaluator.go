package publictree

import (
	"fmt"
	"slices"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Evaluation is the value of a strategy, in chips a hand by position.
type Evaluation struct {
	Value        []float64 // when all players play the strategy
	BestResponse []float64 // when one player plays a best response against it
}

// NashConv returns the sum of the players' gains from best responses.
func (e Evaluation) NashConv() float64 {
	sum := 0.0
	for p := range e.Value {
		sum += e.BestResponse[p] - e.Value[p]
	}
	return sum
}

// Exploitability returns NashConv divided by the number of players. With two, it is
// the winnings of a best response a hand when seats alternate.
func (e Evaluation) Exploitability() float64 { return e.NashConv() / float64(len(e.Value)) }

// Evaluator computes values and exact best responses in 64 bits. It is used by
// one goroutine at a time and does not change the strategy. Conversions keep
// products and sums apart, so that all machines give the same bits.
type Evaluator struct {
	*Layout
	traversal *Traversal[float64]
	weights   []float32
	// actions, if not nil, gets the values of all entries, see ActionValues.
	actions []float64
}

// NewEvaluator returns an evaluator for strategies of a layout.
func NewEvaluator(l *Layout, threads int) *Evaluator { return newEvaluator(l, threads, evaluation) }

func newEvaluator(l *Layout, threads int, mode traversalMode) *Evaluator {
	e := &Evaluator{Layout: l, traversal: newTraversal[float64](l, threads, mode)}
	e.traversal.Down, e.traversal.Up = e.down, e.up
	return e
}

// Evaluate values a strategy given as weights of all entries. In an information
// set, actions are played in proportion to their weights, and uniformly where
// every weight is zero.
func (e *Evaluator) Evaluate(weights []float32) Evaluation {
	e.weights = weights
	defer func() { e.weights = nil }()
	var out Evaluation
	for p := range e.Tree.Game.NumPlayers {
		e.traversal.Traverse(p)
		out.Value = append(out.Value, e.RootMean(e.traversal.rootValue[0]))
		out.BestResponse = append(out.BestResponse, e.RootMean(e.traversal.rootBest[0]))
	}
	return out
}

// Values returns counterfactual values of a player by bucket at the root: of its own strategy,
// and of a best response.
func (e *Evaluator) Values(weights []float32, player int) (own, best []float64) {
	e.weights = weights
	defer func() { e.weights = nil }()
	e.traversal.Traverse(player)
	return slices.Clone(e.traversal.rootValue[0]), slices.Clone(e.traversal.rootBest[0])
}

// ActionValues returns the counterfactual value of every entry: what the player to act wins
// in chips with its action when all players follow the strategy, summed over the other
// players' hands, each weighted by the probability with which they play to the decision.
// Entries of padding are 0.
func (e *Evaluator) ActionValues(weights []float32) []float64 {
	e.actions = make([]float64, e.Entries)
	defer func() { e.actions = nil }()
	e.Evaluate(weights)
	return e.actions
}

// down multiplies the reach of all players but the traversal's.
func (e *Evaluator) down(f *Frame[float64], node int32, n *betting.Node, local int32) {
	if int(n.Actor) == e.traversal.Player {
		return
	}
	reach := f.Vector(f.Reach, e.ReachVector(node, int(n.Actor)))
	child := int(n.First-node) + int(local)
	out := f.Reach[(e.Tree.Game.NumPlayers+child)*f.Width:]
	stride := f.Stride
	weights := e.weights[e.Entry(node)+f.Block.First:]
	for i, r := range reach {
		scale, base := policy.Proportions(weights[i:], int(n.NumActions), stride)
		for a := range int(n.NumActions) {
			out[a*f.Width+i] = r * (float64(float64(weights[a*stride+i])*scale) + base)
		}
	}
}

func (e *Evaluator) up(f *Frame[float64], node int32, n *betting.Node, local int32) {
	child := (int(n.First-node) + int(local)) * f.Width
	values, bests := f.Value[child:], f.best[child:]
	value, best := f.Vector(f.Value, local), f.Vector(f.best, local)
	if int(n.Actor) != e.traversal.Player {
		clear(value)
		clear(best)
		for a := range int(n.NumActions) {
			for i := range value {
				value[i] += values[a*f.Width+i]
				best[i] += bests[a*f.Width+i]
			}
		}
		return
	}
	stride := f.Stride
	weights := e.weights[e.Entry(node)+f.Block.First:]
	if e.actions != nil {
		for a := range int(n.NumActions) {
			copy(e.actions[e.Entry(node)+a*stride+f.Block.First:], values[a*f.Width:][:f.Width])
		}
	}
	for i := range value {
		scale, base := policy.Proportions(weights[i:], int(n.NumActions), stride)
		v, b := 0.0, bests[i]
		for a := range int(n.NumActions) {
			v += float64((float64(float64(weights[a*stride+i])*scale) + base) * values[a*f.Width+i])
			b = max(b, bests[a*f.Width+i])
		}
		value[i], best[i] = v, b
	}
}

// Pieces returns the number of pieces of an evaluation: the segments of the last
// round, which are almost all of a game. Each can be valued by itself. A game of
// one round has none.
func (l *Layout) Pieces() int {
	last := l.Tree.Game.NumRounds - 1
	if last == 0 {
		return 0
	}
	return int(l.firstSegment[last+1] - l.firstSegment[last])
}

// pieceFloats returns how many values a piece has: of the strategy and of a best
// response, for each bucket of the round before.
func (l *Layout) pieceFloats() int { return 2 * l.Cards.Rounds[l.Tree.Game.NumRounds-2].Stride }

// PieceEvaluator values pieces of a strategy for an [EvaluatePieces] elsewhere. It
// is used by one goroutine at a time.
type PieceEvaluator struct {
	e       *Evaluator
	reached int // the player whose reach was computed up to the last round, or -1
}

// NewPieceEvaluator returns an evaluator of pieces for a strategy given as weights,
// which it does not change. The layout has pieces.
func NewPieceEvaluator(l *Layout, weights []float32) *PieceEvaluator {
	e := newEvaluator(l, 1, segmentEvaluation)
	e.weights = weights
	return &PieceEvaluator{e, -1}
}

// Value returns the values of the pieces [from, to) for a player, one after the
// other.
func (p *PieceEvaluator) Value(player, from, to int) ([]float64, error) {
	if player < 0 || player >= p.e.Tree.Game.NumPlayers || from < 0 || from > to || to > p.e.Pieces() {
		return nil, fmt.Errorf("there are no pieces %d to %d of player %d", from, to, player)
	}
	w, last := p.e.traversal, p.e.Tree.Game.NumRounds-1
	if p.reached != player {
		w.Player, p.reached = player, player
		w.descendTo(last)
	}
	size := p.e.pieceFloats()
	values := make([]float64, 0, (to-from)*size)
	w.first = w.firstSegment[last]
	for piece := from; piece < to; piece++ {
		for part := range w.blocks[last] {
			w.lastTask(0, piece*len(w.blocks[last])+part)
		}
		segment, scratch := w.first+int32(piece), w.workers[0].scratch
		values = values[:len(values)+size]
		means := values[len(values)-size:]
		w.average(means[:size/2], w.rootValue[segment], last, scratch)
		w.average(means[size/2:], w.rootBest[segment], last, scratch)
	}
	return values, nil
}

// EvaluatePieces is [Evaluator.Evaluate], to the same bits, with pieces
// that are valued elsewhere. It calls pieces, which passes to take the results of
// PieceEvaluator.Value: the values of a player from a piece on. Each piece of each
// player comes once, in any order, and calls of take do not overlap. The layout
// has pieces.
func EvaluatePieces(
	l *Layout, weights []float32, threads int,
	pieces func(take func(player, from int, values []float64) error) error,
) (Evaluation, error) {
	e := newEvaluator(l, threads, segmentEvaluation)
	e.weights = weights
	w, last, size := e.traversal, e.Tree.Game.NumRounds-1, l.pieceFloats()
	means := make([][][]float64, e.Tree.Game.NumPlayers)
	missing := len(means) * l.Pieces()
	for p := range means {
		means[p] = make([][]float64, len(e.Tree.Segments))
	}
	err := pieces(func(player, from int, values []float64) error {
		n := len(values) / size
		if player < 0 || player >= len(means) || from < 0 || from+n > l.Pieces() || n*size != len(values) {
			return fmt.Errorf("%d values of player %d from piece %d on are not those of whole pieces",
				len(values), player, from)
		}
		for i := range n {
			at := &means[player][w.firstSegment[last]+int32(from+i)]
			if *at != nil {
				return fmt.Errorf("piece %d of player %d came twice", from+i, player)
			}
			*at = values[i*size:][:size]
			missing--
		}
		return nil
	})
	switch {
	case err != nil:
		return Evaluation{}, err
	case missing > 0:
		return Evaluation{}, fmt.Errorf("%d pieces are missing", missing)
	}
	var out Evaluation
	for p := range means {
		w.Player, w.means = p, means[p]
		w.descendTo(last)
		w.ascendFrom(last)
		out.Value = append(out.Value, l.RootMean(w.rootValue[0]))
		out.BestResponse = append(out.BestResponse, l.RootMean(w.rootBest[0]))
	}
	return out, nil
}

// RootMean returns the mean over all deals of values by bucket at the root.
func (l *Layout) RootMean(values []float64) float64 {
	sum := 0.0
	for i, x := range l.Cards.Rounds[0].Weight {
		sum += float64(x * values[i])
	}
	return sum
}
