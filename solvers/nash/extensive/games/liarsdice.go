package games

import (
	"fmt"
	"math/big"
	"math/bits"

	"gamebots/solvers/nash/extensive"
)

// LiarsDice has the rules of liar's dice for two players with one die each, with as many sides. A bid claims how
// many dice show a face; the highest face counts as any. The next player bids more or doubts the bid, and then
// the bidder wins if it is true.
type LiarsDice struct{ Sides int }

// Dice is a position of liar's dice: the dice, 0 before they are rolled, the bids in the order "1x1", "1x2" …
// "2x1" … as bits, and whether the last was doubted.
type Dice struct {
	dice    [2]int8
	bids    uint32
	doubted bool
}

// Start returns the position before the dice are rolled.
func (LiarsDice) Start() Dice { return Dice{} }

// Describe says who rolls, bids or doubts, or who has won.
func (r LiarsDice) Describe(p Dice) extensive.Turn {
	n := r.Sides
	if p.dice[0] == 0 {
		roll := extensive.Turn{Player: extensive.Chance}
		for i := range n * n {
			roll.Actions = append(roll.Actions, fmt.Sprintf("%d,%d", i/n+1, i%n+1))
			roll.Probabilities = append(roll.Probabilities, big.NewRat(1, int64(n*n)))
		}
		return roll
	}
	player := bits.OnesCount32(p.bids) % 2
	if p.doubted {
		return extensive.Turn{Payoffs: payoffs((player == 1) == r.holds(p))} // the other one has bid
	}
	turn := extensive.Turn{Player: player}
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
func (r LiarsDice) Next(p Dice, action int) Dice {
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
func (r LiarsDice) name(bid int) string {
	return string([]byte{byte('1' + bid/r.Sides), 'x', byte('1' + bid%r.Sides)})
}

// holds reports whether the last bid is true.
func (r LiarsDice) holds(p Dice) bool {
	bid := bits.Len32(p.bids) - 1
	count := 0
	for _, die := range p.dice {
		if int(die) == bid%r.Sides+1 || int(die) == r.Sides {
			count++
		}
	}
	return count > bid/r.Sides
}

// payoffs returns what the players win, of whom the first or the second has won.
func payoffs(first bool) []*big.Rat {
	if first {
		return []*big.Rat{win, loss}
	}
	return []*big.Rat{loss, win}
}

var win, loss = big.NewRat(1, 1), big.NewRat(-1, 1)
