package supports

import (
	"context"
	"errors"
	"math"

	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/nash/verify"
)

// ErrTooManyCandidates is returned by SearchDevice if more candidates were found than
// the device has memory for.
var ErrTooManyCandidates = errors.New("more candidates than the device can hold")

// programs are the device's kernels.
var programs = [...]nashgpu.Method{Exchange: nashgpu.Exchange, Nguyen: nashgpu.Nguyen, Grosu: nashgpu.Grosu}

// SearchDevice enumerates all pairs on a GPU. CPU threads call OnCandidate after each
// size of supports.
func SearchDevice(ctx context.Context, d *cudalib.Device, v *verify.Verifier, o Options) (stats Stats, err error) {
	s := newSearch(v, o)
	n, err := nashgpu.NewSupports(d, nashgpu.Payoffs{Rows: s.rows, Cols: s.cols, A: s.a, BT: s.bt},
		programs[o.Algorithm],
		nashgpu.Tuning{Threads: o.BlockThreads, Pivoting: uint32(o.Pivoting), Doubles: o.Doubles})
	if err != nil {
		return Stats{}, err
	}
	defer n.Close()
	stats.Pairs = s.pairs()
	if o.Algorithm == Exchange {
		s.makeWalks()
	}
	for k := 1; k <= min(s.rows, s.cols); k++ {
		pairs := float64(binomial(s.rows, k)) * float64(binomial(s.cols, k)) / float64(stats.Pairs)
		done := 0.0
		found, err := n.Search(k, words(subsets(s.rows, k)), words(subsets(s.cols, k)), s.walk(ctx, k).onDevice(),
			func(part float64) error {
				o.Progress((part - done) * pairs)
				done = part
				return ctx.Err()
			})
		o.Progress((1 - done) * pairs)
		parallel.For(o.Threads, len(found), func(_, i int) { o.OnCandidate(found[i]&math.MaxUint32, found[i]>>32) })
		switch {
		case errors.Is(err, nashgpu.ErrTooManyPairs):
			return stats, ErrTooManyCandidates
		case err != nil:
			return stats, err
		case ctx.Err() != nil:
			return stats, ctx.Err()
		}
	}
	stats.Ambiguous = n.Solved
	return stats, nil
}

// onDevice returns the walk as a device takes it.
func (w coveringWalk) onDevice() (f nashgpu.CoveringWalk) {
	for _, part := range w {
		f.Starts = append(f.Starts, part.start)
		for _, e := range part.steps {
			f.Steps = append(f.Steps, uint16(e.out)|uint16(e.in)<<8)
		}
		f.Ends = append(f.Ends, uint32(len(f.Steps)))
	}
	return f
}

// words converts sets of less than 32 members.
func words(sets []uint64) []uint32 {
	out := make([]uint32, len(sets))
	for i, s := range sets {
		out[i] = uint32(s)
	}
	return out
}
