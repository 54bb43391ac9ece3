package spot

import (
	"context"
	"maps"
	"slices"

	"gamebots/acpc/card"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Continued returns what the hands of a player win if both players go on by the strategy of leaves
// from the start of a flop on, as an [Offer] has it. It is the mean over turns and rivers sampled
// without replacement, as many as count, or fewer when the context is done, but at least one. All 2,352
// give the expectation. Hands that differ only by a renaming of suits that leaves the flop and the ranges as
// they are win the mean of theirs, so that the offer has the symmetries of the spot.
func (s *Spot) Continued(
	ctx context.Context, l *Leaves, player, count, threads int,
) (values map[card.Set]float64, err error) {
	flop := Spot{Board: s.Board, Pot: s.Pot, Stack: s.Stack, Ranges: s.Ranges, MinBet: s.MinBet, Rake: s.Rake,
		Leaves: l, Offer: &Offer{Player: player}}
	planned, err := plan(&flop, Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	t := planned.traversal
	t.setReach()
	start := t.leaves.start
	if _, err := start.read(&pass{}, l); err != nil {
		return nil, err
	}
	walkers := make([]*walker, t.threads)
	for i := range walkers {
		walkers[i] = newWalker(t.ones, []*rest{start})
	}
	own := &t.Root().Hands[player]
	sums := make([]float64, len(own.Holes))
	done := 0
	for count = min(count, t.leaves.runouts.all()); done < count && (done == 0 || ctx.Err() == nil); {
		boards := make([]*runout, min(t.threads, count-done)) // as many as are valued at once
		won := make([][]float32, len(boards))
		for i := range boards {
			boards[i] = t.leaves.dealt(t.leaves.runouts, uint64(done+i))
		}
		parallel.For(t.threads, len(boards), func(thread, i int) {
			walk := walk{walker: walkers[thread], rest: start, on: boards[i], player: player, ways: [2]int{1, 1}}
			walk.values(func(_ int, to []float32) {
				boards[i].Hands[1-player].Gather(to, t.reach[1-player])
			}, func(_ int, from []float32) {
				won[i] = append(won[i], from...)
			})
		})
		for i, on := range boards {
			for j, at := range on.Hands[player].From[0] {
				sums[at] += float64(won[i][j])
			}
		}
		done += len(boards)
	}
	values = map[card.Set]float64{}
	for i, x := range t.opposing(t.Root(), player, t.reach[1-player])[:len(sums)] {
		if x > 0 {
			values[own.Holes[i].Set()] = sums[i]/float64(done)/float64(x) + float64(s.Pot)/2
		}
	}
	symmetries := (&Spot{Board: s.Board, Ranges: s.Ranges}).symmetries(card.SetOf(s.Board...))
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
		streets, _, err := newTree(&other, s.lastSolved(), MaxNodes)
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
	for k, boards := range s.boards(s.lastSolved(), threads) {
		for _, b := range boards {
			for p := range b.Hands {
				sums[k][p] += int64(b.Hands[p].Width)
			}
		}
	}
	return sums
}
