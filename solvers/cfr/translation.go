package cfr

import (
	"errors"
	"fmt"

	"gamebots/acpc"
)

// ErrNoDecision is a hand that goes on where that which the strategy takes it
// for is over or somebody else's turn: chips that it believes all-in are not.
var ErrNoDecision = errors.New("no decision in the strategy's tree")

// translation follows a hand through a tree that does not have all raises. The
// hand as the tree has it, with other sizes, is kept beside the real one.
type translation struct {
	tree       *Tree
	real, seen acpc.State
	node       int32
	raises     int // of others that were taken for different ones
}

// translate returns where a hand has come to. A raise of another player that
// the tree does not have is taken for one of the two nearest by a draw from 0 up
// to 1, which has to be the same for the same action, the i-th of the hand,
// whenever it is asked for: otherwise a player would forget what it took a raise
// for.
func (t *Tree) translate(s *acpc.State, draw func(i int) float64) (*translation, error) {
	h := &translation{tree: t, real: t.Game.NewState(s.HandID), seen: t.Game.NewState(s.HandID)}
	i := 0
	for r := range s.Round() + 1 {
		for _, a := range s.Actions(r) {
			if err := h.decision(); err != nil {
				return h, err
			}
			child, err := h.find(a, h.real.Actor() == s.Actor(), func() float64 { return draw(i) })
			if err != nil {
				return h, err
			}
			h.node = child
			h.real.Apply(a)
			h.seen.Apply(t.Nodes[child].Action)
			i++
		}
	}
	return h, h.decision()
}

// decision passes deals over, and fails where the tree has no decision of the
// real hand's actor in its round.
func (h *translation) decision() error {
	t := h.tree
	for t.Nodes[h.node].Kind == Deal {
		h.node = t.Segments[t.Nodes[h.node].First].First
	}
	n := &t.Nodes[h.node]
	if n.Kind != Decision || int(n.Actor) != h.real.Actor() || int(n.Round) != h.real.Round() {
		return ErrNoDecision
	}
	return nil
}

// find returns the child that an action is taken for. The player's own raises
// are those that it has chosen, but for rounding, and so the nearest.
func (h *translation) find(a acpc.Action, own bool, draw func() float64) (int32, error) {
	n := &h.tree.Nodes[h.node]
	below, above := int32(-1), int32(-1)
	part := 0.0
	if a.Type == acpc.Raise {
		part = potPart(&h.real, a.Size)
	}
	_, all, _ := h.real.RaiseBounds()
	for c := n.First; c < n.First+int32(n.NumActions); c++ {
		switch child := h.tree.Nodes[c].Action; {
		case child.Type != a.Type:
		case a.Type != acpc.Raise, child.Size == a.Size && h.raises == 0:
			return c, nil
		case potPart(&h.seen, child.Size) <= part || a.Size == all: // all-in is all-in
			below = c
		case above < 0:
			above = c
		}
	}
	if below < 0 && above < 0 {
		return -1, fmt.Errorf("%w for %v", ErrNoDecision, a)
	}
	if !own {
		h.raises++
	}
	switch {
	case above < 0:
		return below, nil
	case below < 0:
		return above, nil
	}
	low, high := potPart(&h.seen, h.tree.Nodes[below].Action.Size), potPart(&h.seen, h.tree.Nodes[above].Action.Size)
	if own {
		if part-low < high-part {
			return below, nil
		}
		return above, nil
	}
	if draw() < pseudoHarmonic(low, high, part) {
		return below, nil
	}
	return above, nil
}

// pseudoHarmonic returns the probability of taking a bet of x for the lower of
// its two neighbours, all in parts of the pot: Ganzfried and Sandholm, "Action
// translation in extensive-form games with large action spaces", IJCAI 2013.
func pseudoHarmonic(low, high, x float64) float64 {
	return (high - x) * (1 + low) / ((high - low) * (1 + x))
}

// back returns the real action for an action of the tree: the same part of the
// pot, or all-in, within what is legal; where that is no raise, a call.
func (h *translation) back(a acpc.Action) acpc.Action {
	call := acpc.Action{Type: acpc.Call}
	switch low, high, ok := h.real.RaiseBounds(); {
	case a.Type == acpc.Call, a.Type == acpc.Fold && !h.real.CanFold(), a.Type == acpc.Raise && !ok:
		return call
	case a.Type == acpc.Raise:
		if _, all, _ := h.seen.RaiseBounds(); a.Size == all {
			return acpc.Action{Type: acpc.Raise, Size: high}
		}
		return acpc.Action{Type: acpc.Raise, Size: min(max(potRaise(&h.real, potPart(&h.seen, a.Size)), low), high)}
	}
	return a
}

// Translate is Choices for a hand in which others may have made raises that the
// strategy's tree does not have: it takes them for others by the pseudo-harmonic
// mapping, and returns how many. draw gives the draw from 0 up to 1 for the i-th
// action of the hand, and must give it again when it is asked again. The choices
// are legal; two may be the same action. Where the real hand has come too far
// away from the tree the error is an ErrNoDecision.
func (p *Policy) Translate(dst []Choice, s *acpc.State, draw func(i int) float64) ([]Choice, int, error) {
	if p.Tree.Shape.Betting.All() {
		dst, err := p.Choices(dst, s)
		return dst, 0, err
	}
	h, err := p.Tree.translate(s, draw)
	if err != nil {
		return dst, h.raises, err
	}
	from := len(dst)
	if dst, err = p.choices(dst, s, h.node); err != nil {
		return dst, h.raises, err
	}
	for i := range dst[from:] {
		c := &dst[from+i]
		c.Action = h.back(c.Action)
	}
	return dst, h.raises, nil
}
