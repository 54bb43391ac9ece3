package nash

import (
	"cmp"
	"context"
	"errors"

	"gamebots/cudalib/nashgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// SolveAll solves many games. Games of one size are one search on a GPU. Results are
// in the order of the games.
func SolveAll(ctx context.Context, games []*game.Game, o Options) ([]*Result, error) {
	o = o.withDefaults()
	results := make([]*Result, len(games))
	batch := len(games) > 0 && o.Device != nil && o.Method == Labels
	for _, g := range games {
		if err := g.Check(); err != nil {
			return nil, err
		}
		batch = batch && g.Rows == games[0].Rows && g.Cols == games[0].Cols
	}
	if batch {
		return results, solveBatches(ctx, games, o, results)
	}
	errs := make([]error, len(games))
	threads := o.Threads
	o.Threads = 1
	if o.Device != nil {
		threads = 1
	}
	parallel.For(threads, len(games), func(_, i int) { results[i], errs[i] = Solve(ctx, games[i], o) })
	return results, errors.Join(errs...)
}

// The games of SolveAll are a pipeline of batches: one is verified while the next one
// is searched and the one after that is prepared.
const (
	numBatches     = 4
	minBatch       = 500 // games
	gamesPerVerify = 8   // games that are verified as one task
)

// A batch is a part of many games of one size.
type batch struct {
	first     int // the number of its first game
	verifiers []*verify.Verifier
	space     *labels.Space  // search space of any of the games, for their size
	games     nashgpu.Games  // for the device
	leaves    []nashgpu.Leaf // leaves of all games, in no order
	byGame    [][]nashgpu.Leaf
	cycling   bool // the search failed with ErrNashStuck
}

// solveBatches solves games of one size in a few searches on a GPU.
func solveBatches(ctx context.Context, games []*game.Game, o Options, results []*Result) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	size := cmp.Or(o.gamesPerBatch, max(minBatch, (len(games)+numBatches-1)/numBatches))
	size = min(size, len(games))
	space := labels.NewSpace(verify.New(games[0]), o.Order)
	prepared, searched := make(chan *batch, 1), make(chan *batch, numBatches)
	go func() {
		defer close(prepared)
		for first := 0; first < len(games); first += size {
			b := newBatch(space, games[first:min(first+size, len(games))], first, o)
			select {
			case prepared <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	var failed error
	go func() {
		defer close(searched)
		failed = searchBatches(ctx, space, size, len(games), o, prepared, searched)
	}()
	errs := make([]error, len(games))
	tasks := make(chan func(), o.Threads)
	go func() {
		defer close(tasks)
		for b := range searched {
			b.sortLeaves()
			for from := 0; from < len(b.verifiers); from += gamesPerVerify {
				tasks <- func() {
					for i := from; i < min(from+gamesPerVerify, len(b.verifiers)); i++ {
						n := b.first + i
						results[n], errs[n] = b.verify(ctx, games[n], i, o)
					}
				}
			}
		}
	}()
	parallel.Each(o.Threads, func(int) {
		for task := range tasks {
			task()
		}
	})
	return errors.Join(failed, errors.Join(errs...))
}

// newBatch prepares games for the device.
func newBatch(space *labels.Space, games []*game.Game, first int, o Options) *batch {
	b := &batch{first: first, space: space, verifiers: make([]*verify.Verifier, len(games)),
		games: space.DeviceGames(len(games))}
	parallel.For(o.Threads, len(games), func(_, i int) {
		b.verifiers[i] = verify.New(games[i])
		labels.NewSpace(b.verifiers[i], o.Order).AddTo(b.games, i)
	})
	return b
}

// searchBatches searches the batches that arrive, each of at most size games, and
// sends them on; games is the number of all.
func searchBatches(
	ctx context.Context, space *labels.Space, size, games int, o Options, in <-chan *batch, out chan<- *batch,
) (err error) {
	n, err := nashgpu.NewLabels(o.Device, space.DeviceGames(0), size, o.limits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	for b := range in {
		if err := n.Put(b.games); err != nil {
			return err
		}
		b.games.Roots = nil // the device has them
		before := o.Progress.units.Load()
		b.leaves, _, err = n.Search(func(counts nashgpu.Counts) error {
			o.Progress.units.Store(before + counts.Done/uint64(games))
			return ctx.Err()
		})
		if b.cycling = errors.Is(err, nashgpu.ErrCycling); err != nil && !b.cycling {
			return err
		}
		out <- b
	}
	if o.OnSearchDone != nil && ctx.Err() == nil {
		o.OnSearchDone()
	}
	return ctx.Err()
}

// sortLeaves sorts leaves by their games.
func (b *batch) sortLeaves() {
	b.byGame = make([][]nashgpu.Leaf, len(b.verifiers))
	starts := make([]int, len(b.byGame)+1)
	for _, l := range b.leaves {
		starts[l.Game+1]++
	}
	sorted := make([]nashgpu.Leaf, len(b.leaves))
	for i := range b.byGame {
		starts[i+1] += starts[i]
		b.byGame[i] = sorted[starts[i]:starts[i]:starts[i+1]]
	}
	for _, l := range b.leaves {
		b.byGame[l.Game] = append(b.byGame[l.Game], l)
	}
}

// verify decides about the candidates of game i of the batch, which is g.
func (b *batch) verify(ctx context.Context, g *game.Game, i int, o Options) (*Result, error) {
	if b.cycling {
		o.Threads, o.Device = 1, nil
		return Solve(ctx, g, o)
	}
	s := newSolver(b.verifiers[i], o)
	if err := ctx.Err(); err != nil {
		return s.Result, err
	}
	s.options.Threads = 1
	s.testDegeneracy(ctx)
	c := newCollector(ctx, s.verifier, o.Progress)
	defer c.cancel()
	c.supportsOnly, c.equilibria = o.SupportsOnly, make([]verify.Equilibrium, 0, len(b.byGame[i]))
	if s.Degeneracy != Degenerate {
		for _, l := range b.byGame[i] {
			c.Candidate(b.space.Supports(l))
		}
	}
	s.take(c)
	return s.Result, s.finish(ctx, c.failed)
}
