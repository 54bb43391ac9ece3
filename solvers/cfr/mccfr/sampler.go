package mccfr

import (
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
// of one, every traversal sees all before it, which needs the fewest iterations.
// A Sampler is used by one goroutine at a time.
type Sampler struct {
	Table
	Method Method

	workers []*worker
	player  int // of the traversals
	// The parts of Step, bound once so that it allocates nothing.
	traverseTask, mergeTask func(worker int)
}

// NewSampler returns a trainer that has done no iteration.
func NewSampler(g *Game, m Method, seed uint64, threads int) *Sampler {
	s := &Sampler{Table: NewTable(g, m.String(), seed), Method: m}
	for range max(1, min(threads, m.Batch)) {
		w := &worker{Table: &s.Table}
		w.traverser = m.Sampling.traverser(w)
		s.workers = append(s.workers, w)
	}
	if m.Batch > 1 {
		for _, w := range s.workers {
			w.updates = make([][]update, len(s.workers))
		}
	}
	s.traverseTask, s.mergeTask = s.traverse, s.merge
	return s
}

// Step does a batch of iterations.
func (s *Sampler) Step() {
	for p := range s.Rules.NumPlayers {
		s.player = p
		parallel.Each(len(s.workers), s.traverseTask)
		if s.Method.Batch > 1 {
			parallel.Each(len(s.workers), s.mergeTask)
		}
	}
	s.Done += uint64(s.Method.Batch)
}

// traverse does a worker's part of a batch.
func (s *Sampler) traverse(worker int) {
	batch, threads := s.Method.Batch, len(s.workers)
	s.workers[worker].weight = s.Method.weight(s.Done)
	for k := batch * worker / threads; k < batch*(worker+1)/threads; k++ {
		s.workers[worker].traverse(tree.NewStream(s.Seed, s.Done+uint64(k), s.Method.Sampling.streamOf(s.player)), s.player)
	}
}

// merge adds the updates of all workers to one shard of the entries.
func (s *Sampler) merge(shard int) {
	for _, w := range s.workers { // in the order of their iterations
		for _, u := range w.updates[shard] {
			if u.at >= 0 {
				s.Regret[u.at] += u.x
			} else {
				s.addStrategy(int(^u.at), u.x)
			}
		}
		w.updates[shard] = w.updates[shard][:0]
	}
}

// worker does the traversals of one thread.
type worker struct {
	*Table
	traverser
	player int // whose regrets are updated
	next   int // whose strategy sum is updated
	random rng.Stream
	weight float32 // of every update
	// updates are those of a batch, by shard of the entries; nil where they are
	// added at once.
	updates [][]update
}

// update is x to add to the regret of entry at, or to the strategy sum of entry
// ^at.
type update struct {
	at int64
	x  float32
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
	if w.updates == nil {
		regret := w.Regret[entry:][:len(values)]
		for a, v := range values {
			regret[a] += float32(w.weight * (v - mean))
		}
		return
	}
	for a, v := range values {
		w.postpone(entry+a, int64(entry+a), w.weight*(v-mean))
	}
}

// updateStrategy adds a strategy with a weight to the strategy sums of an
// information set. Entry is the set's first.
func (w *worker) updateStrategy(entry int, sigma []float32, weight float32) {
	weight *= w.weight
	if w.updates == nil {
		for a, s := range sigma {
			w.addStrategy(entry+a, weight*s)
		}
		return
	}
	for a, s := range sigma {
		w.postpone(entry+a, ^int64(entry+a), weight*s)
	}
}

// postpone keeps an update of an entry for merge.
func (w *worker) postpone(entry int, at int64, x float32) {
	shard := w.shard(entry)
	w.updates[shard] = append(w.updates[shard], update{at, x})
}

// shard returns which thread merges an entry. Those of a cache line have the same.
func (w *worker) shard(entry int) int { return entry >> 4 % len(w.updates) }
