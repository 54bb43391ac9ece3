package publictree

import (
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
func NewEvaluator(l *Layout, threads int) *Evaluator {
	e := &Evaluator{Layout: l, traversal: newTraversal[float64](l, threads, evaluation)}
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

// RootMean returns the mean over all deals of values by bucket at the root.
func (l *Layout) RootMean(values []float64) float64 {
	sum := 0.0
	for i, x := range l.Cards.Rounds[0].Weight {
		sum += float64(x * values[i])
	}
	return sum
}
