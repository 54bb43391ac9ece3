package cfr

import "gamebots/solvers/cfr/betting"

// Evaluation is what a strategy is worth, in chips a hand by position.
type Evaluation struct {
	Value        []float64 // when all play the strategy
	BestResponse []float64 // of each player alone against it
}

// NashConv returns the sum of what each player could gain by a best response.
func (e Evaluation) NashConv() float64 {
	sum := 0.0
	for p := range e.Value {
		sum += e.BestResponse[p] - e.Value[p]
	}
	return sum
}

// Exploitability returns NashConv divided by the number of players: with two,
// what a best response wins when seats are taken in turn.
func (e Evaluation) Exploitability() float64 { return e.NashConv() / float64(len(e.Value)) }

// Evaluator computes values and exact best responses in 64 bits. It is used by
// one goroutine at a time, and does not change the strategy. Conversions keep
// products and sums apart, so that all machines give the same bits.
type Evaluator struct {
	*Layout
	walk *walk[float64]
	sum  []float32
}

// NewEvaluator returns an evaluator for strategies of a layout.
func NewEvaluator(l *Layout, threads int) *Evaluator {
	e := &Evaluator{Layout: l, walk: newWalk[float64](l, threads, false)}
	e.walk.down, e.walk.up = e.down, e.up
	return e
}

// Evaluate values a strategy given as weights of all entries: in an information
// set, each action is played in proportion to its weight, and all alike where
// every weight is zero.
func (e *Evaluator) Evaluate(weights []float32) Evaluation {
	e.sum = weights
	defer func() { e.sum = nil }()
	var out Evaluation
	for p := range e.Tree.Game.NumPlayers {
		e.walk.traverse(p)
		out.Value = append(out.Value, rootMean(e.Layout, e.walk.rootValue[0]))
		out.BestResponse = append(out.BestResponse, rootMean(e.Layout, e.walk.rootBest[0]))
	}
	return out
}

// down multiplies the reach of all but the player asked for.
func (e *Evaluator) down(f *frame[float64], node int32, n *betting.Node, local int32) {
	if int(n.Actor) == e.walk.player {
		return
	}
	reach := vector(f.reach, e.slot(node, int(n.Actor)), f.width)
	child := int(n.First-node) + int(local)
	out := f.reach[(e.Tree.Game.NumPlayers+child)*f.width:]
	stride := f.stride
	weights := e.sum[e.Entry[node]+f.in.first:]
	for i, r := range reach {
		scale, base := proportions(weights[i:], int(n.NumActions), stride)
		for a := range int(n.NumActions) {
			out[a*f.width+i] = r * (float64(float64(weights[a*stride+i])*scale) + base)
		}
	}
}

func (e *Evaluator) up(f *frame[float64], node int32, n *betting.Node, local int32) {
	child := (int(n.First-node) + int(local)) * f.width
	values, bests := f.value[child:], f.best[child:]
	value, best := vector(f.value, local, f.width), vector(f.best, local, f.width)
	if int(n.Actor) != e.walk.player {
		clear(value)
		clear(best)
		for a := range int(n.NumActions) {
			for i := range value {
				value[i] += values[a*f.width+i]
				best[i] += bests[a*f.width+i]
			}
		}
		return
	}
	stride := f.stride
	weights := e.sum[e.Entry[node]+f.in.first:]
	for i := range value {
		scale, base := proportions(weights[i:], int(n.NumActions), stride)
		v, b := 0.0, bests[i]
		for a := range int(n.NumActions) {
			v += float64((float64(float64(weights[a*stride+i])*scale) + base) * values[a*f.width+i])
			b = max(b, bests[a*f.width+i])
		}
		value[i], best[i] = v, b
	}
}

// proportions returns the factor and the constant that turn weights into
// probabilities.
func proportions(weights []float32, actions, stride int) (scale, base float64) {
	total := 0.0
	for a := range actions {
		total += float64(weights[a*stride])
	}
	if total > 0 {
		return 1 / total, 0
	}
	return 0, 1 / float64(actions)
}
