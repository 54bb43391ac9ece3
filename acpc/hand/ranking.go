package hand

import (
	"fmt"
	"strings"

	"gamebots/acpc/card"
)

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

var rankingNames = [...]string{ACPC: "acpc", ThreeCard: "threeCard"}

// ParseRanking returns the ranking of a name that String gives, in either case.
func ParseRanking(name string) (Ranking, error) {
	for r, n := range rankingNames {
		if strings.EqualFold(n, name) {
			return Ranking(r), nil
		}
	}
	return 0, fmt.Errorf("hand ranking %q is not one of %s", name, strings.Join(rankingNames[:], ", "))
}

// String returns the ranking's name in game definitions.
func (r Ranking) String() string { return rankingNames[r] }

// Rank returns the strength of one to ten cards (exactly three for ThreeCard):
// larger is better and equal is a tie. Values are only comparable between sets
// of equal size. They are at least 0 and fit 30 bits: from the top the
// category, then 13 bits for the ranks that make it (of the trips before the
// pair in a full house), then 13 bits for the ranks that break ties.
func (r Ranking) Rank(s card.Set) int {
	switch n := s.Len(); {
	case r == ThreeCard:
		return rankThree(s)
	case n <= 7:
		return rankSeven(s, n)
	default:
		return rankBestFive(s, s)
	}
}
