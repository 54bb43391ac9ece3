package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
)

// sumWork is the work of bench sum: the lengths of sums.
type sumWork []int

// fullSum has a sum that fits into a CPU's caches, and one that fits into none.
var fullSum = sumWork{1 << 16, 1 << 26}

func (w sumWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, n := range w {
		x := randomFloats(n)
		t, err := medianThreadTime(func() error { probe.Sum(x); return context.Cause(ctx) })
		if err != nil {
			return err
		}
		emit(sumRow(n, 1, t))
	}
	return nil
}

func (w sumWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, n := range w {
		s, err := probe.NewSummation(d, n)
		if err != nil {
			return err
		}
		var t timing
		err = s.Upload(randomFloats(n))
		if err == nil {
			t, err = medianTime(func() error { _, err := s.Sum(); return errors.Join(err, context.Cause(ctx)) })
		}
		if err := errors.Join(err, s.Close()); err != nil {
			return err
		}
		emit(sumRow(n, 0, t))
	}
	return nil
}

func randomFloats(n int) []float32 {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	x := make([]float32, n)
	for i := range x {
		x[i] = rng.Float32()
	}
	return x
}

func sumRow(n, threads int, t timing) Row {
	return Row{Case: fmt.Sprintf("%d floats", n), Threads: threads, Metric: "bandwidth",
		Value: float64(4*n) / t.Seconds() / 1e9, Unit: "GB/s", Repeated: t.Repeated}
}
