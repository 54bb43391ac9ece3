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
}

// NewSampler returns a trainer that has done no iteration.
func NewSampler(g *Game, m Method, seed uint64, threads int) *Sampler {
	s := &Sampler{table: newTable(g, m.String(), seed), Method: m}
	for range max(1, min(threads, m.Batch)) {
		w := &worker{table: &s.table, next: 0}
		w.traverser = m.Sampling.traverser(w)
		s.workers = append(s.workers, w)
	}
	if m.Batch > 1 {
		for _, w := range s.workers {
			w.found = make([][]update, len(s.workers))
		}
	}
	return s
}

// Step does a batch of iterations.
func (s *Sampler) Step() {
	threads := len(s.workers)
	for p := range s.Rules.NumPlayers {
		s.each(func(worker int) {
			for k := s.Method.Batch * worker / threads; k < s.Method.Batch*(worker+1)/threads; k++ {
				s.workers[worker].traverse(newStream(s.seed, s.iterations+uint64(k), p), p)
			}
		})
		if s.Method.Batch > 1 {
			s.each(s.merge)
		}
	}
	s.iterations += uint64(s.Method.Batch)
}

// each calls f for each worker, all at once.
func (s *Sampler) each(f func(worker int)) {
	var group sync.WaitGroup
	for i := 1; i < len(s.workers); i++ {
		group.Go(func() { f(i) })
	}
	f(0)
	group.Wait()
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

func (w *worker) addRegret(at int, x float32) {
	if w.found == nil {
		w.regret[at] += x
		return
	}
	share := w.share(at)
	w.found[share] = append(w.found[share], update{int64(at), x})
}

func (w *worker) addAverage(at int, x float32) {
	if w.found == nil {
		w.table.addAverage(at, x)
		return
	}
	share := w.share(at)
	w.found[share] = append(w.found[share], update{^int64(at), x})
}

// share returns which thread merges an entry: those of a cache line go to one.
func (w *worker) share(at int) int { return at >> 4 % len(w.found) }
