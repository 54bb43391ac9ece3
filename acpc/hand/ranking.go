package hand

import (
	"fmt"
	"strings"

	"gamebots/acpc/card"
)

// Ranking is an order of poker hands.
type Ranking uint8

const (
	// ACPC is the order of the original server: the best five cards by the usual
	// poker order; with fewer than five only the ranks and their counts matter.
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

// Rank returns the strength of one to ten cards (exactly three for ThreeCard): larger is
// better, and equal is a tie. Values are comparable between sets of equal size only. They
// are not negative and have 30 bits: the category, 13 bits for the ranks that make it (for
// a full house those of the trips), and 13 bits for the ranks that break ties.
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
