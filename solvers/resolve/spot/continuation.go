package spot

import (
	"context"
	"maps"
	"math"
	"slices"

	"gamebots/acpc/card"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Continuation is how hands go on from a flop: a strategy of the whole hand, with cards in buckets. It
// keeps what it has read of the strategy, a byte for an entry. It is used by one goroutine at a time.
type Continuation struct {
	index *policy.Index
	plays [2]Play
	known [2]map[int32]weights // weights by decision
}

// Play appends to dst the probabilities of the actions at a decision of a strategy's tree, for a
// bucket of its round.
type Play func(dst []float64, node int32, bucket int) ([]float64, error)

// NewContinuation returns the continuation by a strategy, as it is played by the player whose
// play is given, see [Start], and by the other one.
func NewContinuation(x *policy.Index, given, other Play) *Continuation {
	return &Continuation{index: x, plays: [2]Play{given, other}, known: [2]map[int32]weights{{}, {}}}
}

// The players of a Continuation.
const (
	given = iota
	other
)

// A Start is the start of a flop in the tree of a [Continuation].
type Start struct {
	Given int // the player whose play is given: 0 out of position, 1 in position
	// Out is the position of the player out of position in the hands of the strategy's game.
	Out     int
	Segment int // segment of the start, -1 if nobody acts before the showdown
	Stake   int // what each player has put into the pot there, in the tree's chips
}

// player returns the player in a position of the strategy's game.
func (s *Start) player(position int) uint8 { return uint8(position ^ s.Out) }

// weights are those of four actions after the other at a decision, by bucket, a byte each, in 255ths:
// probabilities in fifteenths are exact.
type weights [][]uint32

// at returns the weights of a player at a decision of the strategy's tree.
func (c *Continuation) at(player int, node int32) (weights, error) {
	if w := c.known[player][node]; w != nil {
		return w, nil
	}
	n := &c.index.Tree.Nodes[node]
	buckets := c.index.Buckets.NumBuckets(int(n.Round))
	w := make(weights, (int(n.NumActions)+3)/4)
	for i := range w {
		w[i] = make([]uint32, buckets)
	}
	var row []float64
	for b := range buckets {
		var err error
		if row, err = c.plays[player](row[:0], node, b); err != nil {
			return nil, err
		}
		for a, x := range row {
			w[a/4][b] |= uint32(math.Round(math.MaxUint8*x)) << (8 * (a % 4))
		}
	}
	c.known[player][node] = w
	return w, nil
}

// Continued returns what the hands of a player win if both players go on by a continuation from the start of a
// flop on, as an [Offer] has it. It is the mean over turns and rivers sampled without replacement, as many as
// count, or fewer when the context is done, but at least one. All 2,352 give the expectation. Hands that differ
// only by a renaming of suits that leaves the flop and the ranges as they are win the mean of theirs, so that
// the offer has the symmetries of the spot.
func (s *Spot) Continued(
	ctx context.Context, c *Continuation, start Start, player, count, threads int,
) (values map[card.Set]float64, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	mayHave := func(p int, hole card.Set) bool { return p == player || s.Ranges[p].Weight(hole) > 0 }
	// The cards that are dealt have no symmetries.
	flop := card.SetOf(s.Board...)
	root := layout.NewBoards(flop, layout.Flop, mayHave, abstraction.Renamings()[:1:1], max(1, threads))[layout.Flop][0]
	rest, err := s.newRest(c, start)
	if err != nil {
		return nil, err
	}
	walkers := make([]*walker, max(1, threads))
	for i := range walkers {
		walkers[i] = newWalker(rest, max(root.Hands[0].Width, root.Hands[1].Width))
	}
	reach, runouts := s.weights(root), newRunouts(flop)
	own := &root.Hands[player]
	sums := make([]float64, len(own.Holes))
	done := 0
	for count = min(count, len(runouts.order)); done < count && (done == 0 || ctx.Err() == nil); {
		boards := make([]*runout, min(len(walkers), count-done)) // as many as are valued at once
		won := make([][]float32, len(boards))
		for i := range boards {
			turned, last := runouts.at(done + i)
			boards[i] = newRunout(c.index, root, turned, last)
		}
		parallel.For(len(walkers), len(boards), func(thread, i int) {
			walk := walk{walker: walkers[thread], rest: rest, on: boards[i], player: player}
			won[i] = slices.Clone(walk.values(reach[1-player]))
		})
		for i, on := range boards {
			for j, at := range on.Hands[player].From[0] {
				sums[at] += float64(won[i][j])
			}
		}
		done += len(boards)
	}
	values = map[card.Set]float64{}
	for i, x := range opposing(root, player, reach[1-player])[:len(sums)] {
		if x > 0 {
			values[own.Holes[i].Set()] = sums[i]/float64(done)/float64(x) + float64(s.Pot)/2
		}
	}
	symmetries := (&Spot{Board: s.Board, Ranges: s.Ranges}).symmetries(flop)
	return symmetric(values, symmetries), nil
}

// symmetric returns the means of the values of hands that symmetries lead to each other.
func symmetric(values map[card.Set]float64, symmetries []abstraction.Renaming) map[card.Set]float64 {
	means := make(map[card.Set]float64, len(values))
	for _, hole := range slices.Sorted(maps.Keys(values)) {
		if _, known := means[hole]; known {
			continue
		}
		sum := 0.0
		for _, r := range symmetries {
			sum += values[r.Of(hole)]
		}
		for _, r := range symmetries {
			means[r.Of(hole)] = sum / float64(len(symmetries))
		}
	}
	return means
}

// Entries returns by menu how many entries the solver of a spot with it has, 0 where the bets allow too
// many betting sequences. It looks at the cards once, which takes most of the time of [Measure].
func (s *Spot) Entries(menus []Menu, threads int) (all []int64, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	widths := s.widths(threads)
	for _, m := range menus {
		other := *s
		other.Menu = m
		streets, _, err := newTree(&other, layout.River, MaxNodes)
		n := int64(0)
		for k := s.first(); k < layout.NumStreets && err == nil; k++ {
			for p, width := range widths[k] {
				n += int64(streets[k].Rows[p]) * width
			}
		}
		all = append(all, n)
	}
	return all, nil
}

// widths returns by street and player the sum over the boards of the widths of vectors.
func (s *Spot) widths(threads int) (sums [layout.NumStreets][2]int64) {
	for k, boards := range s.boards(layout.River, threads) {
		for _, b := range boards {
			for p := range b.Hands {
				sums[k][p] += int64(b.Hands[p].Width)
			}
		}
	}
	return sums
}
