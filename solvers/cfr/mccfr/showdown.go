package mccfr

import (
	"math/bits"

	"gamebots/acpc/card"
)

// end sets value to what the player's hands win at an end.
func (v *vectors) end(value []float32, end int32) {
	if v.ownAll && v.othersAll && v.Rules.NumPlayers == 2 && v.Rules.NumHoleCards <= 2 {
		v.endOfAll(value, end)
		return
	}
	own := v.pool[v.first[v.player]:][:len(value)]
	for h := range value {
		v.ranks[v.player] = own[h].rank
		value[h] = v.against(end, 0, own[h].cards.Hole, 1)
	}
}

// against returns what the player wins with a hand, summed over the hands of the
// others from position p on that do not share a card with the used ones.
func (v *vectors) against(end int32, p int, used card.Set, weight float32) float32 {
	switch {
	case p == v.Rules.NumPlayers:
		winners(v.best, &v.ranks)
		return weight * v.ends.value(end, v.player, v.best)
	case p == v.player:
		return v.against(end, p+1, used, weight)
	}
	sum := float32(0)
	hands := v.pool[v.first[p]:]
	for h, x := range v.reach[p] {
		if hole := hands[h].cards.Hole; x > 0 && hole&used == 0 {
			v.ranks[p] = hands[h].rank
			sum += v.against(end, p+1, used|hole, weight*x)
		}
	}
	return sum
}

// reached is a sum of reach over hands, and the same over those with each card.
type reached struct {
	all float32
	by  [64]float32 // by bit of a card.Set
}

func (s *reached) add(hole card.Set, reach float32) {
	s.all += reach
	for ; hole != 0; hole &= hole - 1 {
		s.by[bits.TrailingZeros64(uint64(hole))] += reach
	}
}

// without returns the sum over hands that have none of the cards; those that
// have two of them are subtracted twice.
func (s *reached) without(hole card.Set) float32 {
	sum := s.all
	for ; hole != 0; hole &= hole - 1 {
		sum -= s.by[bits.TrailingZeros64(uint64(hole))]
	}
	return sum
}

// endOfAll is end for two players who both have all hands, in time linear in
// the hands: these are sorted, so the hands below and above one are sums that
// grow along the way (Johanson et al., "Accelerating best response calculation
// in large extensive games", IJCAI 2011).
func (v *vectors) endOfAll(value []float32, end int32) {
	other := 1 - v.player
	reach, hands := v.reach[other], v.pool[:v.all]
	result := func(winners players) float32 {
		v.best[3] = winners
		return v.ends.value(end, v.player, v.best)
	}
	won, lost, tied := result(1<<v.player), result(1<<other), result(3)

	var all reached
	for h, x := range reach {
		all.add(hands[h].cards.Hole, x)
	}
	for h := range value {
		hole := hands[h].cards.Hole
		sum := all.without(hole)
		if v.Rules.NumHoleCards == 2 {
			sum += reach[h] // the same two cards
		}
		value[h] = tied * sum
	}
	if won == lost {
		return // nobody looks at cards
	}
	var below, above reached
	for from := 0; from < len(hands); {
		to := from
		for ; to < len(hands) && hands[to].rank == hands[from].rank; to++ {
			value[to] += (won - tied) * below.without(hands[to].cards.Hole)
		}
		for ; from < to; from++ {
			below.add(hands[from].cards.Hole, reach[from])
		}
	}
	for to := len(hands); to > 0; {
		from := to
		for ; from > 0 && hands[from-1].rank == hands[to-1].rank; from-- {
			value[from-1] += (lost - tied) * above.without(hands[from-1].cards.Hole)
		}
		for ; to > from; to-- {
			above.add(hands[to-1].cards.Hole, reach[to-1])
		}
	}
}
