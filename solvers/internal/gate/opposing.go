package gate

import (
	"math/bits"

	"gamebots/acpc/card"
)

// rounding is the part of a range below which nothing is said of a hand that leaves no more of it. Values are sums
// in 32 bits over the whole range, less the hands that share a card: they are wrong by up to a hundredth of the
// pot where a hundred-thousandth is left, and mean nothing where nothing is.
const rounding = 1e-5

// Opposing returns by hand of a player what the other player's range leaves it: the sum of the reach of the hands
// that share no card with it, 0 where that is rounding. Hands have one card or two; those of no cards are left out.
func Opposing[F float32 | float64](own, other []card.Set, reach []F) []float64 {
	total := 0.0
	var by [64][64]float64 // reach by the bits of both cards, in the diagonal by that of one
	for i, hole := range other {
		x := float64(reach[i])
		total += x
		for c := hole; c != 0; c &= c - 1 {
			for d := hole; d != 0; d &= d - 1 {
				by[first(c)][first(d)] += x
			}
		}
	}
	opposing := make([]float64, len(own))
	for i, hole := range own {
		left := total
		for c := hole; c != 0; c &= c - 1 {
			left -= by[first(c)][first(c)]
			for d := c & (c - 1); d != 0; d &= d - 1 {
				left += by[first(c)][first(d)] // the hand of both cards is in the sums of both
			}
		}
		if hole != 0 && left > rounding*total {
			opposing[i] = left
		}
	}
	return opposing
}

// first returns the number of the lowest bit of a set.
func first(s card.Set) int { return bits.TrailingZeros64(uint64(s)) }
