package mcts

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// Options configure a search. The zero value of a field stands for its default.
type Options struct {
	// Playouts is the number of playouts per leaf, up to 32,767. Default 1.
	Playouts int
	// Batch is the number of leaves that the evaluator gets at a time. It is reduced if
	// they would have more than 32,767 playouts. Default 1.
	Batch int
	// LeavesPerDescent is how many simulations share one descent to the frontier of the
	// tree. Default 1.
	LeavesPerDescent int
	// Expand is the number of simulations through a move before it gets a node. Default 1.
	Expand int
	// ProofAfter is the number of simulations through a move before its node is studied
	// (see [Studier]); it also enables [Keyer]. Default 0, never.
	ProofAfter int
	// AdviseAfter is the number of simulations through a move before an opinion about its
	// node is asked for (see [Adviser]). Default 0, never.
	AdviseAfter int
	// RAVE is the number of simulations at which a move's own mean and its RAVE mean
	// have equal weight; negative for no RAVE. Default 500.
	RAVE float64
	// RAVEWeight is the weight for RAVE of a leaf's playouts together, relative to the
	// win that an untried move is counted as. Default 1.
	RAVEWeight float64
	// Explore is the factor of upper confidence bounds (UCT). Default 0.
	Explore float64
	// Threads grow the tree; the tree does not depend on them. Default 1.
	Threads int
	// Memory is the size of the tree in bytes. Default 512 MiB.
	Memory int
}

func (o Options) withDefaults() Options {
	o.Playouts = min(cmp.Or(o.Playouts, 1), maxPlayouts)
	o.Batch = min(cmp.Or(o.Batch, 1), maxPlayouts/o.Playouts)
	o.LeavesPerDescent = cmp.Or(o.LeavesPerDescent, 1)
	o.Expand = cmp.Or(o.Expand, 1)
	o.RAVE = cmp.Or(o.RAVE, 500)
	o.RAVEWeight = cmp.Or(o.RAVEWeight, 1)
	o.Threads = cmp.Or(o.Threads, 1)
	o.Memory = cmp.Or(o.Memory, 512<<20)
	return o
}

// Search is a search tree over a game. One goroutine uses it at a time; Run starts
// worker goroutines and has stopped them when it returns.
type Search struct {
	//
	// Constant during search: set by New, read by all workers without a lock.
	//
	opts          Options
	hasRAVE       bool
	rave          float32 // Options.RAVE
	playoutScore  float32 // weight of one playout in the score of an edge
	playoutRAVE   float32 // weight of one playout in its RAVE counts
	maxRAVEVisits float32 // maxVisits for RAVE, to which a leaf adds several
	workers       []*worker

	//
	// Externally owned: the caller's. The game changes in Advance only. The evaluator
	// owns the leaves of the batches in flight. Workers read results from it, each of
	// different leaves.
	//
	game Game
	eval Evaluator

	//
	// Mutated during search, by workers at the same time: each writes to the nodes
	// below the edge of its task only. New nodes are allocated atomically.
	//
	tree *tree
	full atomic.Bool // something did not fit into the tree

	//
	// Mutated during search, by the goroutine in Run while no worker has a task.
	// Workers read proofs; they write to those slots of leafStats that belong to the
	// leaves of their task.
	//
	proofs     *proofTable // nil without a Keyer
	leafStats  *leafStats  // nil where a leaf has one playout, which says too little
	splits     []split     // splits of the batch in descent
	tasks      []task
	playouts   uint64 // ever started
	rootVisits int    // simulations through the moves of the root
	rootProof  Proof
	batches    [BatchesAhead][]*Leaf
}

// The parts of Options.Memory that are added for leaf statistics and for proofs.
const leafStatsPart, proofsPart = 8, 64

// BatchesAhead is the number of batches in flight at a time.
const BatchesAhead = 2

// New returns a search from the current position of a game.
func New(g Game, e Evaluator, o Options) *Search {
	s := &Search{game: g, eval: e, opts: o.withDefaults()}
	s.hasRAVE, s.rave = s.opts.RAVE > 0, float32(max(s.opts.RAVE, 1e-6))
	s.playoutScore = 1 / float32(s.opts.Playouts)
	s.playoutRAVE = float32(s.opts.RAVEWeight) / float32(s.opts.Playouts)
	s.maxRAVEVisits = float32(maxVisits * max(s.opts.RAVEWeight, 1))
	s.tree = newTree(g.NumMoves(), s.opts.Memory)
	if s.opts.Playouts > 1 && s.hasRAVE {
		s.leafStats = newLeafStats(s.tree.width, s.opts.Memory/leafStatsPart, 2*s.opts.Batch)
	}
	for range s.opts.Threads {
		s.workers = append(s.workers, newWorker(s))
	}
	if s.workers[0].keyer != nil {
		s.proofs = newProofTable(s.opts.Memory/proofsPart, s.tree.capacity())
	}
	for b := range s.batches {
		for range s.opts.Batch {
			s.batches[b] = append(s.batches[b], newLeaf(s.tree.width))
		}
	}
	s.newRoot()
	return s
}

// newRoot drops all nodes and adds one for the root.
func (s *Search) newRoot() {
	w := s.workers[0]
	w.candidates = w.expander.Candidates(nil, w.candidates[:0])
	s.tree.clear()
	s.tree.root, s.rootVisits = s.tree.alloc(), 0
	s.tree.initNode(s.tree.root, 0, 0, w.candidates)
	s.studyRoot()
	s.adviseRoot()
	s.rootProof = s.tree.nodeProof(s.tree.root)
}

// Advance makes a legal move at the root and keeps the tree below it.
func (s *Search) Advance(m Move) {
	s.game.Advance(m)
	child := s.tree.child(s.tree.root, m)
	if child == 0 {
		s.newRoot()
		return
	}
	s.tree.retain(child, 0)
	s.studyRoot()
	s.adviseRoot()
	s.rootVisits = 0
	for _, n := range s.tree.stat(child, visits) {
		s.rootVisits += int(n)
	}
	s.rootProof = s.tree.nodeProof(child)
}

// Run searches until the root has had all simulations, those of earlier
// calls included, or is proved, or the context is done, which is no error. An error is
// that of the evaluator.
func (s *Search) Run(ctx context.Context, simulations int) error {
	// With one leaf at a time there is nothing to overlap.
	ahead := min(s.opts.Batch, len(s.batches))
	pool := startWorkers(s.workers)
	defer pool.stop()
	var inFlight [][]*Leaf
	for {
		missing := simulations - s.Simulations()
		more := missing > 0 && ctx.Err() == nil && s.rootProof == Unknown
		if more && len(inFlight) < ahead {
			// The nodes that a batch adds must fit into the tree: if some did not, the
			// tree would depend on which worker came first.
			batch := min(missing, s.opts.Batch, max(1, s.tree.capacity()/(2*maxChain)))
			if s.full.Load() || s.tree.capacity()-s.tree.size() <= batch*maxChain {
				if len(inFlight) == 0 {
					s.prune()
					continue
				}
			} else {
				if leaves := s.selectLeaves(pool, batch); len(leaves) > 0 {
					s.eval.Start(leaves, s.opts.Playouts)
					inFlight = append(inFlight, leaves)
				}
				continue
			}
		}
		if len(inFlight) == 0 {
			return nil
		}
		if err := s.eval.Wait(); err != nil {
			return err
		}
		s.backUp(pool, inFlight[0])
		inFlight = inFlight[1:]
	}
}

// choose returns the move to try next: the unproved one with the highest value. There is
// one in every node that is not proved.
func (s *Search) choose(node uint32) Move {
	values := s.tree.stat(node, value)
	if s.opts.Explore <= 0 {
		return Move(argmax(values))
	}
	// Upper confidence bounds.
	n := float32(1)
	counts := s.tree.stat(node, visits)
	for _, v := range counts {
		n += v
	}
	bound := float32(s.opts.Explore * math.Sqrt(math.Log(float64(n))))
	best, highest := 0, excluded
	for m, v := range values {
		if v += float32(bound * priorFade(counts[m])); v > highest {
			best, highest = m, v
		}
	}
	return Move(best)
}

// prune drops the nodes with the fewest visits until half of the tree is free.
func (s *Search) prune() {
	for minVisits := float32(2); s.tree.size() > s.tree.capacity()/2; minVisits *= 2 {
		s.tree.retain(s.tree.root, minVisits)
		if s.tree.size() == 2 {
			break // only the root fits
		}
	}
	s.full.Store(false)
}

// Proof returns the proof of the root.
func (s *Search) Proof() Proof { return s.rootProof }

// Simulations returns the number of simulations through the moves of the root.
func (s *Search) Simulations() int { return s.rootVisits }

// Nodes returns the number of nodes of the tree.
func (s *Search) Nodes() int { return s.tree.size() - 1 }

// Stat is the statistics of a move at the root.
type Stat struct {
	Move        Move
	Proof       Proof
	Simulations int     // halved for all moves whenever one has eight million
	Score       float64 // mean result of the simulations, NaN if there are none
}

// Stats returns the moves of the root, best first: proved wins, then the others by their
// number of simulations, proved losses last. A proved draw comes before a best move that
// loses more often than it wins.
func (s *Search) Stats() []Stat {
	var stats []Stat
	counts, scores := s.tree.stat(s.tree.root, visits), s.tree.stat(s.tree.root, score)
	for m, p := range s.tree.proofsOf(s.tree.root) {
		if p != absent {
			stats = append(stats, Stat{Move(m), p, int(counts[m]), float64(scores[m] / counts[m])})
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
