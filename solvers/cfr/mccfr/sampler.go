package mccfr

import (
	"sync/atomic"

	"gamebots/acpc"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// Sampler trains by Monte Carlo CFR. Every iteration traverses, for each player,
// a sampled part of the game tree, and updates that player's regrets.
//
// Iterations are done in batches. All traversals of a batch see the regrets as
// they were before it, and their updates are added in the order of the iterations,
// so that the results have the same bits for any number of threads. With a batch
// of one, every traversal sees all before it, which needs the fewest iterations,
// and one thread does all the work. A racing method gives both up, see
// [Method.Racing]. A Sampler is used by one goroutine at a time.
type Sampler struct {
	Table
	Method Method

	workers []*worker
	pieces  []piece
	shards  int // a power of two
	barrier *parallel.Barrier
	// taken counts the pieces, and the shards, that workers have taken of each player's
	// part of the batch.
	taken [2 * acpc.MaxPlayers]atomic.Int32
	work  func(worker int) // bound once so that Step allocates nothing
}

// piece is a part of a batch: iterations that one worker does, and their updates by
// shard of the entries.
type piece struct {
	first, last int // iterations of the batch
	updates     []updates
}

// Pieces of a batch and shards of the entries are more than the threads, so that a thread
// that is done early takes another one.
const partsPerThread = 4

// NewSampler returns a trainer that has done no iteration.
func NewSampler(g *Game, m Method, seed uint64, threads int) *Sampler {
	s := &Sampler{Table: newTable(g, m.String(), seed, m.Half), Method: m, shards: 1}
	threads = max(1, min(threads, m.Batch))
	for range threads {
		w := &worker{Table: &s.Table, racing: m.Racing}
		w.traverser = m.Sampling.traverser(w)
		s.workers = append(s.workers, w)
	}
	pieces := 1
	if threads > 1 {
		pieces = min(m.Batch, partsPerThread*threads)
		for s.shards < partsPerThread*threads {
			s.shards *= 2
		}
	}
	for k := range pieces {
		p := piece{first: m.Batch * k / pieces, last: m.Batch * (k + 1) / pieces}
		if m.postpones() {
			p.updates = make([]updates, s.shards)
		}
		s.pieces = append(s.pieces, p)
	}
	s.barrier = parallel.NewBarrier(threads)
	s.work = s.doBatch
	if m.Racing {
		s.work = s.race
	}
	return s
}

// Threads returns how many threads train.
func (s *Sampler) Threads() int { return len(s.workers) }

// Step does a batch of iterations.
func (s *Sampler) Step() {
	for i := range s.taken {
		s.taken[i].Store(0)
	}
	parallel.Each(len(s.workers), s.work)
	s.Done += uint64(s.Method.Batch)
}

// take returns the next of the parts that a counter counts, or false if all are taken.
func (s *Sampler) take(counter, parts int) (int, bool) {
	k := int(s.taken[counter].Add(1)) - 1
	return k, k < parts
}

// doBatch does a worker's share of a batch.
func (s *Sampler) doBatch(worker int) {
	w := s.workers[worker]
	w.weight = s.Method.weight(s.Done)
	for player := range s.Rules.NumPlayers {
		for k, ok := s.take(2*player, len(s.pieces)); ok; k, ok = s.take(2*player, len(s.pieces)) {
			w.updates = s.pieces[k].updates
			for i := s.pieces[k].first; i < s.pieces[k].last; i++ {
				w.iteration = i
				w.traverse(s.stream(i, player), player)
			}
		}
		if !s.Method.postpones() {
			continue
		}
		s.barrier.Wait()
		for k, ok := s.take(2*player+1, s.shards); ok; k, ok = s.take(2*player+1, s.shards) {
			s.merge(k)
		}
		s.barrier.Wait()
	}
}

// stream returns the random numbers of a player's traversal in an iteration of the batch.
func (s *Sampler) stream(i, player int) rng.Stream {
	return tree.NewStream(s.Seed, s.Done+uint64(i), s.Method.Sampling.streamOf(player))
}

// merge adds the updates of all pieces to one shard of the entries.
func (s *Sampler) merge(shard int) {
	for k := range s.pieces { // in the order of their iterations
		u := &s.pieces[k].updates[shard]
		values := u.values
		for _, set := range u.sets {
			if set.sums {
				s.addStrategy(set.entry, values[:set.actions], s.Done+uint64(set.iteration))
			} else {
				s.addRegrets(set.entry, values[:set.actions], s.Done+uint64(set.iteration))
			}
			values = values[set.actions:]
		}
		u.sets, u.values = u.sets[:0], u.values[:0]
	}
}

// worker does the traversals of one thread.
type worker struct {
	*Table
	traverser
	player int // whose regrets are updated
	next   int // whose strategy sum is updated
	random rng.Stream
	// iteration is the number of the traversal in its batch.
	iteration int
	weight    float32 // of every update
	racing    bool
	// updates are kept by shard of the entries for merge; nil where they are made at
	// once.
	updates []updates
	change  []float32 // of the entries of an information set

	_ [128]byte // other threads write on other cache lines
}

// updates are changes of information sets that have not been made yet.
type updates struct {
	sets   []updatedSet
	values []float32 // of each set, by action
}

// updatedSet is an information set, by its first entry.
type updatedSet struct {
	entry     int
	iteration int32 // of the batch
	actions   uint16
	sums      bool // whether the strategy sums are changed, or the regrets
}

// traverser traverses the part of the tree that it samples.
type traverser interface{ run() }

// traverse does one traversal. It updates the strategy sum of the next player
// only, so that each player's is updated once per iteration.
func (w *worker) traverse(random rng.Stream, player int) {
	w.random, w.player, w.next = random, player, (player+1)%w.Rules.NumPlayers
	w.run()
}

// updateRegrets adds how much more than the mean each action of an information
// set would have won. Entry is the set's first.
func (w *worker) updateRegrets(entry int, values []float32, mean float32) {
	change := w.change[:0]
	for _, v := range values {
		change = append(change, w.weight*(v-mean))
	}
	w.change = change
	switch {
	case w.updates != nil:
		w.postpone(entry, change, false)
	case w.racing:
		w.raceRegrets(entry, change)
	default:
		w.addRegrets(entry, change, w.Done+uint64(w.iteration))
	}
}

// updateStrategy adds a strategy with a weight to the strategy sums of an
// information set. Entry is the set's first.
func (w *worker) updateStrategy(entry int, sigma []float32, weight float32) {
	weight *= w.weight
	change := w.change[:0]
	for _, s := range sigma {
		change = append(change, weight*s)
	}
	w.change = change
	switch {
	case w.updates != nil:
		w.postpone(entry, change, true)
	case w.racing:
		w.raceStrategy(entry, change)
	default:
		w.addStrategy(entry, change, w.Done+uint64(w.iteration))
	}
}

// postpone keeps an update of an information set for merge. Sets of a cache line have the
// same shard.
func (w *worker) postpone(entry int, change []float32, sums bool) {
	u := &w.updates[entry>>4&(len(w.updates)-1)]
	u.sets = append(u.sets, updatedSet{entry, int32(w.iteration), uint16(len(change)), sums})
	u.values = append(u.values, change...)
}

// match sets sigma to the strategy that follows from the regrets of an information set.
func (w *worker) match(sigma []float32, entry int) {
	switch {
	case w.racing:
		w.racedRegrets(sigma, entry)
		RegretMatching(sigma, sigma)
	case w.half.regret != nil:
		w.half.regrets(sigma, entry)
		RegretMatching(sigma, sigma)
	default:
		RegretMatching(sigma, w.Regret[entry:][:len(sigma)])
	}
}
