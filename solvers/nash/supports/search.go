package supports

import (
	"context"
	"errors"
	"math"
	"math/big"
	"sync/atomic"

	"gamebots/internal/parallel"
	"gamebots/solvers/nash/verify"
)

// slack is the relative error up to which a float on the wrong side does not reject
// a pair of supports.
const slack = 1e-10

// An Algorithm is a way to enumerate pairs of supports.
type Algorithm int

// The algorithms.
const (
	Exchange Algorithm = iota // tableaux along a covering walk
	Nguyen                    // every pair by itself: a GPU's block has a row support, a thread column supports
	Grosu                     // every pair by itself: a GPU's thread has a pair
)

// Options configure a search.
type Options struct {
	Algorithm Algorithm
	Threads   int      // CPU threads, at least 1
	Pivoting  Pivoting // how Nguyen's and Grosu's programs pivot
	// OnCandidate is called with supports, as sets with a bit for each strategy,
	// concurrently on all threads.
	OnCandidate func(rows, cols uint64)
	// Progress is called with the share of the whole search that was just done,
	// concurrently on all threads.
	Progress func(part float64)

	// BlockThreads is the number of threads of a block of Nguyen's and Grosu's
	// kernels, 0 for the default.
	BlockThreads int
	// Doubles has the exchange kernel compute only in 64 bits.
	Doubles bool
}

// Stats counts the work of a search.
type Stats struct {
	Pairs     uint64 // pairs of supports of equal size, at most the largest uint64
	Ambiguous uint64 // pairs that tableaux did not decide and that were solved by themselves
}

// search is the enumeration of a game's pairs of supports.
type search struct {
	Options
	rows, cols int
	a          []float64 // payoffs of the row player, row by row
	bt         []float64 // payoffs of the column player, column by column
	walks      []chan coveringWalk
	stopped    atomic.Bool
}

func newSearch(v *verify.Verifier, o Options) *search {
	return &search{Options: o, rows: v.A.Rows, cols: v.A.Cols, a: v.A.Floats(), bt: v.BT.Floats()}
}

// Search enumerates all pairs on CPU threads. It returns early when ctx ends, with
// its error.
func Search(ctx context.Context, v *verify.Verifier, o Options) (Stats, error) {
	s := newSearch(v, o)
	defer context.AfterFunc(ctx, func() { s.stopped.Store(true) })()
	stats := Stats{Pairs: s.pairs()}
	switch o.Algorithm {
	case Exchange:
		s.makeWalks()
	case Nguyen:
	default:
		return Stats{}, errors.ErrUnsupported
	}
	total := float64(stats.Pairs)
	for k := 1; k <= min(s.rows, s.cols) && ctx.Err() == nil; k++ {
		part, _ := s.pairsOf(k).Float64()
		part /= total
		if o.Algorithm == Nguyen {
			parallel.Each(o.Threads, func(worker int) { s.everyPair(k, worker) })
			o.Progress(part)
			continue
		}
		stats.Ambiguous += s.size(ctx, k, part)
	}
	return stats, ctx.Err()
}

// size searches all supports of k, which are a part of the whole search.
func (s *search) size(ctx context.Context, k int, part float64) (ambiguous uint64) {
	walk := s.walk(ctx, k)
	// The list always fits: sizes whose row supports do not fit in memory would take
	// years to search.
	list := subsets(s.rows, k)
	workers := make([]columnSearch, s.Threads)
	var next atomic.Int64
	parallel.Each(s.Threads, func(worker int) {
		for i := next.Add(1) - 1; i < int64(len(list)) && !s.stopped.Load(); i = next.Add(1) - 1 {
			if workers[worker] == nil {
				workers[worker] = s.columnSearch(k, walk)
			}
			workers[worker].searchColumns(list[i])
			s.Progress(part / float64(len(list)))
		}
	})
	for _, w := range workers {
		if w != nil {
			ambiguous += w.ambiguous()
		}
	}
	return ambiguous
}

// A columnSearch searches all column supports of one size for a row support.
type columnSearch interface {
	searchColumns(rows uint64)
	ambiguous() uint64 // pairs that floats did not decide
}

func (s *search) columnSearch(k int, walk coveringWalk) columnSearch {
	if s.cols > maxCovered {
		return newColumnTree(s, k)
	}
	return newExchangeSearch(s, k, walk)
}

// subsets lists the sets of k of n elements, in lexicographic order of their
// members.
func subsets(n, k int) []uint64 {
	var all []uint64
	var add func(set uint64, from, left int)
	add = func(set uint64, from, left int) {
		if left == 0 {
			all = append(all, set)
			return
		}
		for i := from; i <= n-left; i++ {
			add(set|1<<i, i+1, left-1)
		}
	}
	add(0, 0, k)
	return all
}

// pairs returns the number of pairs of supports, at most the largest uint64.
func (s *search) pairs() uint64 {
	total := new(big.Int)
	for k := 1; k <= min(s.rows, s.cols); k++ {
		total.Add(total, s.pairsOf(k))
	}
	if !total.IsUint64() {
		return math.MaxUint64
	}
	return total.Uint64()
}

func (s *search) pairsOf(k int) *big.Int {
	rows := new(big.Int).Binomial(int64(s.rows), int64(k))
	return rows.Mul(rows, new(big.Int).Binomial(int64(s.cols), int64(k)))
}

// makeWalks starts to make covering walks in other goroutines, if there are not too
// many columns for them.
func (s *search) makeWalks() {
	if s.cols > maxCovered {
		return
	}
	s.walks = make([]chan coveringWalk, s.cols)
	for k := 1; k <= min(s.rows, s.cols-1); k++ {
		made := make(chan coveringWalk, 1)
		s.walks[k] = made
		go func() { made <- newCoveringWalk(s.cols, k) }()
	}
}

// walk waits for the covering walk of supports of k columns. It returns nil where
// there is none, and after ctx has ended.
func (s *search) walk(ctx context.Context, k int) coveringWalk {
	if k >= len(s.walks) {
		return nil
	}
	select {
	case walk := <-s.walks[k]:
		return walk
	case <-ctx.Done():
		return nil
	}
}

func binomial(n, k int) uint64 {
	c := uint64(1)
	for i := range uint64(k) {
		c = c * (uint64(n) - i) / (i + 1)
	}
	return c
}
