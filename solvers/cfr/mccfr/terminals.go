package mccfr

import (
	"math/bits"

	"gamebots/acpc"
)

// Terminals are the distinct outcomes of the betting of a hand: the contributions of
// the players, and the pots that result. Many betting sequences share one.
type Terminals struct {
	players  int
	Spent    []float32 // chips, by terminal and player
	FirstPot []int32   // first pot of each terminal, then len(Pots)
	Pots     []Pot
}

// Pot is an amount of chips that the best hand among the contenders wins.
type Pot struct {
	Amount     float32
	Contenders PlayerSet
}

// Share returns the chips that each winner of the pot gets.
func (p *Pot) Share(winners PlayerSet) float32 {
	return p.Amount / float32(bits.OnesCount16(uint16(winners)))
}

// PlayerSet is a set of positions: bit p stands for position p.
type PlayerSet uint16

// NewTerminals returns an empty list for a game with these players.
func NewTerminals(players int) Terminals { return Terminals{players: players, FirstPot: []int32{0}} }

// Add appends a terminal and returns its number.
func (t *Terminals) Add(s *acpc.Pot) int32 {
	id := int32(t.Len())
	spent := s.Spent
	for _, chips := range spent[:s.Players] {
		t.Spent = append(t.Spent, float32(chips))
	}
	// From the smallest contribution up, each layer of chips is contested by the
	// players who paid into it and have not folded. Adjacent layers with the same
	// contenders are one pot.
	for {
		layer, payers := int32(0), 0
		contenders := PlayerSet(0)
		for p, chips := range spent[:s.Players] {
			if chips == 0 {
				continue
			}
			if layer == 0 || chips < layer {
				layer = chips
			}
			payers++
			if !s.Folded[p] {
				contenders |= 1 << p
			}
		}
		if layer == 0 {
			break
		}
		amount := float32(layer) * float32(payers)
		if k := len(t.Pots) - 1; k >= int(t.FirstPot[id]) && t.Pots[k].Contenders == contenders {
			t.Pots[k].Amount += amount
		} else {
			t.Pots = append(t.Pots, Pot{amount, contenders})
		}
		for p := range spent[:s.Players] {
			spent[p] = max(0, spent[p]-layer)
		}
	}
	t.FirstPot = append(t.FirstPot, int32(len(t.Pots)))
	return id
}

// Len returns the number of terminals.
func (t *Terminals) Len() int { return len(t.FirstPot) - 1 }

// PotsOf returns the pots of a terminal.
func (t *Terminals) PotsOf(terminal int32) []Pot {
	return t.Pots[t.FirstPot[terminal]:t.FirstPot[terminal+1]]
}

// SpentBy returns the chips that a player has put in at a terminal.
func (t *Terminals) SpentBy(terminal int32, player int) float32 {
	return t.Spent[int(terminal)*t.players+player]
}

// Value returns the chips that a player wins at a terminal, net of those put in.
// Best is as BestHands sets it.
func (t *Terminals) Value(terminal int32, player int, best []PlayerSet) float32 {
	v := -t.SpentBy(terminal, player)
	for _, pot := range t.PotsOf(terminal) {
		if won := best[pot.Contenders]; won>>player&1 != 0 {
			v += pot.Share(won)
		}
	}
	return v
}

// Values sets the values of all players at the terminals [from, to) in out, which
// is indexed by terminal and player.
func (t *Terminals) Values(out []float32, best []PlayerSet, from, to int) {
	for terminal := from; terminal < to; terminal++ {
		value, spent := out[terminal*t.players:][:t.players], t.Spent[terminal*t.players:][:t.players]
		for p, chips := range spent {
			value[p] = -chips
		}
		for _, pot := range t.PotsOf(int32(terminal)) {
			won := best[pot.Contenders]
			share := pot.Share(won)
			for ; won != 0; won &= won - 1 {
				value[bits.TrailingZeros16(uint16(won))] += share
			}
		}
	}
}

// newBestHands returns room for the BestHands of these players. It fills cache
// lines of its own, because other threads deal at the same time.
func newBestHands(players int) []PlayerSet {
	return make([]PlayerSet, 1<<players, max(1<<players, 128))
}

// BestHands sets best, which is indexed by sets of players, to the members of each
// set whose hand has the highest rank in it.
func BestHands(best []PlayerSet, ranks *[acpc.MaxPlayers]int32) {
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
