package spot

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"gamebots/internal/parallel"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Leaves end a spot after its flop. How the hand goes on from there is not solved: one player
// follows a strategy that is given, and the other one chooses at each leaf, with each of its hands
// and before a card is dealt, between four ways to go on: as it is expected to, or with ten times
// the weight of folds, of calls or of raises (Brown, Sandholm and Amos, "Depth-limited solving for
// imperfect-information games", NeurIPS 2018).
//
// Each iteration values all leaves on one turn and river, sampled without replacement (Johanson,
// Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium approximation through Monte Carlo
// counterfactual regret minimization", AAMAS 2012). [Solution.At] and [Solution.Evaluate] value them on
// the mean of some turns and rivers, the same for all strategies. Best responses are those of the
// flop: after it they continue like the others.
type Leaves struct {
	Continuation *Continuation
	Player       int // follows it: 0 out of position, 1 in position
	// Out is the position of the player out of position in the hands of the strategy's game.
	Out int
	// Start is where the strategy's tree has the root of the spot, and At is where it has the
	// end of the flop after a line.
	Start Point
	At    func(line []Action) Point
	Seed  uint64 // orders turns and rivers
}

// A Point is where a strategy's tree has a point of a hand.
type Point struct {
	Segment int // segment of the point, -1 if nobody acts before the showdown
	Stake   int // what each player has put into the pot there, in the tree's chips
}

// check returns a FieldError if a spot cannot have leaves.
func (l *Leaves) check(s *Spot) error {
	if s.first() != layout.Flop {
		return &FieldError{"board", "only a flop has leaves"}
	}
	return nil
}

// player returns the player in a position of the strategy's game.
func (l *Leaves) player(position int) uint8 { return uint8(position ^ l.Out) }

// leaves are those of a traversal.
type leaves struct {
	*traversal
	list    []leaf
	start   *rest // nil if it is not needed for offers
	runouts *runouts
	on      []*runout // turn and river of the iteration
	sample  []*runout // turns and rivers that evaluate strategies
	walkers []*walker
	mutex   sync.Mutex
	err     error // the first one
}

// A leaf is a point where the flop ends.
type leaf struct {
	*rest
	first int32 // node of the first way to go on
	ways  int
}

// newLeaves returns the leaves of a spot, the ones with the largest trees first.
func (s *traversal) newLeaves() *leaves {
	l := &leaves{traversal: s, runouts: newRunouts(s.Boards[layout.Flop][0].Cards, s.spot.Leaves.Seed)}
	nodes := s.Streets[layout.Flop].Nodes
	lines := make([][]Action, len(nodes))
	for i := range nodes {
		switch n := &nodes[i]; n.Kind {
		case layout.Decision:
			for a := range int32(n.Actions) {
				lines[n.First+a] = append(slices.Clip(lines[i]), s.taken[layout.Flop][n.First+a])
			}
		case layout.Choice:
			put := int(nodes[n.First].Put)
			l.list = append(l.list, leaf{s.spot.newRest(s.spot.Leaves.At(lines[i]), put), n.First, int(n.Actions)})
		case layout.Deal:
			if s.taken[layout.Flop][i].Kind != goOn {
				l.list = append(l.list, leaf{s.spot.newRest(Point{Segment: -1}, int(n.Put)), int32(i), 1})
			}
		}
	}
	if o := s.spot.Offer; o != nil && o.Values == nil {
		l.start = s.spot.newRest(s.spot.Leaves.Start, 0)
	}
	slices.SortStableFunc(l.list, func(x, y leaf) int { return cmp.Compare(y.size, x.size) })
	return l
}

// rests returns all parts of the strategy's tree that are needed.
func (l *leaves) rests() (all []*rest) {
	if l.start != nil {
		all = append(all, l.start)
	}
	for _, x := range l.list {
		all = append(all, x.rest)
	}
	return all
}

// bytes returns the memory for the trees, for what is read of the strategy and for the threads.
func (l *leaves) bytes() (n int) {
	slots, nodes, _ := sizes(l.rests())
	for k := range slots {
		n += l.threads * numWays * (slots[k] + nodes[k]) * 4 * len(l.ones)
	}
	for _, r := range l.rests() {
		for k := range r.streets {
			for i := range r.streets[k].Nodes {
				n += int(nodeBytes)
				if x := &r.streets[k].Nodes[i]; x.Kind == layout.Decision {
					n += tables(int(x.Actions)) * 4 * l.spot.Leaves.Continuation.index.Buckets.NumBuckets(k+1)
				}
			}
		}
	}
	return n
}

// allocate allocates the memory of the threads.
func (l *leaves) allocate() {
	l.deal(0)
	rests := l.rests()
	for range l.threads {
		l.walkers = append(l.walkers, newWalker(l.ones, rests))
	}
}

// numSampled is the number of turns and rivers by which strategies are evaluated.
const numSampled = 200

// deal deals the turn and the river of an iteration.
func (l *leaves) deal(iteration uint64) { l.on = []*runout{l.dealt(l.runouts, iteration)} }

func (l *leaves) dealt(from *runouts, at uint64) *runout {
	turned, last := from.at(at)
	return newRunout(l.spot.Leaves.Continuation.index, l.Boards[layout.Flop][0], turned, last)
}

// sampled returns the boards by which a pass values leaves.
func (l *leaves) sampled(p *pass) []*runout {
	if p.Purpose == layout.Improve {
		return l.on
	}
	if l.sample == nil {
		r := newRunouts(l.Boards[layout.Flop][0].Cards, l.spot.Leaves.Seed+1)
		for i := range uint64(numSampled) {
			l.sample = append(l.sample, l.dealt(r, i))
		}
	}
	return l.sample
}

// value values the leaves of the flop, and computes the offers.
func (l *leaves) value(p *pass, t *layout.Batch) {
	offers := 0
	if l.start != nil && p.Purpose == layout.Improve && l.chooses(p.Player) {
		offers = 1 // the largest task
	}
	on := l.sampled(p)
	parallel.For(l.threads, offers+len(l.list), func(thread, task int) {
		rest := l.start
		if task >= offers {
			rest = l.list[task-offers].rest
		}
		if !l.read(p, rest) {
			return
		}
		if task < offers {
			l.offer(l.walkers[thread], p.Player)
			return
		}
		l.valueLeaf(l.walkers[thread], p, t, &l.list[task-offers], on)
	})
}

// read reads the strategies of a rest. It reports whether there are all, which is not the case if
// the pass ended before or after an error.
func (l *leaves) read(p *pass, r *rest) bool {
	done, err := r.read(p, l.spot.Leaves)
	if err != nil {
		l.mutex.Lock()
		l.err = errors.Join(l.err, err)
		l.mutex.Unlock()
	}
	return done
}

// valueLeaf values a leaf on some boards. What a player wins from all ways of the other one to go on
// counts as won from the first.
func (l *leaves) valueLeaf(w *walker, p *pass, t *layout.Batch, x *leaf, on []*runout) {
	f, nodes, q := &l.workers[0].frames[layout.Flop], l.Streets[layout.Flop].Nodes, 1-p.Player
	before := l.Boards[layout.Flop][0]
	width := before.Hands[p.Player].Width
	value := f.value[int(x.first-t.First)*width:][:x.ways*width]
	clear(value)
	for _, r := range on {
		walk := walk{walker: w, rest: x.rest, on: r, player: p.Player, ways: [2]int{1, 1}}
		walk.ways[1-l.spot.Leaves.Player] = x.ways
		walk.values(func(way int, to []float32) {
			slot := int(nodes[int(x.first)+way].Slot[q])
			r.Hands[q].Gather(to, f.reach[q][slot*before.Hands[q].Width:])
		}, func(way int, from []float32) {
			r.Hands[p.Player].Scatter(value[way*width:], from)
		})
	}
	for i := range value {
		value[i] /= float32(len(on))
	}
}

// offer sets the offers to the winnings of hands if both players continue from the start.
func (l *leaves) offer(w *walker, player int) {
	on := l.on[0]
	clear(l.offers)
	walk := walk{walker: w, rest: l.start, on: on, player: player, ways: [2]int{1, 1}}
	walk.values(func(_ int, to []float32) {
		on.Hands[1-player].Gather(to, l.reach[1-player])
	}, func(_ int, from []float32) {
		for i, at := range on.Hands[player].From[0] {
			l.offers[at] = float64(from[i])
		}
	})
}
