package nash

import (
	"cmp"
	"context"
	"errors"

	"gamebots/cudalib"
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
// while the next is searched and the one after that is made ready; and leastPart is
// how many games a part has at least.
const (
	batchParts = 4
	leastPart  = 500
)

// A batch is a part of many games of one size.
type batch struct {
	from    int // the number of its first game
	provers []*prover
	spaces  []*space
	leaves  [][]cudalib.NashLeaf // of each game
	stuck   bool                 // the search did not end
}

// solveTogether solves games of one size in a few searches on a GPU.
func solveTogether(ctx context.Context, games []*Game, o Options, results []*Result) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	each := cmp.Or(o.part, max(leastPart, (len(games)+batchParts-1)/batchParts))
	made, searched := make(chan *batch, 1), make(chan *batch, batchParts)
	go func() {
		defer close(made)
		for from := 0; from < len(games); from += each {
			b := newBatch(games[from:min(from+each, len(games))], from, o)
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
		failed = searchBatches(ctx, len(games), o, made, searched)
	}()
	errs := make([]error, len(games))
	for b := range searched {
		inParallel(o.Threads, len(b.provers), func(i int) {
			game := b.from + i
			results[game], errs[game] = b.prove(ctx, games[game], i, o)
		})
	}
	return errors.Join(failed, errors.Join(errs...))
}

func newBatch(games []*Game, from int, o Options) *batch {
	b := &batch{from: from, provers: make([]*prover, len(games)), spaces: make([]*space, len(games)), leaves: make([][]cudalib.NashLeaf, len(games))}
	inParallel(o.Threads, len(games), func(i int) {
		b.provers[i] = newProver(games[i])
		b.spaces[i] = newSpace(b.provers[i], o.Order)
	})
	return b
}

// searchBatches searches the batches that come in, of so many games in all.
func searchBatches(ctx context.Context, games int, o Options, from <-chan *batch, to chan<- *batch) (err error) {
	var n *cudalib.Nash
	for b := range from {
		roots := flatten(b.spaces, o.Threads)
		if n == nil {
			if n, err = cudalib.NewNash(o.Device, roots, o.limits); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, n.Close()) }()
		} else if err := n.Replace(roots); err != nil {
			return err
		}
		before := o.Watch.part.Load()
		leaves, _, err := n.Search(func(counts cudalib.NashCounts) error {
			o.Watch.part.Store(before + counts.Done/uint64(games))
			return ctx.Err()
		})
		if b.stuck = errors.Is(err, cudalib.ErrNashStuck); err != nil && !b.stuck {
			return err
		}
		b.share(leaves)
		to <- b
	}
	if o.Searched != nil && ctx.Err() == nil {
		o.Searched()
	}
	return ctx.Err()
}

// share shares leaves out to their games.
func (b *batch) share(leaves []cudalib.NashLeaf) {
	starts := make([]int, len(b.leaves)+1)
	for _, l := range leaves {
		starts[l.Game+1]++
	}
	all := make([]cudalib.NashLeaf, len(leaves))
	for i := range b.leaves {
		starts[i+1] += starts[i]
		b.leaves[i] = all[starts[i]:starts[i]:starts[i+1]]
	}
	for _, l := range leaves {
		b.leaves[l.Game] = append(b.leaves[l.Game], l)
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
	c.bare, c.equilibria = o.Bare, make([]Equilibrium, 0, len(b.leaves[i]))
	if !r.Degenerate {
		for _, l := range b.leaves[i] {
			c.leaf(b.spaces[i].supports(l.InQ))
		}
	}
	r.take(c)
	return r, p.finish(ctx, o, r, c.unclear)
}
