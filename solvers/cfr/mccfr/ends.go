package mccfr

import (
	"math/bits"

	"gamebots/acpc"
)

// ends are the different outcomes that the betting of a hand can have: many
// sequences end with the same stakes. Each is what every player put in, and the
// pots that this makes.
type ends struct {
	players int
	spent   []float32 // by end and player
	first   []int32   // by end, its first pot; and one more
	pots    []pot
}

// pot is an amount that the best hand of some players wins.
type pot struct {
	amount float32
	in     players
}

// share returns what each of the winners of a pot gets.
func (p *pot) share(won players) float32 {
	return p.amount / float32(bits.OnesCount16(uint16(won)))
}

// players is a set of positions.
type players uint16

func newEnds(players int) ends { return ends{players: players, first: []int32{0}} }

// add appends an end and returns its number.
func (e *ends) add(s *acpc.Stakes) int32 {
	id := int32(e.len())
	spent := s.Spent
	for _, chips := range spent[:s.Players] {
		e.spent = append(e.spent, float32(chips))
	}
	// From the smallest contribution up, each layer of chips is played for by
	// those who are in it and have not folded. Adjacent layers with the same
	// contenders are one pot.
	for {
		layer, from := int32(0), 0
		in := players(0)
		for p, chips := range spent[:s.Players] {
			if chips == 0 {
				continue
			}
			if layer == 0 || chips < layer {
				layer = chips
			}
			from++
			if !s.Folded[p] {
				in |= 1 << p
			}
		}
		if layer == 0 {
			break
		}
		amount := float32(layer) * float32(from)
		if k := len(e.pots) - 1; k >= int(e.first[id]) && e.pots[k].in == in {
			e.pots[k].amount += amount
		} else {
			e.pots = append(e.pots, pot{amount, in})
		}
		for p := range spent[:s.Players] {
			spent[p] = max(0, spent[p]-layer)
		}
	}
	e.first = append(e.first, int32(len(e.pots)))
	return id
}

// winners sets best, which has an item for every set of players, to those of the
// set who have the best hand.
func winners(best []players, ranks *[acpc.MaxPlayers]int32) {
	best[0] = 0
	for in := 1; in < len(best); in++ {
		p := bits.TrailingZeros(uint(in))
		others := best[in&(in-1)]
		switch {
		case others == 0 || ranks[p] > ranks[bits.TrailingZeros16(uint16(others))]:
			best[in] = 1 << p
		case ranks[p] == ranks[bits.TrailingZeros16(uint16(others))]:
			best[in] = others | 1<<p
		default:
			best[in] = others
		}
	}
}

// value returns the chips that a player wins at an end.
func (e *ends) value(end int32, player int, best []players) float32 {
	v := -e.spent[int(end)*e.players+player]
	for _, pot := range e.pots[e.first[end]:e.first[end+1]] {
		if won := best[pot.in]; won>>player&1 != 0 {
			v += pot.share(won)
		}
	}
	return v
}

// len returns the number of ends.
func (e *ends) len() int { return len(e.first) - 1 }

// values sets out, by end and player, to the chips that everyone wins at the
// ends [from, to).
func (e *ends) values(out []float32, best []players, from, to int) {
	for end := from; end < to; end++ {
		value, spent := out[end*e.players:][:e.players], e.spent[end*e.players:][:e.players]
		for p, chips := range spent {
			value[p] = -chips
		}
		for _, pot := range e.pots[e.first[end]:e.first[end+1]] {
			won := best[pot.in]
			share := pot.share(won)
			for ; won != 0; won &= won - 1 {
				value[bits.TrailingZeros16(uint16(won))] += share
			}
		}
	}
}
