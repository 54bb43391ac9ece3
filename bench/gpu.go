package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
)

// gpuBenches are the parts of benches for a GPU. The same bench on the CPU measures the
// CPU reference implementation.
var gpuBenches = map[string]gpuBench{
	"boards":     fullPublicChance.onGPU,
	"cfr":        fullReis.onGPU,
	"cfr-vector": fullVector.onGPU,
	"copy":       benchCopyGPU,
	"havannah":   fullHavannah.onGPU,
	"reis":       fullReis.onGPU,
	"player":     fullPlayer.onGPU,
	"nim":        fullNim.onGPU,
	"snake":      fullSnake.onGPU,
	"nash":       fullNash.onGPU,
	"sum":        fullSum.onGPU,
}

// gpuBench measures on a GPU and emits a row for each figure.
type gpuBench func(ctx context.Context, d *cudalib.Device, emit func(Row) error) error

// benchOnGPU runs the part of a bench for a GPU, if it has one and there is a GPU or
// the choice asks for one.
func benchOnGPU(ctx context.Context, name string, choice cudalib.Choice, emit func(Row) error) error {
	bench, ok := gpuBenches[name]
	switch {
	case !ok && choice.GPU():
		return usererr.Usagef("--device %v: bench %s is for the CPU", choice, name)
	case !ok || choice.CPU():
		return nil
	}
	d, why, err := choice.Open()
	if err != nil {
		return err
	}
	if d == nil {
		zerolog.Ctx(ctx).Info().Msgf("runs on %s", why)
		return nil
	}
	defer d.Close() // an error would not change the figures
	return bench(ctx, d, func(r Row) error {
		r.Device = cmp.Or(r.Device, d.String())
		return emit(r)
	})
}

// benchCopy measures on the CPU the copy that probe.Measure does on a GPU.
func benchCopy(ctx context.Context, emit func(Row) error) error {
	from, to := make([]byte, 256<<20), make([]byte, 256<<20)
	for i := range from {
		from[i] = byte(i) // reads of pages never written would take no memory bandwidth
	}
	t, err := medianTime(func() error { copy(to, from); return context.Cause(ctx) })
	if err != nil {
		return err
	}
	return emit(Row{Case: "bytes read and written", Threads: 1, Metric: "bandwidth", Value: float64(2*len(to)) / t.Seconds() / 1e9, Unit: "GB/s"})
}

func benchCopyGPU(_ context.Context, d *cudalib.Device, emit func(Row) error) error {
	speed, err := probe.Measure(d)
	if err != nil {
		return err
	}
	return errors.Join(
		emit(Row{Case: "bytes read and written", Metric: "bandwidth", Value: speed.Copy / 1e9, Unit: "GB/s"}),
		emit(Row{Case: "launch after launch", Metric: "time", Value: float64(speed.Launch.Nanoseconds()), Unit: "ns"}),
		emit(Row{Case: "launch after launch, in a graph", Metric: "time", Value: float64(speed.GraphLaunch.Nanoseconds()), Unit: "ns"}))
}

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
	return emit(Row{Case: fmt.Sprintf("%d floats", n), Threads: threads, Metric: "bandwidth", Value: float64(4*n) / t.Seconds() / 1e9, Unit: "GB/s"})
}
