package labels

import (
	"context"
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/parallel"
)

// deviceUnits is how many units of progress a device counts for a game.
const deviceUnits = 1 << 60

// SearchDevice traverses the tree on a GPU, whose limits are for tests. Threads of
// the CPU call OnCandidate afterwards.
func (s *Space) SearchDevice(
	ctx context.Context, d *cudalib.Device, limits nashgpu.Limits, o Options,
) (stats Stats, err error) {
	games := s.DeviceGames(1)
	s.AddTo(games, 0)
	n, err := nashgpu.NewLabels(d, games, 1, limits)
	if err != nil {
		return Stats{}, err
	}
	defer n.Close()
	if err := n.Put(games); err != nil {
		return Stats{}, err
	}
	done := uint64(0)
	leaves, counts, err := n.Search(func(counts nashgpu.Counts) error {
		o.Progress(float64(counts.Done-done) / deviceUnits)
		done = counts.Done
		return ctx.Err()
	})
	parallel.For(o.Threads, len(leaves), func(_, i int) {
		if ctx.Err() == nil {
			o.OnCandidate(s.Supports(leaves[i]))
		}
	})
	if errors.Is(err, nashgpu.ErrCycling) {
		err = ErrCycling
	}
	return Stats{counts.Nodes, counts.Pivots, counts.Ambiguous}, err
}

// Supports returns the supports at a leaf of a device's search.
func (s *Space) Supports(leaf nashgpu.Leaf) (rows, cols uint64) { return s.supports(leaf.InQ) }

// DeviceGames returns room for n games of the space's size, to be filled by AddTo.
func (s *Space) DeviceGames(n int) nashgpu.Games {
	return nashgpu.Games{Rows: s.rows, Cols: s.cols, Order: uint32(s.order), Roots: make([]float64, n*s.rootLen())}
}

// rootLen is how many entries of Roots a game has.
func (s *Space) rootLen() int { return s.cols*(s.rows+first) + s.rows*(s.cols+first) + 2*s.labels }

// AddTo writes the space's tableaux into g as game i.
func (s *Space) AddTo(g nashgpu.Games, i int) {
	n := s.rootLen()
	to := g.Roots[i*n : i*n : (i+1)*n]
	for _, t := range s.root {
		for c := range first + t.cols {
			for r := range t.rows {
				to = append(to, t.a[r*t.stride+c])
			}
		}
	}
	for _, t := range s.root {
		to = append(to, t.probe...)
	}
}
