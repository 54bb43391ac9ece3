package extensive

import (
	"fmt"
	"math/big"
	"math/bits"
)

// liarsDice has the rules of liar's dice for two players with one die each, with as many sides. A bid claims how
// many dice show a face; the highest face counts as any. The next player bids more or doubts the bid, and then
// the bidder wins if it is true.
type liarsDice struct{ Sides int }

// dice is a position of liar's dice: the dice, 0 before they are rolled, the bids in the order "1x1", "1x2" …
// "2x1" … as bits, and whether the last was doubted.
type dice struct {
	dice    [2]int8
	bids    uint32
	doubted bool
}

// Start returns the position before the dice are rolled.
func (liarsDice) Start() dice { return dice{} }

// Describe says who rolls, bids or doubts, or who has won.
func (r liarsDice) Describe(p dice) Turn {
	n := r.Sides
	if p.dice[0] == 0 {
		roll := Turn{Player: Chance}
		for i := range n * n {
			roll.Actions = append(roll.Actions, fmt.Sprintf("%d,%d", i/n+1, i%n+1))
			roll.Probabilities = append(roll.Probabilities, big.NewRat(1, int64(n*n)))
		}
		return roll
	}
	player := bits.OnesCount32(p.bids) % 2
	if p.doubted {
		return Turn{Payoffs: payoffs((player == 1) == r.holds(p))} // the other one has bid
	}
	turn := Turn{Player: player}
	set := []byte{byte('0' + p.dice[player]), ':'}
	for bid := range 2 * n {
		switch {
		case p.bids>>bid&1 != 0:
			if len(set) > 2 {
				set = append(set, ',')
			}
			set = append(set, r.name(bid)...)
		case p.bids>>bid == 0:
			turn.Actions = append(turn.Actions, r.name(bid))
		}
	}
	if p.bids != 0 {
		turn.Actions = append(turn.Actions, "doubt")
	}
	turn.Set = string(set)
	return turn
}

// Next returns the position after an action.
func (r liarsDice) Next(p dice, action int) dice {
	least := bits.Len32(p.bids)
	switch {
	case p.dice[0] == 0:
		p.dice = [2]int8{int8(action/r.Sides) + 1, int8(action%r.Sides) + 1}
	case least+action == 2*r.Sides:
		p.doubted = true
	default:
		p.bids |= 1 << (least + action)
	}
	return p
}

// name returns a bid as it is written.
func (r liarsDice) name(bid int) string {
	return string([]byte{byte('1' + bid/r.Sides), 'x', byte('1' + bid%r.Sides)})
}

// holds reports whether the last bid is true.
func (r liarsDice) holds(p dice) bool {
	bid := bits.Len32(p.bids) - 1
	count := 0
	for _, die := range p.dice {
		if int(die) == bid%r.Sides+1 || int(die) == r.Sides {
			count++
		}
	}
	return count > bid/r.Sides
}

// payoffs returns what the gamePlayers win, of whom the first or the second has won.
func payoffs(first bool) []*big.Rat {
	if first {
		return []*big.Rat{win, loss}
	}
	return []*big.Rat{loss, win}
}

var win, loss = big.NewRat(1, 1), big.NewRat(-1, 1)
