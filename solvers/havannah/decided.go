package havannah

import "gamebots/solvers/mcts"

// DecidedAtOnce returns the cells of the root on which a stone completes a structure: of
// the player to move, and of the other. A search has candidates for at most one of these
// cells, and none for the moves that lose to the other player's.
func (g *Game) DecidedAtOnce() (mine, theirs []mcts.Move) {
	e := g.expander()
	me := e.goTo(nil)
	for _, cell := range e.empty {
		m := mcts.Move(cell.Cell)
		if won, _, _ := e.pos.Probe(me, int(cell.Cell)); won != 0 {
			mine = append(mine, m)
		}
		if won, _, _ := e.pos.Probe(me.Other(), int(cell.Cell)); won != 0 {
			theirs = append(theirs, m)
		}
	}
	return mine, theirs
}
