package mccfr

// external walks by external sampling.
type external struct {
	*worker
	deal  deal
	stack []float32
}

func newExternal(w *worker) *external {
	return &external{worker: w, deal: newDeal(w.Game), stack: make([]float32, (w.depth+1)*w.widest)}
}

func (e *external) walk() {
	e.deal.draw(&e.random)
	e.visit(0, 1, e.stack)
}

// visit returns the sampled value of a decision to the player. Weight is 1 over
// the probability with which the actions of those who are neither the player nor
// the next were sampled: with it every strategy of the next player counts in
// proportion to that player's own reach alone.
func (e *external) visit(i int32, weight float32, stack []float32) float32 {
	if i < 0 {
		return e.ends.value(^i, e.player, e.deal.best)
	}
	n := &e.nodes[i]
	actor := int(n.actor)
	at := e.deal.rows[actor][n.round] + int(n.row)
	regret := e.regret[at:][:n.actions]
	children := e.children[n.child:][:n.actions]
	scale, base := matching(regret)
	if actor == e.player {
		values, stack := stack[:len(children)], stack[len(children):]
		mean := float32(0)
		for a, child := range children {
			values[a] = e.visit(child, weight, stack)
			mean += float32(played(regret[a], scale, base) * values[a])
		}
		for a, v := range values {
			e.addRegret(at+a, v-mean)
		}
		return mean
	}
	a, p := pick(regret, scale, base, e.random.unit())
	if actor == e.next {
		for a, r := range regret {
			e.addAverage(at+a, weight*played(r, scale, base))
		}
	} else {
		weight /= p
	}
	return e.visit(children[a], weight, stack)
}

// pick returns the action at which the sum of probabilities passes u, and its
// probability, which is never 0.
func pick(regret []float32, scale, base, u float32) (action int, probability float32) {
	for a, r := range regret {
		if p := played(r, scale, base); p > 0 {
			action, probability = a, p
			if u -= p; u < 0 {
				break
			}
		}
	}
	return action, probability
}
