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
	for _, measure := range []func(context.Context, *nimsolver.Device, func(Row)) error{
		w.versionsOnGPU, w.deepestOnGPU, w.trafficOnGPU, w.tablesOnGPU,
	} {
		if err := measure(ctx, s, emit); err != nil {
			return err
		}
	}
	return nil
}

// versionsOnGPU times the versions on Fiorella's boards, and emits the speedups over
// version 0 on one core of this machine.
func (w nimWork) versionsOnGPU(ctx context.Context, d *nimsolver.Device, emit func(Row)) error {
	for rows := 2; rows <= w.rows; rows++ {
		serial, err := timeNim(ctx, rows, nimsolver.DefaultDepth)
		if err != nil {
			return err
		}
		for v := nimsolver.FirstVersion; v <= nimsolver.SolveVersion; v++ {
			for _, depth := range w.depths(rows) {
				t, err := medianTime(func() error {
					_, _, err := d.Search(v, nimRows(rows), depth)
					return errors.Join(err, context.Cause(ctx))
				})
				if err != nil {
					return err
				}
				emitNimTime(emit, nimRow(int(v), depth, rows), t)
				if depth != nimsolver.DefaultDepth {
					continue
				}
				emitNimFactor(emit, int(v), rows, "", serial.Seconds()/t.Seconds())
			}
		}
	}
	return nil
}

// deepestOnGPU times a search deeper than Fiorella's.
func (w nimWork) deepestOnGPU(ctx context.Context, d *nimsolver.Device, emit func(Row)) error {
	t, err := medianTime(func() error {
		_, _, err := d.Search(nimsolver.SolveVersion, nimRows(w.rows), w.deepest)
		return errors.Join(err, context.Cause(ctx))
	})
	if err != nil {
		return err
	}
	emitNimTime(emit, nimRow(int(nimsolver.SolveVersion), w.deepest, w.rows), t)
	return nil
}

// trafficOnGPU is Fiorella's figure 12: loads and stores of global and shared memory in
// a search from 5 rows, summed over threads.
func (w nimWork) trafficOnGPU(_ context.Context, d *nimsolver.Device, emit func(Row)) error {
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
			at := Row{Case: fmt.Sprintf("%s memory, %d rows, version", m.memory, rows), X: float64(v),
				Metric: "accesses", Value: float64(m.n), Unit: "loads and stores"}
			emit(at)
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
			t, err := medianTime(c.work)
			if err != nil {
				return errors.Join(err, s.Close())
			}
			emitNimTime(emit, Row{Case: b.name, Variant: c.variant}, t)
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}
