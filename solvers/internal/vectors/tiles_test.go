package vectors

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// The loops of a processor give the bits of the portable ones.
func TestPortably(t *testing.T) {
	const hands, cards, width, reachWidth, columns, buckets = 40, 9, 2 * TileLanes, 3 * TileLanes, 5, 7
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
						first := random.Uint64N(cards)
						second := (first + 1 + random.Uint64N(cards-1)) % cards
						order[i] = uint64(i) | first<<HandBits | second<<SecondBit | uint64(i)<<PlaceBit
						order[i] |= random.Uint64N(buckets) << BucketBit
					}
					x, values, joined = make([]Tile, hands), make([]Tile, hands), make([]Tile, hands)
					for k := range values {
						copy(values[k][:], floats(TileLanes))
						copy(joined[k][:], floats(TileLanes))
					}
					Follow(x, order, floats(hands * reachWidth)[TileLanes:], reachWidth,
						floats(buckets * columns * width)[TileLanes:], width, columns, path)
					s = NewSums(cards, twoCards)
					s.Add(order, x)
					pays := Tile(floats(TileLanes))
					s.Value(values, order, x, &pays, mode)
					s.Value(values, order, nil, &pays, mode)
					Join(joined, values, mode)
					s.Below(values, order, x)
					slices.Reverse(order)
					s.Showdown(values, order, x, &pays)
					actions := [][]uint32{{7}, {0, 3, 9, 2}, {39, 38}}
					gains = slices.Clone(values[:4])
					Decide(&gains[3], values, actions, x, gains)
					return x, values, joined, gains, s
				}
				x, values, joined, gains, s := run()
				Portably(func() {
					px, pvalues, pjoined, pgains, ps := run()
					if !reflect.DeepEqual(x, px) || !reflect.DeepEqual(values, pvalues) ||
						!reflect.DeepEqual(joined, pjoined) || !reflect.DeepEqual(gains, pgains) ||
						!reflect.DeepEqual(s, ps) {
						t.Errorf("other bits: two cards %v, mode %d, path %v", twoCards, mode, path)
					}
				})
			}
		}
	}
}

// A showdown is worth what the worse hands that share no card with a hand reach, less what the better
// ones do. Those of its rank do not count.
func TestShowdown(t *testing.T) {
	const cards = 8
	random := rand.New(rand.NewPCG(3, 4))
	var order, down []uint64
	var ranks []int
	var x []Tile
	for first := range uint64(cards) {
		for second := range first {
			place := uint64(len(order))
			order = append(order, first<<HandBits|second<<SecondBit|place<<PlaceBit)
			rank := len(order) / 4 // four hands each have a rank
			ranks, x = append(ranks, rank), append(x, Tile{float32(random.IntN(100))})
		}
	}
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && ranks[to] == ranks[from] {
			to++
		}
		down = append(slices.Clone(order[from:to]), down...)
		from = to
	}
	pays, values := Tile{2}, make([]Tile, len(order))
	s := NewSums(cards, true)
	s.Below(values, order, x)
	s.Clear()
	s.Showdown(values, down, x, &pays)
	card := func(hand, bit int) uint64 { return order[hand] >> bit & CardMask }
	for i := range order {
		want := float32(0) // exactly, as the reach is in whole numbers
		for j := range order {
			meet := true
			for _, bit := range []int{HandBits, SecondBit} {
				meet = meet && card(j, bit) != card(i, HandBits) && card(j, bit) != card(i, SecondBit)
			}
			switch {
			case meet && ranks[j] < ranks[i]:
				want += 2 * x[j][0]
			case meet && ranks[j] > ranks[i]:
				want -= 2 * x[j][0]
			}
		}
		if values[i][0] != want {
			t.Errorf("hand %d is worth %v, want %v", i, values[i][0], want)
		}
	}
}
