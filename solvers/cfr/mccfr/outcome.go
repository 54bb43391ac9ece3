package mccfr

// exploration is how often the player of outcome sampling takes an action at
// random, as Lanctot et al. recommend.
const exploration = 0.6

// outcome walks by outcome sampling.
type outcome struct {
	*worker
	deal  deal
	stack []float32
}

func newOutcome(w *worker) *outcome {
	return &outcome{worker: w, deal: newDeal(w.Game), stack: make([]float32, 2*(w.depth+1)*w.widest)}
}

func (o *outcome) walk() {
	o.deal.draw(&o.random)
	o.visit(0, 1, 1, 1, o.stack)
}

// visit returns an estimate of the value of a decision to the player, which is
// right in the mean. Own and others are the reach of the player and of all
// others, and sampled is the probability to have come here.
func (o *outcome) visit(i int32, own, others, sampled float32, stack []float32) float32 {
	if i < 0 {
		return o.ends.value(^i, o.player, o.deal.best)
	}
	n := &o.nodes[i]
	actor := int(n.actor)
	at := o.deal.rows[actor][n.round] + int(n.row)
	children := o.children[o.action(n):][:n.actions]
	sigma, stack := stack[:len(children)], stack[len(children):]
	match(sigma, o.regret[at:][:len(children)])
	if actor != o.player {
		a := pick(sigma, o.random.unit())
		return o.visit(children[a], own, others*sigma[a], sampled*sigma[a], stack)
	}

	gains, stack := stack[:len(children)], stack[len(children):]
	tried := gains // until the gains are known
	for a, s := range sigma {
		tried[a] = exploration/float32(len(sigma)) + float32((1-exploration)*s)
	}
	a := pick(tried, o.random.unit())
	p := tried[a]
	value := o.visit(children[a], own*sigma[a], others, sampled*p, stack) / p
	mean := float32(sigma[a] * value)
	o.addStrategy(at, sigma, own/sampled)
	weight := others / sampled
	clear(gains)
	gains[a] = weight * value
	o.addRegrets(at, gains, weight*mean)
	return mean
}
