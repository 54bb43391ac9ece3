package aivat

import (
	"math/rand/v2"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/parallel"
)

// bucketGame is hold'em reduced to the two players' buckets, with transition
// frequencies from sampled deals, and to the outcome on the river. It has the values
// of both strategies played against each other, for the known player in a seat.
type bucketGame struct {
	// roots are the values at the start of a round, by its segments and buckets. leaves
	// are those at its end, before the next round's cards are dealt, by the segments of
	// the next round and the buckets of this one. On the river a hand is its bucket *
	// numOutcomes + its outcome.
	roots, leaves [acpc.MaxRounds]bucketValues
}

// bucketValues are values by segment of a round, the other player's bucket and the
// known player's hand.
type bucketValues struct {
	first         int32 // segment
	others, hands int
	values        []float32
}

func newBucketValues(s *sides, round, others, hands int) bucketValues {
	first, last := s.segmentsOf(round), int32(len(s.tree.Segments))
	if round+1 < s.tree.Game.NumRounds {
		last = s.segmentsOf(round + 1)
	}
	return bucketValues{first: first, others: others, hands: hands,
		values: make([]float32, int(last-first)*others*hands)}
}

// of returns the values of all hands against one bucket.
func (b *bucketValues) of(segment, other int32) []float32 {
	return b.values[(int(segment-b.first)*b.others+int(other))*b.hands:][:b.hands]
}

func (b *bucketValues) segments() int { return len(b.values) / (b.others * b.hands) }

// transitions are the frequencies with which pairs of buckets of a round become pairs of
// the next, a row for each pair of the round.
type transitions struct {
	rows []int32 // the start of each row, and the end
	to   []transition
}

type transition struct {
	other, hand int32
	part        float32 // the row's part
}

// numSampledDeals is the number of deals that frequencies are counted in; tests take
// fewer.
var numSampledDeals = 1 << 21

// shards is the number of random streams that the deals come from.
const shards = 64

// sampleDeals returns the transitions to each round after the first.
func sampleDeals(e *Estimator, threads int) (t [acpc.MaxRounds]*transitions) {
	var keys [acpc.MaxRounds][]uint64
	for r := flop; r <= river; r++ {
		keys[r] = make([]uint64, numSampledDeals)
	}
	parallel.For(threads, shards, func(_, shard int) {
		rng := rand.New(rand.NewPCG(1, uint64(shard)))
		deck := slices.Clone(e.hands.deck)
		for i := shard * numSampledDeals / shards; i < (shard+1)*numSampledDeals/shards; i++ {
			for k := range 9 {
				j := k + rng.IntN(len(deck)-k)
				deck[k], deck[j] = deck[j], deck[k]
			}
			own, other := card.SetOf(deck[:2]...), card.SetOf(deck[2:4]...)
			var board [acpc.MaxRounds]card.Set
			fromOwn, fromOther := e.known.bucket(preflop, board, own), e.model.bucket(preflop, board, other)
			dealt := 4
			for r := flop; r <= river; r++ {
				n := int(e.tree.Game.NumBoardCards[r])
				board[r] = card.SetOf(deck[dealt : dealt+n]...)
				dealt += n
				toOwn, toOther := e.known.bucket(r, board, own), e.model.bucket(r, board, other)
				hand := toOwn
				if r == river {
					ranking, cards := e.tree.Game.HandRanking, union(board)
					hand = hand*numOutcomes + int(outcome(ranking.Rank(cards|own), ranking.Rank(cards|other)))
				}
				keys[r][i] = uint64(fromOther)<<48 | uint64(fromOwn)<<32 | uint64(toOther)<<16 | uint64(hand)
				fromOwn, fromOther = toOwn, toOther
			}
		}
	})
	parallel.For(threads, river, func(_, i int) {
		r := flop + i
		slices.Sort(keys[r])
		t[r] = newTransitions(keys[r], e.model.Buckets.NumBuckets(r-1), e.known.Buckets.NumBuckets(r-1))
	})
	return t
}

func newTransitions(keys []uint64, others, hands int) *transitions {
	t := &transitions{rows: make([]int32, 1, others*hands+1)}
	for row := range others * hands {
		n := 0
		for n < len(keys) && keys[n]>>32 == uint64(row/hands)<<16|uint64(row%hands) {
			n++
		}
		for i := 0; i < n; {
			same := i
			for same < n && keys[same] == keys[i] {
				same++
			}
			t.to = append(t.to,
				transition{int32(keys[i] >> 16 & 0xffff), int32(keys[i] & 0xffff), float32(same-i) / float32(n)})
			i = same
		}
		keys = keys[n:]
		t.rows = append(t.rows, int32(len(t.to)))
	}
	return t
}

// newBucketGame computes the values from the river backwards.
func newBucketGame(e *Estimator, seat int, deals [acpc.MaxRounds]*transitions, threads int) *bucketGame {
	g := &bucketGame{}
	for r := river; r >= preflop; r-- {
		others, hands := e.model.Buckets.NumBuckets(r), e.known.Buckets.NumBuckets(r)
		width := hands
		if r == river {
			width *= numOutcomes
		}
		g.roots[r] = newBucketValues(e.sides, r, others, width)
		parallel.For(threads, g.roots[r].segments()*others, func(_, task int) {
			segment, other := g.roots[r].first+int32(task/others), int32(task%others)
			copy32(g.roots[r].of(segment, other), e.bucketRoot(g, seat, r, segment, other, width))
		})
		if r == preflop {
			break
		}
		before := e.model.Buckets.NumBuckets(r - 1)
		g.leaves[r-1] = newBucketValues(e.sides, r, before, e.known.Buckets.NumBuckets(r-1))
		parallel.For(threads, g.leaves[r-1].segments()*before, func(_, task int) {
			segment, other := g.roots[r].first+int32(task/before), int32(task%before)
			dst := g.leaves[r-1].of(segment, other)
			for own := range dst {
				row := int(other)*len(dst) + own
				sum := float32(0)
				for _, to := range deals[r].to[deals[r].rows[row]:deals[r].rows[row+1]] {
					sum += to.part * g.roots[r].of(segment, to.other)[to.hand]
				}
				dst[own] = sum
			}
		})
	}
	return g
}

// bucketRoot values the root of a segment against one bucket.
func (e *Estimator) bucketRoot(g *bucketGame, seat, round int, segment, other int32, width int) []float64 {
	t := &table{sides: e.sides, seat: seat, round: round, otherBucket: other, own: make([]int32, width)}
	for h := range t.own {
		t.live, t.own[h] = append(t.live, int32(h)), int32(h)
		if round == river {
			t.own[h] /= numOutcomes
			t.outcome = append(t.outcome, uint8(h%numOutcomes))
		}
	}
	values := t.vectors(segment)
	t.fill(segment, values, func(dst []float64, node int32) {
		for h, x := range g.leaves[round].of(e.tree.Nodes[node].First, other) {
			dst[h] = float64(x)
		}
	})
	return values[0]
}

func copy32(dst []float32, src []float64) {
	for i, x := range src {
		dst[i] = float32(x)
	}
}
