package table

import (
	"context"

	"gamebots/acpc"
	"gamebots/acpc/history"
)

// actNear decides a hand with other stacks than those of the player's game, as in the nearest hand of that game. In a
// hand that is over there, because the stacks are deeper here, the player has put in all, and calls.
func (e *engine) actNear(ctx context.Context, seen *acpc.MatchState) (acpc.Action, error) {
	call := acpc.Action{Type: acpc.Call}
	near, ok := nearest(&seen.State, e.game)
	if !ok {
		return call, nil
	}
	action, err := e.player.Act(ctx, &acpc.MatchState{State: near, Viewer: seen.Viewer})
	if err != nil {
		return action, err
	}
	if action.Type == acpc.Raise && action.Size == e.game.Stack[near.Actor()] {
		action.Size = acpc.NoStackLimit // is all-in here, too
	}
	if fixed, ok := seen.Fix(action); ok {
		return fixed, nil
	}
	return call, nil
}

// nearest returns a hand of a game with other stacks that has the same cards and, as far as the stacks allow, the same
// bets. It returns false if it is not the turn of the same player there.
func nearest(s *acpc.State, g *acpc.Game) (acpc.State, bool) {
	near := g.NewState(s.HandID)
	near.Holes, near.Board = s.Holes, s.Board
	// turnOf passes the turn to a position: who is all-in in s calls. It returns false if the position is all-in in g.
	turnOf := func(position, round int) bool {
		for !near.Finished() && (near.Actor() != position || near.Round() != round) {
			if p := near.Actor(); near.Round() > round || s.Spent(p) < s.Game().Stack[p] {
				return false
			}
			near.Apply(acpc.Action{Type: acpc.Call})
		}
		return !near.Finished()
	}
	for _, step := range (&history.Hand{State: *s}).Steps() {
		if !turnOf(step.Position, step.Round) {
			continue
		}
		a, ok := near.Fix(step.Action)
		if !ok {
			a = acpc.Action{Type: acpc.Call}
		}
		near.Apply(a)
	}
	return near, turnOf(s.Actor(), s.Round())
}
