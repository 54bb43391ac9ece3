package mccfr

// exploration is how often the player of outcome sampling takes an action at
// random, as Lanctot et al. recommend.
const exploration = 0.6

// outcome walks by outcome sampling.
type outcome struct {
	*worker
	deal deal
}

func newOutcome(w *worker) *outcome {
	return &outcome{worker: w, deal: newDeal(w.Game)}
}

func (o *outcome) walk() {
	o.deal.draw(&o.random)
	o.visit(0, 1, 1, 1)
}

// visit returns an estimate of the value of a decision to the player, which is
// right in the mean. Own and others are the reach of the player and of all
// others, and sampled is the probability to have come here.
func (o *outcome) visit(i int32, own, others, sampled float32) float32 {
	if i < 0 {
		return o.ends.value(^i, o.player, o.deal.best)
	}
	n := &o.nodes[i]
	actor := int(n.actor)
	at := o.deal.rows[actor][n.round] + int(n.row)
	regret := o.regret[at:][:n.actions]
	children := o.children[n.child:][:n.actions]
	scale, base := matching(regret)
	if actor != o.player {
		a, p := pick(regret, scale, base, o.random.unit())
		return o.visit(children[a], own, others*p, sampled*p)
	}

	// Below, the regrets that make this strategy are not changed: no hand comes
	// to an information set twice.
	a, tried := pick(regret, (1-exploration)*scale, (1-exploration)*base+exploration/float32(len(regret)), o.random.unit())
	p := played(regret[a], scale, base)
	value := o.visit(children[a], own*p, others, sampled*tried) / tried
	mean := float32(p * value)
	weight := others / sampled
	for b, r := range regret {
		o.addAverage(at+b, own/sampled*played(r, scale, base))
		gain := -mean
		if b == a {
			gain += value
		}
		o.addRegret(at+b, weight*gain)
	}
	return mean
}
