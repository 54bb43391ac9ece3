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
	sown  [2][]float32

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
type step struct {
	node uint32
	move Move
}

// New returns a search of a game from its root.
func New(g Game, e Evaluator, o Options) *Search {
	s := &Search{game: g, eval: e, opts: o.withDefaults()}
	s.rave = float32(max(s.opts.RAVE, 1e-6))
	s.tree = newTree(g.NumMoves(), s.opts.Memory)
	if s.opts.Playouts > 1 && s.opts.RAVE > 0 {
		s.seeds = newSeeds(s.tree.width, s.opts.Memory/seedsShare)
		s.sown = [2][]float32{make([]float32, s.tree.width), make([]float32, s.tree.width)}
	}
	for b := range s.batches {
		for range s.opts.Batch {
			l := new(Leaf)
			for side := range 2 {
				l.Played[side], l.Won[side] = make([]float32, s.tree.width), make([]float32, s.tree.width)
			}
			s.batches[b] = append(s.batches[b], l)
		}
	}
	s.plant()
	return s
}

// plant makes the root the only node.
func (s *Search) plant() {
	s.tree.n, s.through = 1, 0
	if s.seeds != nil {
		s.seeds.forget()
	}
	s.game.Reset()
	s.tree.add(s.game.Candidates(s.moves[:0]))
}

// Advance makes a legal move at the root and keeps what is known of the position
// after it.
func (s *Search) Advance(m Move) {
	s.game.Reset()
	s.game.Advance(m)
	child := s.tree.child[s.tree.edge(1, m)]
	if child == 0 {
		s.plant()
		return
	}
	s.compact(child, 0)
	s.through = 0
	for _, n := range s.tree.of(1, visits) {
		s.through += int(n)
	}
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
		m := s.choose(at)
		l.steps = append(l.steps, step{at, m})
		l.Path = append(l.Path, m)
		seen := s.tree.of(at, visits)[m]
		s.tree.of(at, visits)[m]++
		s.tree.rate(at, m, s.rave)
		s.game.Play(m)
		child := &s.tree.child[s.tree.edge(at, m)]
		if *child == 0 {
			// A forced move is followed at once: it costs no simulation.
			if s.tree.moves[at] > 1 && seen < float32(s.opts.Expand) || s.crowded {
				return
			}
			if s.moves = s.game.Candidates(s.moves[:0]); !s.tree.fits() {
				s.crowded = true
				return
			}
			*child = s.tree.add(s.moves)
			if p := s.tree.proof(*child); p != Unknown {
				s.tree.prove(at, m, p.other())
				s.settle(l, p.other())
				s.prove(l.steps)
				return
			}
			if s.seeds != nil && s.seeds.sow(s.tree.edge(at, m), s.sown[0], s.sown[1]) {
				addRAVE(s.tree.all(*child), s.sown[0], s.sown[1], float32(s.opts.Weight), s.rave)
			}
		}
		at = *child
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
		s.tree.prove(steps[i].node, steps[i].move, p.other())
	}
}

// backUp adds a leaf's results to the edges on its path and, for RAVE, to those
// beside them.
func (s *Search) backUp(l *Leaf) {
	// All its playouts count as one simulation.
	n := float32(s.opts.Playouts)
	scores, share, weight := [2]float32{l.Score, n - l.Score}, 1/n, float32(s.opts.Weight)/n
	rave := s.opts.RAVE > 0 && !l.exact
	if last := l.steps[len(l.steps)-1]; rave && s.seeds != nil && s.tree.child[s.tree.edge(last.node, last.move)] == 0 {
		s.seeds.keep(s.tree.edge(last.node, last.move), l.Played[len(l.steps)&1], l.Won[len(l.steps)&1], n)
	}
	for i := len(l.steps) - 1; i >= 0; i-- {
		side, at, m := i&1, l.steps[i].node, l.steps[i].move
		s.tree.of(at, score)[m] += float32(scores[side] * share)
		s.tree.rate(at, m, s.rave)
		if rave {
			played, won := l.Played[side], l.Won[side]
			played[m], won[m] = n, scores[side]
			addRAVE(s.tree.all(at), played, won, weight, s.rave)
		}
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
	for least := float32(2); s.tree.n > s.tree.room()/2; least *= 2 {
		before := s.tree.n
		s.compact(1, least)
		if before == 2 {
			break // there is room for the root alone
		}
	}
	s.crowded = false
}

// compact moves what is kept together.
func (s *Search) compact(root uint32, least float32) {
	s.tree.compact(root, least)
	if s.seeds != nil {
		s.seeds.forget()
	}
}

// Proof returns what is proved of the root.
func (s *Search) Proof() Proof { return s.tree.proof(1) }

// Simulations returns how many have gone through the root's moves.
func (s *Search) Simulations() int { return s.through }

// Nodes returns how many positions the tree has.
func (s *Search) Nodes() int { return s.tree.n - 1 }

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
	seen, scores := s.tree.of(1, visits), s.tree.of(1, score)
	for m, p := range s.tree.proofsOf(1) {
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
	for at := uint32(1); at != 0; {
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
		at = s.tree.child[s.tree.edge(at, best)]
	}
	return line
}
