package mccfr

import (
	"math"

	"gamebots/internal/rng"
)

// half has regrets and strategy sums of 16 bits: floating-point numbers with an exponent
// of 6 bits. A regret has a sign and a fraction of 9 bits, a sum a fraction of 10. Numbers
// are rounded at random, so that sums are right in the mean however small their terms are.
type half struct{ regret, sum []uint16 }

const (
	// Bits of a float32's fraction that are dropped.
	regretDrops = 14
	sumDrops    = 13
	// halfBase is the bits of the float32 2^-14: numbers are from there up to 2^50.
	halfBase = (127 - 14) << 23

	regretSign = 1 << 15
)

// widen returns the number of a magnitude.
func widen(magnitude uint32, drops int) float32 {
	if magnitude == 0 {
		return 0
	}
	return math.Float32frombits(magnitude<<drops + halfBase)
}

// narrow returns the magnitude of a number that is not negative, rounded up or down at
// random. The largest is returned for larger numbers.
func narrow(x float32, drops int, largest, random uint32) uint32 {
	if smallest := widen(1, drops); x < smallest {
		if float32(random>>8)*(1./(1<<24)) < x/smallest {
			return 1
		}
		return 0
	}
	return min((math.Float32bits(x)-halfBase+random&(1<<drops-1))>>drops, largest)
}

func widenRegret(h uint16) float32 {
	x := widen(uint32(h&^regretSign), regretDrops)
	if h&regretSign != 0 {
		return -x
	}
	return x
}

func narrowRegret(x float32, random uint32) uint16 {
	if x < 0 {
		return regretSign | uint16(narrow(-x, regretDrops, regretSign-1, random))
	}
	return uint16(narrow(x, regretDrops, regretSign-1, random))
}

func widenSum(h uint16) float32 { return widen(uint32(h), sumDrops) }

func narrowSum(x float32, random uint32) uint16 {
	return uint16(narrow(x, sumDrops, math.MaxUint16, random))
}

// regrets reads regrets from an entry on.
func (h *half) regrets(dst []float32, entry int) {
	for a, x := range h.regret[entry:][:len(dst)] {
		dst[a] = widenRegret(x)
	}
}

// sums reads strategy sums from an entry on.
func (h *half) sums(dst []float32, entry int) {
	for a, x := range h.sum[entry:][:len(dst)] {
		dst[a] = widenSum(x)
	}
}

// addRegrets adds to regrets from an entry on. random is a stream of its own.
func (h *half) addRegrets(entry int, change []float32, random rng.Stream) {
	for a, x := range change {
		at := &h.regret[entry+a]
		*at = narrowRegret(widenRegret(*at)+x, uint32(random.Uint64()))
	}
}

// addSums adds to strategy sums from an entry on. random is a stream of its own.
func (h *half) addSums(entry int, change []float32, random rng.Stream) {
	for a, x := range change {
		at := &h.sum[entry+a]
		*at = narrowSum(widenSum(*at)+x, uint32(random.Uint64()))
	}
}
