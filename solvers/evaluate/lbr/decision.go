package lbr

import (
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/solvers/evaluate/belief"
)

var (
	fold = acpc.Action{Type: acpc.Fold}
	call = acpc.Action{Type: acpc.Call}
)

// decide returns the action of the response.
func (j *Judge) decide(ctx context.Context, h *belief.Hand, p belief.Player) (acpc.Action, error) {
	s := &h.State
	if j.options.CallOnly[s.Round()] {
		return call, nil
	}
	best, value := call, h.Showdown(belief.After(s, call))
	if folded := -float64(s.Spent(1 - h.Player)); s.CanFold() && folded >= value {
		best, value = fold, folded
	}
	for raise := range j.options.Menu.raises(s) {
		x, err := raised(ctx, h, p, belief.After(s, raise))
		if err != nil {
			return best, err
		}
		if x > value {
			best, value = raise, x
		}
	}
	return best, nil
}

// raised returns the value of a state after a raise of the response: the player folds, or
// calls.
func raised(ctx context.Context, h *belief.Hand, p belief.Player, s *acpc.State) (float64, error) {
	c, err := p.Choices(ctx, s)
	if err != nil {
		return 0, err
	}
	called := belief.After(s, call)
	folds := slices.Index(c.Actions, fold)
	if folds < 0 {
		return h.Showdown(called), nil
	}
	folded, calls := 0.0, make([]float64, len(h.Range))
	for i, x := range h.Range {
		out := float64(x * c.Probability[folds][i])
		folded += out
		calls[i] = x - out
	}
	return float64(folded*float64(s.Spent(h.Player))) + h.ShowdownWith(calls, called), nil
}
