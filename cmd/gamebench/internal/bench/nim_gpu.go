package bench

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/nimsolver"
)

// onGPU times all versions on a GPU, transfers included, and counts their memory
// accesses.
func (w nimWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	s, err := nimsolver.NewDevice(d)
	if err != nil {
		return err
	}
	defer s.Close()
	search := func(v nimsolver.Version, depth, rows int) error {
		return emitNimTime(emit, nimRow(int(v), depth, rows), func() error {
			_, _, err := s.Search(v, nimRows(rows), depth)
			return errors.Join(err, context.Cause(ctx))
		})
	}
	for rows := 2; rows <= w.rows; rows++ {
		for v := nimsolver.FirstVersion; v <= nimsolver.SolveVersion; v++ {
			for _, depth := range w.depths(rows) {
				if err := search(v, depth, rows); err != nil {
					return err
				}
			}
		}
	}
	if err := search(nimsolver.SolveVersion, w.deepest, w.rows); err != nil { // deeper than Fiorella's
		return err
	}
	if err := w.trafficOnGPU(s, emit); err != nil {
		return err
	}
	return w.tablesOnGPU(ctx, s, emit)
}

// trafficOnGPU is Fiorella's figure 12: loads and stores of global and shared memory in
// a search from 5 rows, summed over threads.
func (w nimWork) trafficOnGPU(d *nimsolver.Device, emit func(Row)) error {
	rows := min(5, w.rows)
	var first nimsolver.Traffic
	for v := nimsolver.FirstVersion; v < nimsolver.SolveVersion; v++ {
		_, traffic, err := d.Search(v, nimRows(rows), nimsolver.DefaultDepth)
		if err != nil {
			return err
		}
		for _, m := range []struct {
			memory string
			n, of  uint64
		}{{"global", traffic.Global, first.Global}, {"shared", traffic.Shared, first.Shared}} {
			emitAll(emit, Row{Case: fmt.Sprintf("%s memory, %d rows, version", m.memory, rows), X: float64(v)},
				figure{"accesses", float64(m.n), "loads and stores"})
			if v == 2 {
				emitNimSaving(emit, m.memory, "", 100*(1-float64(m.n)/float64(m.of)))
			}
		}
		if v == nimsolver.FirstVersion {
			first = traffic
		}
	}
	return nil
}

// tablesOnGPU times the solution of boards on the GPU, without and with the copy of
// the table.
func (w nimWork) tablesOnGPU(ctx context.Context, d *nimsolver.Device, emit func(Row)) error {
	for _, b := range w.boards {
		s, err := d.PrepareTable(b.board)
		if err != nil {
			return err
		}
		for _, c := range []struct {
			variant string
			work    func() error
		}{
			{"solved", func() error { _, err := s.Build(); return err }},
			{"solved and copied", func() error { _, err := s.NewTable(ctx); return err }},
		} {
			if err := emitNimTime(emit, Row{Case: b.name, Variant: c.variant}, c.work); err != nil {
				return errors.Join(err, s.Close())
			}
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}
