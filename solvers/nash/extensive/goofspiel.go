package extensive

import (
	"cmp"
	"math/big"
	"strconv"
)

// goofspiel has the rules of goofspiel for two players with as many cards each, from 1 up. In each round both bid
// a card for a prize, which is the highest one left, and learn only who bid more and has won it. With more points
// in the end a player wins 1.
type goofspiel struct{ Cards int }

// maxCards bounds the cards of goofspiel: a game of seven has 98 million nodes.
const maxCards = 6

// bids is a position of goofspiel: what both have bid, the first player first in each round.
type bids struct {
	cards [2 * maxCards]int8
	n     int
}

// Start returns the position before the first bid.
func (goofspiel) Start() bids { return bids{} }

// Describe says who bids, or who has won.
func (g goofspiel) Describe(p bids) Turn {
	player, points := p.n%2, 0
	set := make([]byte, 0, 3*g.Cards)
	for round := range g.Cards {
		i := 2 * round
		if i+player >= p.n {
			break
		}
		set = append(set, byte('0'+p.cards[i+player]))
		if i+1 >= p.n {
			break
		}
		sign := cmp.Compare(p.cards[i+player], p.cards[i+1-player])
		points += sign * (g.Cards - round)
		set = append(set, "-=+"[sign+1], ' ')
	}
	if p.n == 2*g.Cards { // the player is the first
		if points == 0 {
			return Turn{Payoffs: []*big.Rat{new(big.Rat), new(big.Rat)}}
		}
		return Turn{Payoffs: payoffs(points > 0)}
	}
	turn := Turn{Player: player, Set: string(set)}
	for _, card := range g.hand(p) {
		turn.Actions = append(turn.Actions, strconv.Itoa(card))
	}
	return turn
}

// Next returns the position after a bid.
func (g goofspiel) Next(p bids, action int) bids {
	p.cards[p.n] = int8(g.hand(p)[action])
	p.n++
	return p
}

// hand returns the cards of the player who bids next.
func (g goofspiel) hand(p bids) (cards []int) {
	var bid [maxCards + 1]bool
	for i := p.n % 2; i < p.n; i += 2 {
		bid[p.cards[i]] = true
	}
	for card := 1; card <= g.Cards; card++ {
		if !bid[card] {
			cards = append(cards, card)
		}
	}
	return cards
}
