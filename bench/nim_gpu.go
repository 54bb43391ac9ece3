package bench

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/nimsolver"
)

// benchNimGPU times all versions on a GPU, transfers included, and counts what
// they have to do with memory.
func benchNimGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	s, err := nimsolver.NewDevice(d)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, step := range []func(context.Context, *nimsolver.Device, func(Row) error) error{
		benchNimVersions, benchNimBest, benchNimTraffic, benchNimSolveGPU,
	} {
		if err := step(ctx, s, emit); err != nil {
			return err
		}
	}
	return nil
}

// benchNimVersions times the versions on the seed's boards, and sets them against
// version 0 on one core of this machine.
func benchNimVersions(ctx context.Context, d *nimsolver.Device, emit func(Row) error) error {
	for rows := 2; rows <= nimLarge; rows++ {
		serial, err := timeNim(ctx, rows, nimsolver.DefaultDepth, 0)
		if err != nil {
			return err
		}
		for v := nimsolver.FirstVersion; v <= nimsolver.SolveVersion; v++ {
			for _, depth := range nimDepths(rows) {
				t, err := medianTime(func() error {
					_, _, err := d.Search(v, nimRows(rows), depth)
					return errors.Join(err, context.Cause(ctx))
				})
				if err != nil {
					return err
				}
				if err := emitNimTime(emit, nimAt(int(v), depth, rows), t); err != nil {
					return err
				}
				if depth != nimsolver.DefaultDepth {
					continue
				}
				if err := emitNimFactor(emit, int(v), rows, "", float64(serial)/float64(t)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// benchNimBest looks as far ahead as the seed could not.
func benchNimBest(ctx context.Context, d *nimsolver.Device, emit func(Row) error) error {
	var r nimsolver.Result
	t, err := medianTime(func() (err error) {
		r, _, err = d.Search(nimsolver.SolveVersion, nimRows(nimLarge), nimBest)
		return errors.Join(err, context.Cause(ctx))
	})
	if err != nil {
		return err
	}
	return emitNimForce(emit, nimBest, 0, t, r.Nodes)
}

// benchNimTraffic is figure 12: loads and stores of global and shared memory in a
// search from 5 rows, counted thread by thread.
func benchNimTraffic(_ context.Context, d *nimsolver.Device, emit func(Row) error) error {
	rows := min(5, nimLarge)
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
			at := Row{Case: fmt.Sprintf("%s memory, %d rows, version", m.memory, rows), X: float64(v), Metric: "accesses", Value: float64(m.n), Unit: "loads and stores"}
			if err := emit(at); err != nil {
				return err
			}
			if v == 2 {
				if err := emitNimFewer(emit, m.memory, "", 100*(1-float64(m.n)/float64(m.of))); err != nil {
					return err
				}
			}
		}
		if v == nimsolver.FirstVersion {
			first = traffic
		}
	}
	return nil
}

// benchNimSolveGPU times the solution of boards on the GPU, and with the table's
// way back.
func benchNimSolveGPU(ctx context.Context, d *nimsolver.Device, emit func(Row) error) error {
	for _, b := range nimBoards {
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
			if err == nil {
				err = emitNimTime(emit, Row{Case: b.name, Variant: c.variant}, t)
			}
			if err != nil {
				return errors.Join(err, s.Close())
			}
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}
