package nash

import (
	"cmp"
	"context"
	"math"

	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/verify"
)

// searchPairsOn enumerates all pairs on a GPU by a published program, and returns their number. CPU threads call
// OnCandidate after each size of supports. The error is that of ctx or of the device, such as
// [nashgpu.ErrTooManyPairs].
func searchPairsOn(
	ctx context.Context, d *cudalib.Device, program nashgpu.Method, v *verify.Verifier, o pairOptions,
) (pairs uint64, err error) {
	s := newPairSearch(v, o)
	n, err := nashgpu.NewSupports(d, nashgpu.Payoffs{Rows: s.rows, Cols: s.cols, A: s.a, BT: s.bt},
		program, o.BlockThreads)
	if err != nil {
		return 0, err
	}
	defer n.Close()
	pairs = s.pairs()
	for k := 1; k <= min(s.rows, s.cols); k++ {
		rows, cols := subsets(s.rows, k), subsets(s.cols, k)
		found, err := n.Search(k, rows, cols)
		o.Progress(float64(len(rows)) * float64(len(cols)) / float64(pairs))
		parallel.For(o.Threads, len(found), func(_, i int) { o.OnCandidate(found[i]&math.MaxUint32, found[i]>>32) })
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return pairs, err
		}
	}
	return pairs, nil
}

// subsets lists the sets of k of n elements, in lexicographic order of their members.
func subsets(n, k int) (all []uint32) {
	for list, ok := firstSubset(k, n); ok; list, ok = nextSubset(list, n) {
		all = append(all, uint32(bimatrix.SetOf(list)))
	}
	return all
}
