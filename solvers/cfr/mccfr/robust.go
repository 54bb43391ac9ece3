package mccfr

import "gamebots/acpc"

// againstPlain is the number of traversals of a robust method of which one is against plain players.
const againstPlain = 8

// plainWeight returns the weight of these traversals beside the others. Without a limit, what can be won from plain
// players is a hundred times what decides between two actions against others, so there they hardly count where others
// come, too. Information sets that only they visit learn all the same: a strategy is a ratio of regrets.
func plainWeight(g *acpc.Game) float32 {
	if g.Betting == acpc.NoLimit {
		return 1. / 64
	}
	return 1
}

// habit is what a player does without a look at the cards.
type habit uint8

const (
	noHabit habit = iota // plays the strategy of its regrets
	calls
	raises // raises by any size, and calls where it may not
	random // does anything, but seldom folds
)

// drawHabits gives one habit to all opponents, or to about half of them.
func (e *external) drawHabits() {
	e.habits = [acpc.MaxPlayers]habit{}
	drawn, all := calls+habit(e.random.IntN(int(random))), e.random.IntN(2) == 0
	for p := range e.Rules.NumPlayers {
		if p != e.player && (all || e.random.IntN(2) == 0) {
			e.habits[p] = drawn
		}
	}
}

// act returns an action by a habit at a decision of the game.
func (e *external) act(h habit, i int32) int {
	actions, call := int(e.Nodes[i].Actions), 0
	if e.Folds[i] {
		call = 1
	}
	switch {
	case h == calls:
		return call
	case h == raises && actions > call+1:
		return call + 1 + e.random.IntN(actions-call-1)
	case h == raises:
		return call
	case call > 0 && e.random.IntN(16) == 0:
		return 0
	}
	return call + e.random.IntN(actions-call)
}

// visitPlain is visit against players with habits. The player's own strategy is summed instead of the next player's,
// in proportion to the player's own reach.
func (e *external) visitPlain(i int32, reach float32, stack []float32) float32 {
	if i < 0 {
		if m := e.Merged(i); m != nil {
			return e.visitPlain(m.Node, reach, stack) + m.More[e.player]
		}
		return e.Terminals.Value(^i, e.player, e.deal.Best)
	}
	n := &e.Nodes[i]
	children := e.ChildrenOf(n)
	if h := e.habits[n.Actor]; h != noHabit {
		return e.visitPlain(children[e.act(h, i)], reach, stack)
	}
	entry := e.deal.Entry(n)
	sigma, stack := stack[:len(children)], stack[len(children):]
	e.match(sigma, entry)
	if int(n.Actor) != e.player {
		return e.visitPlain(children[sampleAction(sigma, e.random.Float32())], reach, stack)
	}
	values, stack := stack[:len(children)], stack[len(children):]
	mean := float32(0)
	for a, child := range children {
		values[a] = e.visitPlain(child, reach*sigma[a], stack)
		mean += float32(sigma[a] * values[a])
	}
	e.updateStrategy(entry, sigma, reach)
	e.updateRegrets(entry, values, mean)
	return mean
}
