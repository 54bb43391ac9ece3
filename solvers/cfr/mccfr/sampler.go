package mccfr

import (
	"slices"
	"sync/atomic"

	"gamebots/acpc"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/strategy"
)

// Sampler trains by Monte Carlo CFR. Every iteration traverses, for each player,
// a sampled part of the game tree, and updates that player's regrets.
//
// Iterations are done in batches. All traversals of a batch see the regrets as
// they were before it, and their updates are added in the order of the iterations,
// so that the results have the same bits for any number of threads. With a batch
// of one, every traversal sees all before it, which needs the fewest iterations,
// and one thread does all the work. A Sampler is used by one goroutine at a time.
type Sampler struct {
	Table
	Method Method

	players []int // whose regrets are updated
	workers []*worker
	barrier *parallel.Barrier
	// taken counts the pieces that workers have taken of each player's part of the batch.
	taken [acpc.MaxPlayers]atomic.Int32
	// takers has the worker that took each piece of the player's part in work.
	takers []int
	shards [acpc.MaxPlayers]*parallel.Tasks // what is merged after each player's part
	work   func(worker int)                 // bound once so that Step allocates nothing
}

const (
	// pieceSize is how many iterations of a batch a worker takes at once, in their order.
	pieceSize = 4
	// shardsPerThread is how many shards of the entries a worker merges, so that one that is
	// done early takes some of another's.
	shardsPerThread = 4
)

// NewSampler returns a trainer that has done no iteration.
func NewSampler(g *Game, m Method, seed uint64, threads int) *Sampler {
	s := newSampler(newTable(g, m.String(), seed, m.Half), m, threads)
	for player := range g.Rules.NumPlayers {
		s.players = append(s.players, player)
	}
	return s
}

// newSampler returns a trainer of a table that updates nobody's regrets yet.
func newSampler(t Table, m Method, threads int) *Sampler {
	s := &Sampler{Table: t, Method: m}
	threads = max(1, min(threads, m.Batch))
	s.takers = make([]int, (m.Batch+pieceSize-1)/pieceSize)
	shards := 1
	if threads > 1 {
		shards = shardsPerThread
	}
	for player := range s.Rules.NumPlayers {
		s.shards[player] = parallel.NewTasks(threads, shards)
	}
	var strengths *strengths
	if m.Robust && isSparse(s.Rules) {
		strengths = newStrengths(s.Game, s.Seed)
	}
	for range threads {
		w := newWorker(&s.Table)
		w.robust, w.strengths = m.Robust, strengths
		if m.postpones() {
			w.regrets, w.sums = make([]updates, threads*shards), make([]updates, threads*shards)
		}
		s.workers = append(s.workers, w)
	}
	s.barrier = parallel.NewBarrier(threads)
	s.work = s.doBatch
	return s
}

// Threads returns how many threads train.
func (s *Sampler) Threads() int { return len(s.workers) }

// Step does a batch of iterations.
func (s *Sampler) Step() {
	for player := range s.Rules.NumPlayers {
		s.taken[player].Store(0)
		s.shards[player].Restart()
	}
	parallel.Each(len(s.workers), s.work)
	s.Done += uint64(s.Method.Batch)
}

// doBatch does a worker's share of a batch.
func (s *Sampler) doBatch(worker int) {
	w := s.workers[worker]
	w.weight = s.Method.weight(s.Done)
	for _, player := range s.players {
		for k, ok := s.takePiece(player); ok; k, ok = s.takePiece(player) {
			s.takers[k] = worker
			for w.iteration = k * pieceSize; w.iteration < min((k+1)*pieceSize, s.Method.Batch); w.iteration++ {
				w.traverse(s.stream(w.iteration, player), player)
			}
		}
		if !s.Method.postpones() {
			continue
		}
		s.barrier.Wait()
		for k, ok := s.shards[player].Take(worker); ok; k, ok = s.shards[player].Take(worker) {
			s.merge(k)
		}
		s.barrier.Wait()
	}
}

// takePiece returns the next piece of a player's part of the batch, or false if all are taken.
func (s *Sampler) takePiece(player int) (int, bool) {
	k := int(s.taken[player].Add(1)) - 1
	return k, k < len(s.takers)
}

// stream returns the random numbers of a player's traversal in an iteration of the batch.
func (s *Sampler) stream(i, player int) rng.Stream {
	return NewStream(s.Seed, s.Done+uint64(i), player)
}

// merge makes the updates of a shard of the entries, in the order of their iterations.
func (s *Sampler) merge(shard int) {
	for k, taker := range s.takers {
		end := int32((k + 1) * pieceSize)
		s.workers[taker].regrets[shard].drain(end, s.Done, s.addRegrets)
		s.workers[taker].sums[shard].drain(end, s.Done, s.addStrategy)
	}
	for _, w := range s.workers {
		w.regrets[shard].clear()
		w.sums[shard].clear()
	}
}

// Save is [Table.Save]. After a robust training of a sparse game, an information set that was hardly visited plays as
// similar ones do.
func (s *Sampler) Save(path string, m strategy.Meta) error {
	if !s.Method.Robust || !isSparse(s.Rules) {
		return s.Table.Save(path, m)
	}
	visit := float32(1)
	if s.Method.Linear {
		visit = s.Method.weight(s.Done) / 2 // the mean weight of a visit
	}
	x, decisions := s.Index()
	return s.save(path, m, x, decisions, s.newSimilar(x, decisions, visit).add)
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
	weight    float32 // weight of every update
	robust    bool
	strengths *strengths // if robust in a sparse game
	// regrets and sums have the updates of the batch, by shard of the entries and in the
	// order of the iterations. They are nil where updates are made at once.
	regrets, sums []updates
	change        []float32 // changes of the entries of an information set

	_ [cacheLines]byte
}

// cacheLines keeps apart, in bytes, what threads write all the time: a line, and the next one
// because some processors fetch both.
const cacheLines = 128

// newWorker returns a worker that makes its updates of a table at once, with weight 1.
func newWorker(t *Table) *worker {
	w := &worker{Table: t, weight: 1}
	w.change = make([]float32, t.MaxActions, max(t.MaxActions, cacheLines/4))
	w.traverser = newExternal(w)
	return w
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
	change := w.changeOf(w.regrets, entry, len(values))
	for a, v := range values {
		change[a] = w.weight * (v - mean)
	}
	if w.regrets == nil {
		w.addRegrets(entry, change, w.Done+uint64(w.iteration))
	}
}

// updateStrategy adds a strategy with a weight to the strategy sums of an
// information set. Entry is the set's first.
func (w *worker) updateStrategy(entry int, sigma []float32, weight float32) {
	change := w.changeOf(w.sums, entry, len(sigma))
	weight *= w.weight
	for a, s := range sigma {
		change[a] = weight * s
	}
	if w.sums == nil {
		w.addStrategy(entry, change, w.Done+uint64(w.iteration))
	}
}

// changeOf returns the changes of an information set, for the caller to set. They are among
// the updates kept for merge if there are any.
func (w *worker) changeOf(kept []updates, entry, actions int) []float32 {
	if kept == nil {
		return w.change[:actions]
	}
	return kept[shardOf(entry, len(kept))].add(updatedSet{entry, int32(w.iteration), int32(actions)})
}

// match sets sigma to the strategy that follows from the regrets of an information set.
func (w *worker) match(sigma []float32, entry int) {
	if w.half.regret != nil {
		w.half.regrets(sigma, entry)
		RegretMatching(sigma, sigma)
		return
	}
	RegretMatching(sigma, w.Regret[entry:][:len(sigma)])
}

// updates are changes of information sets that have not been made yet.
type updates struct {
	sets    []updatedSet
	changes []float32 // changes of each set, by action
	// made is how many sets are done, and changed how many changes.
	made, changed int
}

// updatedSet is an information set that an iteration of a batch changes.
type updatedSet struct {
	entry     int   // the first
	iteration int32 // iteration within the batch
	actions   int32
}

// add adds an information set, and returns its changes, which the caller has to set.
func (u *updates) add(set updatedSet) []float32 {
	u.sets = append(u.sets, set)
	end := len(u.changes)
	u.changes = slices.Grow(u.changes, int(set.actions))[:end+int(set.actions)]
	return u.changes[end:]
}

// drain calls add with the changes of all iterations before the given one of the batch that
// it has not been called with. Done is the number of iterations before the batch.
func (u *updates) drain(end int32, done uint64, add func(entry int, change []float32, iteration uint64)) {
	changes := u.changes[u.changed:]
	for u.made < len(u.sets) && u.sets[u.made].iteration < end {
		set := &u.sets[u.made]
		add(set.entry, changes[:set.actions], done+uint64(set.iteration))
		changes = changes[set.actions:]
		u.made++
	}
	u.changed = len(u.changes) - len(changes)
}

// clear forgets all changes.
func (u *updates) clear() { u.sets, u.changes, u.made, u.changed = u.sets[:0], u.changes[:0], 0, 0 }

// shardOf returns the shard of an entry. Those of a cache line have the same one.
func shardOf(entry, shards int) int {
	const golden = 0x9E3779B1 // spreads lines that are visited often
	return int(uint64(uint32(entry>>4)*golden) * uint64(shards) >> 32)
}
