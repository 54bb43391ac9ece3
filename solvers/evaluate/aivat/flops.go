package aivat

import (
	"math"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// flopBuckets are the buckets of all hands on all flops, up to the names of suits.
type flopBuckets struct {
	*Estimator
	// renamed is, by renaming of suits and hand, the renamed hand.
	renamed [][]int16
	// flops are all flops.
	flops []flopCards
	own   [][]uint8 // buckets of the known player's strategy: by canonical flop and hand
	other [][]uint8 // buckets of the other player's
	// class is, by hand, its class of hands up to renaming. by is the renaming that
	// turns it into the hand that stands for the class.
	class   []int
	by      []int
	classes []handClass
	// Values on the flop are integers in units of 1/scale, from -bound to bound, such
	// that the sum over all flops fits in 32 bits.
	scale, bound float64
	// rows are the values of hands on the flop, by the other player's bucket, then
	// bucket and segment: for the second seat in the upper half of a word, for the
	// first in the lower, both as positive integers.
	rows     [][]uint64
	segments int
}

type flopCards struct {
	cards     card.Set
	canonical int32 // the flop that stands for it
	by        int32 // the renaming that turns it into that
}

// handClass stands for hands that differ in the names of suits.
type handClass struct {
	hand, size int
	// fixed are the renamings that leave the hand as it is.
	fixed []int
}

func newFlopBuckets(e *Estimator) *flopBuckets {
	f := &flopBuckets{Estimator: e, class: make([]int, len(e.hands.holes)), by: make([]int, len(e.hands.holes))}
	renamings := abstraction.Renamings()
	for _, r := range renamings {
		numbers := make([]int16, len(e.hands.holes))
		for i, hole := range e.hands.holes {
			numbers[i] = int16(e.hands.number[r.Of(hole)])
		}
		f.renamed = append(f.renamed, numbers)
	}
	for i := range e.hands.holes {
		smallest := i
		for k := range renamings {
			if to := int(f.renamed[k][i]); to < smallest {
				smallest, f.by[i] = to, k
			}
		}
		if smallest == i {
			// The first of its class: hands are visited in ascending order. Its renaming is the identity.
			c := handClass{hand: i}
			for k := range renamings {
				if int(f.renamed[k][i]) == i {
					c.fixed = append(c.fixed, k)
				}
			}
			f.class[i] = len(f.classes)
			f.classes = append(f.classes, c)
		}
		f.class[i] = f.class[smallest]
		f.classes[f.class[i]].size++
	}

	canonical := map[card.Set]int32{}
	card.Subsets(e.hands.deck, 3, func(s card.Set) {
		smallest, by := s, 0
		for k, r := range renamings {
			if x := r.Of(s); x < smallest {
				smallest, by = x, k
			}
		}
		at, ok := canonical[smallest]
		if !ok {
			at = int32(len(f.own))
			canonical[smallest] = at
			f.own, f.other = append(f.own, f.buckets(e.known, smallest)), append(f.other, f.buckets(e.model, smallest))
		}
		f.flops = append(f.flops, flopCards{s, at, int32(by)})
	})
	for i := range e.payoff {
		f.bound = max(f.bound, e.payoff[i][0][wins], e.payoff[i][1][wins])
	}
	f.scale = math.Exp2(math.Floor(math.Log2(math.MaxUint32 / (2 * f.bound * float64(len(f.flops))))))
	return f
}

// buckets returns the buckets of all hands on a flop, 0 for impossible hands.
func (f *flopBuckets) buckets(s *Strategy, cards card.Set) []uint8 {
	of := make([]uint8, len(f.hands.holes))
	for i, hole := range f.hands.holes {
		if hole&cards == 0 {
			of[i] = uint8(s.bucket(flop, [acpc.MaxRounds]card.Set{flop: cards}, hole))
		}
	}
	return of
}

// pairValues are the mean values of all hands against one over all flops, by segment of
// the flop and hand.
type pairValues [][]float64

// pair returns the values against a class's hand, by the known player's seat.
func (f *flopBuckets) pair(class int) (values [2]pairValues) {
	c := f.classes[class]
	segments := f.segments
	// One of each set of hands that the renamings which fix the class's hand turn into
	// each other.
	var live []int32
	for _, h := range f.hands.without(nil, f.hands.holes[c.hand]) {
		smallest := int16(h)
		for _, k := range c.fixed {
			smallest = min(smallest, f.renamed[k][h])
		}
		if int32(smallest) == h {
			live = append(live, h)
		}
	}
	sums := make([]uint64, segments*len(f.hands.holes))
	for _, flop := range f.flops {
		if flop.cards&f.hands.holes[c.hand] != 0 {
			continue
		}
		renamed, own := f.renamed[flop.by], f.own[flop.canonical]
		rows := f.rows[f.other[flop.canonical][renamed[c.hand]]]
		for _, h := range live {
			if f.hands.holes[h]&flop.cards != 0 {
				continue
			}
			row, to := rows[int(own[renamed[h]])*segments:][:segments], sums[int(h)*segments:][:segments]
			for k, x := range row {
				to[k] += x
			}
		}
	}
	left := len(f.hands.deck) - 4
	flops := float64(left * (left - 1) * (left - 2) / 6)
	for seat := range values {
		for k := range segments {
			of := make([]float64, len(f.hands.holes))
			for _, h := range live {
				sum := sums[int(h)*segments+k] >> (32 * seat) & math.MaxUint32
				x := float64(sum)/(flops*f.scale) - f.bound
				for _, by := range c.fixed {
					of[f.renamed[by][h]] = x
				}
			}
			values[seat] = append(values[seat], of)
		}
	}
	return values
}

// pack fills rows with the values on the flop.
func (f *flopBuckets) pack(games *[2]*bucketGame) {
	roots := &games[0].roots[flop]
	segments := roots.segments()
	f.segments = segments
	f.rows = make([][]uint64, roots.others)
	for other := range f.rows {
		f.rows[other] = make([]uint64, segments*roots.hands)
		for seat, g := range games {
			for k := range segments {
				for b, x := range g.roots[flop].of(roots.first+int32(k), int32(other)) {
					f.rows[other][b*segments+k] += uint64((float64(x)+f.bound)*f.scale) << (32 * seat)
				}
			}
		}
	}
}

// round rounds values on the flop to multiples of 1/scale, so that their sums are
// exact.
func (f *flopBuckets) round(values []float32) {
	for i, x := range values {
		values[i] = float32(math.Round(float64(x)*f.scale) / f.scale)
	}
}
