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

func (w sumWork) onCPU(ctx context.Context, emit func(Row) error) error {
	for _, n := range w {
		x := randomFloats(n)
		if err := timeSum(n, 1, emit, func() error { probe.Sum(x); return context.Cause(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

func (w sumWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	for _, n := range w {
		s, err := probe.NewSummation(d, n)
		if err != nil {
			return err
		}
		err = s.Upload(randomFloats(n))
		if err == nil {
			err = timeSum(n, 0, emit, func() error { _, err := s.Sum(); return errors.Join(err, context.Cause(ctx)) })
		}
		if err := errors.Join(err, s.Close()); err != nil {
			return err
		}
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

func timeSum(n, threads int, emit func(Row) error, sum func() error) error {
	t, err := medianTime(sum)
	if err != nil {
		return err
	}
	return emit(Row{Case: fmt.Sprintf("%d floats", n), Threads: threads, Metric: "bandwidth", Value: float64(4*n) / t.Seconds() / 1e9, Unit: "GB/s", Repeated: t.Repeated})
}
