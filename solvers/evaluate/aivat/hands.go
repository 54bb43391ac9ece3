package aivat

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// hands are all combinations of hole cards of a game, by number.
type hands struct {
	deck   []card.Card
	holes  []card.Set
	number map[card.Set]int
}

func newHands(g *acpc.Game) *hands {
	h := &hands{deck: g.Deck(), number: map[card.Set]int{}}
	card.Subsets(h.deck, g.NumHoleCards, func(s card.Set) {
		h.number[s] = len(h.holes)
		h.holes = append(h.holes, s)
	})
	return h
}

// rest returns the cards that are not in used.
func (h *hands) rest(used card.Set) []card.Card {
	return slices.DeleteFunc(slices.Clone(h.deck), used.Has)
}

// without returns the hands that share no card with used, in their order.
func (h *hands) without(dst []int32, used card.Set) []int32 {
	for i, hole := range h.holes {
		if hole&used == 0 {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// union returns the cards of a board.
func union(board [acpc.MaxRounds]card.Set) card.Set {
	return board[0] | board[1] | board[2] | board[3]
}
