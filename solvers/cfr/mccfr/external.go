package mccfr

import (
	"gamebots/acpc"
)

// external traverses by external sampling.
type external struct {
	*worker
	deal    Deal
	stack   []float32
	habits  [acpc.MaxPlayers]habit     // what everybody does in a traversal against plain players
	tempers [acpc.MaxPlayers][2]temper // how those with loose habits play, in the first round and later
	share   float32                    // weight of a strategy that visitOwn adds, if robust in a sparse game
}

func newExternal(w *worker) *external {
	return &external{worker: w, deal: NewDeal(w.Game), stack: make([]float32, 2*(w.Depth+1)*w.MaxActions)}
}

func (e *external) run() {
	e.deal.Draw(&e.random)
	if e.robust {
		e.runRobust()
		return
	}
	e.visit(0, 1, e.stack)
}

// visit returns the sampled value of a child to the player. Weight is 1 over the
// probability with which the actions were sampled of everyone but the player and
// the next player. With this weight every strategy of the next player counts in
// proportion to that player's own reach alone.
func (e *external) visit(i int32, weight float32, stack []float32) float32 {
	if i < 0 {
		if m := e.Merged(i); m != nil {
			return e.visit(m.Node, weight, stack) + m.More[e.player]
		}
		return e.Terminals.Value(^i, e.player, e.deal.Best)
	}
	n := &e.Nodes[i]
	actor := int(n.Actor)
	entry := e.deal.Entry(n)
	children := e.ChildrenOf(n)
	sigma, stack := stack[:len(children)], stack[len(children):]
	e.match(sigma, entry)
	if actor == e.player {
		values, stack := stack[:len(children)], stack[len(children):]
		mean := float32(0)
		for a, child := range children {
			values[a] = e.visit(child, weight, stack)
			mean += float32(sigma[a] * values[a])
		}
		e.updateRegrets(entry, values, mean)
		return mean
	}
	a := sampleAction(sigma, e.random.Float32())
	if actor == e.next {
		e.updateStrategy(entry, sigma, weight)
	} else {
		weight /= sigma[a]
	}
	return e.visit(children[a], weight, stack)
}

// sampleAction returns the action at which the cumulative probability exceeds u.
// It never returns an action of probability 0.
func sampleAction(sigma []float32, u float32) int {
	sampled := 0
	for a, p := range sigma {
		if p > 0 {
			sampled = a
			if u -= p; u < 0 {
				break
			}
		}
	}
	return sampled
}
