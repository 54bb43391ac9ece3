package mccfr

import (
	"math/bits"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// terminalValues sets value to the winnings of the player's hands at a terminal node.
func (v *vectors) terminalValues(value []float32, terminal int32) {
	if v.ownAll && v.othersAll && v.Rules.NumPlayers == 2 && v.Rules.NumHoleCards <= 2 {
		v.sortedTerminalValues(value, terminal)
		return
	}
	own := v.pool[v.first[v.player]:][:len(value)]
	for h := range value {
		v.ranks[v.player] = own[h].rank
		value[h] = v.valueAgainst(terminal, 0, own[h].Cards.Hole, 1)
	}
}

// valueAgainst returns the player's winnings with a hand, summed over the hands of
// the others from position p on that share no card with the used ones.
func (v *vectors) valueAgainst(terminal int32, p int, used card.Set, weight float32) float32 {
	switch {
	case p == v.Rules.NumPlayers:
		tree.BestHands(v.best, &v.ranks)
		return weight * v.Terminals.Value(terminal, v.player, v.best)
	case p == v.player:
		return v.valueAgainst(terminal, p+1, used, weight)
	}
	sum := float32(0)
	hands := v.pool[v.first[p]:]
	for h, x := range v.reach[p] {
		if hole := hands[h].Cards.Hole; x > 0 && hole&used == 0 {
			v.ranks[p] = hands[h].rank
			sum += v.valueAgainst(terminal, p+1, used|hole, weight*x)
		}
	}
	return sum
}

// reachSum is a sum of reach over hands, in all and over those with each card.
type reachSum struct {
	all    float32
	byCard [64]float32 // sum for each card, by its bit in a card.Set
}

func (s *reachSum) add(hole card.Set, reach float32) {
	s.all += reach
	for ; hole != 0; hole &= hole - 1 {
		s.byCard[bits.TrailingZeros64(uint64(hole))] += reach
	}
}

// without returns the sum over the hands that have none of the cards. Hands with
// two of them are subtracted twice.
func (s *reachSum) without(hole card.Set) float32 {
	sum := s.all
	for ; hole != 0; hole &= hole - 1 {
		sum -= s.byCard[bits.TrailingZeros64(uint64(hole))]
	}
	return sum
}

// sortedTerminalValues is terminalValues for two players who both have all hands,
// in time linear in their number: the hands are sorted by rank, so that the reach
// of the hands below and above one is a running sum (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI 2011).
func (v *vectors) sortedTerminalValues(value []float32, terminal int32) {
	other := 1 - v.player
	reach, hands := v.reach[other], v.pool[:v.all]
	result := func(winners tree.PlayerSet) float32 {
		v.best[3] = winners
		return v.Terminals.Value(terminal, v.player, v.best)
	}
	won, lost, tied := result(1<<v.player), result(1<<other), result(3)

	var all reachSum
	for h, x := range reach {
		all.add(hands[h].Cards.Hole, x)
	}
	for h := range value {
		hole := hands[h].Cards.Hole
		sum := all.without(hole)
		if v.Rules.NumHoleCards == 2 {
			sum += reach[h] // the same two cards
		}
		value[h] = tied * sum
	}
	if won == lost {
		return // no showdown
	}
	var below, above reachSum
	for from := 0; from < len(hands); {
		to := from
		for ; to < len(hands) && hands[to].rank == hands[from].rank; to++ {
			value[to] += (won - tied) * below.without(hands[to].Cards.Hole)
		}
		for ; from < to; from++ {
			below.add(hands[from].Cards.Hole, reach[from])
		}
	}
	for to := len(hands); to > 0; {
		from := to
		for ; from > 0 && hands[from-1].rank == hands[to-1].rank; from-- {
			value[from-1] += (lost - tied) * above.without(hands[from-1].Cards.Hole)
		}
		for ; to > from; to-- {
			above.add(hands[to-1].Cards.Hole, reach[to-1])
		}
	}
}
