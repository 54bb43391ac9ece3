package spot

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Continuation is how hands go on after the street that is solved: a strategy of the whole hand,
// with cards in buckets. It keeps what it has read of the strategy, a byte for an entry, and may be
// shared by solvers.
type Continuation struct {
	index *policy.Index
	plays [2]Play
	mutex sync.Mutex
	known [2]map[int32]*weights // weights by decision
}

// Play appends to dst the probabilities of the actions at a decision of a strategy's tree, for a
// bucket of its round. It is called by several goroutines at once.
type Play func(dst []float64, node int32, bucket int) ([]float64, error)

// NewContinuation returns the continuation by a strategy, as it is played by the player whose
// play is given, see [Leaves], and by the other one.
func NewContinuation(x *policy.Index, given, other Play) *Continuation {
	return &Continuation{index: x, plays: [2]Play{given, other}, known: [2]map[int32]*weights{{}, {}}}
}

// The players of a Continuation.
const (
	given = iota
	other
)

// ways are how the other player may choose to go on: as its play says, or with the weights of
// folds, of calls or of raises times bias.
var ways = [numWays]Action{{goOn, 0}, {goOn, 1}, {goOn, 2}, {goOn, 3}}

const numWays = 4

// bias is how many times more often folds, calls or raises are in the other ways to go on.
const bias = 10

// weights are those of the actions at a decision.
type weights struct {
	// of are the weights of four actions after the other by bucket, a byte each, in 255ths:
	// probabilities in fifteenths are exact.
	of [][]uint32
	// biased are the first and the end of the actions that each way takes more often.
	biased [numWays][2]int
}

// tables returns how many of these a decision has.
func tables(actions int) int { return (actions + 3) / 4 }

// at returns the weights of a player at a decision of the strategy's tree.
func (c *Continuation) at(player int, node int32) (*weights, error) {
	c.mutex.Lock()
	w := c.known[player][node]
	c.mutex.Unlock()
	if w != nil {
		return w, nil
	}
	w, err := c.read(player, node)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.known[player][node] = w
	return w, nil
}

func (c *Continuation) read(player int, node int32) (*weights, error) {
	n := &c.index.Tree.Nodes[node]
	actions, buckets := int(n.NumActions), c.index.Buckets.NumBuckets(int(n.Round))
	w := &weights{of: make([][]uint32, tables(actions))}
	for i := range w.of {
		w.of[i] = make([]uint32, buckets)
	}
	var row []float64
	for b := range buckets {
		var err error
		if row, err = c.plays[player](row[:0], node, b); err != nil {
			return nil, err
		}
		for a, x := range row {
			w.of[a/4][b] |= uint32(math.Round(math.MaxUint8*x)) << (8 * (a % 4))
		}
	}
	call := 0
	if c.index.Tree.Nodes[n.First].Action().Type == acpc.Fold {
		call = 1
	}
	w.biased = [numWays][2]int{1: {0, call}, 2: {call, call + 1}, 3: {call + 1, actions}}
	return w, nil
}

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
