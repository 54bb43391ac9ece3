package labels

import (
	"context"
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/parallel"
)

// deviceUnits is how many units of progress a device counts.
const deviceUnits = 1 << 60

// SearchDevice traverses the tree on a GPU, whose limits are for tests. Threads of
// the CPU call OnCandidate afterwards.
func (s *Space) SearchDevice(
	ctx context.Context, d *cudalib.Device, limits nashgpu.Limits, o Options,
) (stats Stats, err error) {
	n, err := nashgpu.NewLabels(d, s.onDevice(), limits)
	if err != nil {
		return Stats{}, err
	}
	defer n.Close()
	done := uint64(0)
	leaves, counts, err := n.Search(func(counts nashgpu.Counts) error {
		o.Progress(float64(counts.Done-done) / deviceUnits)
		done = counts.Done
		return ctx.Err()
	})
	parallel.For(o.Threads, len(leaves), func(_, i int) {
		if ctx.Err() == nil {
			o.OnCandidate(s.supports(Set(leaves[i])))
		}
	})
	if errors.Is(err, nashgpu.ErrCycling) {
		err = ErrCycling
	}
	return Stats{counts.Nodes, counts.Pivots, counts.Ambiguous}, err
}

// onDevice returns the space as a device takes it.
func (s *Space) onDevice() nashgpu.Game {
	g := nashgpu.Game{Rows: s.rows, Cols: s.cols, Order: uint32(s.order)}
	for _, t := range s.root {
		for c := range first + t.cols {
			for r := range t.rows {
				g.Roots = append(g.Roots, t.a[r*t.stride+c])
			}
		}
	}
	for _, t := range s.root {
		g.Roots = append(g.Roots, t.probe...)
	}
	return g
}
