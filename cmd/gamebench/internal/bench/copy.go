package bench

import (
	"context"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
)

// benchCopy measures on the CPU the copy that probe.Measure does on a GPU.
func benchCopy(ctx context.Context, emit func(Row)) error {
	from, to := make([]byte, 256<<20), make([]byte, 256<<20)
	for i := range from {
		from[i] = byte(i) // reads of pages never written would take no memory bandwidth
	}
	t, err := medianTime(func() error { copy(to, from); return context.Cause(ctx) })
	if err != nil {
		return err
	}
	emit(Row{Case: "bytes read and written", Threads: 1, Metric: "bandwidth",
		Value: float64(2*len(to)) / t.Seconds() / 1e9, Unit: "GB/s", Repeated: t.Repeated})
	return nil
}

func benchCopyGPU(_ context.Context, d *cudalib.Device, emit func(Row)) error {
	speed, err := probe.Measure(d)
	if err != nil {
		return err
	}
	emit(Row{Case: "bytes read and written", Metric: "bandwidth", Value: speed.Copy / 1e9, Unit: "GB/s"})
	emitAll(emit, Row{Case: "launch after launch"}, figure{"time", float64(speed.Launch.Nanoseconds()), "ns"})
	emitAll(emit, Row{Case: "launch after launch, in a graph"},
		figure{"time", float64(speed.GraphLaunch.Nanoseconds()), "ns"})
	return nil
}
