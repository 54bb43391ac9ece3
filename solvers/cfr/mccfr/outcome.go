package mccfr

import "gamebots/solvers/cfr/mccfr/internal/tree"

// exploration is the probability with which the traversing player of outcome
// sampling takes a uniformly random action, as Lanctot et al. recommend.
const exploration = 0.6

// outcome traverses by outcome sampling.
type outcome struct {
	*worker
	deal  tree.Deal
	stack []float32
}

func newOutcome(w *worker) *outcome {
	return &outcome{worker: w, deal: tree.NewDeal(w.Game), stack: make([]float32, 2*(w.Depth+1)*w.MaxActions)}
}

func (o *outcome) run() {
	o.deal.Draw(&o.random)
	o.visit(0, 1, 1, 1, o.stack)
}

// visit returns an unbiased estimate of the value of a child to the player. Own
// and others are the reach of the player and of all others, and sampled is the
// probability with which this child was reached.
func (o *outcome) visit(i int32, own, others, sampled float32, stack []float32) float32 {
	if i < 0 {
		return o.Terminals.Value(^i, o.player, o.deal.Best)
	}
	n := &o.Nodes[i]
	entry := o.deal.Entry(n)
	children := o.ChildrenOf(n)
	sigma, stack := stack[:len(children)], stack[len(children):]
	o.match(sigma, entry)
	if int(n.Actor) != o.player {
		a := sampleAction(sigma, o.random.Float32())
		return o.visit(children[a], own, others*sigma[a], sampled*sigma[a], stack)
	}

	gains, stack := stack[:len(children)], stack[len(children):]
	explored := gains // shares the memory until the gains are known
	for a, s := range sigma {
		explored[a] = exploration/float32(len(sigma)) + float32((1-exploration)*s)
	}
	a := sampleAction(explored, o.random.Float32())
	p := explored[a]
	value := o.visit(children[a], own*sigma[a], others, sampled*p, stack) / p
	mean := float32(sigma[a] * value)
	o.updateStrategy(entry, sigma, own/sampled)
	weight := others / sampled
	clear(gains)
	gains[a] = weight * value
	o.updateRegrets(entry, gains, weight*mean)
	return mean
}
