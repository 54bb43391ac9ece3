package mccfr

// external walks by external sampling.
type external struct {
	*worker
	deal  deal
	stack []float32
}

func newExternal(w *worker) *external {
	return &external{worker: w, deal: newDeal(w.Game), stack: make([]float32, 2*(w.depth+1)*w.widest)}
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
	children := e.children[e.action(n):][:n.actions]
	sigma, stack := stack[:len(children)], stack[len(children):]
	match(sigma, e.regret[at:][:len(children)])
	if actor == e.player {
		values, stack := stack[:len(children)], stack[len(children):]
		mean := float32(0)
		for a, child := range children {
			values[a] = e.visit(child, weight, stack)
			mean += float32(sigma[a] * values[a])
		}
		e.addRegrets(at, values, mean)
		return mean
	}
	a := pick(sigma, e.random.unit())
	if actor == e.next {
		e.addStrategy(at, sigma, weight)
	} else {
		weight /= sigma[a]
	}
	return e.visit(children[a], weight, stack)
}

// pick returns the action at which the sum of probabilities passes u, and never
// one that is not played.
func pick(sigma []float32, u float32) int {
	picked := 0
	for a, p := range sigma {
		if p > 0 {
			picked = a
			if u -= p; u < 0 {
				break
			}
		}
	}
	return picked
}
