package betting

import (
	"errors"
	"fmt"

	"gamebots/acpc"
)

// ErrNoDecision is the error for a hand that goes on where the tree has no
// decision of the player to act: the hand as translated is over, or it is another
// player's turn. This happens when a raise was mapped to all-in and was not.
var ErrNoDecision = errors.New("no decision in the strategy's tree")

// Translation follows a hand through a tree that does not have all of its
// raises. It keeps the hand as the tree has it beside the real one.
type Translation struct {
	// Node is the decision that the hand has come to.
	Node int32
	// Mapped counts the raises of other players from the first one on that the
	// tree does not have.
	Mapped int

	tree         *Tree
	real, mapped acpc.State
}

// Translate returns the decision that a hand has come to. A raise of another
// player that the tree does not have is mapped to one of its two neighbours by
// the pseudo-harmonic mapping. draw returns a number in [0, 1) for the i-th
// action of the hand. It must return the same number whenever it is asked for the
// same action: otherwise a player would forget how a raise was mapped.
//
// Where the tree has no such decision the error is an ErrNoDecision. The
// Translation then still says how many raises were mapped.
func (t *Tree) Translate(s *acpc.State, draw func(i int) float64) (*Translation, error) {
	h := t.NewTranslation(s.HandID)
	i := 0
	for r := range s.Round() + 1 {
		for _, a := range s.Actions(r) {
			if err := h.decision(); err != nil {
				return h, err
			}
			below, above, part, err := h.find(a, h.real.Actor() == s.Actor())
			if err != nil {
				return h, err
			}
			if part < 1 && draw(i) >= part {
				below = above
			}
			h.apply(a, below)
			i++
		}
	}
	return h, h.decision()
}

// NewTranslation returns the translation of a hand before its first action.
func (t *Tree) NewTranslation(hand uint32) *Translation {
	return &Translation{tree: t, real: t.Game.NewState(hand), mapped: t.Game.NewState(hand)}
}

// Mapping is a translation and the probability of coming to it.
type Mapping struct {
	*Translation
	Probability float64
}

// After returns all translations to which Translate may map the hand after one more action,
// for the player in a position. There are one or two, and none where its error would be an
// ErrNoDecision for the rest of the hand.
func (h *Translation) After(a acpc.Action, position int) []Mapping {
	if h.decision() != nil {
		return nil
	}
	from := *h
	below, above, part, err := from.find(a, h.real.Actor() == position)
	if err != nil {
		return nil
	}
	var all []Mapping
	for _, m := range []struct {
		child int32
		part  float64
	}{{below, part}, {above, 1 - part}} {
		if m.part > 0 {
			next := from
			next.apply(a, m.child)
			all = append(all, Mapping{&next, m.part})
		}
	}
	return all
}

// Decision returns the decision that the hand has come to. Where the tree has none of the
// real hand's actor in its round the error is an ErrNoDecision.
func (h *Translation) Decision() (int32, error) {
	err := h.decision()
	return h.Node, err
}

// apply applies an action that is mapped to a child of the node.
func (h *Translation) apply(a acpc.Action, child int32) {
	h.Node = child
	h.real.Apply(a)
	h.mapped.Apply(h.tree.Nodes[child].Action())
}

// Hand returns the hand as the tree has it, without cards. It belongs to the Translation.
func (h *Translation) Hand() *acpc.State { return &h.mapped }

// decision passes deals over. It fails where the tree has no decision of the
// real hand's actor in its round.
func (h *Translation) decision() error {
	t := h.tree
	h.Node = t.AfterDeal(h.Node)
	n := &t.Nodes[h.Node]
	if n.Kind != Decision || int(n.Actor) != h.real.Actor() || int(n.Round) != h.real.Round() {
		return ErrNoDecision
	}
	return nil
}

// find returns the children that an action is mapped to: below with the probability part,
// which may be 1, or else above. The player's own raises are those of the tree up to
// rounding, so they are mapped to the nearest.
func (h *Translation) find(a acpc.Action, own bool) (below, above int32, part float64, err error) {
	n := &h.tree.Nodes[h.Node]
	below, above = -1, -1
	size := 0.0
	if a.Type == acpc.Raise {
		size = potFraction(&h.real, a.Size)
	}
	_, allIn, _ := h.real.RaiseBounds()
	for c := n.First; c < n.First+int32(n.NumActions); c++ {
		switch child := h.tree.Nodes[c].Action(); {
		case child.Type != a.Type:
		case a.Type != acpc.Raise, child.Size == a.Size && h.Mapped == 0:
			return c, -1, 1, nil
		case potFraction(&h.mapped, child.Size) <= size || a.Size == allIn: // all-in stays all-in
			below = c
		case above < 0:
			above = c
		}
	}
	if below < 0 && above < 0 {
		return -1, -1, 0, fmt.Errorf("%w for %v", ErrNoDecision, a)
	}
	if !own {
		h.Mapped++
	}
	switch {
	case above < 0:
		return below, -1, 1, nil
	case below < 0:
		return above, -1, 1, nil
	}
	low, high := potFraction(&h.mapped, h.tree.Nodes[below].Action().Size),
		potFraction(&h.mapped, h.tree.Nodes[above].Action().Size)
	if !own {
		return below, above, pseudoHarmonic(low, high, size), nil
	}
	if size-low < high-size {
		return below, -1, 1, nil
	}
	return above, -1, 1, nil
}

// pseudoHarmonic returns the probability that a bet of x is mapped to the lower
// of its two neighbours, all as fractions of the pot: Ganzfried and Sandholm,
// "Action translation in extensive-form games with large action spaces", IJCAI
// 2013.
func pseudoHarmonic(low, high, x float64) float64 {
	return (high - x) * (1 + low) / ((high - low) * (1 + x))
}

// Real returns the real hand's action for an action of the tree: a raise by the
// same fraction of the pot, or all-in, within the legal bounds. Where no raise is
// legal it is a call.
func (h *Translation) Real(a acpc.Action) acpc.Action {
	call := acpc.Action{Type: acpc.Call}
	switch low, high, ok := h.real.RaiseBounds(); {
	case a.Type == acpc.Call, a.Type == acpc.Fold && !h.real.CanFold(), a.Type == acpc.Raise && !ok:
		return call
	case a.Type == acpc.Raise:
		if _, allIn, _ := h.mapped.RaiseBounds(); a.Size == allIn {
			return acpc.Action{Type: acpc.Raise, Size: high}
		}
		return acpc.Action{Type: acpc.Raise,
			Size: min(max(raiseSize(&h.real, potFraction(&h.mapped, a.Size)), low), high)}
	}
	return a
}
