package mccfr

import "sync"

// Sampler trains by Monte Carlo CFR: every iteration goes, for each player,
// through a sampled part of the game tree, and updates that player's regrets.
// Iterations are done in batches. All of a batch see the regrets as they were
// before it, and what they find is added in the order of the iterations, so that
// the results have the same bits for any number of threads. In a batch of one
// every traversal sees all before it, which needs the fewest iterations. A
// Sampler is used by one goroutine at a time.
type Sampler struct {
	table
	Method Method

	workers []*worker
	player  int // of the traversals
	// The parts of Step, bound once so that it allocates nothing.
	traverseTask, mergeTask func(worker int)
}

// NewSampler returns a trainer that has done no iteration.
func NewSampler(g *Game, m Method, seed uint64, threads int) *Sampler {
	s := &Sampler{table: newTable(g, m.String(), seed), Method: m}
	for range max(1, min(threads, m.Batch)) {
		w := &worker{table: &s.table}
		w.traverser = m.Sampling.traverser(w)
		s.workers = append(s.workers, w)
	}
	if m.Batch > 1 {
		for _, w := range s.workers {
			w.found = make([][]update, len(s.workers))
		}
	}
	s.traverseTask, s.mergeTask = s.traverse, s.merge
	return s
}

// Step does a batch of iterations.
func (s *Sampler) Step() {
	for p := range s.Rules.NumPlayers {
		s.player = p
		s.each(s.traverseTask)
		if s.Method.Batch > 1 {
			s.each(s.mergeTask)
		}
	}
	s.iterations += uint64(s.Method.Batch)
}

// each does a task of every worker, all at once.
func (s *Sampler) each(task func(worker int)) {
	if len(s.workers) == 1 {
		task(0)
		return
	}
	var group sync.WaitGroup
	for i := 1; i < len(s.workers); i++ {
		group.Go(func() { task(i) })
	}
	task(0)
	group.Wait()
}

// traverse does a worker's part of a batch.
func (s *Sampler) traverse(worker int) {
	batch, threads := s.Method.Batch, len(s.workers)
	s.workers[worker].weight = s.Method.weight(s.iterations)
	for k := batch * worker / threads; k < batch*(worker+1)/threads; k++ {
		s.workers[worker].traverse(newStream(s.seed, s.iterations+uint64(k), s.Method.Sampling.streamOf(s.player)), s.player)
	}
}

// merge adds what all workers found for one share of the entries.
func (s *Sampler) merge(share int) {
	for _, w := range s.workers { // in the order of their iterations
		for _, u := range w.found[share] {
			if u.at >= 0 {
				s.regret[u.at] += u.x
			} else {
				s.addAverage(int(^u.at), u.x)
			}
		}
		w.found[share] = w.found[share][:0]
	}
}

// worker does the traversals of one thread.
type worker struct {
	*table
	traverser
	player int // whose regrets are updated
	next   int // whose average is
	random stream
	weight float32 // how often what is found counts
	// found is what a batch found, by share of the entries; nil where it is
	// added at once.
	found [][]update
}

// update is something to add: to the regret of the entry at, or to the average
// of ^at.
type update struct {
	at int64
	x  float32
}

// traverser goes through a part of the tree that it samples.
type traverser interface{ walk() }

// traverse does one traversal. The average of only the next player is updated,
// so that each player's is once an iteration.
func (w *worker) traverse(random stream, player int) {
	w.random, w.player, w.next = random, player, (player+1)%w.Rules.NumPlayers
	w.walk()
}

// addRegrets adds what each action of an information set, whose first entry is
// at, would have won more than the mean.
func (w *worker) addRegrets(at int, values []float32, mean float32) {
	if w.found == nil {
		regret := w.regret[at:][:len(values)]
		for a, v := range values {
			regret[a] += float32(w.weight * (v - mean))
		}
		return
	}
	for a, v := range values {
		w.add(at+a, int64(at+a), w.weight*(v-mean))
	}
}

// addStrategy adds a strategy, so often, to the average of the information set
// whose first entry is at.
func (w *worker) addStrategy(at int, sigma []float32, weight float32) {
	weight *= w.weight
	if w.found == nil {
		for a, s := range sigma {
			w.addAverage(at+a, weight*s)
		}
		return
	}
	for a, s := range sigma {
		w.add(at+a, ^int64(at+a), weight*s)
	}
}

// add keeps an update of an entry for merge.
func (w *worker) add(entry int, at int64, x float32) {
	share := w.share(entry)
	w.found[share] = append(w.found[share], update{at, x})
}

// share returns which thread merges an entry: those of a cache line go to one.
func (w *worker) share(at int) int { return at >> 4 % len(w.found) }
