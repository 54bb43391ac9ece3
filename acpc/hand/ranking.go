package hand

import "gamebots/acpc/card"

// Ranking is an order of poker hands.
type Ranking uint8

const (
	// ACPC is the order of the original server: the best five cards by the
	// usual poker order; under five cards only ranks and their counts matter.
	ACPC Ranking = iota
	// ThreeCard is the order of Rhode Island hold'em for three cards:
	// straight flush, three of a kind, straight, flush, pair, high card.
	ThreeCard
)

// Rank returns the strength of the cards, larger is better and equal is a
// tie. Values are only comparable between sets of equal size.
func (r Ranking) Rank(s card.Set) int { return 0 }
