package mcts

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// Options say how a search goes about its work. The zero value of each means its
// default.
type Options struct {
	Playouts int     // a leaf, up to 32,767; 1
	Batch    int     // leaves that are handed to the evaluator at once, fewer if they had more than 32,767 playouts; 1
	Together int     // simulations that go the same way as long as there are nodes; 1
	Expand   int     // simulations through a move before it gets a node; 1
	Study    int     // simulations through a move before its node is studied, and proofs are used twice; 0 for never
	RAVE     float64 // simulations after which a move's own count half; 500. Negative for no RAVE
	Weight   float64 // of a leaf's playouts for RAVE, beside one of a move never tried; 1
	Explore  float64 // the factor of upper confidence bounds (UCT); 0
	Loss     float64 // of a playout in which its move is taken to be lost, for RAVE, while a simulation is under way; 0
	Threads  int     // that grow the tree, which does not depend on them; 1
	Memory   int     // bytes of the tree; 512 MiB
}

func (o Options) withDefaults() Options {
	o.Playouts = min(cmp.Or(o.Playouts, 1), maxPlayouts)
	o.Batch = min(cmp.Or(o.Batch, 1), maxPlayouts/o.Playouts)
	o.Together = cmp.Or(o.Together, 1)
	o.Expand = cmp.Or(o.Expand, 1)
	o.RAVE = cmp.Or(o.RAVE, 500)
	o.Weight = cmp.Or(o.Weight, 1)
	o.Threads = cmp.Or(o.Threads, 1)
	o.Memory = cmp.Or(o.Memory, 512<<20)
	return o
}

// Search is a tree that grows.
type Search struct {
	game   Game
	eval   Evaluator
	opts   Options
	tree   *tree
	known  *known // nil where nothing is studied
	seeds  *seeds // nil where a leaf has one playout, which says too little
	hands  []*hand
	splits []split // of a batch that is brought down by several hands
	tasks  []task

	hasRAVE       bool
	rave, loss    float32
	share, weight float32 // of one playout of a leaf
	mostTried     float32 // is mostCounted of RAVE's visits, of which a leaf adds several
	playouts      uint64  // ever started
	through       int     // simulations through the root's moves
	proof         Proof
	batches       [BatchesAhead][]*Leaf
	crowded       atomic.Bool // something did not fit into the tree
}

// The parts of the memory that are added for seeds and for what is known.
const seedsShare, knownShare = 8, 64

// BatchesAhead is how many batches are under way at a time.
const BatchesAhead = 2

// New returns a search of a game from its root.
func New(g Game, e Evaluator, o Options) *Search {
	s := &Search{game: g, eval: e, opts: o.withDefaults()}
	s.hasRAVE, s.rave = s.opts.RAVE > 0, float32(max(s.opts.RAVE, 1e-6))
	s.share = 1 / float32(s.opts.Playouts)
	s.weight = float32(s.opts.Weight) / float32(s.opts.Playouts)
	s.mostTried = float32(mostCounted * max(s.opts.Weight, 1))
	if s.hasRAVE {
		s.loss = float32(s.opts.Loss * s.opts.Weight)
	}
	s.tree = newTree(g.NumMoves(), s.opts.Memory)
	if s.opts.Playouts > 1 && s.hasRAVE {
		s.seeds = newSeeds(s.tree.width, s.opts.Memory/seedsShare, 2*s.opts.Batch)
	}
	for range s.opts.Threads {
		s.hands = append(s.hands, newHand(s))
	}
	if s.hands[0].keyer != nil {
		s.known = newKnown(s.opts.Memory/knownShare, s.tree.room())
	}
	for b := range s.batches {
		for range s.opts.Batch {
			s.batches[b] = append(s.batches[b], newLeaf(s.tree.width))
		}
	}
	s.plant()
	return s
}

// plant makes the root the only node.
func (s *Search) plant() {
	h := s.hands[0]
	h.moves = h.game.Candidates(nil, h.moves[:0])
	s.tree.clear()
	s.tree.root, s.through = s.tree.add(), 0
	s.tree.fill(s.tree.root, 0, 0, h.moves)
	s.lookAtRoot()
	s.proof = s.tree.proof(s.tree.root)
}

// Advance makes a legal move at the root and keeps what is known of the position
// after it.
func (s *Search) Advance(m Move) {
	s.game.Advance(m)
	child := s.tree.after(s.tree.root, m)
	if child == 0 {
		s.plant()
		return
	}
	s.tree.keep(child, 0)
	s.lookAtRoot()
	s.through = 0
	for _, n := range s.tree.of(child, visits) {
		s.through += int(n)
	}
	s.proof = s.tree.proof(child)
}

// Run makes simulations until so many went through the root in all, it is proved,
// or the context ends, which is no error. An error is the evaluator's.
func (s *Search) Run(ctx context.Context, simulations int) error {
	// One leaf at a time has nothing to overlap with.
	ahead := min(s.opts.Batch, len(s.batches))
	c := gather(s.hands)
	defer c.part()
	var waiting [][]*Leaf
	for {
		missing := simulations - s.Simulations()
		more := missing > 0 && ctx.Err() == nil && s.proof == Unknown
		if more && len(waiting) < ahead {
			// A batch that adds nodes until there is no room would add those whose
			// hand comes first.
			batch := min(missing, s.opts.Batch, max(1, s.tree.room()/(2*maxChain)))
			if s.crowded.Load() || s.tree.room()-s.tree.size() <= batch*maxChain {
				if len(waiting) == 0 {
					s.prune()
					continue
				}
			} else {
				if leaves := s.pick(c, batch); len(leaves) > 0 {
					s.eval.Start(leaves, s.opts.Playouts)
					waiting = append(waiting, leaves)
				}
				continue
			}
		}
		if len(waiting) == 0 {
			return nil
		}
		if err := s.eval.Wait(); err != nil {
			return err
		}
		s.backUp(c, waiting[0])
		waiting = waiting[1:]
	}
}

// choose returns the move to try next: one that is not proved, of the highest
// value. There always is one in a node that is not proved.
func (s *Search) choose(at uint32) Move {
	values := s.tree.of(at, value)
	if s.opts.Explore <= 0 {
		return Move(highest(values))
	}
	// Upper confidence bounds.
	n := float32(1)
	seen := s.tree.of(at, visits)
	for _, v := range seen {
		n += v
	}
	bound := float32(s.opts.Explore * math.Sqrt(math.Log(float64(n))))
	best, most := 0, never
	for m, v := range values {
		if v += float32(bound * fade(seen[m])); v > most {
			best, most = m, v
		}
	}
	return Move(best)
}

// prune makes room: what was visited least goes.
func (s *Search) prune() {
	for least := float32(2); s.tree.size() > s.tree.room()/2; least *= 2 {
		s.tree.keep(s.tree.root, least)
		if s.tree.size() == 2 {
			break // there is room for the root alone
		}
	}
	s.crowded.Store(false)
}

// Proof returns what is proved of the root.
func (s *Search) Proof() Proof { return s.proof }

// Simulations returns how many have gone through the root's moves.
func (s *Search) Simulations() int { return s.through }

// Nodes returns how many positions the tree has.
func (s *Search) Nodes() int { return s.tree.size() - 1 }

// Stat is what is known of a move at the root.
type Stat struct {
	Move        Move
	Proof       Proof
	Simulations int     // halved for all moves whenever one has had eight million
	Score       float64 // mean result of those, NaN for none
}

// Stats returns the root's moves, the best first: proved wins, then those with
// most simulations, proved losses last. A proved draw is better than what is more
// often lost than won.
func (s *Search) Stats() []Stat {
	var stats []Stat
	seen, scores := s.tree.of(s.tree.root, visits), s.tree.of(s.tree.root, score)
	for m, p := range s.tree.proofsOf(s.tree.root) {
		if p != absent {
			stats = append(stats, Stat{Move(m), p, int(seen[m]), float64(scores[m] / seen[m])})
		}
	}
	rank := [...]int{Loss + 1: 2, Unknown + 1: 1, Win + 1: 0, Draw + 1: 1}
	slices.SortStableFunc(stats, func(a, b Stat) int {
		return cmp.Or(cmp.Compare(rank[a.Proof+1], rank[b.Proof+1]), cmp.Compare(b.Simulations, a.Simulations))
	})
	draw := slices.IndexFunc(stats, func(s Stat) bool { return s.Proof == Draw })
	if top := stats[0]; draw > 0 && (top.Proof == Unknown && !(top.Score >= 0.5)) {
		stats = slices.Insert(slices.Delete(slices.Clone(stats), draw, draw+1), 0, stats[draw])
	}
	return stats
}

// Best returns the move to make.
func (s *Search) Best() Move { return s.Stats()[0].Move }

// Line returns the moves that both players are expected to make.
func (s *Search) Line() (line []Move) {
	for at := s.tree.root; at != 0; {
		best, seen, proofs := Move(-1), s.tree.of(at, visits), s.tree.proofsOf(at)
		for m, p := range proofs {
			if p == absent {
				continue
			}
			if best < 0 || p.score() > proofs[best].score() || p == proofs[best] && seen[m] > seen[best] {
				best = Move(m)
			}
		}
		if seen[best] == 0 && proofs[best] == Unknown {
			return line
		}
		line = append(line, best)
		at = s.tree.after(at, best)
	}
	return line
}
