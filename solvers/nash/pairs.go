package nash

import (
	"context"
	"math"
	"math/big"
	"sync/atomic"

	"gamebots/internal/parallel"
	"gamebots/solvers/nash/verify"
)

// slack is the relative error up to which a float on the wrong side does not reject
// a pair of supports.
const slack = 1e-10

// pairOptions configure a search of pairs of supports.
type pairOptions struct {
	Threads int // CPU threads, at least 1
	// OnCandidate is called with supports, as sets with a bit for each strategy,
	// concurrently on all threads.
	OnCandidate func(rows, cols uint64)
	// Progress is called with the share of the whole search that was just done.
	Progress func(part float64)

	// BlockThreads is the number of threads of a GPU's block, 0 for the default.
	BlockThreads int
}

// pairSearch is the enumeration of a game's pairs of supports.
type pairSearch struct {
	pairOptions
	rows, cols int
	a          []float64 // payoffs of the row player, row by row
	bt         []float64 // payoffs of the column player, column by column
	stopped    atomic.Bool
}

func newPairSearch(v *verify.Verifier, o pairOptions) *pairSearch {
	return &pairSearch{pairOptions: o, rows: v.A.Rows, cols: v.A.Cols, a: v.A.Floats(), bt: v.BT.Floats()}
}

// searchPairs enumerates all pairs on CPU threads, and returns their number. It returns early when ctx ends, with
// its error.
func searchPairs(ctx context.Context, v *verify.Verifier, o pairOptions) (pairs uint64, err error) {
	s := newPairSearch(v, o)
	defer context.AfterFunc(ctx, func() { s.stopped.Store(true) })()
	pairs = s.pairs()
	for k := 1; k <= min(s.rows, s.cols) && ctx.Err() == nil; k++ {
		part, _ := s.pairsOf(k).Float64()
		parallel.Each(o.Threads, func(worker int) { s.everyPair(k, worker) })
		o.Progress(part / float64(pairs))
	}
	return pairs, ctx.Err()
}

// pairs returns the number of pairs of supports, at most the largest uint64.
func (s *pairSearch) pairs() uint64 {
	total := new(big.Int)
	for k := 1; k <= min(s.rows, s.cols); k++ {
		total.Add(total, s.pairsOf(k))
	}
	if !total.IsUint64() {
		return math.MaxUint64
	}
	return total.Uint64()
}

func (s *pairSearch) pairsOf(k int) *big.Int {
	rows := new(big.Int).Binomial(int64(s.rows), int64(k))
	return rows.Mul(rows, new(big.Int).Binomial(int64(s.cols), int64(k)))
}
