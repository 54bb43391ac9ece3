package mcts

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Options say how a search goes about its work. The zero value of each means its
// default.
type Options struct {
	Playouts int     // a leaf; 1
	Batch    int     // leaves that are handed to the evaluator at once; 1
	Expand   int     // simulations through a move before it gets a node; 1
	RAVE     float64 // simulations after which a move's own count half; 500. Negative for no RAVE
	Weight   float64 // of a leaf's playouts for RAVE, beside one of a move never tried; 1
	Explore  float64 // the factor of upper confidence bounds (UCT); 0
	Memory   int     // bytes of the tree; 512 MiB
}

func (o Options) withDefaults() Options {
	o.Playouts = cmp.Or(o.Playouts, 1)
	o.Batch = cmp.Or(o.Batch, 1)
	o.Expand = cmp.Or(o.Expand, 1)
	o.RAVE = cmp.Or(o.RAVE, 500)
	o.Weight = cmp.Or(o.Weight, 1)
	o.Memory = cmp.Or(o.Memory, 512<<20)
	return o
}

// Search is a tree that grows.
type Search struct {
	game  Game
	eval  Evaluator
	opts  Options
	tree  *tree
	seeds *seeds // nil where a leaf has one playout, which says too little
	rave  float32

	playouts uint64 // ever started
	through  int    // simulations through the root's moves
	batches  [BatchesAhead][]*Leaf
	moves    []Candidate
	crowded  bool // something did not fit into the tree
}

// seedsShare is the part of the memory that is added for seeds.
const seedsShare = 8

// BatchesAhead is how many batches are under way at a time.
const BatchesAhead = 2

// step is an edge that a simulation has gone through.
type step struct{ node, edge uint32 }

// New returns a search of a game from its root.
func New(g Game, e Evaluator, o Options) *Search {
	s := &Search{game: g, eval: e, opts: o.withDefaults()}
	s.rave = float32(max(s.opts.RAVE, 1e-6))
	s.tree = newTree(s.opts.Memory)
	if s.opts.Playouts > 1 && s.opts.RAVE > 0 {
		s.seeds = newSeeds(g.NumMoves(), s.opts.Memory/seedsShare)
	}
	for b := range s.batches {
		for range s.opts.Batch {
			l := new(Leaf)
			for side := range 2 {
				l.Played[side], l.Won[side] = make([]float32, g.NumMoves()), make([]float32, g.NumMoves())
			}
			s.batches[b] = append(s.batches[b], l)
		}
	}
	s.plant()
	return s
}

// plant makes the root the only node.
func (s *Search) plant() {
	s.tree.nodes, s.tree.edges, s.through = s.tree.nodes[:1], s.tree.edges[:0], 0
	if s.seeds != nil {
		s.seeds.forget()
	}
	s.game.Reset()
	s.rateAll(s.tree.edgesOf(s.tree.add(s.game.Candidates(s.moves[:0]))))
}

func (s *Search) rateAll(edges []edge) {
	for k := range edges {
		edges[k].rate(s.rave)
	}
}

// Advance makes a legal move at the root and keeps what is known of the position
// after it.
func (s *Search) Advance(m Move) {
	s.game.Reset()
	s.game.Advance(m)
	for _, e := range s.tree.edgesOf(1) {
		if e.move == m && e.child != 0 {
			s.compact(e.child, 0)
			s.through = 0
			for _, e := range s.tree.edgesOf(1) {
				s.through += int(e.visits)
			}
			return
		}
	}
	s.plant()
}

// Run makes simulations until so many went through the root in all, it is proved,
// or the context ends, which is no error. An error is the evaluator's.
func (s *Search) Run(ctx context.Context, simulations int) error {
	// One leaf at a time has nothing to overlap with.
	ahead := min(s.opts.Batch, len(s.batches))
	var waiting [][]*Leaf
	for {
		missing := simulations - s.Simulations()
		more := missing > 0 && ctx.Err() == nil && s.Proof() == Unknown
		switch {
		case more && s.crowded && len(waiting) == 0:
			s.prune()
		case more && !s.crowded && len(waiting) < ahead:
			if leaves := s.pick(min(missing, s.opts.Batch)); len(leaves) > 0 {
				s.eval.Start(leaves, s.opts.Playouts)
				waiting = append(waiting, leaves)
			}
		case len(waiting) > 0:
			err := s.eval.Wait()
			for _, l := range waiting[0] {
				s.backUp(l)
			}
			if waiting = waiting[1:]; err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// pick makes up to so many simulations down to their leaves, and returns those
// that need playouts.
func (s *Search) pick(simulations int) []*Leaf {
	leaves := s.batches[0][:0]
	for range simulations {
		l := s.batches[0][:len(leaves)+1][len(leaves)]
		s.descend(l)
		if l.exact {
			s.backUp(l)
			if s.Proof() != Unknown {
				break
			}
			continue
		}
		l.Number = s.playouts
		s.playouts += uint64(s.opts.Playouts)
		leaves = append(leaves, l)
	}
	if len(leaves) > 0 {
		s.batches[0], s.batches[1] = s.batches[1], s.batches[0]
	}
	return leaves
}

// descend walks from the root to a leaf. Every edge on the way counts the
// simulation as lost until backUp.
func (s *Search) descend(l *Leaf) {
	l.Path, l.steps, l.exact, l.Score = l.Path[:0], l.steps[:0], false, 0
	for side := range 2 {
		clear(l.Played[side])
		clear(l.Won[side])
	}
	s.through++
	s.game.Reset()
	at := uint32(1)
	for {
		edges := s.tree.edgesOf(at)
		k := s.choose(edges)
		e := &edges[k]
		l.steps = append(l.steps, step{at, uint32(k)})
		l.Path = append(l.Path, e.move)
		seen := e.visits
		e.visits++
		e.rate(s.rave)
		s.game.Play(e.move)
		if e.child == 0 {
			// A forced move is followed at once: it costs no simulation.
			if len(edges) > 1 && seen < float32(s.opts.Expand) || s.crowded {
				return
			}
			if s.moves = s.game.Candidates(s.moves[:0]); !s.tree.fits(len(s.moves)) {
				s.crowded = true
				return
			}
			child := s.tree.add(s.moves)
			e = &s.tree.edgesOf(at)[k]
			e.child = child
			if p := s.tree.proof(child); p != Unknown {
				e.proof, e.value = p.other(), proved
				s.settle(l, e.proof)
				s.prove(l.steps)
				return
			}
			edges := s.tree.edgesOf(child)
			if s.seeds != nil {
				s.seeds.sow(s.tree.place(at, k), edges, float32(s.opts.Weight))
			}
			s.rateAll(edges)
		}
		at = e.child
	}
}

// settle makes a leaf's result that of its last move's proof.
func (s *Search) settle(l *Leaf, p Proof) {
	l.exact = true
	if len(l.steps)%2 == 0 { // made by the other player
		p = p.other()
	}
	l.Score = p.score() * float32(s.opts.Playouts) // as if all of them had ended so
}

// prove carries the proof of the last of some steps up the tree.
func (s *Search) prove(steps []step) {
	for i := len(steps) - 2; i >= 0; i-- {
		p := s.tree.proof(steps[i+1].node)
		if p == Unknown {
			return
		}
		e := &s.tree.edgesOf(steps[i].node)[steps[i].edge]
		e.proof, e.value = p.other(), proved
	}
}

// backUp adds a leaf's results to the edges on its path and, for RAVE, to those
// beside them.
func (s *Search) backUp(l *Leaf) {
	// All its playouts count as one simulation.
	n := float32(s.opts.Playouts)
	scores, share, weight := [2]float32{l.Score, n - l.Score}, 1/n, float32(s.opts.Weight)/n
	rave := s.opts.RAVE > 0 && !l.exact
	if last := l.steps[len(l.steps)-1]; rave && s.seeds != nil && s.tree.edgesOf(last.node)[last.edge].child == 0 {
		s.seeds.keep(s.tree.place(last.node, int(last.edge)), l.Played[len(l.steps)&1], l.Won[len(l.steps)&1], n)
	}
	for i := len(l.steps) - 1; i >= 0; i-- {
		side := i & 1
		edges := s.tree.edgesOf(l.steps[i].node)
		e := &edges[l.steps[i].edge]
		e.score += scores[side] * share
		if !rave {
			e.rate(s.rave)
			continue
		}
		played, won := l.Played[side], l.Won[side]
		played[l.Path[i]], won[l.Path[i]] = n, scores[side]
		addRAVE(edges, played, won, weight, s.rave)
	}
}

// choose returns the edge to try next: one that is not proved, of the highest
// value. There always is one in a node that is not proved.
func (s *Search) choose(edges []edge) (best int) {
	highest := proved
	if s.opts.Explore > 0 {
		return s.explore(edges)
	}
	for k := range edges {
		if v := edges[k].value; v > highest {
			best, highest = k, v
		}
	}
	return best
}

// explore does so with upper confidence bounds.
func (s *Search) explore(edges []edge) (best int) {
	n := float32(1)
	for k := range edges {
		n += edges[k].visits
	}
	bound := float32(s.opts.Explore * math.Sqrt(math.Log(float64(n))))
	highest := proved
	for k := range edges {
		e := &edges[k]
		if v := e.value + bound*fade(e.visits); v > highest {
			best, highest = k, v
		}
	}
	return best
}

// prune makes room: what was visited least goes.
func (s *Search) prune() {
	for visits := float32(2); len(s.tree.edges) > cap(s.tree.edges)/2 || len(s.tree.nodes) > cap(s.tree.nodes)/2; visits *= 2 {
		before := len(s.tree.nodes)
		s.compact(1, visits)
		if before == 2 {
			break // the root alone takes more than half
		}
	}
	s.crowded = false
}

// compact moves what is kept together.
func (s *Search) compact(root uint32, visits float32) {
	s.tree.compact(root, visits)
	if s.seeds != nil {
		s.seeds.forget()
	}
}

// Proof returns what is proved of the root.
func (s *Search) Proof() Proof { return s.tree.proof(1) }

// Simulations returns how many have gone through the root's moves.
func (s *Search) Simulations() int { return s.through }

// Nodes returns how many positions the tree has.
func (s *Search) Nodes() int { return len(s.tree.nodes) - 1 }

// Stat is what is known of a move at the root.
type Stat struct {
	Move        Move
	Proof       Proof
	Simulations int
	Score       float64 // mean result of those, NaN for none
}

// Stats returns the root's moves, the best first: proved wins, then those with
// most simulations, proved losses last. A proved draw is better than what is more
// often lost than won.
func (s *Search) Stats() []Stat {
	var stats []Stat
	for _, e := range s.tree.edgesOf(1) {
		stats = append(stats, Stat{e.move, e.proof, int(e.visits), float64(e.score / e.visits)})
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
	for at := uint32(1); at != 0; {
		var best *edge
		edges := s.tree.edgesOf(at)
		for k := range edges {
			e := &edges[k]
			if best == nil || e.proof.score() > best.proof.score() || e.proof == best.proof && e.visits > best.visits {
				best = e
			}
		}
		if best.visits == 0 && best.proof == Unknown {
			return line
		}
		line = append(line, best.move)
		at = best.child
	}
	return line
}
