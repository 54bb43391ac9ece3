package mccfr

import "gamebots/acpc"

// againstPlain is the number of traversals of a robust method of which one is against plain players.
const againstPlain = 8

// isSparse reports whether most information sets of a game are hardly ever visited, as without a limit.
func isSparse(g *acpc.Game) bool { return g.Betting == acpc.NoLimit }

// plainWeight is the weight of these traversals beside the others in a sparse game. Without a limit, what can be won
// from plain players is a hundred times what decides between two actions against others, so there they hardly count
// where others come, too. Information sets that only they visit learn all the same: a strategy is a ratio of regrets.
const plainWeight = 1. / 64

// habit is what a player does without a look at the cards.
type habit uint8

const (
	noHabit habit = iota // plays the strategy of its regrets
	calls
	raises // raises by any size, and calls where it may not
	random // does anything, but seldom folds
)

// runRobust traverses by a robust method.
//
// In a sparse game every visit of the player's own information sets counts in the average, whatever the player's reach:
// so there is an average, too, where the player hardly ever comes. The weights of [external.visit], 1 over the
// probability of what the others did, would leave the average of most sets to a few visits.
func (e *external) runRobust() {
	sparse, plain := isSparse(e.Rules), e.random.IntN(againstPlain) == 0
	e.habits, e.share = [acpc.MaxPlayers]habit{}, 1
	if plain {
		e.drawHabits()
	}
	switch {
	case sparse && plain:
		weight := e.worker.weight
		e.worker.weight *= plainWeight
		e.share = 1 / plainWeight // a visit is a visit
		e.visitOwn(0, 1, e.stack)
		e.worker.weight = weight
	case sparse || plain:
		e.visitOwn(0, 1, e.stack)
	default:
		e.visit(0, 1, e.stack)
	}
}

// drawHabits gives one habit to all opponents, or to about half of them.
func (e *external) drawHabits() {
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

// visitOwn is visit where some players may have habits. The player's own strategy is summed instead of the next
// player's: in proportion to the player's own reach, or in a sparse game by visits. A visit of a set that has learned
// nothing yet does not count there.
func (e *external) visitOwn(i int32, reach float32, stack []float32) float32 {
	if i < 0 {
		if m := e.Merged(i); m != nil {
			return e.visitOwn(m.Node, reach, stack) + m.More[e.player]
		}
		return e.Terminals.Value(^i, e.player, e.deal.Best)
	}
	n := &e.Nodes[i]
	children := e.ChildrenOf(n)
	if h := e.habits[n.Actor]; h != noHabit {
		return e.visitOwn(children[e.act(h, i)], reach, stack)
	}
	entry := e.deal.Entry(n)
	sigma, stack := stack[:len(children)], stack[len(children):]
	e.match(sigma, entry)
	if int(n.Actor) != e.player {
		return e.visitOwn(children[sampleAction(sigma, e.random.Float32())], reach, stack)
	}
	values, stack := stack[:len(children)], stack[len(children):]
	mean := float32(0)
	for a, child := range children {
		values[a] = e.visitOwn(child, reach*sigma[a], stack)
		mean += float32(sigma[a] * values[a])
	}
	if !isSparse(e.Rules) {
		e.updateStrategy(entry, sigma, reach)
	} else if e.hasLearned(entry, len(sigma)) {
		e.updateStrategy(entry, sigma, e.share)
	}
	e.updateRegrets(entry, values, mean)
	return mean
}
