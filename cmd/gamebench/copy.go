package main

import (
	"context"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
)

// benchCopy measures on the CPU the copy that probe.Measure does on a GPU.
func benchCopy(ctx context.Context, emit func(Row)) {
	from, to := make([]byte, 256<<20), make([]byte, 256<<20)
	for i := range from {
		from[i] = byte(i) // reads of pages never written would take no memory bandwidth
	}
	t := medianTime(func() { copy(to, from); check(context.Cause(ctx)) })
	emit(Row{Case: "bytes read and written", Threads: 1, Metric: "bandwidth",
		Value: float64(2*len(to)) / t.Seconds() / 1e9, Unit: "GB/s", Repeated: t.Repeated})
}

func benchCopyGPU(_ context.Context, d *cudalib.Device, emit func(Row)) {
	speed := must(probe.Measure(d))
	emit(Row{Case: "bytes read and written", Metric: "bandwidth", Value: speed.Copy / 1e9, Unit: "GB/s"})
	emitAll(emit, Row{Case: "launch after launch"}, figure{"time", float64(speed.Launch.Nanoseconds()), "ns"})
	emitAll(emit, Row{Case: "launch after launch, in a graph"},
		figure{"time", float64(speed.GraphLaunch.Nanoseconds()), "ns"})
}
