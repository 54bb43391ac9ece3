package aivat

import (
	"errors"
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// observed is a hand that is followed through the tree.
type observed struct {
	*Estimator
	state *acpc.State
	round *exactRound
	node  int32
	mine  int // the hand that the known player holds, or unseen
	// belief is the probability of each live hand of the known player, given the other
	// player's hand, the board and the betting.
	belief      []float64
	corrections Corrections
}

// observe starts to follow a hand, given the hands that both players held, or unseen for mine.
func (e *Estimator) observe(s *acpc.State, seat, mine, other int) *observed {
	h := &observed{Estimator: e, state: s, mine: mine, belief: make([]float64, len(e.hands.holes)),
		round: e.values.rounds[exactKey{seat, other, policy.BoardOf(s, 0)}]}
	for _, x := range h.round.live {
		h.belief[x] = 1 / float64(len(h.round.live))
	}
	h.node = e.tree.Segments[0].First
	h.corrections[Holes] = e.values.start[seat] - h.round.root
	return h
}

// play follows the hand, in which the known player has won some chips, and records for each
// random event its expected value minus its actual one.
func (h *observed) play(won float64) error {
	last := h.tree.Game.NumRounds - 1
	for r := range last + 1 {
		for _, a := range h.state.Actions(r) {
			if h.round.round < r && h.tree.Nodes[h.node].Kind == betting.Deal {
				first := h.tree.Segments[h.tree.Nodes[h.node].First].First
				h.deal(r)
				h.node = first
			}
			if err := h.act(a); err != nil {
				return err
			}
		}
	}
	n := &h.tree.Nodes[h.node]
	if n.Kind != betting.Terminal {
		return errors.New("the hand's betting is not in the strategy's tree")
	}
	mean := 0.0
	if h.earlyShowdown(n) {
		mean = h.deal(last)
	} else {
		mean = h.mean(h.round.at(h.node))
	}
	h.corrections[Private] = mean - won
	return nil
}

// deal sets the board of a round, and returns the value after it.
func (h *observed) deal(round int) (value float64) {
	next := h.values.rounds[exactKey{h.round.seat, h.round.other, policy.BoardOf(h.state, round)}]
	expected, after := h.mean(h.round.at(h.node)), h.round.deal(h.node, next)
	// The cards rule out some hands; the relative probabilities of the others stay.
	left := make([]float64, len(h.belief))
	total := 0.0
	for _, x := range next.live {
		left[x] = h.belief[x]
		total += left[x]
	}
	for _, x := range next.live {
		left[x] /= total
	}
	h.belief, h.round = left, next
	value = h.mean(after)
	h.corrections[Deal+round-1] += expected - value
	return value
}

// act follows an action.
func (h *observed) act(a acpc.Action) error {
	n := &h.tree.Nodes[h.node]
	chosen := -1
	if n.Kind == betting.Decision {
		for i := range int(n.NumActions) {
			if h.tree.Nodes[int(n.First)+i].Action() == a {
				chosen = i
			}
		}
	}
	if chosen < 0 {
		return fmt.Errorf("betting %w", policy.ErrOffTree)
	}
	if int(n.Actor) == h.round.seat {
		if err := h.own(n, chosen); err != nil {
			return err
		}
	} else if h.otherKnown {
		if err := h.others(n, chosen); err != nil {
			return err
		}
	}
	h.node = n.First + int32(chosen)
	return nil
}

// own corrects an action of the known player, and updates the belief by it.
func (h *observed) own(n *betting.Node, chosen int) error {
	expected := 0.0
	for a := range int(n.NumActions) {
		v, p := h.round.at(n.First+int32(a)), h.known.of(h.node, a)
		for _, x := range h.round.live {
			expected += h.belief[x] * p[h.round.own[x]] * v[x]
		}
	}
	p, total := h.known.of(h.node, chosen), 0.0
	for _, x := range h.round.live {
		h.belief[x] *= p[h.round.own[x]]
		total += h.belief[x]
	}
	if total == 0 || h.mine != unseen && h.belief[h.mine] == 0 {
		return fmt.Errorf("%w: %v in round %d", ErrNotPlayed,
			h.tree.Nodes[int(n.First)+chosen].Action(), h.round.round+1)
	}
	for _, x := range h.round.live {
		h.belief[x] /= total
	}
	h.corrections[Own+h.round.round] += expected - h.mean(h.round.at(n.First+int32(chosen)))
	return nil
}

// others corrects an action of the other player, whose strategy is known.
func (h *observed) others(n *betting.Node, chosen int) error {
	for a := range int(n.NumActions) {
		p := h.model.of(h.node, a)[h.round.otherBucket]
		if a == chosen {
			if p == 0 {
				return fmt.Errorf("%w: %v of the other player in round %d", ErrNotPlayed,
					h.tree.Nodes[int(n.First)+a].Action(), h.round.round+1)
			}
			p--
		}
		if p != 0 {
			h.corrections[Other] += p * h.mean(h.round.at(n.First+int32(a)))
		}
	}
	return nil
}

// mean returns the mean of values over the belief.
func (h *observed) mean(values []float64) float64 {
	sum := 0.0
	for _, x := range h.round.live {
		sum += h.belief[x] * values[x]
	}
	return sum
}
