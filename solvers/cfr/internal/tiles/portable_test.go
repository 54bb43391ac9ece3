package tiles

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gamebots/cudalib/pcsgpu"
)

// The loops of a processor give the bits of the portable ones.
func TestPortably(t *testing.T) {
	const hands, cards, width, reachWidth, columns, buckets = 40, 9, 2 * Lanes, 3 * Lanes, 5, 7
	for _, twoCards := range []bool{false, true} {
		for _, mode := range []Mode{Set, Max, Sum} {
			for _, path := range [][]uint32{nil, {3}, {0, 4, 1}} {
				run := func() (x, values, joined, gains []Tile, s Sums) {
					random := rand.New(rand.NewPCG(1, 2))
					floats := func(n int) []float32 {
						to := make([]float32, n)
						for i := range to {
							to[i] = random.Float32()
						}
						return to
					}
					order := make([]uint64, hands)
					for i := range order {
						order[i] = uint64(i) | random.Uint64N(cards)<<HandBits | random.Uint64N(cards)<<SecondBit | random.Uint64N(buckets)<<BucketBit
					}
					x, values, joined = make([]Tile, hands), make([]Tile, hands), make([]Tile, hands)
					for k := range values {
						copy(values[k][:], floats(Lanes))
						copy(joined[k][:], floats(Lanes))
					}
					Follow(x, order, floats(hands * reachWidth)[Lanes:], reachWidth, floats(buckets * columns * width)[Lanes:], width, columns, path)
					s = NewSums(cards, twoCards)
					s.Add(order, x)
					pays := Tile(floats(Lanes))
					s.Value(values, order, x, &pays, mode)
					s.Value(values, order, nil, &pays, mode)
					Join(joined, values, mode)
					actions := []pcsgpu.Sources{{N: 1, From: [15]uint32{7}}, {N: 4, From: [15]uint32{0, 3, 9, 2}}, {N: 2, From: [15]uint32{39, 38}}}
					gains = slices.Clone(values[:4])
					Decide(&gains[3], values, actions, x, gains)
					return x, values, joined, gains, s
				}
				x, values, joined, gains, s := run()
				portably(func() {
					px, pvalues, pjoined, pgains, ps := run()
					if !reflect.DeepEqual(x, px) || !reflect.DeepEqual(values, pvalues) || !reflect.DeepEqual(joined, pjoined) || !reflect.DeepEqual(gains, pgains) || !reflect.DeepEqual(s, ps) {
						t.Errorf("other bits: two cards %v, mode %d, path %v", twoCards, mode, path)
					}
				})
			}
		}
	}
}
