package spot

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"unsafe"

	"gamebots/internal/parallel"
)

// Leaves end a spot after its flop. How the hand goes on from there is not solved: one player
// follows a strategy that is given, and the other one chooses at each leaf, with each of its hands
// and before a card is dealt, between four ways to go on: as it is expected to, or with ten times
// the weight of folds, of calls or of raises (Brown, Sandholm and Amos, "Depth-limited solving for
// imperfect-information games", NeurIPS 2018).
//
// Each iteration values all leaves on one turn and river, sampled without replacement (Johanson,
// Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium approximation through Monte Carlo
// counterfactual regret minimization", AAMAS 2012). [Solver.At] and [Solver.Evaluate] value them on
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
	Seed  uint64 // of the order of turns and rivers
}

// A Point is where a strategy's tree has a point of a hand.
type Point struct {
	Segment int // that begins there, or -1 if nobody acts any more until the showdown
	Stake   int // what each player has put into the pot there, in the tree's chips
}

// check returns a FieldError if a spot cannot have leaves.
func (l *Leaves) check(s *Spot) error {
	if s.first() != flop {
		return &FieldError{"board", "only a flop has leaves"}
	}
	return nil
}

// player returns the player in a position of the strategy's game.
func (l *Leaves) player(position int) uint8 { return uint8(position ^ l.Out) }

// leaves are those of a Solver.
type leaves struct {
	*Solver
	list    []leaf
	start   *rest // nil if it is not needed for offers
	runouts *runouts
	on      []*runout // of the iteration
	sample  []*runout // by which strategies are evaluated
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
func (s *Solver) newLeaves() *leaves {
	l := &leaves{Solver: s, runouts: newRunouts(s.boards[flop][0].cards, s.spot.Leaves.Seed)}
	nodes := s.streets[flop].nodes
	lines := make([][]Action, len(nodes))
	for i := range nodes {
		switch n := &nodes[i]; n.kind {
		case decision:
			for a := range int32(n.actions) {
				lines[n.first+a] = append(slices.Clip(lines[i]), nodes[n.first+a].action)
			}
		case choice:
			put := int(nodes[n.first].put)
			l.list = append(l.list, leaf{s.spot.newRest(s.spot.Leaves.At(lines[i]), put), n.first, int(n.actions)})
		case deal:
			if n.action.Kind != goOn {
				l.list = append(l.list, leaf{s.spot.newRest(Point{Segment: -1}, int(n.put)), int32(i), 1})
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
			for i := range r.streets[k].nodes {
				n += int(unsafe.Sizeof(node{}) + unsafe.Sizeof(payoffs{}))
				if x := &r.streets[k].nodes[i]; x.kind == decision {
					n += tables(int(x.actions)) * 4 * l.spot.Leaves.Continuation.index.Buckets.NumBuckets(k+1)
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
	return newRunout(l.spot.Leaves.Continuation.index, l.boards[flop][0], turned, last)
}

// sampled returns the boards by which a pass values leaves.
func (l *leaves) sampled(p *pass) []*runout {
	if p.mode == improve {
		return l.on
	}
	if l.sample == nil {
		r := newRunouts(l.boards[flop][0].cards, l.spot.Leaves.Seed+1)
		for i := range uint64(numSampled) {
			l.sample = append(l.sample, l.dealt(r, i))
		}
	}
	return l.sample
}

// value values the leaves of the flop, and computes the offers.
func (l *leaves) value(p *pass, t *batch) {
	offers := 0
	if l.start != nil && p.mode == improve && l.chooses(p.player) {
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
			l.offer(l.walkers[thread], p.player)
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
func (l *leaves) valueLeaf(w *walker, p *pass, t *batch, x *leaf, on []*runout) {
	f, nodes, q := &l.workers[0].frames[flop], l.streets[flop].nodes, 1-p.player
	before := l.boards[flop][0]
	width := before.hands[p.player].width
	value := f.value[int(x.first-t.first)*width:][:x.ways*width]
	clear(value)
	for _, r := range on {
		walk := walk{walker: w, rest: x.rest, on: r, player: p.player, ways: [2]int{1, 1}}
		walk.ways[1-l.spot.Leaves.Player] = x.ways
		walk.values(func(way int, to []float32) {
			slot := int(nodes[int(x.first)+way].slot[q])
			r.hands[q].gather(to, f.reach[q][slot*before.hands[q].width:])
		}, func(way int, from []float32) {
			r.hands[p.player].scatter(value[way*width:], from)
		})
	}
	for i := range value {
		value[i] /= float32(len(on))
	}
}

// offer sets the offers to what hands win if both players continue from the start.
func (l *leaves) offer(w *walker, player int) {
	on := l.on[0]
	clear(l.offers)
	walk := walk{walker: w, rest: l.start, on: on, player: player, ways: [2]int{1, 1}}
	walk.values(func(_ int, to []float32) {
		on.hands[1-player].gather(to, l.reach[1-player])
	}, func(_ int, from []float32) {
		for i, at := range on.hands[player].from[0] {
			l.offers[at] = float64(from[i])
		}
	})
}
