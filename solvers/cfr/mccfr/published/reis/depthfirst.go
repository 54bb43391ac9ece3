package reis

import "gamebots/solvers/cfr/mccfr"

// DepthFirst trains as Reis's first program does: a step deals once, traverses the
// whole betting tree depth first in one thread, and updates the regrets of all
// players on the way. A DepthFirst is used by one goroutine at a time.
type DepthFirst struct {
	trainer
	values []float32 // values of the terminals, by player
	reach  []float32 // each player's reach to the decision that is visited
	stack  []float32
}

// NewDepthFirst returns a trainer that has done no step.
func NewDepthFirst(g *mccfr.Game, seed uint64) *DepthFirst {
	players := g.Rules.NumPlayers
	t := &DepthFirst{
		trainer: newTrainer(g, "recursive", seed),
		values:  make([]float32, len(g.Terminals.Spent)),
		reach:   make([]float32, players),
		stack:   make([]float32, (g.Depth+1)*(players+2*g.MaxActions)),
	}
	for p := range t.reach {
		t.reach[p] = 1
	}
	return t
}

// Threads returns 1.
func (t *DepthFirst) Threads() int { return 1 }

// Step deals once and updates everyone's regrets.
func (t *DepthFirst) Step() {
	t.draw()
	t.Terminals.Values(t.values, t.deal.Best, 0, t.Terminals.Len())
	t.visit(0, t.stack)
	t.finish(t.stack)
}

// visit sets the first items of the stack to the values of a decision, by player,
// and updates the entries of the decision and of all below it. It uses the rest of
// the stack.
func (t *DepthFirst) visit(i int32, stack []float32) {
	n := &t.Nodes[i]
	players, actions, actor := len(t.reach), int(n.Actions), int(n.Actor)
	value, stack := stack[:players], stack[players:]
	sigma, stack := stack[:actions], stack[actions:]
	gain, stack := stack[:actions], stack[actions:]
	entry := t.deal.Entry(n)
	regret := t.Regret[entry:][:actions]
	strategySum := t.StrategySum[entry:][:actions]

	own := t.reach[actor]
	mccfr.RegretMatching(sigma, regret)
	for a, s := range sigma {
		strategySum[a] += float32(own * s)
	}
	for a, child := range t.ChildrenOf(n) {
		var after []float32
		if child < 0 {
			after = t.values[int(^child)*players:][:players]
		} else {
			t.reach[actor] = own * sigma[a]
			t.visit(child, stack)
			after = stack[:players]
		}
		gain[a] = after[actor]
		addScaled(value, after, sigma[a], a == 0)
	}
	t.reach[actor] = 1
	others := product(t.reach)
	t.reach[actor] = own
	for a := range regret {
		regret[a] += float32(others * (gain[a] - value[actor]))
	}
}

// addScaled adds the values after an action, times the action's probability, to the
// values of a decision. The first action of a decision sets them.
func addScaled(value, after []float32, sigma float32, first bool) {
	if first {
		for p, v := range after {
			value[p] = sigma * v
		}
		return
	}
	for p, v := range after {
		value[p] += float32(sigma * v)
	}
}

// product returns the product of the players' reach.
func product(reach []float32) float32 {
	x := float32(1)
	for _, r := range reach {
		x *= r
	}
	return x
}
