package nash

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"gamebots/cudalib/nashgpu"
)

// SolveAll solves many games of one size at once: on a GPU they are one search.
// Results are in the order of the games.
func SolveAll(ctx context.Context, games []*Game, o Options) ([]*Result, error) {
	o = o.withDefaults()
	results := make([]*Result, len(games))
	same := len(games) > 0 && o.Device != nil && o.Method == Labels
	for _, g := range games {
		if err := g.check(); err != nil {
			return nil, err
		}
		same = same && g.Rows == games[0].Rows && g.Cols == games[0].Cols
	}
	if !same {
		errs := make([]error, len(games))
		threads := o.Threads
		o.Threads = 1
		if o.Device != nil {
			threads = 1
		}
		inParallel(threads, len(games), func(i int) { results[i], errs[i] = Solve(ctx, games[i], o) })
		return results, errors.Join(errs...)
	}
	return results, solveTogether(ctx, games, o, results)
}

// batchParts is how many parts many games are searched in, so that one is proved
// while the next is searched and the one after that is made ready; leastPart is how
// many games a part has at least, and proveTogether how many are proved in one go.
const (
	batchParts    = 4
	leastPart     = 500
	proveTogether = 8
)

// A batch is a part of many games of one size.
type batch struct {
	from    int // the number of its first game
	provers []*prover
	size    *space         // that all have
	games   nashgpu.Games  // for the device
	leaves  []nashgpu.Leaf // of all, in no order
	of      [][]nashgpu.Leaf
	stuck   bool // the search did not end
}

// solveTogether solves games of one size in a few searches on a GPU.
func solveTogether(ctx context.Context, games []*Game, o Options, results []*Result) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	each := cmp.Or(o.part, max(leastPart, (len(games)+batchParts-1)/batchParts))
	each = min(each, len(games))
	size := newSpace(newProver(games[0]), o.Order)
	made, searched := make(chan *batch, 1), make(chan *batch, batchParts)
	go func() {
		defer close(made)
		for from := 0; from < len(games); from += each {
			b := newBatch(size, games[from:min(from+each, len(games))], from, o)
			select {
			case made <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	var failed error
	go func() {
		defer close(searched)
		failed = searchBatches(ctx, size, each, len(games), o, made, searched)
	}()
	errs := make([]error, len(games))
	work := make(chan func(), o.Threads)
	var all sync.WaitGroup
	for range o.Threads {
		all.Go(func() {
			for prove := range work {
				prove()
			}
		})
	}
	for b := range searched {
		b.share()
		for from := 0; from < len(b.provers); from += proveTogether {
			work <- func() {
				for i := from; i < min(from+proveTogether, len(b.provers)); i++ {
					game := b.from + i
					results[game], errs[game] = b.prove(ctx, games[game], i, o)
				}
			}
		}
	}
	close(work)
	all.Wait()
	return errors.Join(failed, errors.Join(errs...))
}

func newBatch(size *space, games []*Game, from int, o Options) *batch {
	b := &batch{from: from, size: size, provers: make([]*prover, len(games)), games: size.games(len(games))}
	inParallel(o.Threads, len(games), func(i int) {
		b.provers[i] = newProver(games[i])
		newSpace(b.provers[i], o.Order).flatten(b.games, i)
	})
	return b
}

// searchBatches searches the batches that come in, each of most games or less, of so
// many in all.
func searchBatches(ctx context.Context, size *space, most, games int, o Options, from <-chan *batch, to chan<- *batch) (err error) {
	n, err := nashgpu.NewLabels(o.Device, size.games(0), most, o.limits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	for b := range from {
		if err := n.Put(b.games); err != nil {
			return err
		}
		b.games.Roots = nil // the device has them
		before := o.Watch.part.Load()
		b.leaves, _, err = n.Search(func(counts nashgpu.Counts) error {
			o.Watch.part.Store(before + counts.Done/uint64(games))
			return ctx.Err()
		})
		if b.stuck = errors.Is(err, nashgpu.ErrCycling); err != nil && !b.stuck {
			return err
		}
		to <- b
	}
	if o.Searched != nil && ctx.Err() == nil {
		o.Searched()
	}
	return ctx.Err()
}

// share shares leaves out to their games.
func (b *batch) share() {
	b.of = make([][]nashgpu.Leaf, len(b.provers))
	starts := make([]int, len(b.of)+1)
	for _, l := range b.leaves {
		starts[l.Game+1]++
	}
	all := make([]nashgpu.Leaf, len(b.leaves))
	for i := range b.of {
		starts[i+1] += starts[i]
		b.of[i] = all[starts[i]:starts[i]:starts[i+1]]
	}
	for _, l := range b.leaves {
		b.of[l.Game] = append(b.of[l.Game], l)
	}
}

// prove decides about what the search of a game found.
func (b *batch) prove(ctx context.Context, g *Game, i int, o Options) (*Result, error) {
	if b.stuck {
		o.Threads, o.Device = 1, nil
		return Solve(ctx, g, o)
	}
	r, p := &Result{Stats: Stats{Method: Labels}}, b.provers[i]
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.Degenerate = !o.Quick && p.degenerate(ctx)
	c := newCollector(ctx, p, o.Watch)
	defer c.stop()
	c.bare, c.equilibria = o.Bare, make([]Equilibrium, 0, len(b.of[i]))
	if !r.Degenerate {
		for _, l := range b.of[i] {
			c.leaf(b.size.supports(l.InQ))
		}
	}
	r.take(c)
	return r, p.finish(ctx, o, r, c.unclear)
}
